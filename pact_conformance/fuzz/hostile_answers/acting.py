"""What is played of a scene: as little as shows the answers that are changed in it."""

from collections.abc import Collection
from typing import Literal, TypeAlias

from pact_conformance.fuzz.hostile_answers.draft import DELEGATED, NOT_SAID, Area, Draft
from pact_conformance.fuzz.hostile_answers.making import CANCEL, READ
from pact_conformance.fuzz.hostile_answers.playing import Course, Player
from pact_conformance.subject.agent import NeedsSignIn, Reply

ON_RECORD: frozenset[Area] = frozenset({"metadata", "receipt", "keys"})
"""What is seen in the agent's record of receipts."""


Record: TypeAlias = Literal["not asked", "asked", "good"]
"""Whether an agent is asked for its receipts, and whether one has to be good for it to go on."""


def act(player: Player, made: Draft, areas: Collection[Area], record: Record) -> Course:
    """Play a scene.

    Args:
        player: has the agent act.
        made: the scene.
        areas: what is changed in it.
        record: what is done about the agent's receipts.
    """
    if not player.connect():
        return player.course
    if DELEGATED.isdisjoint(areas):
        _talk(player, made, areas)
    elif _signs_in(player):
        _act_for_the_user(player, made, areas, record)
    return player.course


def _talk(player: Player, made: Draft, areas: Collection[Area]) -> None:
    if made.error is not None:
        told = player.say()
        # Whatever it says of a failure is its own; what stands in it is no reply.
        if not (isinstance(told, Reply) and NOT_SAID in told.text):
            player.stop("say")
    elif not player.replies():
        return
    elif "closing" in areas:
        _find_it_closed(player)
    elif made.goes_on:
        player.replies(1)


def _find_it_closed(player: Player) -> None:
    """Go on in a conversation that is closed; an agent may begin anew at once or the next time."""
    if not isinstance(player.say(1), Reply):
        player.replies(2)
    messages = player.course.scene.seen("message:send")
    begun = [it for it in messages[1:] if not it.message.get("contextId")]
    if not begun:
        player.stop("say", "no message began a new conversation")


def _signs_in(player: Player) -> bool:
    return player.signs_in(READ) and player.finishes()


def _act_for_the_user(player: Player, made: Draft, areas: Collection[Area], record: Record) -> None:
    if "step-up" in areas:
        _step_up(player)
    else:
        _talk(player, made, areas)
    if not player.course.went_on or made.error is not None:
        return
    if record != "not asked" and not ON_RECORD.isdisjoint(areas):
        held = player.holds()
        receipts = () if held is None else held.receipts or ()
        if record == "good" and not any(it.verified is True for it in receipts):
            player.stop("holds", "no receipt is said to be good")


def _step_up(player: Player) -> None:
    """Say what needs more, and get it: by the agent's own doing, or as its caller."""
    if not isinstance(player.say(), NeedsSignIn):
        player.stop("say")
        return
    flows = player.course.scene.seen("device_authorization")
    if len(flows) == 1 and not player.signs_in(CANCEL, READ):
        return
    if not player.finishes():
        return
    if len(player.course.scene.seen("message:send")) == 1:
        player.replies()
