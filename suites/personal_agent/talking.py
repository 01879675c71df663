"""Ordinary turns, at Brands that do nothing unusual, and at interfaces of odd forms (§2, §4)."""

from pact_conformance.rig import conversation
from pact_conformance.subject.agent import AgentUnderTest
from pact_conformance.subject.stage import Stage
from pact_conformance.wire.media_types import A2A_JSON, JSON
from pact_conformance.wire.messages import new_id

from .people import ROSALIND, stranger
from .playing import GREETING, Play, play

QUESTION = "What is the order number?"

ASKED = {"message": {"parts": [{"text": "Of course."}, {"text": QUESTION}]}}

# In an order number of its own, so that nobody can have it from elsewhere.
NUMBER = "88213"

LATER = "And when will it be here?"

HOURS = "We are open from nine to five."

# As a shop may tell its sites apart by.
QUERY = "shop=7&lang=nl"

# Longer than any token of a personal agent may live (§3.2), with the skew.
IDLE = 600.0


@conversation(turns=0, together=0)
def first_conversation(stage: Stage, agent: AgentUnderTest) -> Play:
    """Two turns: the Brand asks for an order number, and the User gives it.

    Its card lists other bindings behind the one of PACT, and the reply has several text parts.
    """
    acted = play(
        stage,
        agent,
        cardPatch={
            "supportedInterfaces": [
                {"url": "{interface}", "protocolBinding": "HTTP+JSON", "protocolVersion": "1.0"},
                *other_bindings("behind"),
            ]
        },
        answers={"message:send": [{"patch": ASKED}]},
    )
    opened = acted.say(ROSALIND, GREETING)
    if opened.replied:
        acted.go_on(ROSALIND, f"The order number is A-{NUMBER}.", after=opened)
    return acted


@conversation(turns=0, together=0)
def third_turn(agent: AgentUnderTest, first_conversation: Play) -> Play:
    """One more turn of the first conversation: ten minutes later, if they need not be waited for.

    Where the first turn came to nothing there is none.
    """
    acted = first_conversation
    if acted.first.replied:
        if agent.virtual_time:
            assert isinstance(acted.brand, str)
            acted.scene.pass_time(IDLE)
            agent.pass_time(acted.brand, IDLE)
        acted.go_on(ROSALIND, LATER, after=acted.first)
    return acted


@conversation(turns=0, together=0)
def as_plain_json(stage: Stage, agent: AgentUnderTest, first_conversation: Play) -> Play | None:
    """The first turn once more, with a reply that is plain JSON, where the reply was not read.

    None where it was.
    """
    if first_conversation.first.replied:
        return None
    if not first_conversation.messages:
        first_conversation.must_begin()
    first_conversation.first.must_be_answered()
    acted = play(stage, agent, answers={"message:send": [{"patch": ASKED, "contentType": JSON}]})
    acted.say(ROSALIND, GREETING)
    return acted


@conversation(turns=0, together=0)
def newcomer(stage: Stage, agent: AgentUnderTest, first_conversation: Play) -> Play:
    """A User whom the agent has not had before says something to another Brand.

    Whatever came of the first conversation, if it came to a message: its tokens are looked at.
    """
    if not first_conversation.messages:
        first_conversation.must_begin()
    acted = play(stage, agent, name="Sattelkammer")
    acted.say(stranger(), GREETING)
    return acted


@conversation(turns=0, together=0)
def only_send(stage: Stage, agent: AgentUnderTest, first_conversation: Play) -> Play:
    """A turn at a Brand that serves no other operation than `message:send`."""
    first_conversation.must_begin()
    gone = [{"status": 404, "always": True}]
    others = (
        *("message:stream", "tasks", "tasks/{id}", "tasks/{id}:cancel", "tasks/{id}:subscribe"),
        *("push-config", "extended-card"),
    )
    acted = play(stage, agent, answers=dict.fromkeys(others, gone))
    acted.say(ROSALIND, GREETING)
    return acted


