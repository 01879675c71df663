"""Flaws of §2: versions, media types, unknown members, tenants."""

from dataclasses import replace

from starlette.datastructures import QueryParams
from starlette.responses import Response

from pact_conformance.counterpart.flaws.registry import flaw
from pact_conformance.counterpart.provider.brand_agent import Reply, Turn
from pact_conformance.counterpart.provider.call import Call
from pact_conformance.counterpart.provider.gates import check_version
from pact_conformance.counterpart.provider.message_rules import (
    MESSAGE,
    PART,
    REQUEST,
    Submission,
    contents_of,
)
from pact_conformance.counterpart.provider.provider import Provider
from pact_conformance.counterpart.provider.refusals import A2ARefusal, invalid
from pact_conformance.counterpart.substitution import (
    SERVED_MESSAGES,
    change_answers,
    change_card,
    map_reason,
)
from pact_conformance.wire.media_types import A2A_JSON, JSON, essence


@flaw("2-request-json", "2-version-1-0", "2.2-send", "4.1-minimal-message", "4.2-reply")
def serves_messages_only_without_version_1_0(provider: Provider) -> None:
    """A message that names version 1.0 is refused."""
    send = provider.operations["send"].handle

    async def handle(provider: Provider, call: Call) -> Response:
        if call.request.headers.get("a2a-version") == "1.0":
            raise A2ARefusal("VERSION_NOT_SUPPORTED", "A2A 0.3 is spoken here")
        return await send(provider, call)

    provider.operations.handle("send", handle)


@flaw("2-version-absent")
def refuses_a_request_without_version(provider: Provider) -> None:
    """A missing version is read as 0.3 and refused."""
    provider.check_version = lambda asked: check_version(asked or "0.3")


@flaw("2-version-other", "6-client-errors")
def breaks_down_at_another_version(provider: Provider) -> None:
    """An unknown version gets an internal error."""

    def check(asked: str) -> None:
        if asked not in ("", "1.0"):
            raise A2ARefusal("INTERNAL", "Cannot dispatch the version")

    provider.check_version = check


@flaw("2-version-other")
def refuses_another_version_as_invalid(provider: Provider) -> None:
    """An unknown version gets INVALID_PARAMS."""

    def check(asked: str) -> None:
        if asked not in ("", "1.0"):
            raise invalid("Unknown version")

    provider.check_version = check


@flaw("6-table")
def refuses_another_version_as_a2a_1_0_0_did(provider: Provider) -> None:
    """An unknown version gets the status name that A2A 1.0.1 has replaced."""
    map_reason(provider, "VERSION_NOT_SUPPORTED", 400, "UNIMPLEMENTED")


@flaw(*SERVED_MESSAGES)
def takes_only_a2a_json_bodies(provider: Provider) -> None:
    """A message sent as application/json is refused."""

    def check(content_type: str | None) -> None:
        if essence(content_type) != A2A_JSON:
            raise invalid(f"The request body must be {A2A_JSON}")

    provider.check_content_type = check


@flaw("2-request-a2a-json")
def takes_only_json_bodies(provider: Provider) -> None:
    """A message sent as application/a2a+json is refused."""

    def check(content_type: str | None) -> None:
        if essence(content_type) not in ("", JSON):
            raise invalid(f"The request body must be {JSON}")

    provider.check_content_type = check


def _retype(
    provider: Provider,
    media_type: str | None,
    *,
    errors: bool,
    results: bool,
    path: str = "",
) -> None:
    def change(call: Call, response: Response) -> None:
        is_error = response.status_code >= 400
        concerned = (errors and is_error) or (results and not is_error)
        if response.headers.get("content-type") != A2A_JSON or not concerned:
            return
        if not call.path.startswith(path):
            return
        if media_type is None:
            del response.headers["content-type"]
        else:
            response.headers["content-type"] = media_type

    change_answers(provider, change)


@flaw("2-response-media-type")
def sends_errors_as_json(provider: Provider) -> None:
    """A2A errors have the media type application/json."""
    _retype(provider, JSON, errors=True, results=False)


@flaw("2-response-media-type")
def sends_errors_as_problem_json(provider: Provider) -> None:
    """A2A errors have the media type application/problem+json."""
    _retype(provider, "application/problem+json", errors=True, results=False)


@flaw("2-response-media-type")
def sends_replies_as_json(provider: Provider) -> None:
    """The answers of message:send have the media type application/json."""
    _retype(provider, JSON, errors=False, results=True, path="/message:send")


@flaw("2-response-media-type")
def sends_lists_as_json_with_charset(provider: Provider) -> None:
    """The answers of GET tasks have the media type application/json."""
    _retype(provider, "application/json; charset=utf-8", errors=False, results=True, path="/tasks")


