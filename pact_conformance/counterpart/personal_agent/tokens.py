"""The personal-agent JWT (§3.2): each member of its header and each claim by itself."""

import json
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import jwt

from pact_conformance.counterpart.personal_agent.store import Relation
from pact_conformance.wire.messages import new_id

if TYPE_CHECKING:
    from pact_conformance.counterpart.personal_agent.personal_agent import PersonalAgent

TokenMember = Callable[["PersonalAgent", Relation], object]
"""Gives the value of a member in a token for a User at a Brand; None leaves it out."""


def header_members() -> dict[str, TokenMember]:
    """Return the members of the header, each by itself."""
    return {
        "alg": lambda agent, _relation: agent.signing_key(agent).alg,
        "kid": lambda agent, _relation: agent.signing_key(agent).kid,
        "typ": lambda _agent, _relation: "JWT",
    }


def claims() -> dict[str, TokenMember]:
    """Return the claims, each by itself."""
    return {
        "iss": lambda agent, _relation: agent.issuer,
        "sub": lambda agent, relation: agent.subject(agent, relation),
        "aud": lambda agent, relation: agent.audience(agent, relation),
        "iat": lambda agent, relation: int(agent.now(relation)),
        "exp": lambda agent, relation: int(agent.now(relation)) + agent.config.token_seconds,
        "jti": lambda _agent, _relation: new_id("jti"),
    }


def subject(agent: "PersonalAgent", relation: Relation) -> str:
    """Return the `sub` of a User: made by chance when it is first needed, and kept (§3.2).

    It is the same at every Brand, and nothing of the User is in it, not even by a hash.
    """
    return agent.store.subs.setdefault(relation.user.id, new_id("u"))


def audience(_agent: "PersonalAgent", relation: Relation) -> str:
    """Return the `aud`: what the Provider assigned, as it is (§3.1)."""
    return relation.brand.audience


def mint_token(agent: "PersonalAgent", relation: Relation) -> str:
    """Return a fresh personal-agent JWT."""
    header = _members(agent, relation, agent.token_header)
    return agent.sign(agent, header, _members(agent, relation, agent.token_claims))


def sign(agent: "PersonalAgent", header: Mapping[str, Any], claims: Mapping[str, Any]) -> str:
    """Return the compact JWS of claims under the agent's key."""
    return jwt.PyJWS().encode(
        json.dumps(claims).encode(),
        agent.signing_key(agent).private,
        algorithm=header["alg"],
        # An empty `typ` is how PyJWT is told to leave it out.
        headers={"typ": None, **header},
    )


def _members(
    agent: "PersonalAgent", relation: Relation, members: Mapping[str, TokenMember]
) -> dict[str, Any]:
    found = {name: member(agent, relation) for name, member in members.items()}
    return {name: value for name, value in found.items() if value is not None}
