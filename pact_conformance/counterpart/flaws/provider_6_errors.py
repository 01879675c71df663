"""Flaws of §6: the envelope of errors, its table, and what is no A2A error."""

from starlette.responses import Response

from pact_conformance.counterpart.flaws.registry import flaw
from pact_conformance.counterpart.provider.provider import Provider
from pact_conformance.counterpart.substitution import (
    Document,
    answering,
    change_errors,
    map_reason,
)

REFUSALS = (
    "2.2-list-filters",
    "2-version-other",
    "2.2-page-size-invalid",
    "2.2-get-task",
    "2.2-cancel-task",
    "2.2-stream",
    "2.2-subscribe",
    "2.2-push-config",
    "2.2-extended-card",
    "4.1-role",
    "4.1-parts",
    "4.1-blank-text",
    "4.1-part-kinds-mixed",
    "4.1-part-kinds-alone",
    "4.1-task-id",
    "4.1-message-id",
    "4.1-body",
    "4.2-unknown-context",
    "4.2-foreign-user",
)
"""What a Provider does not meet whose A2A errors have no reason where it is looked for."""


@flaw(
    "2-version-other",
    "2.2-cancel-task",
    "2.2-extended-card",
    "2.2-get-task",
    "2.2-list-filters",
    "2.2-page-size-invalid",
    "2.2-push-config",
    "2.2-stream",
    "2.2-subscribe",
    "4.1-blank-text",
    "4.1-body",
    "4.1-message-id",
    "4.1-part-kinds-alone",
    "4.1-part-kinds-mixed",
    "4.1-parts",
    "4.1-role",
    "4.1-task-id",
    "4.2-closed",
    "4.2-closed-foreign",
    "4.2-foreign-agent",
    "4.2-foreign-brand",
    "4.2-foreign-user",
    "4.2-unknown-context",
    "4.3-still-running",
    "4.3-stranger",
    "6-envelope",
    "6-internal",
)
def sends_errors_without_details(provider: Provider) -> None:
    """An error has no details, and so no reason."""
    change_errors(provider, lambda body: body["error"].pop("details"))


@flaw(
    "2-version-other",
    "2.2-cancel-task",
    "2.2-extended-card",
    "2.2-get-task",
    "2.2-list-filters",
    "2.2-page-size-invalid",
    "2.2-push-config",
    "2.2-stream",
    "2.2-subscribe",
    "4.1-blank-text",
    "4.1-body",
    "4.1-message-id",
    "4.1-part-kinds-alone",
    "4.1-part-kinds-mixed",
    "4.1-parts",
    "4.1-role",
    "4.1-task-id",
    "4.2-closed",
    "4.2-closed-foreign",
    "4.2-foreign-agent",
    "4.2-foreign-brand",
    "4.2-foreign-user",
    "4.2-unknown-context",
    "4.3-still-running",
    "4.3-stranger",
    "6-envelope",
    "6-internal",
)
def sends_the_details_as_an_object(provider: Provider) -> None:
    """The details of an error are one object in place of an array."""
    change_errors(
        provider,
        lambda body: body["error"].update(details=body["error"]["details"][0]),
    )


@flaw("6-envelope")
def sends_errors_without_message(provider: Provider) -> None:
    """An error has no message."""
    change_errors(provider, lambda body: body["error"].pop("message"))


@flaw("6-envelope")
def sends_errors_without_status_name(provider: Provider) -> None:
    """An error has no status name."""
    change_errors(provider, lambda body: body["error"].pop("status"))


@flaw(
    "2-version-other",
    "2.2-cancel-task",
    "2.2-extended-card",
    "2.2-get-task",
    "2.2-list-filters",
    "2.2-page-size-invalid",
    "2.2-push-config",
    "2.2-stream",
    "2.2-subscribe",
    "4.1-blank-text",
    "4.1-body",
    "4.1-message-id",
    "4.1-part-kinds-alone",
    "4.1-part-kinds-mixed",
    "4.1-parts",
    "4.1-role",
    "4.1-task-id",
    "4.2-closed",
    "4.2-closed-foreign",
    "4.2-foreign-agent",
    "4.2-foreign-brand",
    "4.2-foreign-user",
    "4.2-unknown-context",
    "4.3-still-running",
    "4.3-stranger",
    "6-envelope",
    "6-internal",
)
def sends_errors_as_problem_details(provider: Provider) -> None:
    """An error is a problem of RFC 9457 in place of A2A's envelope."""

    def change(body: Document) -> None:
        error = body.pop("error")
        reason = error["details"][0]["reason"]
        body.update(type=reason, title=error["message"], status=error["code"])

    change_errors(provider, change)


