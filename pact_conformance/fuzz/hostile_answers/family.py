"""Scenes at Brands whose answers are changed: does the agent go on, give up, or worse."""

from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING

from pact_conformance.fuzz.example import Example
from pact_conformance.fuzz.family import Trial, Unanswered
from pact_conformance.fuzz.hostile_answers.acting import Record, act
from pact_conformance.fuzz.hostile_answers.draft import DELEGATED, Area, Draft, areas_of
from pact_conformance.fuzz.hostile_answers.judging import breakdown, judged
from pact_conformance.fuzz.hostile_answers.kinds import KINDS
from pact_conformance.fuzz.hostile_answers.making import attach, draft, script
from pact_conformance.fuzz.hostile_answers.manners import Manners, learned
from pact_conformance.fuzz.hostile_answers.playing import Course, Player
from pact_conformance.fuzz.kind import Kind
from pact_conformance.fuzz.of_kinds import OfKinds
from pact_conformance.fuzz.pace import Pace
from pact_conformance.subject.agent import User
from pact_conformance.verdicts import Inconclusive, Untested, open_notebook

if TYPE_CHECKING:
    from pact_conformance.rig import Rig

# For whom the agent speaks: at another Brand each time.
USER = User("u-7c20e4", "Odalys Brankovic", "odalys.brankovic@example.org")

# A call of the built-in agent takes milliseconds; what takes this long never comes.
BUILT_IN_SECONDS = 30.0


class HostileAnswers(OfKinds):
    """The family, ready to be tried on a personal agent.

    Args:
        rig: of the run.
        pace: is told what each scene asks of the agent.

    Raises:
        Untested: a person plays the agent.
        Broke: the agent does not answer at all.
    """

    known = KINDS
    good = "4.2-agent-reply"

    def __init__(self, rig: "Rig", pace: Pace) -> None:
        self._agent, self._stage, self._pace = rig.agent, rig.stage, pace
        if self._agent.way == "manual":
            raise Untested("nobody answers so often by hand", do="drive the agent by a program")
        is_virtual = self._agent.virtual_time
        deadline: float = rig.settings.deadline
        self._last = "nothing"
        """What was tried last."""
        self._seconds = min(deadline, BUILT_IN_SECONDS) if is_virtual else deadline
        self._manners: Manners = learned(self._agent, self._try_out)
        self._there = self._manners.there | ({"virtual-time"} if is_virtual else set())
        if self._stage.address.other is not None:
            self._there |= {"another-host"}
        self.kinds: Sequence[Kind[Draft]] = [
            kind for kind in KINDS.all.values() if kind.needs <= self._there
        ]

    def _try_out(self, change: Callable[[Draft], None], areas: Collection[Area]) -> Course:
        """Play a scene with a change that is no example's, to learn from it."""
        made = self._draft(areas)
        change(made)
        record: Record = "asked" if self._agent.offers("holds") else "not asked"
        course = self._play(made, frozenset(areas), record)
        _ = course.seen  # nothing is told of a scene that is closed
        course.scene.close()
        return course

    def _draft(self, areas: Collection[Area]) -> Draft:
        return draft(self._stage.address, delegates=not DELEGATED.isdisjoint(areas))

    def _play(self, made: Draft, areas: frozenset[Area], record: Record) -> Course:
        if not DELEGATED.isdisjoint(areas):
            attach(made)
        scene = self._stage.open(**script(made, areas))
        course = act(Player(self._agent, scene, USER, self._seconds), made, areas, record)
        self._pace.spend(course.asks)
        return course

    def control(self) -> None:
        """See that a good scene is gone through, signed in where the agent can.

        Raises:
            Inconclusive: it is not.
        """
        areas: frozenset[Area] = frozenset({"receipt"} if "delegation" in self._there else ())
        made = self._draft(areas)
        made.goes_on = not areas
        course = self._play(made, areas, self._record)
        words = course.words
        course.scene.close()
        if not course.went_on:
            raise Inconclusive(
                f"the control failed: of a good scene {words}; what was tried last: {self._last}",
                do="see what the agent makes of an ordinary conversation, then run again",
            )

    def attempt(self, example: Example) -> Trial:
        """Play the scene of an example.

        Raises:
            Unanswered: the agent broke down.
        """
        changes = KINDS.of(example)
        areas = areas_of([slot for kind, _ in changes for slot in kind.slots])
        made = self._draft(areas)
        self._last = KINDS.said(example)
        for kind, change in changes:
            kind.apply(made, *change.values)
        course = self._play(made, areas, self._record)
        trial = judged(course, made, areas, KINDS.due_to(example), self._manners)
        open_notebook().exchanges.extend(it.exchange_id for it in course.seen)
        broken = breakdown(course, made, self._manners) is not None
        course.scene.close()
        if broken:
            raise Unanswered(trial)
        return trial

    @property
    def _record(self) -> Record:
        return "good" if "receipts" in self._there else "not asked"
