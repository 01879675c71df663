"""Flaws of §4.2: the contexts that are minted."""

import base64
import itertools
from collections.abc import Callable

from pact_conformance.counterpart.flaws.registry import flaw
from pact_conformance.counterpart.provider.conversations import Conversation, Owner
from pact_conformance.counterpart.provider.message_rules import Submission
from pact_conformance.counterpart.provider.provider import Provider
from pact_conformance.counterpart.provider.refusals import invalid
from pact_conformance.counterpart.provider.sending import conversation_of


@flaw(
    "4.2-concurrent",
    "4.2-context-minted",
    "4.2-new-after-closed",
    "4.3-first-message",
    "4.3-per-context",
)
def gives_a_user_one_context(provider: Provider) -> None:
    """All messages of a User without contextId go to one context."""
    known: dict[Owner, Conversation] = {}

    def conversation(provider: Provider, submission: Submission, owner: Owner) -> Conversation:
        if submission.context_id is None and owner in known:
            return known[owner]
        known[owner] = conversation_of(provider, submission, owner)
        return known[owner]

    provider.conduct.conversation = conversation


@flaw(
    "4.2-closed-foreign",
    "4.2-concurrent",
    "4.2-context-minted",
    "4.2-foreign-agent",
    "4.2-foreign-brand",
    "4.2-foreign-user",
    "4.2-new-after-closed",
    "4.3-first-message",
    "4.3-per-context",
    "4.3-stranger",
    "6-internal",
)
def gives_everybody_one_context(provider: Provider) -> None:
    """All conversations have the same contextId."""
    shared = Conversation(id=provider.conduct.mint(), owner=None)
    provider.conversations.add(shared)

    def conversation(_provider: Provider, submission: Submission, _owner: Owner) -> Conversation:
        if submission.context_id not in (None, shared.id):
            raise invalid("Unknown contextId")
        return shared

    provider.conduct.conversation = conversation


def _mint_for_owner(provider: Provider, mint: Callable[[Owner, str], str]) -> None:
    def conversation(provider: Provider, submission: Submission, owner: Owner) -> Conversation:
        if submission.context_id is not None:
            return conversation_of(provider, submission, owner)
        found = Conversation(id=mint(owner, provider.conduct.mint()), owner=owner)
        provider.conversations.add(found)
        return found

    provider.conduct.conversation = conversation


@flaw("4.2-context-opaque")
def counts_contexts(provider: Provider) -> None:
    """Contexts are numbered."""
    numbers = itertools.count(1)
    provider.conduct.mint = lambda: str(next(numbers))


@flaw("4.2-context-opaque")
def counts_contexts_behind_a_prefix(provider: Provider) -> None:
    """Contexts are numbered behind a prefix."""
    numbers = itertools.count(1)
    provider.conduct.mint = lambda: f"ctx-{next(numbers):06d}"


@flaw("4.2-context-opaque")
def shows_the_user_in_a_context(provider: Provider) -> None:
    """A contextId has the User's `sub` in it."""
    _mint_for_owner(provider, lambda owner, own: f"{_triple(owner)[1]}:{own}")


@flaw("4.2-context-opaque")
def shows_the_agent_in_a_context(provider: Provider) -> None:
    """A contextId has the issuer in it."""
    _mint_for_owner(provider, lambda owner, own: f"{_triple(owner)[0]}#{own}")


@flaw("4.2-context-opaque")
def shows_the_brand_in_a_context(provider: Provider) -> None:
    """A contextId has the brandId in it."""
    _mint_for_owner(provider, lambda owner, own: f"{_triple(owner)[2]}-{own}")


@flaw("4.2-context-opaque")
def encodes_the_user_in_a_context(provider: Provider) -> None:
    """A contextId has the User's `sub` in it, in base64url."""

    def mint(owner: Owner, own: str) -> str:
        shown = base64.urlsafe_b64encode(_triple(owner)[1].encode()).decode().rstrip("=")
        return f"{shown}.{own}"

    _mint_for_owner(provider, mint)


def _triple(owner: Owner) -> tuple[str, str, str]:
    assert isinstance(owner, tuple)
    issuer, sub, brand_id = owner
    return str(issuer), str(sub), str(brand_id)
