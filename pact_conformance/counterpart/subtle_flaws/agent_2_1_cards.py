"""Subtle flaws of §2.1: which cards an agent takes, and what it needs of them."""

from pact_conformance.counterpart.flaws.registry import subtle_agent_flaw
from pact_conformance.counterpart.personal_agent import documents
from pact_conformance.counterpart.personal_agent.personal_agent import PersonalAgent
from pact_conformance.counterpart.personal_agent.transport import Answer
from pact_conformance.wire.card import BINDING, VERSION, Card, Interface


@subtle_agent_flaw("2.1-agent-picks-by-version")
def takes_versions_that_begin_alike(agent: PersonalAgent) -> None:
    """An interface is taken whose version begins with 1.0, whatever follows."""

    def choose(card: Card) -> Interface | None:
        fitting = (it for it in card.interfaces if it.protocol_binding == BINDING and it.url)
        return next((it for it in fitting if it.protocol_version.startswith(VERSION)), None)

    agent.choose_interface = choose


@subtle_agent_flaw("2.1-agent-picks-by-binding")
def takes_bindings_that_begin_alike(agent: PersonalAgent) -> None:
    """An interface is taken whose binding begins with HTTP+JSON, whatever follows."""

    def choose(card: Card) -> Interface | None:
        fitting = (it for it in card.interfaces if it.protocol_version == VERSION and it.url)
        return next((it for it in fitting if it.protocol_binding.startswith(BINDING)), None)

    agent.choose_interface = choose


@subtle_agent_flaw("2.1-agent-informational")
def reads_an_organization_that_need_not_be_there(agent: PersonalAgent) -> None:
    """The name of the card's provider is read without a look whether there is one."""
    read_card = agent.read_card

    def read(answer: Answer) -> Card:
        card = read_card(answer)
        _ = documents.read_json(answer.body)["provider"]["organization"]
        return card

    agent.read_card = read
