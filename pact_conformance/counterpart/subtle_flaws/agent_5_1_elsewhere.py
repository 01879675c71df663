"""Subtle flaws of §5: where an agent takes its tokens, codes and messages."""

import re
from collections.abc import Callable
from dataclasses import replace
from urllib.parse import urljoin, urlsplit

from pact_conformance.counterpart.flaws.registry import subtle_agent_flaw
from pact_conformance.counterpart.personal_agent.failure import Failure
from pact_conformance.counterpart.personal_agent.personal_agent import PersonalAgent
from pact_conformance.counterpart.personal_agent.store import Relation
from pact_conformance.counterpart.personal_agent.transport import Answer, Request

_KEEPING = frozenset({307, 308})
"""The redirects by which a POST stays one, with its body (RFC 9110 §15.4)."""

_POINTER = re.compile(r'resource_metadata="([^"]*)"')


def _follow(agent: PersonalAgent, may: Callable[[str, str], bool]) -> None:
    """Have the agent send again where a redirect leads, with all that it has sent."""
    exchange = agent.exchange

    def followed(agent: PersonalAgent, relation: Relation, make: Callable[[], Request]) -> Answer:
        answer = exchange(agent, relation, make)
        location = answer.headers.get("location", "")
        if answer.status not in _KEEPING or not may(answer.url, location):
            return answer
        return agent.transport.send(replace(make(), url=urljoin(answer.url, location)))

    agent.exchange = followed


@subtle_agent_flaw("5.1-agent-endpoints", "5.4-agent-one-brand", "2.2-agent-send-url")
def follows_the_redirects_of_what_it_posts(agent: PersonalAgent) -> None:
    """Whatever is POSTed goes on to where a redirect leads, tokens and codes with it."""
    _follow(agent, lambda _url, location: bool(location))


@subtle_agent_flaw("5.1-agent-endpoints", "5.4-agent-one-brand", "2.2-agent-send-url")
def follows_redirects_that_begin_like_its_own_url(agent: PersonalAgent) -> None:
    """A redirect is followed where it begins with the origin that was asked, host or not."""

    def begins_alike(url: str, location: str) -> bool:
        parts = urlsplit(url)
        return location.startswith(f"{parts.scheme}://{parts.netloc}")

    _follow(agent, begins_alike)


@subtle_agent_flaw("5.4-agent-one-brand")
def asks_where_a_challenge_points(agent: PersonalAgent) -> None:
    """Metadata that a 401 names is asked for with the headers of what was refused."""
    exchange = agent.exchange

    def asked(agent: PersonalAgent, relation: Relation, make: Callable[[], Request]) -> Answer:
        answer = exchange(agent, relation, make)
        found = _POINTER.search(answer.headers.get("www-authenticate", ""))
        if answer.status == 401 and found is not None:
            try:
                agent.transport.send(Request("GET", found[1], make().headers))
            except Failure:
                return answer
        return answer

    agent.exchange = asked
