"""What must hold before a check means anything: a card, an answer behind authentication, a clock.

Where something is amiss there is one finding with what to do, and everything that depends on it is
untested and points there; a hundred failures would say less.
"""

from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from pact_conformance.journal.answer import Answer
from pact_conformance.subject import clock
from pact_conformance.subject.discovery import Found, find, unknown_brand
from pact_conformance.subject.probe import PROBES, probe, tells_apart
from pact_conformance.subject.provider import GOOD, Provider
from pact_conformance.verdicts import Inconclusive, Notebook, Verdict, notebook
from pact_conformance.wire.card import Card

# Beyond the skew that a Provider may allow (§3.2) a token of ours is out of its time.
SKEW = 30.0


@dataclass(frozen=True)
class Finding:
    """One thing that is amiss with the whole run.

    `blocks` says how much cannot be tested then: everything that reads the card, or everything
    that authenticates.
    """

    id: str
    verdict: Verdict
    requirement: str
    expected: str
    got: str
    do: str
    blocks: Literal["card", "authentication"]
    exchanges: tuple[str, ...] = ()


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
        finding = data["finding"]
        if finding is not None:
            finding = Finding(**{**finding, "exchanges": tuple(finding["exchanges"])})
        return cls(**{**data, "finding": finding, "exchanges": tuple(data["exchanges"])})


def card_finding(found: Found) -> Finding | None:
    """Say what is amiss with the card, if anything keeps the suite from using it (§2.1)."""
    if found.unreachable:
        return Finding(
            "provider-unreachable",
            "inconclusive",
            "2.1-card-no-auth",
            f"an Agent Card at {found.url}",
            found.problem,
            "start the Provider, or correct E2E_PROVIDER",
            "card",
            found.exchanges,
        )
    if found.card is None:
        return Finding(
            "card-unreadable",
            "inconclusive",
            "2.1-card-no-auth",
            f"an Agent Card at {found.url}",
            found.problem,
            "point E2E_PROVIDER at the Brand's card, its interface URL or its domain; if it "
            "already does, the card is not served as JSON with 200",
            "card",
            found.exchanges,
        )
    if found.card.interface is None or not found.card.interface.url.startswith(
        ("http://", "https://")
    ):
        entries = [(i.protocol_binding, i.protocol_version) for i in found.card.interfaces]
        return Finding(
            "no-usable-interface",
            "failed",
            "2.1-interface",
            'a supportedInterfaces entry with protocolBinding "HTTP+JSON", protocolVersion "1.0" '
            "and an http(s) url",
            f"entries {entries}" if entries else "no entries",
            "declare the interface on the card; everything else is sent to its url",
            "card",
            found.exchanges,
        )
    return None


@dataclass
class _Trial:
    """The answers of one candidate probe."""

    name: str
    without: Answer
    good: Answer


def _try_probes(provider: Provider) -> tuple[str | None, list[_Trial]]:
    trials: list[_Trial] = []
    for name in PROBES:
        without = probe(provider, name, token=None)
        good = probe(provider, name, token=GOOD)
        trials.append(_Trial(name, without, good))
        if tells_apart(name, without, good):
            return name, trials
    return None, trials


def _authentication_finding(
    trials: list[_Trial], reading: clock.ClockReading, exchanges: tuple[str, ...]
) -> Finding:
    """Say why no probe tells a good token from none."""
    codes = "; ".join(
        f"{trial.name}: {trial.without.status} without a token, {trial.good.status} with a good one"
        for trial in trials
    )
    refused = all(trial.good.status == 401 for trial in trials)
    if refused and reading.known and abs(reading.offset) > SKEW - reading.uncertainty:
        return Finding(
            "wrong-clock",
            "inconclusive",
            "3.2-es256",
            "clocks that agree within the 30 s of §3.2",
            f"the Provider's Date header is {reading.offset:+.0f} s from the clock here",
            "set both clocks by NTP; every token is out of its time until then",
            "authentication",
            exchanges,
        )
    if refused:
        return Finding(
            "nothing-authenticates",
            "inconclusive",
            "3.2-es256",
            "a token of the registered personal agent to be accepted",
            f"401 every time ({codes})",
            "compare PA_ISSUER and PA_AUDIENCE with the registration to the letter, see that the "
            "public half of PA_PRIVATE_JWK is at the registered jwksUri under the same kid, and "
            "that the Provider can fetch it",
            "authentication",
            exchanges,
        )
    if all(trial.without.status != 401 for trial in trials):
        return Finding(
            "nobody-is-refused",
            "failed",
            "3.2-bearer-required",
            "401 to requests without a token",
            codes,
            "verify the personal-agent JWT before anything else is done with a request; checks of "
            "tokens mean nothing until then",
            "authentication",
            exchanges,
        )
    return Finding(
        "no-probe",
        "inconclusive",
        "3.2-es256",
        "one harmless request that gets 401 without a token and an A2A error with a good one",
        codes,
        "answer a blank-text message:send, GET tasks or a message of wrong shape with the A2A "
        "error of §6",
        "authentication",
        exchanges,
    )


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
    find_other: Callable[[], Found | None],
    make_provider: Callable[[Card], Provider],
    unknown_card_url: str | None,
) -> Preflight:
    """Look at the subject before the first check.

    Args:
        find_card: fetches the card of the Brand under test.
        find_other: fetches that of the second Brand, if there is one.
        make_provider: gives the client for a card.
        unknown_card_url: the tester's card URL of an unknown Brand; else one is made up.
    """
    found = find_card()
    finding = card_finding(found)
    document = None if found.card is None else found.card.document
    known: dict[str, Any] = {
        "card_url": found.url,
        "card": document,
        "unknown_card_url": unknown_card_url or unknown_brand(found.url),
    }
    if finding is not None or found.card is None:
        return Preflight(**known, finding=finding, exchanges=found.exchanges)
    known.update(other_brand(find_other()))
    with notebook(Notebook()) as book:
        try:
            name, trials = _try_probes(make_provider(found.card))
        except Inconclusive as error:
            finding = Finding(
                "provider-unreachable",
                "inconclusive",
                "2.1-interface-url",
                f"an answer from the interface on the card of {found.url}",
                error.reason,
                "see that the interface URL on the card can be reached from here",
                "authentication",
                tuple(book.exchanges),
            )
            return Preflight(**known, finding=finding, exchanges=found.exchanges)
    answers = [answer for trial in trials for answer in (trial.without, trial.good)]
    reading = clock.read(answers)
    if name is None:
        finding = _authentication_finding(trials, reading, tuple(book.exchanges))
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
