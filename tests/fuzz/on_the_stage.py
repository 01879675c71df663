"""The mock personal agent on a stage of its own, for a while with a flaw or a variant."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from pact_conformance.counterpart.personal_agent.adapter import Adapter, built_in, changes_of
from pact_conformance.fuzz.example import Example
from pact_conformance.fuzz.family import Trial, Unanswered
from pact_conformance.fuzz.hostile_answers.family import HostileAnswers
from pact_conformance.fuzz.pace import Pace
from pact_conformance.journal.mask import Mask
from pact_conformance.session.staging import Registered, Staging
from pact_conformance.settings import Settings
from pact_conformance.subject.agent import AgentUnderTest
from pact_conformance.subject.agent.in_python import PythonWay
from pact_conformance.subject.agent.log import Log
from pact_conformance.subject.stage import Stage


@dataclass
class OnTheStage:
    """A stage, and the agent that is registered there."""

    stage: Stage
    adapter: Adapter

    def family(self, pace: Pace | None = None, agent: object = None) -> HostileAnswers:
        """The family, ready for the agent; or for another object that speaks as one."""
        return HostileAnswers(self.rig(agent), Pace(None, 10**6) if pace is None else pace)

    def rig(self, agent: object = None) -> Any:  # noqa: ANN401 - what a family needs of one
        """What the family needs of a run."""
        log = Log(None, Mask())
        name = "mock" if agent is None else "python"
        way = PythonWay(agent or self.adapter, log, name=name, owned=False)
        under_test = AgentUnderTest(way, Mask(), seconds=60)
        settings = SimpleNamespace(deadline=60.0)
        return SimpleNamespace(agent=under_test, stage=self.stage, settings=settings)

    @contextmanager
    def being(self, *, flaw: str = "", variant: str = "") -> Iterator[None]:
        """Have the agent be another one for a while."""
        changes = changes_of([flaw] if flaw else [], [variant] if variant else [])
        self.adapter._changes = changes
        self.adapter.restart({})
        try:
            yield
        finally:
            self.adapter._changes = ()
            self.adapter.restart({})


@contextmanager
def on_the_stage(folder: Path) -> Iterator[OnTheStage]:
    """Start both."""
    stages: list[Stage] = []

    def move(interface: str, seconds: float) -> None:
        with suppress(ValueError):  # a card may name what is no Brand
            stages[0].move_clock(interface, seconds)

    with built_in(move) as adapter:
        known = Registered(adapter.issuer, adapter.jwks_uri)
        with Staging(Settings(agent="mock"), known, folder) as staging:
            stage = Stage(staging.address, Mask())
            stages.append(stage)
            try:
                yield OnTheStage(stage, adapter)
            finally:
                stage.close()


def tried(family: HostileAnswers, example: Example) -> Trial:
    """What comes of an example, whether the agent breaks down or not."""
    try:
        return family.attempt(example)
    except Unanswered as error:
        return error.trial
