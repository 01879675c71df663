"""Subtle flaws of §5.4 to §5.6: each shows in a conversation of several steps."""

from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import replace
from typing import Any

from pact_conformance.counterpart.flaws.registry import subtle_flaw
from pact_conformance.counterpart.provider.brand_agent import Authority, Reply, Turn
from pact_conformance.counterpart.provider.conversations import RUNNING, Conversation
from pact_conformance.counterpart.provider.delegation.grants import Grant
from pact_conformance.counterpart.provider.delegation.oauth_requests import OAuthRequest
from pact_conformance.counterpart.provider.delegation.refreshing import RefreshToken
from pact_conformance.counterpart.provider.delegation.step_up import StepUp
from pact_conformance.counterpart.provider.message_rules import Submission
from pact_conformance.counterpart.provider.provider import Provider
from pact_conformance.counterpart.provider.refusals import BadDelegation
from pact_conformance.counterpart.subtle_flaws.under_way import (
    Answer,
    admit_strangers,
    change_stored,
    remember_authority,
)

# Grants that have ended


def _let_ended_grants_in(provider: Provider) -> Callable[[Authority], bool]:
    """Take the tokens of ended grants for good; return what says whether a grant has ended."""
    provider.delegation.token_steps.drop("grant_is_not_revoked")

    def has_ended(authority: Authority) -> bool:
        grant = provider.delegation.grants.get(authority.grant_id)
        return grant is None or not grant.lasts(provider.clock.now(grant.brand_id))

    return has_ended


def _around_account(
    provider: Provider, check: Callable[[Conversation, Authority | None], None]
) -> None:
    """Let `check` look at a conversation and an authority, once the account was compared."""
    original = provider.conduct.check_brand_user

    def check_brand_user(conversation: Conversation, authority: Authority | None) -> None:
        original(conversation, authority)
        check(conversation, authority)

    provider.conduct = replace(provider.conduct, check_brand_user=check_brand_user)


@subtle_flaw("5.5-revoked")
def honours_a_revoked_grant_where_it_was_used(provider: Provider) -> None:
    """A revoked grant is good in conversations that have run under it, and nowhere else."""
    has_ended = _let_ended_grants_in(provider)
    used: set[tuple[str, str]] = set()

    def check(conversation: Conversation, authority: Authority | None) -> None:
        if authority is None:
            return
        here = (conversation.id, authority.grant_id)
        if has_ended(authority) and here not in used:
            raise BadDelegation("grant")
        used.add(here)

    _around_account(provider, check)


@subtle_flaw("5.5-revoked")
def repeats_replies_under_a_revoked_grant(provider: Provider) -> None:
    """That a grant is revoked is looked at once no stored reply is found."""
    has_ended, authority = _let_ended_grants_in(provider), remember_authority(provider)

    def change(conversation: Conversation, submission: Submission, stored: Answer) -> object:
        answer, given = stored(conversation, submission), authority()
        if answer is None and given is not None and has_ended(given):
            raise BadDelegation("grant")
        return answer

    change_stored(provider, change)


def _revoke_also(provider: Provider, is_meant: Callable[[Grant, Grant], bool]) -> None:
    original = provider.control.hooks["revoke_grant"]

    def revoke_grant(provider: Provider, asked: Any) -> object:  # noqa: ANN401 - handed on
        done = original(provider, asked)
        revoked = provider.delegation.grants.get(asked["grantId"])
        assert revoked is not None
        for grant in provider.delegation.grants.standing():
            if grant.brand_id == revoked.brand_id and is_meant(grant, revoked):
                grant.revoked = True
        return done

    provider.control.hooks["revoke_grant"] = revoke_grant


@subtle_flaw("5.5-served", "5.5-context-continues", "5.4-refresh")
def revokes_what_an_account_granted_to_every_agent(provider: Provider) -> None:
    """With a grant all of its account are revoked, those of other personal agents too."""
    _revoke_also(provider, lambda grant, revoked: grant.brand_user == revoked.brand_user)


@subtle_flaw("5.5-served", "5.5-context-continues", "5.4-refresh")
def revokes_what_an_agent_has_of_every_account(provider: Provider) -> None:
    """With a grant all of its personal agent are revoked, those of other accounts too."""
    _revoke_also(provider, lambda grant, revoked: grant.client_id == revoked.client_id)


