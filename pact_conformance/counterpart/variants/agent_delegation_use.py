"""Legal ways to ask for delegated authority, and to make use of it (§5.3 to §5.6)."""

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from pact_conformance.counterpart.personal_agent import documents
from pact_conformance.counterpart.personal_agent.answers import SteppedUp, Unauthorized
from pact_conformance.counterpart.personal_agent.delegation.oauth import OAuthError
from pact_conformance.counterpart.personal_agent.failure import Failure
from pact_conformance.counterpart.personal_agent.messages import Draft
from pact_conformance.counterpart.personal_agent.personal_agent import PersonalAgent
from pact_conformance.counterpart.personal_agent.results import NeedsSignIn
from pact_conformance.counterpart.personal_agent.store import (
    Grant,
    KeptReceipt,
    Relation,
    SignIn,
    Waiting,
)
from pact_conformance.counterpart.personal_agent.turns import Said, Turn
from pact_conformance.counterpart.variants.registry import agent_variant


@agent_variant()
def leaves_its_client_id_out_of_a_refresh(agent: PersonalAgent) -> None:
    """A refresh has no `client_id`: RFC 6749 has it in none, and the JWT says who asks."""
    del agent.delegation.refresh_form["client_id"]


@agent_variant()
def puts_more_into_its_forms(agent: PersonalAgent) -> None:
    """Forms name the resource that the token is for, and a parameter of the agent's own."""
    agent.delegation.device_form["resource"] = lambda _agent, request: (
        request.relation.brand.interface.url
    )
    agent.delegation.poll_form["agent_version"] = lambda *_: "7.1 (build 4)"
    agent.delegation.refresh_form["agent_version"] = lambda *_: "7.1 (build 4)"


@agent_variant()
def polls_once_for_each_word_of_its_caller(agent: PersonalAgent) -> None:
    """It polls when its caller says so, once, and shows the link again while nothing is decided."""
    go_on, reactions = agent.delegation.go_on, agent.delegation.poll_reactions

    def once(agent: PersonalAgent, relation: Relation, sign_in: SignIn) -> Said:
        try:
            return go_on(agent, relation, sign_in)
        except _Undecided:
            agent.store.sign_ins[relation.key] = sign_in
            sign_in.next_poll = agent.now(relation) + sign_in.interval
            handle = None if sign_in.waiting is None else sign_in.waiting.conversation.handle
            return NeedsSignIn(sign_in.link, sign_in.scopes, handle)

    for code in ("authorization_pending", "slow_down"):
        reactions[code] = _then_leave(reactions[code])
    agent.delegation.go_on = once


@agent_variant()
def offers_a_sign_in_before_the_first_turn(agent: PersonalAgent) -> None:
    """Where a Brand offers delegation, a User's first words wait for a sign-in, once."""
    take_turn, offered = agent.take_turn, set[object]()

    def taken(agent: PersonalAgent, turn: Turn) -> Said:
        relation = turn.relation
        is_new = relation.key not in offered and agent.delegation.held(agent, relation) is None
        offered.add(relation.key)
        if is_new and agent.delegation.find_offer(relation.brand) is not None:
            waiting = Waiting(turn.conversation, turn.text)
            return agent.delegation.ask(agent, relation, None, waiting)
        return take_turn(agent, turn)

    agent.take_turn = taken


@agent_variant()
def acts_under_a_grant_where_it_seems_to_be_needed(agent: PersonalAgent) -> None:
    """The delegation token comes with what the User says about a scope, and with nothing else."""
    ready = agent.delegation.ready

    def needed(agent: PersonalAgent, turn: Turn) -> Grant | NeedsSignIn | None:
        offer = agent.delegation.find_offer(turn.relation.brand)
        about = "" if offer is None else " ".join(offer.scopes.values()).casefold()
        said = re.findall(r"\w{5,}", turn.text.casefold())
        return ready(agent, turn) if any(it in about for it in said) else None

    agent.delegation.ready = needed


@agent_variant()
def refreshes_before_each_turn(agent: PersonalAgent) -> None:
    """A delegation token is used for one turn: it is refreshed before each."""
    agent.delegation.is_due = lambda *about: about[2].refresh_token is not None


