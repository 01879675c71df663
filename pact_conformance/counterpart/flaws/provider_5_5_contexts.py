"""Flaws of §5.5: whose power a turn has, and how contexts and delegation go together."""

from collections.abc import Awaitable, Callable
from contextvars import ContextVar
from dataclasses import replace

from pact_conformance.counterpart.flaws.registry import flaw
from pact_conformance.counterpart.flaws.under_delegation import (
    around_delegation,
    as_brand_user,
    change_authority,
)
from pact_conformance.counterpart.provider import sending
from pact_conformance.counterpart.provider.brand_agent import Authority, Reply, Turn
from pact_conformance.counterpart.provider.call import Call
from pact_conformance.counterpart.provider.conversations import Conversation, Owner
from pact_conformance.counterpart.provider.delegation.token_checks import PresentedDelegation
from pact_conformance.counterpart.provider.message_rules import Submission
from pact_conformance.counterpart.provider.provider import Provider
from pact_conformance.counterpart.provider.refusals import (
    A2ARefusal,
    BadDelegation,
    Refusal,
    Unauthenticated,
    invalid,
)

_AUTHORITY: ContextVar[Authority | None] = ContextVar("authority", default=None)
"""What the delegation token of the present request gives."""

Find = Callable[[Provider, Submission, Owner, Authority], Conversation]


def _find_under_delegation(provider: Provider, find: Find) -> None:
    """Let `find` say which conversation a message under a delegation token belongs to."""
    original = provider.conduct.conversation
    _remember_authority(provider)

    def conversation(provider: Provider, submission: Submission, owner: Owner) -> Conversation:
        authority = _AUTHORITY.get()
        if authority is None:
            return original(provider, submission, owner)
        return find(provider, submission, owner, authority)

    provider.conduct.conversation = conversation


def _remember_authority(provider: Provider) -> None:
    async def gate(_provider: Provider, call: Call, proceed: Callable[[], Awaitable[None]]) -> None:
        await proceed()
        _AUTHORITY.set(call.authority)

    around_delegation(provider, gate)


# As whom a turn runs, and how far it goes


@flaw("5.5-as-brand-user", "5.5-other-brand-user", "5.5-retry-other-user")
def keeps_the_first_account_for_a_user(provider: Provider) -> None:
    """The account that a User of a personal agent has signed in with at first is that User's."""
    first: dict[object, str] = {}

    def change(token: PresentedDelegation, authority: Authority) -> Authority:
        return as_brand_user(authority, first.setdefault(token.user, authority.brand_user))

    change_authority(provider, change)


@flaw("5.5-as-brand-user", "5.5-other-brand-user", "5.5-retry-other-user", "5.6-user")
def runs_as_the_sub_of_the_agent(provider: Provider) -> None:
    """A turn runs as the User that the personal-agent JWT names."""

    def change(token: PresentedDelegation, authority: Authority) -> Authority:
        assert token.user is not None
        return as_brand_user(authority, token.user.sub)

    change_authority(provider, change)


@flaw("5.5-as-brand-user", "5.6-user")
def writes_accounts_in_upper_case(provider: Provider) -> None:
    """A turn runs as the Brand user of the token in upper case."""
    change_authority(provider, lambda _, it: as_brand_user(it, it.brand_user.upper()))


@flaw("5.5-limited-to-scope")
def enforces_no_scopes(provider: Provider) -> None:
    """A turn may use every scope of the Brand, whatever its token says."""
    provider.delegation.missing = lambda _turn, _needed: ()


@flaw("5.5-limited-to-scope")
def gives_a_user_all_scopes_ever_granted(provider: Provider) -> None:
    """A turn has every scope that was ever asked for at the Brand."""

    def change(token: PresentedDelegation, authority: Authority) -> Authority:
        return replace(authority, scopes=tuple(token.brand.scopes))

    change_authority(provider, change)


# A conversation that began without, or goes on without a token


def _refuse(
    provider: Provider,
    is_refused: Callable[[Conversation, Authority | None], bool],
    refusal: Callable[[], Refusal],
) -> None:
    original = provider.conduct.check_brand_user

    def check_brand_user(conversation: Conversation, authority: Authority | None) -> None:
        if is_refused(conversation, authority):
            raise refusal()
        original(conversation, authority)

    provider.conduct.check_brand_user = check_brand_user


def _began_without(conversation: Conversation, authority: Authority | None) -> bool:
    return authority is not None and not conversation.is_new and conversation.brand_user is None


@flaw("5.5-context-continues")
def refuses_an_account_in_a_conversation_without(provider: Provider) -> None:
    """A conversation that began without a delegation token refuses one."""
    _refuse(provider, _began_without, lambda: invalid("No account belongs here"))


@flaw("5.5-context-continues")
def refuses_the_token_in_a_conversation_without(provider: Provider) -> None:
    """A delegation token gets 401 in a conversation that began without one."""
    _refuse(provider, _began_without, lambda: BadDelegation("context"))