@conversation(turns=0, together=0)
def deep_interface(stage: Stage, agent: AgentUnderTest, first_conversation: Play) -> Play:
    """A turn at an interface with a deep path, answered with a charset behind the media type."""
    first_conversation.must_begin()
    acted = play(
        stage,
        agent,
        interfacePath=f"/shops/{new_id('s')}/agents/v1.0/talk.to.us",
        answers={"message:send": [{"contentType": f"{A2A_JSON}; charset=utf-8"}]},
    )
    acted.say(ROSALIND, GREETING)
    return acted


@conversation(turns=0, together=0)
def slashed_interface(stage: Stage, agent: AgentUnderTest, first_conversation: Play) -> Play:
    """A turn at an interface whose URL ends with a slash."""
    first_conversation.must_begin()
    acted = play(stage, agent, interfacePath=f"/shops/{new_id('s')}/")
    acted.say(ROSALIND, GREETING)
    return acted


@conversation(turns=0, together=0)
def replies_of_every_form(stage: Stage, agent: AgentUnderTest, first_conversation: Play) -> Play:
    """A reply with every member that A2A gives a Message, and one with a part that is no text."""
    first_conversation.first.must_work()
    full = {
        "taskId": "",
        "extensions": [],
        "referenceTaskIds": [],
        "metadata": {"https://shop.example/mood": None},
        "parts": [{"text": HOURS, "mediaType": "text/plain", "filename": "", "metadata": {}}],
    }
    mixed = {"parts": [{"data": {"opens": 9, "closes": 17}}, {"text": HOURS}]}
    acted = play(
        stage,
        agent,
        cardPatch={"defaultOutputModes": ["text/plain", "application/json"]},
        answers={"message:send": [{"patch": {"message": it}} for it in (full, mixed)]},
    )
    opened = acted.say(ROSALIND, GREETING)
    if opened.replied:
        acted.go_on(ROSALIND, "And on Sundays?", after=opened)
    return acted


@conversation(turns=0, together=0)
def interface_with_query(stage: Stage, agent: AgentUnderTest, first_conversation: Play) -> Play:
    """A turn at an interface whose URL has a query."""
    first_conversation.first.must_work()
    entry = {"protocolBinding": "HTTP+JSON", "protocolVersion": "1.0"}
    patch = {"supportedInterfaces": [{"url": f"{{interface}}?{QUERY}", **entry}]}
    acted = play(stage, agent, cardPatch=patch)
    acted.say(ROSALIND, GREETING)
    return acted


@conversation(turns=0, together=0)
def strange_members(stage: Stage, agent: AgentUnderTest, first_conversation: Play) -> Play:
    """A turn with members in the card and in the reply, at each level, that A2A does not know."""
    first_conversation.must_begin()
    strange = {"x-strange": {"deep": [1, None, True]}}
    reply = {
        "message": {
            "parts": [{"text": HOURS, **strange}],
            "metadata": {"https://shop.example/mood": "fine"},
            **strange,
        },
        **strange,
    }
    acted = play(
        stage,
        agent,
        cardPatch={
            "supportedInterfaces": [
                {
                    "url": "{interface}",
                    "protocolBinding": "HTTP+JSON",
                    "protocolVersion": "1.0",
                    **strange,
                }
            ],
            "provider": strange,
            "capabilities": strange,
            "securitySchemes": {"paJwt": {"httpAuthSecurityScheme": strange}},
            **strange,
        },
        answers={"message:send": [{"patch": reply}]},
    )
    acted.say(ROSALIND, "What are your opening hours?")
    return acted


def other_bindings(place: str) -> list[dict[str, str]]:
    """Return interfaces of A2A's other bindings, at URLs of their own."""
    return [
        {
            "url": f"{{base}}/{place}/{{brandId}}/rpc",
            "protocolBinding": "JSONRPC",
            "protocolVersion": "1.0",
        },
        {
            "url": f"{{base}}/{place}/{{brandId}}/grpc",
            "protocolBinding": "GRPC",
            "protocolVersion": "1.0",
        },
    ]
