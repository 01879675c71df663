"""What comes of the runs of a matrix, one after the other, and what has to be run because of it."""

import shutil
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

from pact_conformance.catalogue.requirement import Role
from pact_conformance.matrix.catches import Catch, checks_of
from pact_conformance.matrix.forked import Ran
from pact_conformance.matrix.judged import Judged, again, judge
from pact_conformance.matrix.pairs import swapped
from pact_conformance.matrix.subjects import Subject

Key = tuple[Role, str]
"""A role and the name of a check."""


@dataclass
class Gathering:
    """Judges each run as it ends, and keeps what the page needs of it.

    The folder of a run that is as declared goes; that of any other stays, to be looked into.
    """

    reports: Path
    tell: Callable[[str], None]
    rows: list[Judged] = field(default_factory=list)
    checks: dict[Key, Catch] = field(default_factory=dict)
    """Every check and rule that a run has known."""
    _hidden: dict[frozenset[str], Judged] = field(default_factory=dict)

    def ended(self, ran: Ran) -> Subject | None:
        """Take a run; return what is to be run because of it."""
        if again(ran):
            self.tell(f"{ran.subject.name}: once more, whole")
            return replace(ran.subject, sections=None)
        for name, check in checks_of(ran.report or {"requirements": ()}).items():
            self.checks.setdefault((ran.subject.role, name), check)
        judged = judge(ran)
        if judged.hidden and frozenset(judged.parts) not in self._hidden:
            self._hidden[frozenset(judged.parts)] = judged
            self.tell(f"{ran.subject.name}: once more, the other way round")
            return swapped(ran.subject)
        self._keep(self._in_both_orders(judged))
        return None

    def _in_both_orders(self, judged: Judged) -> Judged:
        """Judge a pair by both of its orders, where one of them hid a flaw.

        Where the same flaw is hidden in both, it is the other one that hides it from the suite.
        Where it is not, both substitute the same behaviour, and the last one is all there is.
        """
        first = self._hidden.get(frozenset(judged.parts))
        if first is None or not judged.hidden:
            return judged
        hidden = tuple(it for it in judged.hidden if it in first.hidden)
        problem = f"nothing was seen of {' and '.join(hidden)}, whichever came last"
        return replace(judged, hidden=hidden, problem=problem if hidden else "")

    def _keep(self, judged: Judged) -> None:
        self.rows.append(judged)
        if judged.problem:
            self.tell(f"{judged.kind} {judged.name}: {judged.problem}")
        else:
            for name in {judged.name, "+".join(reversed(judged.parts))} - {""}:
                shutil.rmtree(self.reports / name, ignore_errors=True)
