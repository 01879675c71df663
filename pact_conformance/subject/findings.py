"""What can be amiss with a whole run, and what the tester does about each.

A finding names one cause. It is `failed` only where the Provider breaks a sentence of PACT whatever
the tester has set; where the settings may be to blame it is inconclusive.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, Self

from pact_conformance.journal.answer import Answer
from pact_conformance.journal.exchange import Failure
from pact_conformance.subject.clock import ClockReading
from pact_conformance.subject.discovery import Found
from pact_conformance.subject.origins import origin
from pact_conformance.tokens.caller import Caller
from pact_conformance.verdicts import Verdict

# Beyond the skew that a Provider may allow (§3.2) a token of ours is out of its time.
SKEW = 30.0
# So much of an answer is repeated in a finding.
SHOWN = 120


@dataclass(frozen=True)
class Finding:
    """One thing that is amiss with the whole run.

    `blocks` says how much cannot be tested then: everything that reads the card, everything that
    authenticates, or everything for which the agent under test is asked.
    """

    id: str
    verdict: Verdict
    requirement: str
    expected: str
    got: str
    do: str
    blocks: Literal["card", "authentication", "agent"]
    exchanges: tuple[str, ...] = ()

    @classmethod
    def from_json(cls, data: dict[str, Any] | None) -> Self | None:
        """Read one, or that there is none."""
        return None if data is None else cls(**{**data, "exchanges": tuple(data["exchanges"])})


@dataclass(frozen=True)
class Trial:
    """The answers of one candidate probe."""

    name: str
    without: Answer
    good: Answer


def of_card(found: Found, *, behind_token: bool = False) -> Finding | None:
    """Say what is amiss with the card, if anything keeps the suite from using it (§2.1).

    `behind_token`: with a good token the card was there.
    """
    if behind_token:
        return Finding(
            "card-asks-for-a-token",
            "failed",
            "2.1-card-no-auth",
            "the Agent Card without authentication",
            f"{found.problem}; with a token of the registered personal agent the card came",
            "serve the card to anybody; what reads it does not know yet how to authenticate",
            "card",
            found.exchanges,
        )
    if found.failure is not None:
        return Finding(
            "provider-unreachable",
            "inconclusive",
            "2.1-card-no-auth",
            f"an Agent Card at {found.url}",
            found.problem,
            how_to_reach(found.failure, "E2E_PROVIDER"),
            "card",
            found.exchanges,
        )
    if found.card is None:
        status = 0 if found.answer is None else found.answer.status
        return Finding(
            "rate-limited" if status == 429 else "card-unreadable",
            "inconclusive",
            "2.1-card-no-auth",
            f"an Agent Card at {found.url}",
            found.problem + (_limit(found.answer) if status == 429 and found.answer else ""),
            _how_to_read(status),
            "card",
            found.exchanges,
        )
    if found.card.interface is None or not found.card.interface.url.startswith(
        ("http://", "https://")
    ):
        if not _resembles_a_card(found.card.document):
            return Finding(
                "card-unreadable",
                "inconclusive",
                "2.1-card-no-auth",
                f"an Agent Card at {found.url}",
                "it answered 200 with a JSON object that has nothing of an Agent Card",
                _how_to_read(200),
                "card",
                found.exchanges,
            )
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


def _resembles_a_card(document: object) -> bool:
    """Say whether a JSON object means to be an Agent Card, so that what it lacks is its fault."""
    members = {"supportedInterfaces", "securitySchemes", "capabilities", "skills"}
    return isinstance(document, dict) and bool(members & document.keys())


def of_origin(found: Found, interface: str) -> Finding:
    """Say that the card leads tokens to another origin than the one that serves it."""
    there = origin(interface)
    return Finding(
        "interface-elsewhere",
        "inconclusive",
        "2.1-interface-url",
        f"an interface at {origin(found.served_at)}, which serves the card",
        f"the card names one at {there}, so tokens would go there",
        f"if {there} is the Provider's, allow it: --pact-allow-origins={there}",
        "authentication",
        found.exchanges,
    )


def of_interface(
    url: str, problem: str, failure: Failure | None, exchanges: tuple[str, ...]
) -> Finding:
    """Say that the interface on the card does not answer."""
    return Finding(
        "provider-unreachable",
        "inconclusive",
        "2.1-interface-url",
        f"an answer from the interface on the card, {url}",
        problem,
        how_to_reach(failure, "the interface URL on the card"),
        "card",
        exchanges,
    )


def of_authentication(
    trials: Sequence[Trial], reading: ClockReading, caller: Caller, exchanges: tuple[str, ...]
) -> Finding:
    """Say why no probe tells a good token from none."""
    every = _statuses(trials)
    if 429 in every:
        return _stuck("rate-limited", trials, exchanges)
    if all(trial.good.status >= 500 for trial in trials):
        refuses = any(trial.without.status == 401 for trial in trials)
        blocks: Literal["card", "authentication"] = "authentication" if refuses else "card"
        return _stuck("provider-fails", trials, exchanges, blocks)
    if every <= {404, 405}:
        return _stuck("interface-not-served", trials, exchanges, "authentication")
    if every == {401}:
        return _nothing_authenticates(trials, reading, caller, exchanges)
    if all(trial.without.status != 401 for trial in trials):
        return _no_401(trials, exchanges)
    return Finding(
        "no-probe",
        "inconclusive",
        "3.2-es256",
        "one harmless request that gets 401 without a token and an A2A error with a good one",
        _codes(trials),
        "answer a blank-text message:send, GET tasks or a message of wrong shape with the A2A "
        "error of §6",
        "authentication",
        exchanges,
    )


# What keeps requests from being answered, whoever sends them.
_STUCK = {
    "rate-limited": "raise the rate limit of the personal agent that the suite plays, wait until "
    "it is over, or raise --pact-max-wait",
    "provider-fails": "look into the Provider's log, or at the gateway before it; where only a "
    "token makes it fail, see that it can fetch the registered jwksUri",
    "interface-not-served": "correct the interface URL on the card, or route message:send and "
    "tasks right below it",
}


def _stuck(
    kind: str,
    trials: Sequence[Trial],
    exchanges: tuple[str, ...],
    blocks: Literal["card", "authentication"] = "card",
) -> Finding:
    limited = [it for trial in trials for it in (trial.without, trial.good) if it.status == 429]
    return Finding(
        kind,
        "failed" if kind == "interface-not-served" else "inconclusive",
        "2.1-interface-url",
        "the interface on the card to answer message:send and GET tasks",
        _codes(trials) + (_limit(limited[-1]) if limited else ""),
        _STUCK[kind],
        blocks,
        exchanges,
    )


def _wrong_clock(reading: ClockReading, exchanges: tuple[str, ...]) -> Finding:
    side = "ahead of" if reading.offset > 0 else "behind"
    return Finding(
        "wrong-clock",
        "inconclusive",
        "3.2-es256",
        "clocks that agree within the 30 s of §3.2",
        f"by its Date header the Provider is {abs(reading.offset):.0f} s {side} the clock here, "
        "and refuses every token with 401",
        "set both clocks by NTP; every token is out of its time until then",
        "authentication",
        exchanges,
    )


def es256_refused(trials: Sequence[Trial], exchanges: tuple[str, ...]) -> Finding:
    """Say that the Provider takes only one of the two algorithms (§3.2)."""
    return Finding(
        "es256-refused",
        "failed",
        "3.2-es256",
        "ES256 tokens of the registered personal agent to be accepted, as RS256 ones are",
        _codes(trials),
        "accept ES256, or register the ES256 key of PA_PRIVATE_JWK, if only the RS256 one is",
        "authentication",
        exchanges,
    )


def _nothing_authenticates(
    trials: Sequence[Trial], reading: ClockReading, caller: Caller, exchanges: tuple[str, ...]
) -> Finding:
    if reading.known and abs(reading.offset) > SKEW - reading.uncertainty:
        return _wrong_clock(reading, exchanges)
    key = caller.keys[0]
    return Finding(
        "nothing-authenticates",
        "inconclusive",
        "3.2-es256",
        "a token of the registered personal agent to be accepted",
        _codes(trials) + _words(trials[-1].good),
        f"compare with the registration, to the letter: PA_ISSUER {caller.issuer!r}, PA_AUDIENCE "
        f"{caller.audience!r}, and kid {key.kid!r} ({key.alg}) of PA_PRIVATE_JWK, whose public "
        "half has to be at the registered jwksUri, where the Provider can fetch it",
        "authentication",
        exchanges,
    )


def _no_401(trials: Sequence[Trial], exchanges: tuple[str, ...]) -> Finding:
    served = any(200 <= trial.without.status < 300 for trial in trials)
    return Finding(
        "nobody-is-refused" if served else "nobody-gets-401",
        "failed",
        "3.2-bearer-required",
        "401 to requests without a token",
        _codes(trials),
        "verify the personal-agent JWT before anything else is done with a request; checks of "
        "tokens mean nothing until then"
        if served
        else "answer a request without a token with 401 and the challenge of §3.4, whatever else "
        "is amiss with it; see that no gateway in between answers first",
        "authentication",
        exchanges,
    )


def without_scheme(finding: Finding) -> Finding:
    """Return what is amiss with authentication where the card declares nothing of it (§2.1)."""
    return replace(
        finding,
        got=f"{finding.got}; and the card declares no scheme of the personal-agent JWT",
        do="see that E2E_PROVIDER is a Brand of a PACT Provider: what speaks A2A alone has no "
        f"PACT; if it is one, {finding.do}",
    )


def _statuses(trials: Sequence[Trial]) -> set[int]:
    return {answer.status for trial in trials for answer in (trial.without, trial.good)}


def _codes(trials: Sequence[Trial]) -> str:
    """Say which statuses came, in as few words as tell all."""
    every = _statuses(trials)
    if len(every) == 1:
        return f"{every.pop()} every time, with and without a token"
    return "; ".join(
        f"{trial.name}: {trial.without.status} without a token, {trial.good.status} with a good one"
        for trial in trials
    )


def _words(answer: Answer) -> str:
    """Repeat the start of a body: a Provider may say there what it did not like."""
    said = " ".join(answer.text.split())
    return (
        f"; the last answer says {said[:SHOWN]}{'…' if len(said) > SHOWN else ''}" if said else ""
    )


def _limit(answer: Answer) -> str:
    after = answer.headers.get("retry-after")
    return ", without Retry-After" if after is None else f", and Retry-After: {after}"


def how_to_reach(failure: Failure | None, setting: str, server: str = "the Provider") -> str:
    """Say what the tester does about a server that does not answer."""
    match failure.kind if failure is not None else "":
        case "deadline":
            return f"see what {server} waits for, or raise E2E_TEST_TIMEOUT_MS"
        case "tls":
            return f"correct the certificate or {setting}; a CA of your own goes under ca_file"
        case "protocol" | "url":
            return f"correct {setting}: the scheme, the host and the port"
        case "closed" | "too-large":
            return f"look into the log of {server}, or at what stands before it"
    return f"start {server}, or correct {setting}"


def _how_to_read(status: int) -> str:
    """Say what the tester does where something else than a card came."""
    if status == 429:
        return "wait until the rate limit is over, lift it for cards, or raise --pact-max-wait"
    if status in {401, 403}:
        return "serve the card without asking for credentials (§2.1), or correct E2E_PROVIDER"
    if status >= 500:
        return "look into the Provider's log, or at the gateway before it, and run again"
    return (
        "point E2E_PROVIDER at the Brand's card, its interface URL or its domain; if it already "
        "does, serve the card there as JSON with 200"
    )