@subtle_flaw("5.4-refresh-revoked")
def refreshes_a_revoked_grant_for_named_scopes(provider: Provider) -> None:
    """That a grant lasts is looked at in refreshes that name no scope alone."""
    rules = provider.delegation.refresh_rules
    original = rules["token_grant_lasts"]

    def token_grant_lasts(provider: Provider, request: OAuthRequest, token: RefreshToken) -> None:
        if not request.scopes:
            original(provider, request, token)

    rules.replace("token_grant_lasts", token_grant_lasts)


# As whom, and how far


@subtle_flaw("5.5-other-brand-user", "5.5-retry-other-user")
def forgets_the_account_after_a_turn_without_the_token(provider: Provider) -> None:
    """A message without the token frees its conversation for every account."""

    def check(conversation: Conversation, authority: Authority | None) -> None:
        if authority is None:
            conversation.ran_as.clear()

    _around_account(provider, check)


@subtle_flaw("5.5-limited-to-scope", "5.6-scopes-used")
def keeps_the_widest_scopes_of_a_conversation(provider: Provider) -> None:
    """In a conversation every scope is good that any token in it has had."""
    here: ContextVar[str] = ContextVar("conversation")
    had: dict[str, set[str]] = {}
    original = provider.delegation.missing

    def check(conversation: Conversation, authority: Authority | None) -> None:
        here.set(conversation.id)
        if authority is not None:
            had.setdefault(conversation.id, set()).update(authority.scopes)

    def missing(turn: Turn, needed: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(it for it in original(turn, needed) if it not in had.get(here.get(), ()))

    _around_account(provider, check)
    provider.delegation.missing = missing


@subtle_flaw("5.5-context-rules", "4.2-closed-foreign", "4.3-stranger")
def lets_in_other_agents_of_the_same_account(provider: Provider) -> None:
    """Another personal agent may go on with a conversation that ran as its token's account."""
    authority = remember_authority(provider)

    def admit(known: Conversation, _submission: Submission, owner: Any) -> Conversation | None:  # noqa: ANN401 - of three members
        given, of = authority(), known.owner
        assert isinstance(of, tuple)
        same_account = given is not None and given.brand_user == known.brand_user
        return known if same_account and of[0] != owner[0] else None

    admit_strangers(provider, admit)


@subtle_flaw("5.5-context-continues", "5.5-served", "4.2-closed")
def binds_a_conversation_to_a_strangers_account(provider: Provider) -> None:
    """The refused message of a stranger makes a conversation that of the stranger's account."""
    authority = remember_authority(provider)

    def admit(known: Conversation, submission: Submission, _owner: object) -> Conversation | None:
        given = authority()
        if given is not None and known.brand_user is None:
            known.ran_as[f"{submission.message_id} of a stranger"] = given.brand_user
        return None

    admit_strangers(provider, admit)


@subtle_flaw("5.6-grant-id")
def names_the_first_grant_of_a_conversation_in_receipts(provider: Provider) -> None:
    """A receipt names the grant under which its conversation has run first."""
    original = provider.delegation.conclude
    first: dict[str, str] = {}

    def conclude(
        provider: Provider, conversation: Conversation, turn: Turn, reply: Reply, answer: object
    ) -> object:
        assert turn.authority is not None
        grant_id = first.setdefault(conversation.id, turn.authority.grant_id)
        turn = replace(turn, authority=replace(turn.authority, grant_id=grant_id))
        return original(provider, conversation, turn, reply, answer)

    provider.delegation.conclude = conclude


# Step-ups


@subtle_flaw("4.3-stored-reply", "4.3-first-message", "4.3-older-message")
def forgets_replies_when_it_asks_for_a_scope(provider: Provider) -> None:
    """A step-up empties the stored replies of its conversation."""
    original = provider.delegation.begin_step_up

    def begin_step_up(
        provider: Provider, conversation: Conversation, turn: Turn, reply: Reply
    ) -> StepUp:
        conversation.replies = {
            id_: it for id_, it in conversation.replies.items() if it is RUNNING
        }
        return original(provider, conversation, turn, reply)

    provider.delegation.begin_step_up = begin_step_up


@subtle_flaw("5.6-receipt", "4.3-stored-reply", "4.3-first-message")
def stores_what_was_said_in_place_of_a_step_up(provider: Provider) -> None:
    """A message that got a step-up has a plain reply where it is repeated."""

    def change(conversation: Conversation, submission: Submission, stored: Answer) -> object:
        answer: Any = stored(conversation, submission)
        if not isinstance(answer, dict) or "task" not in answer:
            return answer
        message = answer["task"]["status"]["message"]
        return {"message": {name: it for name, it in message.items() if name != "taskId"}}

    change_stored(provider, change)