@flaw("5.5-context-continues")
def starts_anew_where_delegation_begins(provider: Provider) -> None:
    """The first message under a delegation token in a conversation opens another."""

    def find(
        provider: Provider, submission: Submission, owner: Owner, authority: Authority
    ) -> Conversation:
        found = sending.conversation_of(provider, submission, owner)
        if _began_without(found, authority):
            return sending.start_conversation(provider, owner)
        return found

    _find_under_delegation(provider, find)


def _goes_on_without(conversation: Conversation, authority: Authority | None) -> bool:
    return authority is None and conversation.brand_user is not None


@flaw("5.5-context-without-token")
def takes_no_token_for_another_account(provider: Provider) -> None:
    """A conversation that ran under delegation refuses a message without the token."""
    _refuse(provider, _goes_on_without, lambda: invalid("The conversation is another user's"))


@flaw("3.4-no-extra-parameters", "5.5-context-without-token")
def asks_for_the_token_in_a_delegated_conversation(provider: Provider) -> None:
    """A message without the token gets 401 in a conversation that ran under delegation."""
    _refuse(provider, _goes_on_without, lambda: BadDelegation("missing"))


@flaw("5.5-context-without-token")
def closes_a_conversation_that_loses_its_token(provider: Provider) -> None:
    """A message without the token finds a conversation that ran under delegation closed."""

    def closed() -> Refusal:
        return A2ARefusal("UNSUPPORTED_OPERATION", "The conversation is closed")

    _refuse(provider, _goes_on_without, closed)


def _keep_authority(
    provider: Provider, of: Callable[[Conversation, Turn], object], *, needs_scope: bool = False
) -> None:
    """Let a turn without a token have the authority that was kept for it."""
    kept: dict[object, Authority] = {}
    run: dict[str, Turn] = {}
    agent, conclude = provider.brand_agent, provider.delegation.conclude
    here: ContextVar[Conversation | None] = ContextVar("conversation", default=None)
    check = provider.conduct.check_brand_user
    answer_of = provider.conduct.answer

    def check_brand_user(conversation: Conversation, authority: Authority | None) -> None:
        check(conversation, authority)
        here.set(conversation)

    async def brand_agent(turn: Turn) -> Reply:
        conversation = here.get()
        assert conversation is not None
        if turn.authority is not None:
            kept[of(conversation, turn)] = turn.authority
            return await agent(turn)
        acting = replace(turn, authority=kept.get(of(conversation, turn)))
        reply = await agent(acting)
        if acting.authority is not None and (reply.scopes_used or not needs_scope):
            run[reply.id] = acting
        return reply

    def answer(conversation: Conversation, reply: Reply) -> object:
        said = answer_of(conversation, reply)
        acting = run.pop(reply.id, None)
        if acting is None:
            return said
        return conclude(provider, conversation, acting, reply, said)

    provider.conduct = replace(provider.conduct, check_brand_user=check_brand_user, answer=answer)
    provider.brand_agent = brand_agent


@flaw("5.5-no-token-no-power")
def keeps_the_account_with_the_conversation(provider: Provider) -> None:
    """A message without a token acts with what the conversation's last token gave."""
    _keep_authority(provider, lambda conversation, _turn: conversation.id)


@flaw("5.5-no-token-no-power")
def keeps_the_account_for_what_needs_a_scope(provider: Provider) -> None:
    """A message without a token acts with the last token where it needs a scope of it."""
    _keep_authority(provider, lambda conversation, _turn: conversation.id, needs_scope=True)


@flaw("5.5-no-token-no-power")
def keeps_the_account_with_the_user(provider: Provider) -> None:
    """A User who has delegated once needs no token any more at that Brand."""
    _keep_authority(provider, lambda _conversation, turn: (turn.user, turn.brand_id))


# Contexts that are not the User's


@flaw("5.5-context-rules")
def opens_every_context_to_a_delegation_token(provider: Provider) -> None:
    """Under a delegation token every context at the Provider may be continued."""

    def find(
        provider: Provider, submission: Submission, owner: Owner, _authority: Authority
    ) -> Conversation:
        known = provider.conversations.get(submission.context_id or "")
        return known or sending.conversation_of(provider, submission, owner)

    _find_under_delegation(provider, find)


@flaw("5.5-context-rules")
def opens_the_contexts_of_an_account(provider: Provider) -> None:
    """Under a delegation token every context that ran as its account may be continued."""

    def find(
        provider: Provider, submission: Submission, owner: Owner, authority: Authority
    ) -> Conversation:
        found = provider.conversations.get(submission.context_id or "")
        if found is not None and found.brand_user == authority.brand_user:
            return found
        return sending.conversation_of(provider, submission, owner)

    _find_under_delegation(provider, find)


@flaw("5.5-context-rules")
def starts_anew_under_an_unknown_context(provider: Provider) -> None:
    """Under a delegation token an unknown or foreign contextId starts a conversation."""

    def find(
        provider: Provider, submission: Submission, owner: Owner, _authority: Authority
    ) -> Conversation:
        try:
            return sending.conversation_of(provider, submission, owner)
        except A2ARefusal:
            return sending.start_conversation(provider, owner)

    _find_under_delegation(provider, find)