@flaw(
    "2-version-other",
    "2.2-cancel-task",
    "2.2-extended-card",
    "2.2-get-task",
    "2.2-list-filters",
    "2.2-page-size-invalid",
    "2.2-push-config",
    "2.2-stream",
    "2.2-subscribe",
    "4.1-blank-text",
    "4.1-body",
    "4.1-message-id",
    "4.1-part-kinds-alone",
    "4.1-part-kinds-mixed",
    "4.1-parts",
    "4.1-role",
    "4.1-task-id",
    "4.2-closed",
    "4.2-closed-foreign",
    "4.2-foreign-agent",
    "4.2-foreign-brand",
    "4.2-foreign-user",
    "4.2-unknown-context",
    "4.3-still-running",
    "4.3-stranger",
    "6-envelope",
    "6-internal",
)
def sends_errors_without_the_member_around(provider: Provider) -> None:
    """The members of an error stand at the top in place of in `error`."""
    change_errors(provider, lambda body: body.update(body.pop("error")))


@flaw("6-envelope")
def sends_details_without_type(provider: Provider) -> None:
    """The detail with the reason has no @type."""
    change_errors(provider, lambda body: body["error"]["details"][0].pop("@type"))


@flaw("6-envelope")
def sends_a_further_detail_without_type(provider: Provider) -> None:
    """A detail after the first has no @type."""
    change_errors(provider, lambda body: body["error"]["details"].append({"field": "message"}))


@flaw("6-code")
def sends_another_code_than_the_status(provider: Provider) -> None:
    """The code of an error is that of JSON-RPC."""
    change_errors(provider, lambda body: body["error"].update(code=-32602))


@flaw("6-code")
def sends_one_code_for_all_errors(provider: Provider) -> None:
    """The code of every error is 400, also where the status is 404."""
    change_errors(provider, lambda body: body["error"].update(code=400))


@flaw("6-code")
def sends_the_code_as_a_text(provider: Provider) -> None:
    """The code of an error is a string."""
    change_errors(provider, lambda body: body["error"].update(code=str(body["error"]["code"])))


@flaw("6-code")
def sends_errors_without_code(provider: Provider) -> None:
    """An error has no code."""
    change_errors(provider, lambda body: body["error"].pop("code"))


@flaw("6-reason-first")
def puts_the_reason_second(provider: Provider) -> None:
    """Another detail stands before the one with the reason."""
    bad_request = {"@type": "type.googleapis.com/google.rpc.BadRequest", "fieldViolations": []}
    change_errors(provider, lambda body: body["error"]["details"].insert(0, bad_request))


@flaw(
    "2-version-other",
    "2.2-cancel-task",
    "2.2-extended-card",
    "2.2-get-task",
    "2.2-list-filters",
    "2.2-page-size-invalid",
    "2.2-push-config",
    "2.2-stream",
    "2.2-subscribe",
    "4.1-blank-text",
    "4.1-body",
    "4.1-message-id",
    "4.1-part-kinds-alone",
    "4.1-part-kinds-mixed",
    "4.1-parts",
    "4.1-role",
    "4.1-task-id",
    "4.2-closed",
    "4.2-closed-foreign",
    "4.2-foreign-agent",
    "4.2-foreign-brand",
    "4.2-foreign-user",
    "4.2-unknown-context",
    "4.3-still-running",
    "4.3-stranger",
    "6-internal",
    "6-reason-first",
)
def sends_errors_without_reason(provider: Provider) -> None:
    """The first detail of an error has no reason."""
    change_errors(provider, lambda body: body["error"]["details"][0].pop("reason"))


@flaw("6-reason-first")
def sends_another_domain(provider: Provider) -> None:
    """The detail with the reason has a domain of the Provider's own."""
    change_errors(
        provider,
        lambda body: body["error"]["details"][0].update(domain="provider.example"),
    )


