"""The whole examination, and how it is told."""

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pact_conformance.catalogue import Requirement, load
from pact_conformance.doctor import cost, parts
from pact_conformance.doctor.cost import Cost
from pact_conformance.doctor.needs import how_to_give, unmet
from pact_conformance.doctor.parts import Part
from pact_conformance.report.text import harmless, paragraph
from pact_conformance.rig import Rig
from pact_conformance.session.opening import Opened
from pact_conformance.settings import Settings
from pact_conformance.wire.card import Card


@dataclass(frozen=True)
class Examination:
    """What was tried, what is missing for which requirements, and what a run will cost."""

    parts: tuple[Part, ...]
    missing: Mapping[tuple[str, ...], tuple[str, ...]]
    cost: Cost | None

    @property
    def ready(self) -> bool:
        """Whether a run means something: nothing that is set is broken."""
        return all(part.state != "blocked" for part in self.parts)

    def told(self) -> Iterator[str]:
        """Yield the lines for the terminal."""
        width = max(len(part.name) for part in self.parts)
        for part in self.parts:
            yield f"{part.state:<8} {part.name:<{width}}  {harmless(part.said)}"
            if part.do:
                yield f"{'':<8} {'':<{width}}  → {harmless(part.do)}"
        if self.missing:
            yield "\nWithout it untested:"
        for lacking, ids in self.missing.items():
            yield f"  {' and '.join(how_to_give(need) for need in lacking)}"
            yield paragraph("", ", ".join(ids))
        yield from self._told_cost()
        yield "\nready" if self.ready else "\nnot ready: see what is blocked above"

    def _told_cost(self) -> Iterator[str]:
        if self.cost is None:
            return
        yield (
            f"\nA run sends about {self.cost.requests} requests in {self.cost.checks} checks, and "
            f"costs about {self.cost.turns} turns of the Brand's agent; a subject that serves what "
            "it should refuse costs more."
        )
        yield (
            f"It takes about {self.cost.seconds:.0f} s at {self.cost.latency * 1000:.0f} ms a "
            f"request, and {self.cost.seconds_of_turns:.0f} s more if a turn takes "
            f"{cost.TURN:.0f} s."
        )


def examine(settings: Settings, arguments: Sequence[str]) -> Examination:
    """Open a run, try each part and close it again; nothing is written and no turn is sent.

    Args:
        settings: as `run` takes them.
        arguments: pytest's, for collecting what a run would.

    Raises:
        pytest.UsageError: a setting that only now turns out bad.
    """
    with tempfile.TemporaryDirectory() as folder:
        opened = Opened(settings, Path(folder))
        try:
            rig = opened.rig
            tried = tuple(parts.all_of(rig, embedded=settings.embedded))
            missing = unmet(
                _in_question(rig), opened.settings, opened.plan, embedded=settings.embedded
            )
            exchanges = list(rig.journal.recent.values())
        finally:
            opened.close()
    return Examination(tried, missing, cost.estimate(arguments, exchanges))


def _in_question(rig: Rig) -> Iterator[Requirement]:
    """Yield the requirements that a run would decide, if it were given all that they need."""
    card = Card(rig.preflight.card, rig.preflight.card_url)
    delegated = rig.settings.profile != "identity" and card.delegation is not None
    for requirement in load().of(role="provider"):
        if requirement.planned or requirement.observed == "not":
            continue
        if requirement.profile == "identity" or delegated:
            yield requirement
