"""Subtle flaws of §5.6: which receipts an agent takes for good."""

import json
from typing import Any

import jwt

from pact_conformance.counterpart.flaws.registry import subtle_agent_flaw
from pact_conformance.counterpart.personal_agent.delegation.receipts import BadReceipt, Evidence
from pact_conformance.counterpart.personal_agent.personal_agent import PersonalAgent
from pact_conformance.counterpart.personal_agent.store import Relation


def _compare(agent: PersonalAgent, equal: Any) -> None:  # noqa: ANN401 - of two JSON values
    """Have what is signed compared with what is shown in another way."""

    def compared(_agent: PersonalAgent, evidence: Evidence) -> None:
        if not equal(evidence.payload, evidence.claims):
            raise BadReceipt("its claims are not what was signed")

    agent.delegation.receipt_checks.replace("payload_is_the_claims", compared)


@subtle_agent_flaw("5.6-agent-verifies")
def compares_what_is_signed_alone(agent: PersonalAgent) -> None:
    """What is signed has to be shown as it is; what is shown besides is believed."""
    _compare(agent, lambda signed, shown: {**shown, **signed} == shown)


@subtle_agent_flaw("5.6-agent-verifies")
def compares_claims_without_regard_to_case(agent: PersonalAgent) -> None:
    """Claims that differ in capitals alone are taken for the same."""

    def folded(value: object) -> str:
        return json.dumps(value, sort_keys=True).casefold()

    _compare(agent, lambda signed, shown: folded(signed) == folded(shown))


@subtle_agent_flaw("5.6-agent-verifies")
def compares_claims_without_their_actions(agent: PersonalAgent) -> None:
    """What was done need not be what was signed: the actions are for people alone."""

    def rest(claims: Any) -> dict[str, Any]:  # noqa: ANN401 - a JSON value
        return {name: it for name, it in dict(claims).items() if name != "actions"}

    _compare(agent, lambda signed, shown: rest(signed) == rest(shown))


@subtle_agent_flaw("5.6-agent-verifies")
def reads_the_first_of_two_claims(agent: PersonalAgent) -> None:
    """Of a claim that is signed twice the first one is read."""
    open_receipt = agent.delegation.open_receipt

    def first(agent: PersonalAgent, relation: Relation, jws: str) -> Any:  # noqa: ANN401 - any JSON value
        open_receipt(agent, relation, jws)
        payload = jwt.PyJWS().decode(jws, options={"verify_signature": False})
        return json.loads(payload, object_pairs_hook=lambda pairs: dict(reversed(pairs)))

    agent.delegation.open_receipt = first


@subtle_agent_flaw("5.6-agent-verifies")
def believes_the_key_in_a_receipts_header(agent: PersonalAgent) -> None:
    """A key that stands in the header of a receipt verifies it."""
    find_keys, open_receipt = agent.delegation.find_keys, agent.delegation.open_receipt

    def opened(agent: PersonalAgent, relation: Relation, jws: str) -> Any:  # noqa: ANN401 - any JSON value
        try:
            embedded = jwt.get_unverified_header(jws).get("jwk")
        except jwt.PyJWTError:
            embedded = None
        keys = agent.delegation.read_keys({"keys": [embedded]})
        agent.delegation.find_keys = (lambda *_: keys) if keys else find_keys
        return open_receipt(agent, relation, jws)

    agent.delegation.open_receipt = opened


@subtle_agent_flaw("5.6-agent-verifies")
def takes_a_receipt_that_says_it_is_not_signed(agent: PersonalAgent) -> None:
    """A receipt whose `alg` is none in other letters needs no signature."""
    open_receipt = agent.delegation.open_receipt

    def opened(agent: PersonalAgent, relation: Relation, jws: str) -> Any:  # noqa: ANN401 - any JSON value
        alg = jwt.get_unverified_header(jws).get("alg")
        if alg in ("None", "NONE"):
            return agent.delegation.token_claims(jws)
        return open_receipt(agent, relation, jws)

    agent.delegation.open_receipt = opened
