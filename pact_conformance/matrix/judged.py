"""What a run of the matrix says about the suite: was the flaw seen, was the variant spared."""

from dataclasses import dataclass
from typing import Any

from pact_conformance.catalogue import load
from pact_conformance.matrix.forked import Ran
from pact_conformance.matrix.subjects import Kind


@dataclass(frozen=True)
class Judged:
    """One subject of the matrix: what it should trip, what it tripped, and how that compares."""

    name: str
    kind: Kind
    sections: frozenset[str] | None
    """Those that it was held against; None: all."""
    declared: frozenset[str]
    tripped: frozenset[str]
    problem: str
    """Empty where the suite did right."""
    seconds: float = 0.0

    def to_json(self) -> dict[str, Any]:
        """Return plain data."""
        return {
            "name": self.name,
            "kind": self.kind,
            "sections": None if self.sections is None else sorted(self.sections),
            "declared": sorted(self.declared),
            "tripped": sorted(self.tripped),
            "problem": self.problem,
            "seconds": round(self.seconds, 2),
        }


def judge(ran: Ran) -> Judged:
    """Compare what a subject tripped with what it declares.

    A flaw trips exactly its set: the requirements that fail or warn. What it makes inconclusive or
    untested is a consequence. A variant fails nothing, leaves nothing inconclusive, and warns only
    of what it declares.

    Where a flaw was held against some sections, they are those of all that it declares: its set is
    still exact among what was tried.
    """
    subject, tripped = ran.subject, ran.with_verdict("failed", "warned")
    of = _of_flaw if subject.kind == "flaw" else _of_variant
    problem = of(ran, tripped) if ran.well else f"the run ended with {ran.exit_code}"
    return Judged(
        subject.name,
        subject.kind,
        subject.sections,
        subject.declared,
        tripped,
        problem,
        ran.seconds,
    )


def again(ran: Ran) -> bool:
    """Say whether a flaw has to be held against the whole, for its sections cannot show it.

    So it is with rules: they judge every exchange of a run, and the one that breaks them may be
    that of a check of another section. Of a personal agent any check may be one of them.
    """
    tripped = ran.with_verdict("failed", "warned")
    missed, besides = ran.subject.declared - tripped, tripped - ran.subject.declared
    if ran.subject.sections is None or not ran.well or not missed or besides:
        return False
    rows = load()
    return ran.subject.role == "personal-agent" or all(rows[it].rule for it in missed)


def _of_flaw(ran: Ran, tripped: frozenset[str]) -> str:
    declared = ran.subject.declared
    missed, extra = sorted(declared - tripped), sorted(tripped - declared)
    parts = [f"missed {', '.join(missed)}"] if missed else []
    parts += [f"tripped {', '.join(extra)} besides"] if extra else []
    return "; ".join(parts)


def _of_variant(ran: Ran, tripped: frozenset[str]) -> str:
    failed = ran.with_verdict("failed", "inconclusive")
    if failed:
        return f"failed or left inconclusive: {', '.join(sorted(failed))}"
    extra = tripped - ran.subject.declared
    return f"warned of {', '.join(sorted(extra))} besides" if extra else ""
