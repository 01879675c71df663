"""What the User has granted: reading it, keeping it, sending it, renewing it (§5.3 to §5.5)."""

from collections.abc import Callable, Hashable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pact_conformance.counterpart.personal_agent import documents
from pact_conformance.counterpart.personal_agent.delegation.oauth import OAuthError
from pact_conformance.counterpart.personal_agent.failure import Failure
from pact_conformance.counterpart.personal_agent.messages import Draft
from pact_conformance.counterpart.personal_agent.results import NeedsSignIn
from pact_conformance.counterpart.personal_agent.store import Grant, Relation, Waiting
from pact_conformance.wire.oauth import REFRESH_TOKEN_GRANT

if TYPE_CHECKING:
    from pact_conformance.counterpart.personal_agent.personal_agent import PersonalAgent
    from pact_conformance.counterpart.personal_agent.turns import Said, Turn

EARLY_SECONDS = 30.0
"""How long before its end a delegation token is renewed, at most."""

EARLY_SHARE = 0.25
"""Which part of its life that may be."""

RefreshField = Callable[["PersonalAgent", Relation, Grant], str | None]


def read_grant(
    agent: "PersonalAgent",
    relation: Relation,
    answer: Any,  # noqa: ANN401 - a JSON object
    requested: tuple[str, ...],
) -> Grant:
    """Return the grant of a token response. Nothing is looked for inside the token (§5.4).

    Raises:
        Failure: there is no token that can be sent.
    """
    token = documents.text(answer, "access_token")
    is_bearer = (documents.text(answer, "token_type") or "").casefold() == "bearer"
    if token is None or not is_bearer or not agent.delegation.is_sendable(token):
        raise Failure("the Brand has answered without a delegation token")
    lifetime = documents.number(answer, "expires_in")
    return Grant(
        access_token=token,
        refresh_token=documents.text(answer, "refresh_token"),
        scopes=agent.delegation.granted_scopes(answer, requested),
        expires_at=None if lifetime is None else agent.now(relation) + lifetime,
        lifetime=lifetime,
    )


def is_sendable(token: str) -> bool:
    """Say whether a header can carry a token: visible ASCII (RFC 6750 §2.1)."""
    return all("!" <= it <= "~" for it in token)


def granted_scopes(answer: object, requested: tuple[str, ...]) -> tuple[str, ...]:
    """Return what the User approved; a response without `scope` means all (RFC 6749 §5.1)."""
    scope = documents.member(answer, "scope")
    return tuple(scope.split()) if isinstance(scope, str) else requested


def grant_key(relation: Relation) -> Hashable:
    """Return whose grant it is: one Brand's and one User's (§5.4)."""
    return relation.key


def held(agent: "PersonalAgent", relation: Relation) -> Grant | None:
    """Return the grant of a User at a Brand."""
    return agent.store.grants.get(agent.delegation.grant_key(relation))


def granted(agent: "PersonalAgent", relation: Relation) -> tuple[str, ...]:
    """Return the scopes that are granted."""
    grant = agent.delegation.held(agent, relation)
    return () if grant is None else grant.scopes


def keep(agent: "PersonalAgent", relation: Relation, grant: Grant) -> None:
    """Keep a grant in the place of an earlier one."""
    agent.store.grants[agent.delegation.grant_key(relation)] = grant


def drop(agent: "PersonalAgent", relation: Relation) -> None:
    """Forget a grant."""
    agent.store.grants.pop(agent.delegation.grant_key(relation), None)


def header(draft: Draft) -> str | None:
    """Return the value of `X-A2A-User-Delegation`: the token as it came (§5.5)."""
    return None if draft.grant is None else f"Bearer {draft.grant.access_token}"