@agent_variant()
def renews_its_token_after_any_401(agent: PersonalAgent) -> None:
    """After a plain 401 too the delegation token is refreshed, and the message sent once more."""
    reaction = agent.reactions[Unauthorized]

    def renewed(agent: PersonalAgent, turn: Turn, draft: Draft, outcome: Unauthorized) -> Said:
        if draft.grant is None or outcome.invalid_token or turn.renewed:
            return reaction(agent, turn, draft, outcome)
        turn.renewed = True
        try:
            fresh = agent.delegation.refresh(agent, turn.relation, draft.grant)
        except OAuthError:
            return reaction(agent, turn, draft, outcome)
        again = replace(draft, grant=fresh)
        return agent.react(agent, turn, again, agent.deliver(agent, again))

    agent.reactions[Unauthorized] = renewed


@agent_variant("5.5-agent-both-tokens")
def sends_its_delegation_token_as_bearer_in_lower_case(agent: PersonalAgent) -> None:
    """The scheme in `X-A2A-User-Delegation` is spelt `bearer`."""
    header = agent.delegation.header
    agent.delegation.header = lambda draft: (header(draft) or "").replace("B", "b", 1) or None


@agent_variant()
def refers_to_the_task_of_a_step_up(agent: PersonalAgent) -> None:
    """What is sent again after a step-up names its task among the `referenceTaskIds`."""
    step_up, tasks = agent.reactions[SteppedUp], dict[str, str]()

    def stepped_up(agent: PersonalAgent, turn: Turn, draft: Draft, outcome: SteppedUp) -> Said:
        tasks[draft.conversation.handle] = documents.text(outcome.task, "id") or ""
        return step_up(agent, turn, draft, outcome)

    def referred(_agent: PersonalAgent, draft: Draft) -> object:
        task = tasks.get(draft.conversation.handle)
        return [task] if task else None

    agent.reactions[SteppedUp] = stepped_up
    agent.message_members["referenceTaskIds"] = referred


@agent_variant()
def reads_the_keys_of_a_brand_each_time(agent: PersonalAgent) -> None:
    """Metadata and keys are fetched anew for each receipt."""
    judge = agent.delegation.judge_receipt

    def fresh(agent: PersonalAgent, draft: Draft, jws: str, claims: Any) -> tuple[bool | None, str]:  # noqa: ANN401
        url = documents.text(agent.delegation.metadata(agent, draft.relation), "jwks_uri") or ""
        agent.delegation.fetch_document(agent, draft.relation, url)
        return judge(agent, draft, jws, claims)

    agent.delegation.judge_receipt = fresh


@agent_variant()
def keeps_good_receipts_alone(agent: PersonalAgent) -> None:
    """A receipt that proves nothing is not kept."""
    keep_receipt = agent.delegation.keep_receipt

    def keep(agent: PersonalAgent, draft: Draft, receipt: KeptReceipt) -> None:
        if receipt.verified:
            keep_receipt(agent, draft, receipt)

    agent.delegation.keep_receipt = keep


@agent_variant()
def shows_no_reply_whose_receipt_is_bad(agent: PersonalAgent) -> None:
    """A reply whose receipt proves nothing is kept from the User."""
    take_receipt = agent.delegation.take_receipt

    def taken(agent: PersonalAgent, draft: Draft, message: Mapping[str, Any]) -> None:
        take_receipt(agent, draft, message)
        kept = agent.store.receipts.get(draft.relation.key) or []
        if kept and kept[-1].verified is False:
            raise Failure(f"what the Brand has done cannot be proved: {kept[-1].why}")

    agent.delegation.take_receipt = taken


class _Undecided(Exception):  # noqa: N818 - an outcome
    """A poll has got that nothing is decided yet."""


def _then_leave(reaction: Any) -> Any:  # noqa: ANN401 - a reaction to a poll
    def left(agent: PersonalAgent, relation: Relation, sign_in: SignIn) -> None:
        reaction(agent, relation, sign_in)
        raise _Undecided

    return left
