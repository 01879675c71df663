"""Subtle flaws of §4.1: how the body of a message is read."""

import json
from collections.abc import Callable

from pact_conformance.counterpart.flaws.registry import subtle_flaw
from pact_conformance.counterpart.flaws.request_rules import rewrite_body
from pact_conformance.counterpart.provider.message_rules import Submission
from pact_conformance.counterpart.provider.provider import Provider
from pact_conformance.counterpart.provider.refusals import invalid

_READS = "body_is_json"


def _before_reading(provider: Provider, look: Callable[[Submission], object]) -> None:
    """Let `look` see a body before it is read as JSON."""

    def the_body_is_looked_at(submission: Submission) -> None:
        look(submission)

    provider.rules.add(the_body_is_looked_at, before=_READS)


def _after_reading(provider: Provider, look: Callable[[object], object]) -> None:
    """Let `look` see the value of a body once it was read."""

    def the_value_is_looked_at(submission: Submission) -> None:
        look(submission.document)

    provider.rules.add(the_value_is_looked_at, before="request_has_its_shape")


@subtle_flaw("2-request-json")
def looks_for_members_in_the_text_of_a_body(provider: Provider) -> None:
    """A body is refused in whose text the name of a member is not found, for it has escapes."""

    def look(submission: Submission) -> None:
        if b'"parts"' not in submission.body:
            raise invalid("message.parts is missing")

    _before_reading(provider, look)


@subtle_flaw("2-request-json")
def insists_on_the_message_id_first(provider: Provider) -> None:
    """The first member of a message has to be its messageId, if it has one."""

    def look(document: object) -> None:
        message = document.get("message") if isinstance(document, dict) else None
        if isinstance(message, dict) and "messageId" in list(message)[1:]:
            raise invalid("message.messageId is missing")

    _after_reading(provider, look)


@subtle_flaw("4.1-body")
def reads_a_body_up_to_a_nul(provider: Provider) -> None:
    """What stands behind a NUL in a body is not looked at."""
    rewrite_body(provider, lambda body: body.partition(b"\0")[0])


@subtle_flaw("4.1-body")
def strips_more_than_json_s_white_space(provider: Provider) -> None:
    """Any white space of Unicode may stand around a body."""
    rewrite_body(
        provider,
        lambda body: (
            body.decode("utf-8", "surrogateescape").strip().encode("utf-8", "surrogateescape")
        ),
    )


@subtle_flaw("4.1-body")
def takes_a_request_out_of_an_array(provider: Provider) -> None:
    """An array of one request is read as that request."""

    def rewrite(body: bytes) -> bytes:
        stripped = body.strip()
        is_array = stripped.startswith(b"[{") and stripped.endswith(b"}]")
        return stripped[1:-1] if is_array else body

    rewrite_body(provider, rewrite)


@subtle_flaw("4.1-body")
def replaces_bytes_that_are_no_utf_8(provider: Provider) -> None:
    """Bytes of Latin-1 in a body are read as what they mean there; others are refused."""

    def rewrite(body: bytes) -> bytes:
        return body.replace(b"\xe9", b"\xc3\xa9") if b"\xc3\xa9" not in body else body

    rewrite_body(provider, rewrite)


@subtle_flaw("6-client-errors")
def breaks_down_at_half_a_pair_of_surrogates(provider: Provider) -> None:
    """A text that JSON has and Unicode has not gets 500."""

    def look(submission: Submission) -> None:
        if b"\\ud8" in submission.body.lower():
            json.dumps(json.loads(submission.body), ensure_ascii=False).encode()

    def guarded(submission: Submission) -> None:
        try:
            look(submission)
        except UnicodeEncodeError as error:
            raise RuntimeError("a text that cannot be stored") from error
        except ValueError:
            return

    _before_reading(provider, guarded)


@subtle_flaw("6-client-errors")
def breaks_down_at_a_number_of_more_than_64_bits(provider: Provider) -> None:
    """A whole number that the Provider's own language cannot hold gets 500."""

    def look(value: object) -> None:
        if isinstance(value, int) and not -(2**63) <= value < 2**63:
            raise OverflowError("too large for a number")
        for item in value.values() if isinstance(value, dict) else []:
            look(item)

    _after_reading(provider, look)


@subtle_flaw("6-client-errors")
def breaks_down_at_deep_nesting(provider: Provider) -> None:
    """What is nested more than 500 deep gets 500."""

    def look(submission: Submission) -> None:
        if b"[" * 500 in submission.body or b'{"a":' * 500 in submission.body:
            raise RecursionError("nested too deep")

    _before_reading(provider, look)
