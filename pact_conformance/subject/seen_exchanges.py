"""What a personal agent sent to the stage, as the journal keeps it: secrets masked."""

from dataclasses import replace

from pact_conformance.journal.exchange import Credentials, Exchange, Failure, Operation
from pact_conformance.journal.journal import Journal
from pact_conformance.journal.mask import Mask
from pact_conformance.journal.private import without_contents
from pact_conformance.journal.recording import Asked, recorded
from pact_conformance.journal.transport import Incoming
from pact_conformance.subject.seen import Seen

_OPERATIONS: dict[str, Operation] = {
    "device_authorization": "oauth",
    "token": "oauth",
    "login": "other",
    "page": "other",
    "domain": "other",
    "other-brand": "unknown-brand",
    "card": "card",
    "jwks": "jwks",
    "metadata": "metadata",
    "message:send": "message:send",
    "message:stream": "message:stream",
    "tasks": "tasks",
    "tasks/{id}": "tasks/{id}",
    "tasks/{id}:cancel": "tasks/{id}:cancel",
    "tasks/{id}:subscribe": "tasks/{id}:subscribe",
    "push-config": "push-config",
    "extended-card": "extended-card",
    "unmatched": "unmatched",
}
"""What the journal calls the operations of the stage."""

_OF_THE_BROWSER = frozenset({"login", "page"})
"""Of these the User's browser may be the one that asks, and what it sends is nobody's business."""


def hide(seen: Seen, mask: Mask) -> None:
    """Have masked from now on what was seen of secrets."""
    _remember(seen, mask)
    mask.apply_all([seen.url, seen.body, "" if seen.answer is None else seen.answer.body])


def keep(seen: Seen, mask: Mask, journal: Journal) -> None:
    """Write what was seen into the journal, and have its secrets masked from now on.

    Raises:
        JournalUnwritable: for instance because the disk is full.
    """
    if seen.operation in _OF_THE_BROWSER:
        hide(seen, mask)  # what the journal does not keep holds secrets, too
    _remember(seen, mask)
    journal.record(exchange_of(seen, mask))


def _remember(seen: Seen, mask: Mask) -> None:
    if seen.token is not None:
        mask.remember(seen.token.text, "pa-jwt")
    if seen.delegation is not None:
        mask.remember(seen.delegation, "delegation-token")


def exchange_of(seen: Seen, mask: Mask) -> Exchange:
    """Return what the journal keeps of a request that the stage has seen."""
    asked = Asked(
        id=seen.exchange_id,
        at=seen.at,
        operation=_OPERATIONS.get(seen.operation, "other"),
        purpose=_purpose(seen),
        method=seen.method,
        url=seen.url,
        headers=seen.headers,
        content=seen.body.encode("utf-8", "surrogatepass") if seen.body else None,
        token=None if seen.token is None else "personal-agent JWT",
        credentials=_worth(seen),
        turn=False,
        caused=False,
        delegation="none" if seen.delegation is None else "other",
    )
    outcome = _outcome(seen)
    if seen.operation in _OF_THE_BROWSER:
        asked, outcome = without_contents(asked, outcome)
    return replace(recorded(asked, outcome, 0.0, mask), by="agent")


def _worth(seen: Seen) -> Credentials:
    if seen.verified is None:
        return "none"
    return "good" if seen.verified.ok else "forged"


def _purpose(seen: Seen) -> str:
    said = f"seen by the mock Provider: {seen.operation}"
    if seen.verified is not None and not seen.verified.ok:
        said += f"; its token is refused ({seen.verified.why})"
    return said


def _outcome(seen: Seen) -> Incoming | Failure:
    if seen.answer is None:
        return Failure("closed", "the script closed the connection without an answer")
    headers = [(name.encode(), value.encode()) for name, value in seen.answer.headers]
    return Incoming(seen.answer.status, headers, seen.answer.body.encode(), "HTTP/1.1")
