"""What must hold before a check means anything: a card, an answer behind authentication, a clock.

Where something is amiss there is one finding with what to do, and everything that depends on it is
untested and points there; a hundred failures would say less.
"""

from collections.abc import Callable, Collection
from dataclasses import asdict, dataclass, field
from typing import Any

from pact_conformance.journal.client import NoAnswer
from pact_conformance.subject import clock, findings
from pact_conformance.subject.discovery import Found, find, unknown_brand
from pact_conformance.subject.findings import Finding, Trial
from pact_conformance.subject.origins import may_get_tokens
from pact_conformance.subject.probe import PROBES, probe, tells_apart
from pact_conformance.subject.provider import GOOD, Credential, Provider
from pact_conformance.tokens.caller import NoKeyError
from pact_conformance.verdicts import Inconclusive, Notebook, Untested, notebook
from pact_conformance.wire.card import Card


@dataclass(frozen=True)
class Preflight:
    """What the run knows of the subject before the first check; it crosses processes as JSON."""

    card_url: str = ""
    card: Any = None
    other_card_url: str | None = None
    other_card: Any = None
    other_problem: str = ""
    unknown_card_url: str | None = None
    probe: str | None = None
    clock_offset: float = 0.0
    clock_uncertainty: float = clock.UNKNOWN
    clock_known: bool = False
    finding: Finding | None = None
    exchanges: tuple[str, ...] = field(default_factory=tuple)

    def to_json(self) -> dict[str, Any]:
        """Return plain data."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> "Preflight":
        """Read it back."""
        finding = Finding.from_json(data["finding"])
        return cls(**{**data, "finding": finding, "exchanges": tuple(data["exchanges"])})


def _try_probes(
    provider: Provider, token: Callable[[], Credential] = lambda: GOOD
) -> tuple[str | None, list[Trial]]:
    trials: list[Trial] = []
    for name in PROBES:
        try:
            without = probe(provider, name, token=None, free=False)
            good = probe(provider, name, token=token(), free=False)
        except Untested:
            continue  # it might become a turn, and not one is allowed
        trials.append(Trial(name, without, good))
        if tells_apart(name, without, good):
            return name, trials
    return None, trials


def _takes_time(provider: Provider, name: str, offset: float) -> bool:
    """Say whether a token of the time that the Provider's Date header tells passes."""
    caller = provider.caller
    user = caller.user(provider.probing_user())
    answer = probe(provider, name, token=caller.token(user, at=caller.clock() + offset))
    return answer.status != 401


def _refuses_everything(trials: list[Trial]) -> bool:
    return all(trial.good.status == 401 for trial in trials)


def _takes_rs256(provider: Provider) -> bool:
    """Say whether a probe works with RS256, for a Provider that refuses every ES256 token."""
    caller = provider.caller
    try:
        caller.key("RS256")
    except NoKeyError:
        return False
    user = caller.user(provider.probing_user())
    return _try_probes(provider, lambda: caller.token(user, alg="RS256"))[0] is not None


def _behind_token(found: Found, find_with_token: Callable[[], Found]) -> bool:
    """Say whether the card that was refused is there for a personal agent with a token."""
    refused = found.answer is not None and found.answer.status in {401, 403}
    return refused and find_with_token().card is not None


def other_brand(found: Found | None) -> dict[str, Any]:
    """Return what the run knows of the second Brand."""
    if found is None:
        return {}
    document = None if found.card is None else found.card.document
    return {
        "other_card_url": found.url,
        "other_card": document,
        "other_problem": found.problem,
    }


def run(
    find_card: Callable[[], Found],
    find_with_token: Callable[[], Found],
    find_other: Callable[[], Found | None],
    make_provider: Callable[[Card], Provider],
    unknown_card_url: str | None,
    *,
    allow_origins: Collection[str] = (),
) -> Preflight:
    """Look at the subject before the first check.

    Args:
        find_card: fetches the card of the Brand under test.
        find_with_token: does it with a token, to tell a card that asks for one from none.
        find_other: fetches that of the second Brand, if there is one.
        make_provider: gives the client for a card.
        unknown_card_url: the tester's card URL of an unknown Brand; else one is made up.
        allow_origins: where tokens may go besides the origin that serves the card.
    """
    found = find_card()
    finding = findings.of_card(found, behind_token=_behind_token(found, find_with_token))
    document = None if found.card is None else found.card.document
    known: dict[str, Any] = {
        "card_url": found.url,
        "card": document,
        "unknown_card_url": unknown_card_url or unknown_brand(found.url),
    }
    if finding is not None or found.card is None:
        return Preflight(**known, finding=finding, exchanges=found.exchanges)
    known.update(other_brand(find_other()))
    provider = make_provider(found.card)
    if not may_get_tokens(provider.interface.url, found.served_at, allow_origins):
        finding = findings.of_origin(found, provider.interface.url)
        return Preflight(**known, finding=finding, exchanges=found.exchanges)
    with notebook(Notebook()) as book:
        try:
            name, trials = _try_probes(provider)
        except Inconclusive as error:
            failure = error.__cause__.failure if isinstance(error.__cause__, NoAnswer) else None
            finding = findings.of_interface(
                provider.interface.url, error.reason, failure, tuple(book.exchanges)
            )
            return Preflight(**known, finding=finding, exchanges=found.exchanges)
        telling = name is None and len(trials) == len(PROBES)
        if telling and _refuses_everything(trials) and _takes_rs256(provider):
            finding = findings.es256_refused(trials, tuple(book.exchanges))
    answers = [answer for trial in trials for answer in (trial.without, trial.good)]
    reading = clock.read(answers)
    if name is not None and reading.offset and not _takes_time(provider, name, reading.offset):
        # The token of our own time passed, so Date is not the clock that tokens are judged by.
        reading = clock.ClockReading(0.0, findings.SKEW, known=False)
    if telling and finding is None:
        finding = findings.of_authentication(
            trials, reading, provider.caller, tuple(book.exchanges)
        )
        if not found.card.jwt_schemes and finding.blocks == "authentication":
            finding = findings.without_scheme(finding)
    return Preflight(
        **known,
        probe=name,
        clock_offset=reading.offset,
        clock_uncertainty=reading.uncertainty,
        clock_known=reading.known,
        finding=finding,
        exchanges=found.exchanges,
    )


__all__ = ["Finding", "Preflight", "find", "run"]
