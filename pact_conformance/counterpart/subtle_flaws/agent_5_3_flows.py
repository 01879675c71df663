"""Subtle flaws of §5.3: how an agent reads what a device flow is answered with."""

import threading
from datetime import UTC, datetime
from typing import Any
from urllib.parse import quote, urldefrag

from pact_conformance.counterpart.flaws.registry import subtle_agent_flaw
from pact_conformance.counterpart.personal_agent import documents
from pact_conformance.counterpart.personal_agent.failure import Failure
from pact_conformance.counterpart.personal_agent.personal_agent import PersonalAgent
from pact_conformance.counterpart.personal_agent.store import Grant, Relation

_HOURS = 3600.0
"""So long is really waited: whoever asked has given up by then."""


@subtle_agent_flaw("5.3-agent-pending", "5.3-agent-shows-link", "5.1-agent-finds-scheme")
def reckons_with_whatever_an_interval_is(agent: PersonalAgent) -> None:
    """An interval is compared with a number before it is known to be one."""

    def interval(answer: Any) -> float:  # noqa: ANN401 - a JSON object
        return max(1.0, answer.get("interval") or 5.0)

    agent.delegation.interval = interval


@subtle_agent_flaw("5.3-agent-pending")
def writes_down_the_day_on_which_a_token_ends(agent: PersonalAgent) -> None:
    """The end of a token is written as a date, which there may be none of."""
    read_grant = agent.delegation.read_grant

    def read(
        agent: PersonalAgent,
        relation: Relation,
        answer: Any,  # noqa: ANN401 - a JSON object
        requested: tuple[str, ...],
    ) -> Grant:
        grant = read_grant(agent, relation, answer, requested)
        if grant.expires_at is not None:
            _ = datetime.fromtimestamp(grant.expires_at, UTC).isoformat()
        return grant

    agent.delegation.read_grant = read


@subtle_agent_flaw("5.1-agent-finds-scheme")
def counts_the_seconds_of_a_long_code(agent: PersonalAgent) -> None:
    """Of a code that is to live for more than 32 bits of seconds each one is waited for."""
    lifetime = agent.delegation.code_lifetime

    def counted(agent: PersonalAgent, answer: object) -> float:
        if (documents.number(answer, "expires_in") or 0) > 1 << 32:
            threading.Event().wait(_HOURS)
        return lifetime(agent, answer)

    agent.delegation.code_lifetime = counted


@subtle_agent_flaw("5.3-agent-shows-link")
def drops_the_fragment_of_a_link(agent: PersonalAgent) -> None:
    """The link is shown without what stands behind a number sign."""
    login_link = agent.delegation.login_link

    def shortened(answer: object) -> str | None:
        link = login_link(answer)
        return None if link is None else urldefrag(link).url

    agent.delegation.login_link = shortened


@subtle_agent_flaw("5.3-agent-shows-link")
def shows_whatever_stands_for_a_link(agent: PersonalAgent) -> None:
    """What the Brand calls a link is shown, a script as well as a page."""
    agent.delegation.login_link = lambda answer: documents.text(answer, "verification_uri_complete")


@subtle_agent_flaw("5.3-agent-form")
def leaves_the_plus_in_a_form(agent: PersonalAgent) -> None:
    """A plus sign is not escaped in a form, where it stands for a blank."""

    def encode(form: dict[str, str]) -> bytes:
        return "&".join(f"{quote(it)}={quote(form[it], safe='+')}" for it in form).encode()

    agent.delegation.encode_form = encode  # type: ignore[assignment]


@subtle_agent_flaw("5.3-agent-pending")
def takes_the_type_of_a_token_by_the_letter(agent: PersonalAgent) -> None:
    """Only `Bearer` is taken for the type of a token, and not `bearer`."""
    read_grant = agent.delegation.read_grant

    def read(
        agent: PersonalAgent,
        relation: Relation,
        answer: Any,  # noqa: ANN401 - a JSON object
        requested: tuple[str, ...],
    ) -> Grant:
        if documents.text(answer, "token_type") != "Bearer":
            raise Failure("the token is of an unknown type")
        return read_grant(agent, relation, answer, requested)

    agent.delegation.read_grant = read
