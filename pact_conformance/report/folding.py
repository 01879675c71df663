"""From checks to requirements, from requirements to profiles (the only place where they fold)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from pact_conformance.catalogue import Catalogue, Requirement
from pact_conformance.report.outcome import Outcome
from pact_conformance.verdicts import PRECEDENCE, SEE_FINDING, Verdict

NOT_SELECTED = "not selected"

ProfileVerdict = Literal["conformant", "incomplete", "not conformant"]


@dataclass(frozen=True)
class Decided:
    """A requirement with the outcomes that decide it; none when nothing was tried."""

    requirement: Requirement
    outcomes: tuple[Outcome, ...]
    verdict: Verdict
    reason: str = ""
    do: str = ""

    @property
    def counts(self) -> bool:
        """Whether a profile rests on it; what cannot be observed from outside does not count."""
        return self.requirement.observed != "not"


def verdict_of(verdicts: Iterable[Verdict]) -> Verdict:
    """Fold verdicts: failed > inconclusive > untested > warned > passed > not applicable.

    Raises:
        ValueError: there is nothing to fold.
    """
    given = set(verdicts)
    for verdict in PRECEDENCE:
        if verdict in given:
            return verdict
    raise ValueError("no verdicts to fold")


def decide(
    requirement: Requirement,
    outcomes: Sequence[Outcome],
    *,
    finding: str | None = None,
    unfinished: str = "",
) -> Decided:
    """Fold the outcomes of one requirement.

    Where there are none, a `finding` may be why, or that the run is `unfinished`.
    """
    if outcomes:
        verdict = verdict_of(outcome.verdict for outcome in outcomes)
        telling = next(outcome for outcome in outcomes if outcome.verdict == verdict)
        return Decided(requirement, tuple(outcomes), verdict, telling.reason, telling.do)
    if requirement.planned:
        return Decided(requirement, (), "untested", "there is no check for it yet")
    if requirement.reason:
        return Decided(requirement, (), "untested", requirement.reason)
    if finding is not None:
        return Decided(requirement, (), "untested", f"{SEE_FINDING}{finding}")
    if unfinished:
        return Decided(requirement, (), "untested", unfinished, "run the suite again, to its end")
    return Decided(requirement, (), "untested", NOT_SELECTED, "select it, or run the whole suite")


def fold(
    catalogue: Catalogue,
    outcomes: Iterable[Outcome],
    *,
    role: str,
    finding: str | None = None,
    unfinished: str = "",
) -> tuple[Decided, ...]:
    """Decide every requirement of a role, in the order of the specification.

    `finding` is the id of what keeps the subject from being tested, if something does;
    `unfinished` is why the run has not come to everything, if it has not.
    """
    by_id: dict[str, list[Outcome]] = {}
    for outcome in outcomes:
        if outcome.kind == "fuzz":
            continue  # what it found counts, not that it found nothing
        for cited in outcome.requirements:
            by_id.setdefault(cited, []).append(outcome)
    return tuple(
        decide(requirement, by_id.get(requirement.id, []), finding=finding, unfinished=unfinished)
        for requirement in catalogue.requirements.values()
        if requirement.role == role
    )


@dataclass(frozen=True)
class Profile:
    """The verdict of a profile, as a role's subject has it, and what that rests on."""

    name: str
    role: str
    verdict: ProfileVerdict
    counts: Mapping[str, int]
    failed: tuple[str, ...]
    undecided: tuple[str, ...]
    """The MUSTs that are untested or inconclusive."""

    @property
    def key(self) -> str:
        """What the report calls it: a Provider's by the profile alone."""
        return self.name if self.role == "provider" else f"agent-{self.name}"


def profile(name: str, role: str, decided: Iterable[Decided]) -> Profile:
    """Fold a profile of a role: one failed → not conformant; a MUST undecided → incomplete.

    Delegated includes Identity, so `decided` is what the profile comprises and more is ignored.
    """
    comprised = {"identity"} if name == "identity" else {"identity", "delegated"}
    rests_on = [
        it
        for it in decided
        if it.counts and it.requirement.role == role and it.requirement.profile in comprised
    ]
    failed = tuple(it.requirement.id for it in rests_on if it.verdict == "failed")
    undecided = tuple(
        it.requirement.id
        for it in rests_on
        if it.requirement.level == "MUST" and it.verdict in {"untested", "inconclusive"}
    )
    counts: dict[str, int] = {}
    for it in rests_on:
        counts[it.verdict] = counts.get(it.verdict, 0) + 1
    verdict: ProfileVerdict = "conformant"
    if failed:
        verdict = "not conformant"
    elif undecided or not rests_on:
        verdict = "incomplete"
    return Profile(name, role, verdict, counts, failed, undecided)