@flaw(
    "2-version-other",
    "2.2-cancel-task",
    "2.2-extended-card",
    "2.2-get-task",
    "2.2-list-filters",
    "2.2-page-size-invalid",
    "2.2-push-config",
    "2.2-stream",
    "2.2-subscribe",
    "4.1-blank-text",
    "4.1-body",
    "4.1-message-id",
    "4.1-part-kinds-alone",
    "4.1-part-kinds-mixed",
    "4.1-parts",
    "4.1-role",
    "4.1-task-id",
    "4.2-closed",
    "4.2-closed-foreign",
    "4.2-foreign-agent",
    "4.2-foreign-brand",
    "4.2-foreign-user",
    "4.2-unknown-context",
    "4.3-still-running",
    "4.3-stranger",
    "6-internal",
)
def spells_reasons_as_class_names(provider: Provider) -> None:
    """A reason is spelt like TaskNotFoundError."""

    def change(body: Document) -> None:
        detail = body["error"]["details"][0]
        words = detail["reason"].split("_")
        detail["reason"] = "".join(word.capitalize() for word in words) + "Error"

    change_errors(provider, change)


# The table


@flaw("6-table")
def sends_unsupported_operations_as_unimplemented(provider: Provider) -> None:
    """UNSUPPORTED_OPERATION has the status name UNIMPLEMENTED, as in A2A 1.0.0."""
    map_reason(provider, "UNSUPPORTED_OPERATION", 400, "UNIMPLEMENTED")


@flaw("6-table")
def sends_push_notifications_as_unimplemented(provider: Provider) -> None:
    """PUSH_NOTIFICATION_NOT_SUPPORTED has the status name UNIMPLEMENTED, as in A2A 1.0.0."""
    map_reason(provider, "PUSH_NOTIFICATION_NOT_SUPPORTED", 400, "UNIMPLEMENTED")


@flaw("6-table")
def sends_unsupported_operations_with_501(provider: Provider) -> None:
    """UNSUPPORTED_OPERATION has the HTTP status 501."""
    map_reason(provider, "UNSUPPORTED_OPERATION", 501, "UNIMPLEMENTED")


@flaw("6-table")
def sends_content_types_as_unsupported_media(provider: Provider) -> None:
    """CONTENT_TYPE_NOT_SUPPORTED has the HTTP status 415, as in A2A 1.0.0."""
    map_reason(provider, "CONTENT_TYPE_NOT_SUPPORTED", 415, "INVALID_ARGUMENT")


_INVALID = (
    "2.2-list-filters",
    "2.2-page-size-invalid",
    "4.1-role",
    "4.1-parts",
    "4.1-blank-text",
    "4.1-message-id",
    "4.1-body",
    "4.2-unknown-context",
    "4.2-foreign-user",
)


@flaw("6-table")
def sends_invalid_params_with_422(provider: Provider) -> None:
    """INVALID_PARAMS has the HTTP status 422."""
    map_reason(provider, "INVALID_PARAMS", 422, "INVALID_ARGUMENT")


@flaw("6-table")
def sends_invalid_params_as_failed_precondition(provider: Provider) -> None:
    """INVALID_PARAMS has the status name FAILED_PRECONDITION."""
    change_errors(
        provider,
        lambda body: body["error"].update(status="FAILED_PRECONDITION"),
        reason="INVALID_PARAMS",
    )


@flaw("6-table")
def sends_unknown_tasks_with_400(provider: Provider) -> None:
    """TASK_NOT_FOUND has the HTTP status 400."""
    map_reason(provider, "TASK_NOT_FOUND", 400, "NOT_FOUND")


@flaw("6-table")
def spells_the_status_name_of_an_unknown_task_in_lower_case(provider: Provider) -> None:
    """TASK_NOT_FOUND has the status name not_found."""
    map_reason(provider, "TASK_NOT_FOUND", 404, "not_found")


@flaw("6-gateway")
def answers_a_stream_through_a_bare_gateway(provider: Provider) -> None:
    """message:stream gets a plain 502."""
    provider.operations.handle("stream", answering(lambda: Response(status_code=502)))


@flaw("6-gateway")
def is_always_out_of_service_for_the_extended_card(provider: Provider) -> None:
    """The extended card gets a plain 503."""
    provider.operations.handle("extended card", answering(lambda: Response(status_code=503)))