@flaw("2-response-media-type")
def sends_everything_as_text(provider: Provider) -> None:
    """A2A answers have the media type text/plain."""
    _retype(provider, "text/plain", errors=True, results=True)


@flaw("2-response-media-type")
def sends_no_media_type(provider: Provider) -> None:
    """A2A answers have no media type."""
    _retype(provider, None, errors=True, results=True)


@flaw("2-response-media-type")
def sends_not_found_errors_as_json(provider: Provider) -> None:
    """Only the errors of the task operations have the media type application/json."""
    _retype(provider, JSON, errors=True, results=False, path="/tasks/")


@flaw("2-unknown-members")
def refuses_unknown_members_of_the_request(provider: Provider) -> None:
    """A request with an unknown member beside the message is refused."""

    def the_request_has_no_others(submission: Submission) -> None:
        if submission.document.keys() - REQUEST.keys():
            raise invalid("Unknown member")

    provider.rules.add(the_request_has_no_others)


@flaw("2-unknown-members")
def refuses_unknown_members_of_the_message(provider: Provider) -> None:
    """A message with an unknown member is refused."""

    def the_message_has_no_others(submission: Submission) -> None:
        if submission.message.keys() - MESSAGE.keys():
            raise invalid("Unknown member")

    provider.rules.add(the_message_has_no_others)


@flaw("2-unknown-members")
def refuses_unknown_members_of_a_part(provider: Provider) -> None:
    """A part with an unknown member is refused."""

    def the_parts_have_no_others(submission: Submission) -> None:
        if any(part.keys() - PART.keys() - set(contents_of(part)) for part in submission.parts):
            raise invalid("Unknown member")

    provider.rules.add(the_parts_have_no_others)


def _name_a_tenant(provider: Provider) -> None:
    change_card(provider, lambda card: card["supportedInterfaces"][0].update(tenant="outdoor"))


@flaw("2-tenant", *SERVED_MESSAGES)
def refuses_messages_with_the_tenant_of_the_card(provider: Provider) -> None:
    """The card names a tenant, but a message that carries it is refused."""
    _name_a_tenant(provider)

    def no_tenant(submission: Submission) -> None:
        if "tenant" in submission.document:
            raise invalid("Unknown member tenant")

    provider.rules.add(no_tenant)


@flaw("2.2-list-tasks")
def refuses_lists_with_the_tenant_of_the_card(provider: Provider) -> None:
    """The card names a tenant, but a list that is asked with it is refused."""
    _name_a_tenant(provider)
    check = provider.check_filters

    def check_filters(query: QueryParams) -> None:
        if "tenant" in query:
            raise invalid("Unknown parameter tenant")
        check(query)

    provider.check_filters = check_filters


@flaw("2-unicode-text")
def refuses_characters_beyond_the_first_plane(provider: Provider) -> None:
    """Text with a character beyond U+FFFF is refused."""

    def text_is_of_the_first_plane(submission: Submission) -> None:
        if any(ord(character) > 0xFFFF for character in submission.text):
            raise invalid("Unsupported character")

    provider.rules.add(text_is_of_the_first_plane)


@flaw("2-unicode-text")
def breaks_down_at_text_outside_of_ascii(provider: Provider) -> None:
    """Text outside of ASCII gets an internal error."""

    def text_is_ascii(submission: Submission) -> None:
        if not submission.text.isascii():
            raise A2ARefusal("INTERNAL", "Cannot encode the text")

    provider.rules.add(text_is_ascii)


@flaw("2-unicode-text")
def answers_text_outside_of_ascii_in_latin_1(provider: Provider) -> None:
    """The answer to text outside of ASCII is no UTF-8."""
    agent, told = provider.brand_agent, "é"

    async def brand_agent(turn: Turn) -> Reply:
        reply = await agent(turn)
        if turn.text.isascii():
            return reply
        return replace(reply, text=f"{reply.text} {told}")

    def change(call: Call, response: Response) -> None:
        if call.path == "/message:send" and told.encode() in response.body:
            response.body = bytes(response.body).replace(told.encode(), told.encode("latin-1"))
            response.headers["content-length"] = str(len(response.body))

    provider.brand_agent = brand_agent
    change_answers(provider, change)


@flaw("2-https")
def offers_a_public_interface_over_http(provider: Provider) -> None:
    """The card lists a further interface, with a public host and without TLS."""
    change_card(
        provider,
        lambda card: card["supportedInterfaces"].append(
            card["supportedInterfaces"][0] | {"url": "http://agents.provider.example/a2a/outdoor"},
        ),
    )
