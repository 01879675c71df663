"""How grants go on and end (§5.4, §5.5): refreshed, revoked, expired. What ends one comes last."""

import time
from dataclasses import dataclass

from pact_conformance.delegation import Delegation
from pact_conformance.grants import Grant, Tried, let_pass, tried
from pact_conformance.journal.answer import Answer
from pact_conformance.rig import conversation
from pact_conformance.subject.provider import GREETING, Provider

from .acting import DelegatedTurn, act
from .authorizing import Part, Polled
from .stepping_up import Resolved

# After the hook's answer a revoked token is tried at once, then after pauses of so many seconds: a
# Provider may take some to tell everybody. The built-in one has told everybody then.
REVOKED_AFTER = (0.0, 1.0, 4.0)

# Nothing says how much skew is allowed for a delegation token, so nothing within a minute is tried.
PAST_EXPIRY = 75.0


@dataclass(frozen=True)
class Refreshed:
    """A refresh of a grant of one scope, a turn under what it gave, and refreshes that ask more."""

    before: Grant
    grant: Grant
    turn: Tried[DelegatedTurn]
    widened: Tried[Grant]
    """None of it where the card lists a single scope."""

    @property
    def latest(self) -> Grant:
        """The grant with the refresh token that was given last, for refresh tokens may rotate."""
        widened = self.widened.value
        given = widened is not None and tried(lambda: widened.refresh_token).value
        return widened if widened is not None and given else self.good

    @property
    def good(self) -> Grant:
        """The grant with the token that the refresh gave, or the one before where it gave none."""
        return self.before if tried(lambda: self.grant.token).value is None else self.grant


@conversation(turns=1)
def refreshed(
    provider: Provider, delegation: Delegation, part: Tried[Part], resolved: Tried[Resolved]
) -> Tried[Refreshed]:
    """The refresh token of a grant of one scope is used: as it is, then for two scopes."""
    del resolved
    return tried(lambda: _refresh(provider, delegation, part.had().narrow))


def _refresh(provider: Provider, delegation: Delegation, narrow: Grant) -> Refreshed:
    grants = delegation.grants
    grant = grants.refreshed(narrow)
    turn = tried(lambda: act(provider, grant, GREETING))
    # Where the answer names no new refresh token the old one stays (RFC 6749 §6).
    latest = grant if tried(lambda: grant.refresh_token).value else narrow

    def widen() -> Grant:
        return grants.refreshed(latest, (delegation.first, delegation.second))

    return Refreshed(narrow, grant, turn, tried(widen))


@dataclass(frozen=True)
class Revoked:
    """A grant that was revoked: a message before, the last one after, and a refresh."""

    before: Answer
    after: Answer
    seconds: float
    """From the hook's answer until the token was refused, or was tried for the last time."""
    refresh: Tried[Answer]


@conversation(turns=len(REVOKED_AFTER) + 1)
def revoked(
    provider: Provider,
    delegation: Delegation,
    part: Tried[Part],
    refreshed: Tried[Refreshed],
) -> Revoked:
    """The grant of one scope is revoked by hook, when nothing needs it any more."""
    hooks = delegation.hooks
    hooks.need("revoke_grant")
    grant = refreshed.value.latest if refreshed.value else part.had().narrow
    token = refreshed.value.good if refreshed.value else grant
    before = act(provider, token, GREETING).answer
    hooks.call("revoke_grant", grantId=grant.claim("grant_id"), user=grant.claim("sub"))
    answers, started = [], time.monotonic()
    for pause in REVOKED_AFTER:
        if pause and not delegation.has_clock:
            let_pass(pause, "for the Provider to take note of the revocation")
        answers.append(act(provider, token, GREETING).answer)
        if answers[-1].status != 200:
            break
    seconds = time.monotonic() - started
    server = delegation.server
    refresh = tried(lambda: server.refresh(grant.refresh_token, user=grant.flow.user))
    return Revoked(before, answers[-1], seconds, refresh)


@dataclass(frozen=True)
class Expiring:
    """A grant, and the answer to a message under its token."""

    grant: Grant
    before: Answer


@conversation(turns=1)
def expiring(delegation: Delegation, polled: Polled) -> Tried[Expiring]:
    """A grant at the Brand whose clock will be moved, and a message while its token is good."""
    del polled
    return tried(lambda: _expire(delegation))


def _expire(delegation: Delegation) -> Expiring:
    delegation.hooks.need("advance_clock")
    provider = delegation.clock_provider
    grants = delegation.grants_of(provider)
    scopes = tuple(grants.server.delegation.scopes)[:1]
    grant = grants.get(scopes, "expires")
    return Expiring(grant, act(provider, grant, GREETING).answer)
