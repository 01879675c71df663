"""Agents that get §5.4 wrong: whose a delegation token is, and how it is kept."""

import base64
import json
from collections.abc import Hashable
from dataclasses import replace
from typing import Any

from pact_conformance.counterpart.flaws.registry import agent_flaw
from pact_conformance.counterpart.personal_agent.delegation.oauth import OAuthError
from pact_conformance.counterpart.personal_agent.messages import Draft
from pact_conformance.counterpart.personal_agent.personal_agent import PersonalAgent
from pact_conformance.counterpart.personal_agent.store import Grant, Relation


@agent_flaw("5.4-agent-token-unchanged")
def cuts_a_delegation_token(agent: PersonalAgent) -> None:
    """Of a delegation token 2000 characters are kept, as wide as the column is."""
    keep = agent.delegation.keep

    def cut(agent: PersonalAgent, relation: Relation, grant: Grant) -> None:
        keep(agent, relation, replace(grant, access_token=grant.access_token[:2000]))

    agent.delegation.keep = cut


@agent_flaw("5.4-agent-token-unchanged")
def writes_a_delegation_token_anew(agent: PersonalAgent) -> None:
    """A delegation token is parsed, and put together of what a model of its claims knows."""
    known = ("iss", "sub", "aud", "exp", "iat", "client_id", "scope", "grant_id", "jti")

    def rewritten(draft: Draft) -> str | None:
        if draft.grant is None:
            return None
        header, payload, signature = draft.grant.access_token.split(".")
        claims = json.loads(base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4)))
        kept = {name: claims[name] for name in known if name in claims}
        written = json.dumps(kept, separators=(",", ":")).encode()
        body = base64.urlsafe_b64encode(written).decode().rstrip("=")
        return f"Bearer {header}.{body if set(claims) - set(known) else payload}.{signature}"

    agent.delegation.header = rewritten


@agent_flaw("5.4-agent-one-brand")
def keeps_a_grant_for_each_user(agent: PersonalAgent) -> None:
    """A User's delegation token is sent to every Brand that offers delegation."""
    agent.delegation.grant_key = lambda relation: relation.user.id


@agent_flaw("5.4-agent-one-brand")
def keeps_a_grant_for_each_interface(agent: PersonalAgent) -> None:
    """A grant is kept by the interface URL, which any card may name, and renewed by that card."""
    agent.delegation.grant_key = lambda relation: (
        relation.brand.interface.url,
        relation.user.id,
    )


@agent_flaw("5.4-agent-one-brand")
def sends_the_last_token_of_a_user(agent: PersonalAgent) -> None:
    """Where a User has not approved anything yet, the token of the last Brand is sent."""
    _lend(agent, lambda relation: relation.user.id)


@agent_flaw("5.4-agent-own-user")
def keeps_a_grant_for_each_brand(agent: PersonalAgent) -> None:
    """All Users of a Brand share a delegation token."""
    agent.delegation.grant_key = lambda relation: relation.brand.handle


@agent_flaw("5.4-agent-own-user")
def sends_the_last_token_of_a_brand(agent: PersonalAgent) -> None:
    """Where a User has not approved anything yet, the token of the Brand's last one is sent."""
    _lend(agent, lambda relation: relation.brand.handle)


@agent_flaw("5.4-agent-refresh")
def never_refreshes(agent: PersonalAgent) -> None:
    """When a delegation token has expired the User is asked again."""

    def refresh(agent: PersonalAgent, relation: Relation, grant: Grant) -> Grant:
        del agent, relation, grant
        raise OAuthError("invalid_grant")

    agent.delegation.refresh = refresh


@agent_flaw("5.4-agent-refresh")
def keeps_the_first_refresh_token(agent: PersonalAgent) -> None:
    """A refresh token that has been rotated is used again."""
    agent.delegation.next_refresh_token = lambda *about: about[0].refresh_token


@agent_flaw("5.4-agent-refresh")
def drops_the_refresh_token(agent: PersonalAgent) -> None:
    """The refresh token of the first response is not kept."""
    read_grant = agent.delegation.read_grant

    agent.delegation.read_grant = lambda *about: replace(read_grant(*about), refresh_token=None)


@agent_flaw("5.4-agent-refresh")
def forgets_a_refresh_token_that_is_not_given_again(agent: PersonalAgent) -> None:
    """A refresh that brings no new refresh token leaves it with none."""
    agent.delegation.next_refresh_token = lambda *about: about[1].refresh_token


def _lend(agent: PersonalAgent, to: Any) -> None:  # noqa: ANN401
    """Send the grant that was kept last for what `to` names, where there is none of one's own."""
    keep, held, drop = agent.delegation.keep, agent.delegation.held, agent.delegation.drop
    last: dict[Hashable, Grant] = {}

    def kept(agent: PersonalAgent, relation: Relation, grant: Grant) -> None:
        last[to(relation)] = grant
        keep(agent, relation, grant)

    def lent(agent: PersonalAgent, relation: Relation) -> Grant | None:
        return held(agent, relation) or last.get(to(relation))

    def dropped(agent: PersonalAgent, relation: Relation) -> None:
        last.pop(to(relation), None)
        drop(agent, relation)

    agent.delegation.keep, agent.delegation.held = kept, lent
    agent.delegation.drop = dropped
