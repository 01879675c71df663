"""The whole examination, and how it is told."""

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from pact_conformance.catalogue import Requirement, advice, load
from pact_conformance.catalogue.advice import Advice
from pact_conformance.doctor import agents, cost, parts
from pact_conformance.doctor.cost import Cost
from pact_conformance.doctor.needs import how_to_give, unmet
from pact_conformance.doctor.parts import Part
from pact_conformance.doctor.signing_in import sign_in
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


def examine(settings: Settings, arguments: Sequence[str], *, signs_in: bool = False) -> Examination:
    """Open a run, try each part and close it again; nothing is written and no turn is sent.

    Args:
        settings: as `run` takes them.
        arguments: pytest's, for collecting what a run would.
        signs_in: whether the User signs in and approves once.

    Raises:
        pytest.UsageError: a setting that only now turns out bad.
    """
    with tempfile.TemporaryDirectory() as folder:
        opened = Opened(settings, Path(folder), tried=True)
        try:
            rig = opened.rig
            tried = tuple(_tried(rig, settings, signs_in=signs_in))
            missing = unmet(
                [*_in_question(rig), *_advice_in_question(rig)],
                opened.settings,
                opened.plan,
                brought=_brought(settings),
            )
            exchanges = list(rig.journal.recent.values())
        finally:
            opened.close()
    told = cost.estimate(arguments, exchanges) if settings.tests_provider else None
    return Examination(tried, missing, told)


def _tried(rig: Rig, settings: Settings, *, signs_in: bool) -> Iterator[Part]:
    if settings.tests_provider:
        yield from parts.all_of(rig, embedded=settings.embedded)
        signed_in = sign_in(rig) if signs_in else None
        if signed_in is not None:
            yield signed_in
    if settings.tests_agent:
        yield from agents.all_of(rig)


def _brought(settings: Settings) -> frozenset[str]:
    """Return the needs that what is built in brings along."""
    provider = parts.BUILT_IN if settings.embedded else frozenset()
    return provider | (agents.BUILT_IN if settings.agent_embedded else frozenset())


def _advice_in_question(rig: Rig) -> Iterator[Advice]:
    """Yield what the hardening pack would measure, where it is asked for."""
    if rig.settings.hardening:
        yield from (it for it in advice.load().values() if (it.role, it.profile) in rig.judged)


def _in_question(rig: Rig) -> Iterator[Requirement]:
    """Yield the requirements that a run would decide, if it were given all that they need."""
    settings, rows = rig.settings, load()
    card = Card(rig.preflight.card, rig.preflight.card_url)
    found: list[Requirement] = []
    if settings.tests_provider:
        found += rows.of(role="provider", profile="identity")
        found += rows.of(role="provider", profile="delegated") if card.delegation else ()
    if settings.tests_agent:
        found += rows.of(role="personal-agent", profile="identity")
        delegated = rows.of(role="personal-agent", profile="delegated")
        found += (replace(it, needs=(*agents.DELEGATED, *it.needs)) for it in delegated)
    for row in found:
        left_out = row.profile == "delegated" and settings.profile == "identity"
        if not (left_out or row.planned or row.observed == "not"):
            yield row
