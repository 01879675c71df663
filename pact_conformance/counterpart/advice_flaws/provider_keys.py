"""A Provider that follows no advice about keys, or lets time tell what it keeps to itself."""

import asyncio
import math
import time

from pact_conformance.counterpart.flaws.registry import advice_flaw
from pact_conformance.counterpart.provider.call import Call
from pact_conformance.counterpart.provider.conversations import Conversation, Owner
from pact_conformance.counterpart.provider.delegation.step_up import StepUp
from pact_conformance.counterpart.provider.message_rules import Submission
from pact_conformance.counterpart.provider.provider import Provider
from pact_conformance.counterpart.provider.verifier import Presented, Verifier

# Seconds that a store takes to load what it has.
_LOAD = 0.01


@advice_flaw("hardening-jwks-storm")
def fetches_the_keys_for_each_unknown_one(provider: Provider) -> None:
    """Each token that names an unknown key has the JWKS fetched."""
    provider.verifier.keys.refetch_interval = 0.0


@advice_flaw("hardening-new-key")
def looks_for_new_keys_when_the_old_have_aged(provider: Provider) -> None:
    """An unknown key is no reason to fetch the JWKS: its cache has to run out first."""
    provider.verifier.keys.refetch_interval = math.inf


@advice_flaw("hardening-stale-key")
def keeps_keys_until_it_meets_another(provider: Provider) -> None:
    """A JWKS that was fetched counts until a token names a key that is not in it."""
    provider.verifier.keys.max_age = math.inf


@advice_flaw("hardening-issuer-timing")
def loads_registrations_one_by_one(provider: Provider) -> None:
    """A registration is loaded from a slow store, so that an unknown issuer is refused sooner."""
    enabled = provider.verifier.steps["agent_is_enabled"]

    async def agent_is_enabled(verifier: Verifier, token: Presented) -> None:
        await asyncio.sleep(_LOAD)
        enabled(verifier, token)

    provider.verifier.steps.replace("agent_is_enabled", agent_is_enabled)


@advice_flaw("hardening-context-timing")
def loads_a_conversation_before_it_asks_whose_it_is(provider: Provider) -> None:
    """What was said in somebody else's conversation is loaded before the message is refused."""
    conversation_of = provider.conduct.conversation

    def loaded(provider: Provider, submission: Submission, owner: Owner) -> Conversation:
        if provider.conversations.get(submission.context_id or "") is not None:
            time.sleep(_LOAD)
        return conversation_of(provider, submission, owner)

    provider.conduct.conversation = loaded


@advice_flaw("hardening-task-timing")
def loads_a_task_before_it_asks_whose_it_is(provider: Provider) -> None:
    """A task is loaded before it is seen that it is somebody else's."""
    find_task = provider.find_task

    def loaded(provider: Provider, call: Call) -> StepUp:
        if provider.delegation.step_ups.get(call.path_members["id"]) is not None:
            time.sleep(_LOAD)
        return find_task(provider, call)

    provider.find_task = loaded
