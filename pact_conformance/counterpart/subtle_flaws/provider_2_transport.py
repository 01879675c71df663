"""Subtle flaws of §2: headers and methods of a request."""

from pact_conformance.counterpart.flaws.registry import subtle_flaw
from pact_conformance.counterpart.provider.call import Call
from pact_conformance.counterpart.provider.provider import Provider
from pact_conformance.counterpart.provider.refusals import invalid
from pact_conformance.wire.media_types import A2A_JSON, JSON


@subtle_flaw("2-request-json")
def compares_the_media_type_letter_by_letter(provider: Provider) -> None:
    """A Content-Type with a parameter or in another case is refused."""

    def check(content_type: str | None) -> None:
        if content_type not in (None, JSON, A2A_JSON):
            raise invalid(f"The request body must be {JSON}")

    provider.check_content_type = check


@subtle_flaw("2-request-json", "6-client-errors")
def breaks_down_at_a_malformed_trace(provider: Provider) -> None:
    """A Traceparent that is not as its specification has it gets 500."""
    inner = provider.gates["version_is_spoken"]

    async def version_is_spoken(provider: Provider, call: Call) -> None:
        trace = call.request.headers.get("traceparent")
        if trace is not None:
            _, trace_id, _, _ = trace.split("-")
            int(trace_id, 16)
        await inner(provider, call)

    provider.gates.replace("version_is_spoken", version_is_spoken)


@subtle_flaw("2.2-wrong-method")
def takes_put_for_post(provider: Provider) -> None:
    """A message may be sent by PUT."""
    inner = provider.gates["operation_exists"]

    async def operation_exists(provider: Provider, call: Call) -> None:
        if call.request.method == "PUT":
            call.request.scope["method"] = "POST"
        await inner(provider, call)

    provider.gates.replace("operation_exists", operation_exists)