def ready(agent: "PersonalAgent", turn: "Turn") -> Grant | NeedsSignIn | None:
    """Return the grant to send a message under, renewed if its time has come; None: there is none.

    Where it cannot be renewed any more, the User is asked again (§5.4).

    Raises:
        Failure: it has expired, and whether it can be renewed is not known.
    """
    if agent.delegation.find_offer(turn.relation.brand) is None:
        return None
    grant = agent.delegation.held(agent, turn.relation)
    if grant is None or not agent.delegation.is_due(agent, turn.relation, grant):
        return grant
    try:
        return agent.delegation.refresh(agent, turn.relation, grant)
    except OAuthError:
        return agent.delegation.ask_again(agent, turn, grant)
    except Failure:
        if agent.delegation.is_over(agent, turn.relation, grant):
            raise
        return grant


def is_due(agent: "PersonalAgent", relation: Relation, grant: Grant) -> bool:
    """Say whether a token is to be renewed before it is sent: it has expired, or will soon."""
    if grant.expires_at is None or grant.lifetime is None:
        return False
    early = min(EARLY_SECONDS, EARLY_SHARE * grant.lifetime) if grant.refresh_token else 0.0
    return agent.now(relation) >= grant.expires_at - early


def is_over(agent: "PersonalAgent", relation: Relation, grant: Grant) -> bool:
    """Say whether a token has expired."""
    return grant.expires_at is not None and agent.now(relation) >= grant.expires_at


def refresh_form() -> dict[str, RefreshField]:
    """Return the fields of a refresh, each by itself."""
    return {
        "grant_type": lambda _agent, _relation, _grant: REFRESH_TOKEN_GRANT,
        "refresh_token": lambda _agent, _relation, grant: grant.refresh_token,
        "client_id": lambda agent, relation, _grant: agent.delegation.client_id(agent, relation),
    }


def refresh(agent: "PersonalAgent", relation: Relation, grant: Grant) -> Grant:
    """Renew a grant, keep it and return it. A new refresh token takes the place of the old one.

    Raises:
        OAuthError: it cannot be renewed.
        Failure: the attempt has failed.
    """
    if grant.refresh_token is None:
        raise OAuthError("invalid_grant")
    fields = agent.delegation.refresh_form.items()
    values = {name: field(agent, relation, grant) for name, field in fields}
    form = {name: value for name, value in values.items() if value is not None}
    url = agent.delegation.endpoints(agent, relation).refresh
    answer = agent.delegation.post(agent, relation, url, form)
    fresh = agent.delegation.read_grant(agent, relation, answer, grant.scopes)
    fresh = replace(fresh, refresh_token=agent.delegation.next_refresh_token(grant, fresh))
    agent.delegation.keep(agent, relation, fresh)
    return fresh


def next_refresh_token(old: Grant, new: Grant) -> str | None:
    """Return the refresh token to use next: the new one where there is one (RFC 6749 §6)."""
    return new.refresh_token or old.refresh_token


def ask_again(agent: "PersonalAgent", turn: "Turn", grant: Grant) -> NeedsSignIn:
    """Give a grant up, and ask the User for the same scopes; what was said waits for it.

    Raises:
        Failure: the sign-in cannot be begun.
    """
    agent.delegation.drop(agent, turn.relation)
    waiting = Waiting(turn.conversation, turn.text)
    return agent.delegation.ask(agent, turn.relation, grant.scopes, waiting)


def renew_refused(agent: "PersonalAgent", turn: "Turn", draft: Draft) -> "Said":
    """Go on after a 401 with `invalid_token`: by a refresh once, else by a new sign-in (§5.5).

    Raises:
        Failure: neither was to be had.
    """
    assert draft.grant is not None
    if not turn.renewed:
        turn.renewed = True
        try:
            fresh = agent.delegation.refresh(agent, turn.relation, draft.grant)
        except OAuthError:
            pass
        else:
            again = replace(draft, grant=fresh)
            return agent.react(agent, turn, again, agent.deliver(agent, again))
    return agent.delegation.ask_again(agent, turn, draft.grant)
