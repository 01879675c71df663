"""Agents that get §5.6 wrong: what they make of receipts."""

import json
from dataclasses import replace
from typing import Any

from pact_conformance.counterpart.flaws.registry import agent_flaw
from pact_conformance.counterpart.personal_agent.failure import Failure
from pact_conformance.counterpart.personal_agent.messages import Draft
from pact_conformance.counterpart.personal_agent.personal_agent import PersonalAgent
from pact_conformance.counterpart.personal_agent.store import KeptReceipt, Relation


@agent_flaw("5.6-agent-verifies")
def stores_receipts_unread(agent: PersonalAgent) -> None:
    """Every receipt is taken for a good one."""
    agent.delegation.judge_receipt = lambda *_: (True, "")


@agent_flaw("5.6-agent-verifies")
def trusts_the_claims_of_a_receipt(agent: PersonalAgent) -> None:
    """What stands in clear beside the signature is not compared with what was signed."""
    agent.delegation.receipt_checks.drop("payload_is_the_claims")


@agent_flaw("5.6-agent-verifies")
def reads_a_receipt_without_its_signature(agent: PersonalAgent) -> None:
    """The signature of a receipt is not verified."""

    def payload(agent: PersonalAgent, relation: Relation, jws: str) -> Any:  # noqa: ANN401
        del relation
        return agent.delegation.token_claims(jws)

    agent.delegation.open_receipt = payload


@agent_flaw("5.6-agent-verifies")
def calls_every_receipt_bad(agent: PersonalAgent) -> None:
    """Receipts are verified with a key of another purpose, so none of them is good."""
    agent.delegation.find_keys = lambda *_: ()


@agent_flaw("5.6-agent-verifies", "5.6-agent-keeps")
def gives_up_for_a_bad_signature_and_compares_nothing(agent: PersonalAgent) -> None:
    """A receipt that nobody has signed ends the turn; its claims are believed, and none is kept."""

    def give_up(agent: PersonalAgent, draft: Draft, receipt: KeptReceipt) -> None:
        del agent, draft
        if not receipt.verified:
            raise Failure(f"the receipt is bad: {receipt.why}")

    agent.delegation.receipt_checks.drop("payload_is_the_claims")
    agent.delegation.keep_receipt = give_up


@agent_flaw("5.6-agent-verifies")
def reads_the_keys_of_a_brand_once(agent: PersonalAgent) -> None:
    """The first key set of a Brand is kept for ever: a receipt under a later key is a bad one."""
    read, kept = agent.delegation.fetch_document, dict[str, Any]()

    def once(agent: PersonalAgent, relation: Relation, url: str) -> Any:  # noqa: ANN401
        if url not in kept:
            kept[url] = read(agent, relation, url)
        return kept[url]

    agent.delegation.fetch_document = once


@agent_flaw("5.6-agent-verifies")
def leaves_receipts_unverified(agent: PersonalAgent) -> None:
    """Receipts are kept, and nobody has tried their signatures."""
    agent.delegation.judge_receipt = lambda *_: (None, "not tried")


@agent_flaw("5.6-agent-keeps")
def drops_the_metadata_of_replies(agent: PersonalAgent) -> None:
    """Receipts are dropped with all that is not text."""
    agent.delegation.take_receipt = lambda *_: None


@agent_flaw("5.6-agent-keeps")
def keeps_the_claims_of_a_receipt_alone(agent: PersonalAgent) -> None:
    """Of a receipt the claims are kept in place of the JWS."""
    keep_receipt = agent.delegation.keep_receipt

    def keep(agent: PersonalAgent, draft: Draft, receipt: KeptReceipt) -> None:
        keep_receipt(agent, draft, replace(receipt, jws=json.dumps(receipt.claims)))

    agent.delegation.keep_receipt = keep


@agent_flaw("5.6-agent-keeps")
def keeps_the_last_receipt_alone(agent: PersonalAgent) -> None:
    """Of a User's receipts at a Brand the last one is kept."""
    keep_receipt = agent.delegation.keep_receipt

    def keep(agent: PersonalAgent, draft: Draft, receipt: KeptReceipt) -> None:
        agent.store.receipts.pop(draft.relation.key, None)
        keep_receipt(agent, draft, receipt)

    agent.delegation.keep_receipt = keep
