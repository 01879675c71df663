"""Outcomes of the journal rules, folded where the whole journal is: they hold under `-n` too."""

from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass, field
from http import HTTPStatus
from pathlib import Path

from pact_conformance.journal.exchange import Exchange, Received
from pact_conformance.journal.journal import read
from pact_conformance.journal.rules import ALL, Cause, Rule, RuleOutcome, fold_all
from pact_conformance.report.latency import Latency
from pact_conformance.report.outcome import Outcome
from pact_conformance.settings import Settings
from pact_conformance.verdicts import Verdict

# What a rule waits for that a subject may never do: its hook, and what to declare absent instead.
_NEVER_SEEN = {
    "6-429-no-envelope": ("rate_limit", "rate_limits"),
    "6-429-retry-after": ("rate_limit", "rate_limits"),
}
MOST_CAUSES = 4


@dataclass
class Tally:
    """What a run cost the subject, and how fast that was."""

    requests: int = 0
    replies: set[tuple[str, str]] = field(default_factory=set)
    failures: int = 0
    latency: Latency = field(default_factory=Latency)

    @property
    def turns(self) -> int:
        """How often the Brand's agent ran: each reply once, however often it was told again."""
        return len(self.replies) + self.failures

    def over(self, exchanges: Iterable[Exchange]) -> Iterator[Exchange]:
        """Count the exchanges that pass by; what the agent under test sent is nobody's of these."""
        for exchange in exchanges:
            if exchange.by == "agent":
                continue
            self.requests += 1
            self._count(exchange)
            if exchange.hardening:
                continue  # neither a rule nor a figure of the subject's rests on it
            self.latency.note(exchange)
            yield exchange

    def _count(self, exchange: Exchange) -> None:
        answer = exchange.answer
        if answer is None or exchange.operation != "message:send":
            return
        if answer.status == HTTPStatus.INTERNAL_SERVER_ERROR:
            self.failures += exchange.turn
        elif answer.status == HTTPStatus.OK:
            self.replies.add(_reply(answer, exchange.id))


def _reply(answer: Received, exchange_id: str) -> tuple[str, str]:
    """Return what tells one reply from another: its context and id; else the exchange's."""
    body = answer.json if isinstance(answer.json, dict) else {}
    for name, key in (("message", "messageId"), ("task", "id")):
        held = body.get(name)
        if isinstance(held, dict) and held.get(key):
            return str(held.get("contextId")), str(held[key])
    return "", exchange_id


def fold_journal(
    path: Path, settings: Settings, *, about: Container[str], blocked: bool
) -> tuple[list[Outcome], Tally]:
    """Read a journal once: the outcome of each rule, and what the run cost.

    Args:
        path: of the journal.
        settings: what the tester declared absent, and whether warnings fail.
        about: ids of what is judged; rules that decide something else say nothing.
        blocked: a finding keeps the subject from being seen, so no rule says anything.
    """
    tally = Tally()
    rules = [rule for rule in ALL if rule.requirement in about]
    folded = fold_all(rules, tally.over(read(path)))
    return [] if blocked else [_outcome(each, settings) for each in folded], tally


def _outcome(folded: RuleOutcome, settings: Settings) -> Outcome:
    verdict, reason, do = _verdict(folded, settings)
    told = [cause for cause in folded.causes if cause.finding.verdict != "note"]
    worst = told[0].finding if told else None
    return Outcome(
        name=folded.rule.name,
        case="",
        requirements=(folded.rule.requirement,),
        verdict=verdict,
        expected=worst.expected if worst else "",
        got="; ".join(_told(cause) for cause in told[:MOST_CAUSES]),
        reason=reason,
        do=do,
        notes=tuple(_told(cause) for cause in folded.causes if cause not in told),
        exchanges=tuple(it for cause in told for it in cause.exchanges),
        kind="rule",
        counts={"applied": folded.applied, "found": sum(cause.count for cause in told)},
    )


def _verdict(folded: RuleOutcome, settings: Settings) -> tuple[Verdict, str, str]:
    if folded.verdict != "untested":
        strictly = settings.strict and folded.verdict == "warned"
        return ("failed" if strictly else folded.verdict), "", ""
    return _unseen(folded.rule, settings)


def _unseen(rule: Rule, settings: Settings) -> tuple[Verdict, str, str]:
    """Say what becomes of a rule that applied to no exchange."""
    hook, absence = _NEVER_SEEN.get(rule.requirement, ("", ""))
    if absence in settings.absent:
        return "not applicable", f"declared absent: {settings.absent[absence]}", ""
    reason = "no exchange of this run shows it"
    if hook:
        return "untested", reason, f"set hooks.{hook}, or declare absent.{absence} with a reason"
    return "untested", reason, "select more of the suite"


def _told(cause: Cause) -> str:
    times = "" if cause.count == 1 else f" ({cause.count} times)"
    return f"{cause.finding.got}{times}"
