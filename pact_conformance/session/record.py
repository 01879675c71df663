"""Everything that is known of a run so far, and the report of it: at any moment, and at the end."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from pact_conformance.catalogue import Catalogue
from pact_conformance.catalogue.requirement import Profile, Role
from pact_conformance.report import document, folding
from pact_conformance.report.outcome import Outcome
from pact_conformance.report.settings_told import told
from pact_conformance.rig import Judged
from pact_conformance.session.roster import Entry, Roster
from pact_conformance.settings import Settings
from pact_conformance.subject.approver import Count
from pact_conformance.subject.ledger import Ledger
from pact_conformance.subject.plan import Plan

RUN_AGAIN = "run the suite again, to its end"

ROLES: tuple[Role, ...] = ("provider", "personal-agent")
PROFILES: tuple[Profile, ...] = ("identity", "delegated")

# What the outcomes of one requirement are ordered by first.
_KINDS = ("finding", "check", "rule", "cause", "fuzz", "deselected")


@dataclass(frozen=True)
class Result:
    """The outcomes of a run, folded."""

    outcomes: tuple[Outcome, ...]
    decided: tuple[folding.Decided, ...]
    profiles: tuple[folding.Profile, ...]


class Record:
    """Gathers what a run finds; other threads may ask for a report meanwhile."""

    def __init__(self, rows: Catalogue, settings: Settings) -> None:
        self.rows = rows
        self.settings = settings
        self.started = time.time()
        self.plan = Plan()
        self.roster = Roster()
        self.ledger = Ledger()
        self.judged = _at_least(settings)
        """The roles and profiles that are judged; until the subjects are seen, those asked for."""
        self.outcomes: list[Outcome] = []
        self.advised: list[Outcome] = []
        """What the hardening pack found: no requirement, and so no profile, rests on it."""
        self.called: dict[str, Count] = {}
        """How often each process has called upon the User."""
        self._order = {id_: number for number, id_ in enumerate(rows.requirements)}

    @property
    def approvals(self) -> int:
        """How often the User has decided on a consent page."""
        return sum(it.approvals for it in self.called.values())

    @property
    def logins(self) -> int:
        """How often the User has signed in."""
        return sum(it.logins for it in self.called.values())

    @property
    def about(self) -> frozenset[str]:
        """The ids of all requirements of the profiles that the run judges."""
        rows = self.rows.requirements.values()
        return frozenset(it.id for it in rows if (it.role, it.profile) in self.judged)

    @property
    def blocked(self) -> bool:
        """Whether a finding keeps the Provider from being tested."""
        return "provider" in self.plan.findings

    def untried(self) -> tuple[Entry, ...]:
        """Return the selected checks without an outcome."""
        known = {(it.name, it.case) for it in (*list(self.outcomes), *list(self.advised))}
        return tuple(it for it in self.roster.selected if (it.name, it.case) not in known)

    def result(self, unfinished: str = "") -> Result:
        """Fold what is known.

        Args:
            unfinished: why something may not have been tried; empty if everything was.
        """
        outcomes = tuple(sorted(self._all(unfinished), key=self._place))
        findings = self.plan.findings
        decided: list[folding.Decided] = []
        for role in ROLES:
            finding = findings[role].id if role in findings else None
            decided += folding.fold(
                self.rows, outcomes, role=role, finding=finding, unfinished=unfinished
            )
        about = self.about
        kept = tuple(it for it in decided if it.requirement.id in about)
        profiles = tuple(
            folding.profile(name, role, kept)
            for role in ROLES
            for name in PROFILES
            if (role, name) in self.judged
        )
        return Result(outcomes, kept, profiles)

    def document(
        self,
        result: Result,
        *,
        requests: int,
        turns: int,
        partial: bool,
        pictures: tuple[str, ...] = (),
        latency: Sequence[dict[str, Any]] = (),
        baseline: list[dict[str, Any]] | None = None,
    ) -> dict[str, Any]:
        """Return the report as plain data."""
        run = document.Run(
            started=self.started,
            finished=time.time(),
            partial=partial,
            subjects=tuple(self._subjects()),
            requests=requests,
            turns=turns,
            turn_ledger=self.ledger.spent(),
            approvals=self.approvals,
            logins=self.logins,
            pictures=pictures,
            latency=latency,
            settings=told(self.settings),
            baseline=baseline,
            findings=tuple(asdict(it) for it in self.plan.findings.values()),
            seed=self.settings.seed,
        )
        return document.build(
            self.rows,
            run,
            result.decided,
            result.profiles,
            result.outcomes,
            hardening=self._hardening(),
        )

    def _hardening(self) -> "dict[str, Any] | None":
        """Return what the hardening pack found, as the report has it; None in runs without it."""
        if not self.settings.hardening:
            return None
        # Few runs have it.
        from pact_conformance.report import hardening  # noqa: PLC0415

        selected = {it.advice for it in self.roster.selected if it.advice}
        unseen = [
            Outcome(
                it.name,
                it.case,
                (),
                "untested",
                reason="the run ended before it",
                do=RUN_AGAIN,
                kind="advice",
                advice=it.advice,
            )
            for it in self.untried()
            if it.advice
        ]
        return hardening.section(
            [*list(self.advised), *unseen], judged=self.judged, selected=selected
        )

    @property
    def subjects(self) -> tuple[tuple[str, str], ...]:
        """What is under test: each role, with a Provider's card or a personal agent's issuer."""
        return tuple(
            (it["role"], str(it.get("card", it.get("issuer", "")))) for it in self._subjects()
        )

    def _subjects(self) -> Iterator[dict[str, Any]]:
        if any(role == "provider" for role, _ in self.judged):
            card = self.plan.preflight.card_url
            yield {"role": "provider", "card": card, "built_in": self.settings.embedded}
        if self.plan.stage is not None and any(role == "personal-agent" for role, _ in self.judged):
            yield {
                "role": "personal-agent",
                "issuer": self.plan.stage.issuer,
                "built_in": self.settings.agent_embedded,
            }

    def _all(self, unfinished: str) -> Iterator[Outcome]:
        cut_off = self.ledger.too_few
        counted = f"{cut_off} ({self.ledger.so_far})"
        for outcome in list(self.outcomes):
            yield replace(outcome, reason=counted) if outcome.reason == cut_off else outcome
        for entry in (it for it in self.untried() if not it.advice):
            reason = unfinished or "the run ended before it"
            yield _unseen(entry, "fuzz" if entry.fuzzes else "check", reason, RUN_AGAIN)
        for entry in (it for it in self.roster.deselected if not it.advice):
            do = "select it, or run the whole suite"
            kind = "fuzz" if entry.fuzzes else "deselected"
            yield _unseen(entry, kind, folding.NOT_SELECTED, do)

    def _place(self, outcome: Outcome) -> tuple[int, int, str, str]:
        """Order outcomes as the specification does, whichever process came first."""
        return (
            self._order[outcome.requirements[0]],
            _KINDS.index(outcome.kind),
            outcome.name,
            outcome.case,
        )


def _at_least(settings: Settings) -> frozenset[Judged]:
    """Return what a run judges, whatever its subjects offer."""
    profiles = PROFILES if settings.profile == "delegated" else PROFILES[:1]
    tested = {"provider": settings.tests_provider, "personal-agent": settings.tests_agent}
    return frozenset((role, name) for role in ROLES if tested[role] for name in profiles)


def _unseen(entry: Entry, kind: str, reason: str, do: str) -> Outcome:
    return Outcome(
        entry.name,
        entry.case,
        entry.requirements,
        "untested",
        reason=reason,
        do=do,
        kind=kind,
    )
