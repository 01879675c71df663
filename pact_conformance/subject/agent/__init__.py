"""The personal agent under test, whichever way the suite reaches it.

agent = agent_of(settings, client, mask, folder=folder)
brand = agent.connect(scene.card, scene.audience)
said = agent.say(brand, User("jane"), "Where is my order?")
"""

from pact_conformance.subject.agent.agent import AgentUnderTest
from pact_conformance.subject.agent.making import agent_of
from pact_conformance.subject.agent.results import (
    Broke,
    GaveUp,
    Held,
    KeptReceipt,
    NeedsSignIn,
    Reply,
    Result,
    User,
)

__all__ = [
    "AgentUnderTest",
    "Broke",
    "GaveUp",
    "Held",
    "KeptReceipt",
    "NeedsSignIn",
    "Reply",
    "Result",
    "User",
    "agent_of",
]
