"""Which scopes the agent asks for (§5.2)."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from pact_conformance.counterpart.personal_agent.delegation.oauth import offer
from pact_conformance.counterpart.personal_agent.failure import Failure
from pact_conformance.counterpart.personal_agent.store import Relation

if TYPE_CHECKING:
    from pact_conformance.counterpart.personal_agent.personal_agent import PersonalAgent

_WORD = re.compile(r"\w{4,}")


def choose_scopes(descriptions: Mapping[str, str], text: str) -> tuple[str, ...]:
    """Return the scopes that a text is about, by their descriptions; all of them if none is."""
    said = _words(text)
    meant = tuple(it for it, words in descriptions.items() if said & _words(words))
    return meant or tuple(descriptions)


def wanted_scopes(
    agent: "PersonalAgent", relation: Relation, asked: Sequence[str] | None
) -> tuple[str, ...]:
    """Return the scopes to request: those asked for, or those that the User's last words are about.

    What was granted already is asked for again, since the new token replaces the old one; what is
    not on the card is not (§5.2).

    Raises:
        Failure: the card has none of those asked for, or there is no offer.
    """
    descriptions = agent.delegation.descriptions(agent, relation)
    if asked is None:
        said = agent.store.said.get(relation.key, "")
        asked = agent.delegation.choose_scopes(descriptions, said)
    listed = agent.delegation.listed_scopes(descriptions, asked)
    if not listed:
        raise Failure("the Brand's card has no such scope")
    granted = agent.delegation.granted(agent, relation)
    return listed + agent.delegation.listed_scopes(descriptions, set(granted) - set(listed))


def descriptions(agent: "PersonalAgent", relation: Relation) -> Mapping[str, str]:
    """Return the scopes on the card, with their descriptions.

    Raises:
        Failure: the card makes no offer of delegation.
    """
    return offer(agent, relation.brand).scopes


def listed_scopes(descriptions: Mapping[str, str], asked: Iterable[str]) -> tuple[str, ...]:
    """Return those of some scopes that are on the card, in the card's order."""
    wanted = set(asked)
    return tuple(it for it in descriptions if it in wanted)


def _words(text: str) -> set[str]:
    return set(_WORD.findall(text.casefold()))
