"""What a run of the matrix says about the suite: was the flaw seen, was the variant spared."""

from dataclasses import dataclass
from typing import Any

from pact_conformance.catalogue import load
from pact_conformance.catalogue.requirement import Role
from pact_conformance.counterpart import flaws
from pact_conformance.matrix.catches import Catch, catches
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
    role: Role = "provider"
    description: str = ""
    parts: tuple[str, ...] = ()
    caught_by: tuple[Catch, ...] = ()
    hidden: tuple[str, ...] = ()
    """Of a pair: the flaws of which nothing was seen though all that they break was tried."""

    def to_json(self) -> dict[str, Any]:
        """Return plain data."""
        return {
            "name": self.name,
            "kind": self.kind,
            "role": self.role,
            "description": self.description,
            "parts": list(self.parts),
            "sections": None if self.sections is None else sorted(self.sections),
            "declared": sorted(self.declared),
            "tripped": sorted(self.tripped),
            "caught_by": [it.to_json() for it in self.caught_by],
            "problem": self.problem,
            "seconds": round(self.seconds, 2),
        }


def judge(ran: Ran) -> Judged:
    """Compare what a subject tripped with what it declares.

    A flaw trips exactly its set: the requirements that fail or warn. What it makes inconclusive or
    untested is a consequence. A variant fails nothing, leaves nothing inconclusive, and warns only
    of what it declares. Of two flaws at once each is seen, or what it breaks could not be tried.

    Where a flaw was held against some sections, they are those of all that it declares: its set is
    still exact among what was tried.
    """
    subject, tripped = ran.subject, ran.with_verdict("failed", "warned")
    hidden = _hidden(ran, tripped) if subject.kind == "pair" and ran.well else ()
    if not ran.well:
        problem = f"the run ended with {ran.exit_code}"
    elif subject.kind == "pair":
        problem = f"nothing was seen of {' and '.join(hidden)}" if hidden else ""
    else:
        problem = (_of_flaw if subject.kind == "flaw" else _of_variant)(ran, tripped)
    return Judged(
        subject.name,
        subject.kind,
        subject.sections,
        subject.declared,
        tripped,
        problem,
        ran.seconds,
        role=subject.role,
        description=subject.description,
        parts=subject.parts,
        caught_by=() if ran.report is None else catches(ran.report),
        hidden=hidden,
    )


def again(ran: Ran) -> bool:
    """Say whether a flaw has to be held against the whole, for its sections cannot show it.

    So it is with rules: they judge every exchange of a run, and the one that breaks them may be
    that of a check of another section. Of a personal agent any check may be one of them.
    """
    if ran.subject.sections is None or not ran.well:
        return False
    tripped = ran.with_verdict("failed", "warned")
    if ran.subject.kind == "pair":
        return bool(_hidden(ran, tripped))
    missed, besides = ran.subject.declared - tripped, tripped - ran.subject.declared
    if not missed or besides:
        return False
    rows = load()
    return ran.subject.role == "personal-agent" or all(rows[it].rule for it in missed)


def _of_flaw(ran: Ran, tripped: frozenset[str]) -> str:
    declared = ran.subject.declared
    missed, extra = sorted(declared - tripped), sorted(tripped - declared)
    if not tripped:
        return "caught by nothing"
    parts = [f"missed {', '.join(missed)}"] if missed else []
    parts += [f"tripped {', '.join(extra)} besides"] if extra else []
    return "; ".join(parts)


def _of_variant(ran: Ran, tripped: frozenset[str]) -> str:
    failed = ran.with_verdict("failed", "inconclusive")
    if failed:
        return f"failed or left inconclusive: {', '.join(sorted(failed))}"
    extra = tripped - ran.subject.declared
    return f"warned of {', '.join(sorted(extra))} besides" if extra else ""


def _hidden(ran: Ran, tripped: frozenset[str]) -> tuple[str, ...]:
    """Return the flaws of a pair that nothing told of, though nothing kept it from being tried."""
    told = tripped | ran.with_verdict("inconclusive", "untested")
    return tuple(it for it in ran.subject.parts if not flaws.ALL[it].breaks & told)
