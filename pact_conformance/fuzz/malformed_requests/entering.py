"""How the kinds of this family are entered, in a line or two each."""

import re
from collections.abc import Iterable
from typing import Any

from pact_conformance.fuzz.entering import Apply, kind
from pact_conformance.fuzz.family import Impossible
from pact_conformance.fuzz.kind import Kind, OneOf
from pact_conformance.fuzz.malformed_requests.draft import Draft
from pact_conformance.subject.operations import SEND

BODY = "4.1-body"
SERVED = "2-request-json"
"""What is broken where a good body is refused that is only written in other words."""
NO_FAILURE = "6-client-errors"
"""What is broken where either answer is right, and the Provider fails."""


# What firewalls take for an attack, and answer as they like.
_SUSPECT = re.compile(
    r"[<\x00-\x1f]|\.\./|--|\$\{|\{\{|%00|\\u0000|javascript:|/etc/|\b(__proto__|constructor)\b"
)


def suspected(draft: Draft, text: str) -> None:
    """Give any server in front of the Provider a say where a firewall may suspect a text."""
    if _SUSPECT.search(text):
        draft.layer = "http"


def of_http(apply: Apply) -> Apply:
    """Return a change in whose answer any server in front of the Provider has a say."""

    def applied(draft: Draft, *values: Any) -> None:  # noqa: ANN401 - a change's
        draft.layer = "http"
        apply(draft, *values)

    return applied


def blanked(apply: Apply) -> Apply:
    """Return a change of a message that has nothing but blank text.

    Whatever a lenient Provider passes over, there is nothing in it that its agent could answer.
    """

    def applied(draft: Draft, *values: Any) -> None:  # noqa: ANN401 - a change's
        draft.blank()
        apply(draft, *values)

    return applied


def with_body(draft: Draft) -> None:
    """See that the request has a body that has to be read: only that of a message has.

    Raises:
        Impossible: it has not.
    """
    if draft.operation is not SEND:
        raise Impossible("the request has no body that has to be read")


def either(id_: str, words: str, apply: Apply, slot: str, values: Iterable[str]) -> Kind[Draft]:
    """Return a kind of which a Provider, or a server in front of it, may make what it likes."""
    taken = tuple(values)
    takes = [OneOf(taken)] if taken else []
    return kind(id_, words, "either", NO_FAILURE, of_http(apply), slot, takes=takes)
