"""Conversations of several turns: of two Users at two Brands, closed ones, lost answers (§4)."""

from dataclasses import dataclass

from pact_conformance.rig import conversation
from pact_conformance.subject.agent import AgentUnderTest
from pact_conformance.subject.seen import Seen
from pact_conformance.subject.stage import Stage
from pact_conformance.verdicts import Untested
from pact_conformance.wire.messages import new_id

from .people import ROSALIND, TOMASZ
from .playing import GREETING, Play, Said, context_of, play

# What follows on the greeting.
GOING_ON = "It has not come yet."


@dataclass(frozen=True)
class Crossing:
    """Two Users, one at two Brands, in turns."""

    long: str
    """The contextId of the first User's conversation at the first Brand."""
    odd: str
    """That of the second User's."""
    here: Play
    there: Play
    first_again: Said | None
    """The first User's second turn at the first Brand; None: their first came to nothing."""
    second_again: Said | None
    """The second User's."""

    @property
    def messages(self) -> tuple[Seen, ...]:
        """Everything that was sent to both Brands."""
        return self.here.messages + self.there.messages

    def of(self, play: Play, *names: str) -> list[Seen]:
        """Return what was sent to a Brand for Users with these ids."""
        return [it for said in play.lines if said.user.id in names for it in said.messages]

    def must_work(self) -> None:
        """End what stands on these turns if one of them came to nothing.

        Raises:
            Untested: it did; other checks say why.
            Broke: the agent did not answer.
        """
        for said in (*self.here.lines, *self.there.lines):
            said.must_work()


@conversation(turns=0, together=0)
def crossing(stage: Stage, agent: AgentUnderTest, first_conversation: Play) -> Crossing:
    """Conversations of two Users at one Brand, and of the first at another, a turn of each in turn.

    The ids of the conversations are a long one and one that is no UUID.
    """
    first_conversation.must_begin()
    long = "-".join(["Conversation", *(new_id("c") for _ in range(5))])
    odd = f"Ctx:{new_id('c')}/A+b=(7)~;'Z'@?&#%2F|"
    here = play(stage, agent, contextIds=[long, odd])
    there = play(stage, agent, name="Sattelkammer")
    first = here.say(ROSALIND, GREETING)
    second = here.say(TOMASZ, GREETING)
    elsewhere = there.say(ROSALIND, GREETING)
    first_again = here.go_on(ROSALIND, GOING_ON, after=first) if first.replied else None
    second_again = here.go_on(TOMASZ, GOING_ON, after=second) if second.replied else None
    if elsewhere.replied:
        there.go_on(ROSALIND, GOING_ON, after=elsewhere)
    return Crossing(long, odd, here, there, first_again, second_again)


@dataclass(frozen=True)
class Closing:
    """A conversation that is closed, and what was said in it then."""

    context_id: str
    opened: Said
    then: Said
    later: Said | None
    """The User's next turn, where the agent has not begun anew by then."""

    @property
    def refused(self) -> Seen | None:
        """The message that the Brand refused since it is closed; None: it refused none."""
        answers = ((it, it.answer) for it in self.then.messages)
        closed = (it for it, to in answers if to and "UNSUPPORTED_OPERATION" in to.body)
        return next(closed, None)

    @property
    def afterwards(self) -> list[Seen]:
        """The messages after that one."""
        said = [self.then, *([] if self.later is None else [self.later])]
        sent = [it for each in said for it in each.messages]
        return [] if self.refused is None else sent[sent.index(self.refused) + 1 :]

    @property
    def began_anew(self) -> bool:
        """Whether one of them begins a new conversation."""
        return any(not it.message.get("contextId") for it in self.afterwards)


@conversation(turns=0, together=0)
def closing(stage: Stage, agent: AgentUnderTest, first_conversation: Play) -> Closing:
    """The Brand closes a conversation, and the User goes on in it."""
    first_conversation.must_go_on()
    acted = play(stage, agent)
    opened = acted.say(ROSALIND, GREETING)
    opened.must_work()
    context_id = context_of(opened.question)
    assert context_id is not None
    acted.scene.close_conversation(context_id)
    then = acted.go_on(ROSALIND, GOING_ON, after=opened)
    now = Closing(context_id, opened, then, None)
    if now.refused is None or now.began_anew:
        return now
    later = acted.go_on(ROSALIND, "Are you still there?", after=opened)
    return Closing(context_id, opened, then, later)


@dataclass(frozen=True)
class Lost:
    """A turn of a conversation whose answer was lost, and refused when it was sent again."""

    opened: Said
    turn: Said

    @property
    def lost(self) -> Seen:
        """The message that was taken and not answered.

        Raises:
            Untested: none came.
        """
        if not self.turn.messages:
            raise Untested("no second turn came", do="see 4.2-agent-continues")
        return self.turn.messages[0]

    @property
    def again(self) -> tuple[Seen, ...]:
        """What was sent after it."""
        return self.turn.messages[1:]


@conversation(turns=0, together=0)
def lost_answer(stage: Stage, agent: AgentUnderTest, first_conversation: Play) -> Lost:
    """The answer to the second turn of a conversation is lost, and no retry of it is served."""
    first_conversation.must_go_on()
    running = {
        "status": 400,
        "body": {
            "error": {
                "code": 400,
                "status": "INVALID_ARGUMENT",
                "message": "The first is still being answered.",
                "details": [
                    {
                        "@type": "type.googleapis.com/google.rpc.ErrorInfo",
                        "reason": "INVALID_PARAMS",
                        "domain": "a2a-protocol.org",
                    }
                ],
            }
        },
        "always": True,
    }
    lost = {"close": True, "process": True}
    acted = play(stage, agent, answers={"message:send": [None, lost, running]})
    opened = acted.say(ROSALIND, GREETING)
    opened.must_work()
    return Lost(opened, acted.go_on(ROSALIND, GOING_ON, after=opened))
