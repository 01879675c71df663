"""How an agent under test tells that something came to nothing, learned before it is tried.

An adapter may let through what its library raises. That is no way to give up, and nothing by which
the agent can be blamed: only one that tells plain failures breaks down where it tells nothing.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass

from pact_conformance.fuzz.hostile_answers.draft import (
    NOT_SAID,
    Answered,
    Area,
    Draft,
    closed,
)
from pact_conformance.fuzz.hostile_answers.looking import carries
from pact_conformance.fuzz.hostile_answers.playing import Course, Step
from pact_conformance.subject.agent import AgentUnderTest, Broke, Held

Play = Callable[[Callable[[Draft], None], Collection[Area]], Course]
"""Plays a scene with a change, that shows the answers of some areas."""


@dataclass(frozen=True)
class Manners:
    """What is known of an agent."""

    is_command: bool
    """It is a process of its own, which ends where it breaks down."""
    is_virtual: bool
    """Its waits last no time: what does not come soon never comes."""
    tells: frozenset[Step]
    """The calls in which it tells of a failure."""
    there: frozenset[str]
    """What changes may need of it: `delegation`, `receipts`, `closing`, `step-up`, and that it
    tells of failures in its `own-words`."""

    def is_a_breakdown(self, step: Step, broke: Broke) -> bool:
        """Say whether the agent ended or let an exception out, and that is not how it gives up.

        What an adapter tells unclearly is no more than that.
        """
        return broke.crashed and (self.is_command or step in self.tells)


def learned(agent: AgentUnderTest, play: Play) -> Manners:
    """Have an agent meet plain failures, and good scenes, and see what it makes of them.

    What it does not do in a good scene other checks say; nothing is changed in such.
    """
    tells: set[Step] = set()
    there: set[str] = set()

    def see(step: Step, change: Callable[[Draft], None], *areas: Area) -> None:
        if play(change, areas).broke is None:
            tells.add(step)

    see("connect", _no_card)
    said = play(_error, ())
    if said.broke is None:
        tells.add("say")
    # Who repeats what stands in an answer that is no reply is not known by that to take it for one.
    if not said.went_on:
        there.add("own-words")
    if play(closed, ["closing"]).went_on:
        there.add("closing")
    if agent.offers("sign_in") and agent.offers("go_on"):
        good = play(_nothing, ["receipt"])
        # An agent may always talk without the token (§5.1): of one that does nothing is seen.
        if good.went_on and carries(good.seen):
            there |= {"delegation"} | ({"receipts"} if _has_verified(good) else set())
            there |= {"step-up"} if play(_nothing, ["step-up"]).went_on else set()
            see("sign_in", _no_code, "device")
            see("go_on", _denied, "token")
    is_command, is_virtual = agent.way == "cmd", agent.virtual_time
    return Manners(is_command, is_virtual, frozenset(tells), frozenset(there))


def _has_verified(course: Course) -> bool:
    held = [it for it in course.all("holds") if isinstance(it, Held)]
    return any(it.verified is True for each in held for it in each.receipts or ())


def _nothing(made: Draft) -> None:
    """Change nothing."""


def _no_card(made: Draft) -> None:
    made.card = Answered("not found", "text/plain", status=404)


def _error(made: Draft) -> None:
    made.error = Answered(NOT_SAID, "text/plain", status=500)


def _no_code(made: Draft) -> None:
    made.device = Answered({"error": "invalid_request"}, status=400)


def _denied(made: Draft) -> None:
    made.token = Answered({"error": "access_denied"}, status=400)
