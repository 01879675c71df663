"""Messages that are sent again under their messageId (§4.3); a stored reply is no turn."""

import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from contextvars import copy_context
from dataclasses import dataclass
from functools import partial

from pact_conformance.journal.answer import Answer
from pact_conformance.rig import conversation
from pact_conformance.subject.hooks import Hooks
from pact_conformance.subject.provider import GOOD, Credential, Provider
from pact_conformance.verdicts import Untested
from pact_conformance.wire.messages import new_id

from .conversations import ANOTHER_MATTER, CONTINUATION, Turn

ANOTHER_TEXT = "Please cancel it instead."

# With a hook the Brand's agent takes so long; the repeat follows the message after a head start.
SLOW_SECONDS = 1.0
HEAD_START = 0.1

# If the first was answered only so long after its repeat was sent, it was running then.
SURELY_RUNNING = 0.25


def repeat(
    provider: Provider, turn: Turn, text: str, context_id: str | None, token: Credential = GOOD
) -> Answer:
    """Send a text under the messageId of a turn that has been answered."""
    return provider.send(
        text,
        user=turn.user,
        context_id=context_id,
        message_id=turn.message_id,
        token=token,
        turn=False,
    )


@dataclass(frozen=True)
class Retried:
    """The last message of a conversation, and its repeats."""

    first: Turn
    same: Answer
    other_text: Answer
    other_token: Answer


@conversation(turns=0)
def retried(provider: Provider, continued: Turn) -> Retried:
    """The last message of a conversation is repeated: as it was, and in two other ways."""
    context_id = continued.context_id
    send = partial(repeat, provider, continued, context_id=context_id)
    caller = provider.caller
    older = caller.token(caller.user(continued.user), at=caller.clock() - 20, lifetime=240)
    return Retried(
        continued,
        same=send(CONTINUATION),
        other_text=send(ANOTHER_TEXT),
        other_token=send(CONTINUATION, token=older),
    )


@conversation(turns=0)
def first_repeated(provider: Provider, second_opening: Turn) -> Answer:
    """The message that opened a conversation is repeated in it."""
    return repeat(provider, second_opening, ANOTHER_MATTER, second_opening.context_id)


@conversation(turns=1)
def same_id_elsewhere(
    provider: Provider,
    opening: Turn,
    continued: Turn,
    second_opening: Turn,
    first_repeated: Answer,
) -> Turn:
    """The messageId that opened one conversation comes in another one of the same User."""
    del first_repeated
    if continued.context_id != opening.context_id:
        raise Untested("conversations are not continued", do="see 4.2-context-continued")
    answer = provider.send(
        "And how long does that take?",
        user=opening.user,
        context_id=second_opening.context_id,
        message_id=opening.message_id,
    )
    return Turn(opening.user, opening.message_id, answer)


@conversation(turns=1)
def first_without_its_context(provider: Provider, second_opening: Turn) -> Turn:
    """The message that opened a conversation comes again without a contextId."""
    second_opening.must_be_served()
    answer = provider.send(user=second_opening.user, message_id=second_opening.message_id)
    return Turn(second_opening.user, second_opening.message_id, answer)


@dataclass(frozen=True)
class Overlap:
    """A message, its repeat that was sent before the answer was there, and one long after."""

    first: Answer
    second: Answer
    later: Answer

    @property
    def seconds(self) -> float:
        """How long after the repeat was sent the first one was answered."""
        return self.first.at + self.first.elapsed - self.second.at

    @property
    def served(self) -> list[Answer]:
        """The answers with a reply: one, whichever of the two came first at the Provider."""
        return [it for it in (self.first, self.second) if it.is_success]


@conversation(turns=1, together=2)
def repeated_while_running(provider: Provider, hooks: Hooks, at_once: list[Turn]) -> Overlap:
    """A message is repeated before it is answered, in a conversation that has been opened."""
    turn, message_id = at_once[-1], new_id()
    context_id = turn.context_id
    send = partial(
        provider.send,
        "How long will it take?",
        user=turn.user,
        message_id=message_id,
        together=True,
    )
    caller = provider.caller
    about = {"issuer": caller.issuer, "sub": caller.user(turn.user), "seconds": SLOW_SECONDS}
    slow = hooks.during("slow_agent", **about) if hooks.has("slow_agent") else nullcontext()
    with slow, ThreadPoolExecutor(1) as pool:
        begun = pool.submit(copy_context().run, send, context_id=context_id)
        time.sleep(HEAD_START)
        second = send(context_id=context_id, turn=False)
        first = begun.result()
    return Overlap(first, second, later=send(context_id=context_id, turn=False))