@flaw("5.5-context-rules")
def does_not_find_a_context_under_delegation(provider: Provider) -> None:
    """Under a delegation token an unknown or foreign contextId gets TASK_NOT_FOUND."""

    def find(
        provider: Provider, submission: Submission, owner: Owner, _authority: Authority
    ) -> Conversation:
        try:
            return sending.conversation_of(provider, submission, owner)
        except A2ARefusal:
            raise A2ARefusal("TASK_NOT_FOUND", "There is no such context") from None

    _find_under_delegation(provider, find)


# Another account in the same conversation


def _is_another(conversation: Conversation, authority: Authority | None) -> bool:
    ran_as = conversation.brand_user
    return authority is not None and ran_as is not None and ran_as != authority.brand_user


@flaw("5.5-other-brand-user", "5.5-retry-other-user")
def lets_another_account_go_on(provider: Provider) -> None:
    """A conversation that ran as one Brand user goes on as another, and repeats its replies."""
    provider.conduct.check_brand_user = lambda _conversation, _authority: None


@flaw("5.5-other-brand-user", "5.5-retry-other-user")
def forbids_another_account(provider: Provider) -> None:
    """The token of another Brand user gets UNSUPPORTED_OPERATION in a conversation."""

    def refusal() -> Refusal:
        return A2ARefusal("UNSUPPORTED_OPERATION", "The conversation is another user's")

    _refuse(provider, _is_another, refusal)


@flaw("5.5-other-brand-user", "5.5-retry-other-user")
def does_not_find_the_context_of_another_account(provider: Provider) -> None:
    """The token of another Brand user gets TASK_NOT_FOUND in a conversation."""
    _refuse(provider, _is_another, lambda: A2ARefusal("TASK_NOT_FOUND", "There is no such context"))


@flaw("5.5-other-brand-user")
def takes_the_token_of_another_account_for_bad(provider: Provider) -> None:
    """The token of another Brand user gets 401 with invalid_token in a conversation."""
    _refuse(provider, _is_another, lambda: BadDelegation("sub"))


@flaw("5.5-other-brand-user")
def takes_the_agent_of_another_account_for_bad(provider: Provider) -> None:
    """The token of another Brand user gets the plain 401 in a conversation."""
    _refuse(provider, _is_another, lambda: Unauthenticated("sub"))


def _disturb(provider: Provider, change: Callable[[Conversation, Authority], None]) -> None:
    def is_refused(conversation: Conversation, authority: Authority | None) -> bool:
        if authority is not None and _is_another(conversation, authority):
            change(conversation, authority)
            return True
        return False

    _refuse(provider, is_refused, lambda: invalid("The conversation is another user's"))


@flaw("5.5-other-brand-user")
def closes_a_conversation_for_another_account(provider: Provider) -> None:
    """The refused token of another Brand user closes the conversation."""
    _disturb(provider, lambda conversation, _authority: conversation.close(0))


@flaw("5.5-other-brand-user", "5.5-retry-other-user")
def gives_a_conversation_to_another_account(provider: Provider) -> None:
    """The refused token of another Brand user makes the conversation that user's."""

    def change(conversation: Conversation, authority: Authority) -> None:
        conversation.ran_as = dict.fromkeys(conversation.ran_as, authority.brand_user)

    _disturb(provider, change)


def _compare_later(
    provider: Provider, stored_answer: Callable[[Conversation, Submission], object]
) -> None:
    _remember_authority(provider)
    provider.conduct = replace(
        provider.conduct, check_brand_user=lambda *_: None, stored_answer=stored_answer
    )


@flaw("5.5-retry-other-user")
def repeats_a_reply_before_it_compares_accounts(provider: Provider) -> None:
    """The store of replies is asked before the Brand user of the token is compared."""
    check = provider.conduct.check_brand_user
    stored_answer = provider.conduct.stored_answer

    def check_later(conversation: Conversation, submission: Submission) -> object:
        answer = stored_answer(conversation, submission)
        if answer is None:
            check(conversation, _AUTHORITY.get())
        return answer

    _compare_later(provider, check_later)


@flaw("5.5-retry-other-user")
def says_to_another_account_that_it_has_replied(provider: Provider) -> None:
    """A repeat under the token of another Brand user gets TASK_NOT_CANCELABLE."""
    check = provider.conduct.check_brand_user
    stored_answer = provider.conduct.stored_answer

    def check_later(conversation: Conversation, submission: Submission) -> object:
        authority = _AUTHORITY.get()
        if submission.message_id in conversation.replies and _is_another(conversation, authority):
            raise A2ARefusal("TASK_NOT_CANCELABLE", "This has been answered")
        check(conversation, authority)
        return stored_answer(conversation, submission)

    _compare_later(provider, check_later)
