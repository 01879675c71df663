"""What a run of the matrix says about the suite: was the flaw seen, was the variant spared."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Literal

from pact_conformance.counterpart import flaws, variants
from pact_conformance.matrix.forked import Ran, Subject
from pact_conformance.session.embedded import AUDIENCE

Kind = Literal["honest", "flaw", "variant"]


# Whether a Provider is open to personal agents that it does not know, only its tester can say.
OPEN = (f"--pact-open-audience={AUDIENCE}",)
OPEN_VARIANTS = frozenset({"is-open-to-whoever-serves-keys"})


@dataclass(frozen=True)
class Judged:
    """One subject of the matrix: what it should trip, what it tripped, and how that compares."""

    name: str
    kind: Kind
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
            "declared": sorted(self.declared),
            "tripped": sorted(self.tripped),
            "problem": self.problem,
        }


def subjects(names: Iterable[str] = ()) -> Iterator[Subject]:
    """Yield the honest mock, every flaw and every variant, or those of them that are named."""
    wanted = set(names)
    every = [Subject("honest")]
    every += [
        Subject(name, flaws=(name,), settings=OPEN if "3.1-open-policy" in flaw.breaks else ())
        for name, flaw in flaws.ALL.items()
    ]
    every += [
        Subject(name, variants=(name,), settings=OPEN if name in OPEN_VARIANTS else ())
        for name in variants.ALL
    ]
    for subject in every:
        if not wanted or subject.name in wanted:
            yield subject


def judge(ran: Ran) -> Judged:
    """Compare what a subject tripped with what it declares.

    A flaw trips exactly its set: the requirements that fail or warn. What it makes inconclusive or
    untested is a consequence. A variant fails nothing, leaves nothing inconclusive, and warns only
    of what it declares.
    """
    name = ran.subject.name
    tripped = ran.with_verdict("failed", "warned")
    if name in flaws.ALL:
        declared: frozenset[str] = flaws.ALL[name].breaks
        return Judged(name, "flaw", declared, tripped, _of_flaw(ran, declared, tripped))
    kind: Kind = "variant" if name in variants.ALL else "honest"
    declared = variants.ALL[name].warns if kind == "variant" else frozenset()
    return Judged(name, kind, declared, tripped, _of_variant(ran, declared, tripped))


def _of_flaw(ran: Ran, declared: frozenset[str], tripped: frozenset[str]) -> str:
    if ran.report is None:
        return "no report was written"
    missed, extra = sorted(declared - tripped), sorted(tripped - declared)
    parts = [f"missed {', '.join(missed)}"] if missed else []
    parts += [f"tripped {', '.join(extra)} besides"] if extra else []
    return "; ".join(parts)


def _of_variant(ran: Ran, declared: frozenset[str], tripped: frozenset[str]) -> str:
    if ran.report is None:
        return "no report was written"
    failed = ran.with_verdict("failed", "inconclusive")
    if failed:
        return f"failed or left inconclusive: {', '.join(sorted(failed))}"
    extra = tripped - declared
    return f"warned of {', '.join(sorted(extra))} besides" if extra else ""
