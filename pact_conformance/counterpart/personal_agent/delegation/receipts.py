"""Verifying and keeping receipts (§5.6)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import jwt

from pact_conformance.counterpart.personal_agent import documents
from pact_conformance.counterpart.personal_agent.failure import Failure
from pact_conformance.counterpart.personal_agent.messages import Draft
from pact_conformance.counterpart.personal_agent.store import Grant, KeptReceipt, Relation
from pact_conformance.counterpart.provider.table import Table

if TYPE_CHECKING:
    from pact_conformance.counterpart.personal_agent.personal_agent import PersonalAgent

ALGS = {"ES256": "EC", "RS256": "RSA"}
"""What receipts are signed with, as delegation tokens are (§5.4, §5.6), and the keys for it."""


class BadReceipt(Exception):  # noqa: N818 - a finding
    """The receipt does not prove what it says."""


@dataclass(frozen=True)
class Evidence:
    """A receipt whose signature is good, and what it has to fit."""

    relation: Relation
    grant: Grant
    """Under which the message was sent."""
    claims: Any
    """What stands in clear beside the signature."""
    payload: Any
    """What was signed."""


def take_receipt(agent: "PersonalAgent", draft: Draft, message: Mapping[str, Any]) -> None:
    """Verify and keep the receipt of a reply, if it has one; the reply counts either way."""
    found = documents.member(message, "metadata", "pact.receipt")
    jws = documents.text(found, "jws")
    if jws is None:
        return
    claims = documents.member(found, "claims")
    verified, why = agent.delegation.judge_receipt(agent, draft, jws, claims)
    agent.delegation.keep_receipt(agent, draft, KeptReceipt(jws, claims, verified, why))


def keep_receipt(agent: "PersonalAgent", draft: Draft, receipt: KeptReceipt) -> None:
    """Keep a receipt, good or bad."""
    agent.store.receipts.setdefault(draft.relation.key, []).append(receipt)


def judge_receipt(
    agent: "PersonalAgent",
    draft: Draft,
    jws: str,
    claims: Any,  # noqa: ANN401 - whatever stands there
) -> tuple[bool | None, str]:
    """Say whether a receipt is good, and what is wrong with it; None: that cannot be told."""
    assert draft.grant is not None
    try:
        payload = agent.delegation.open_receipt(agent, draft.relation, jws)
        evidence = Evidence(draft.relation, draft.grant, claims, payload)
        for check in agent.delegation.receipt_checks:
            check(agent, evidence)
    except BadReceipt as error:
        return False, str(error)
    except Failure as failure:
        return None, failure.reason
    return True, ""


def open_receipt(agent: "PersonalAgent", relation: Relation, jws: str) -> Any:  # noqa: ANN401 - any JSON value
    """Return what was signed, once the signature has been verified.

    Raises:
        BadReceipt: no key of the Brand has signed it.
        Failure: the Brand's keys cannot be had.
    """
    try:
        header = jwt.get_unverified_header(jws)
    except jwt.PyJWTError:
        raise BadReceipt("it is no compact JWS") from None
    alg, kid = header.get("alg"), header.get("kid")
    if alg not in ALGS:
        raise BadReceipt(f"it is signed with {alg!r}")
    for key in agent.delegation.find_keys(agent, relation, kid):
        if key.key_type != ALGS[alg]:
            continue
        try:
            return documents.read_json(jwt.PyJWS().decode(jws, key, algorithms=[alg]))
        except (jwt.PyJWTError, ValueError):
            continue
    raise BadReceipt("no key of the Brand has signed it")


def receipt_checks() -> "Table[Any]":
    """Return what a receipt has to fit, in order."""
    return Table(
        payload_is_the_claims,
        grant_is_ours,
        agent_is_us,
        brand_is_this_one,
        user_is_the_grants,
        scopes_are_granted,
    )


def payload_is_the_claims(_agent: "PersonalAgent", evidence: Evidence) -> None:
    """The claims in clear are those that were signed."""
    if evidence.payload != evidence.claims or not isinstance(evidence.claims, dict):
        raise BadReceipt("its claims are not what was signed")


def grant_is_ours(agent: "PersonalAgent", evidence: Evidence) -> None:
    """It is about the grant of the token that was sent."""
    _fits(agent, evidence, "grantId", "grant_id")


def user_is_the_grants(agent: "PersonalAgent", evidence: Evidence) -> None:
    """It is about the Brand's user that the token names."""
    _fits(agent, evidence, "user", "sub")


def agent_is_us(agent: "PersonalAgent", evidence: Evidence) -> None:
    """It is made for this agent."""
    if documents.member(evidence.payload, "pa") != agent.issuer:
        raise BadReceipt("it is made for another personal agent")


def brand_is_this_one(_agent: "PersonalAgent", evidence: Evidence) -> None:
    """It is this Brand's; a slash at the end makes no other Brand of it."""
    brand = documents.text(evidence.payload, "brand") or ""
    if brand.rstrip("/") != evidence.relation.brand.interface.url.rstrip("/"):
        raise BadReceipt("it is another Brand's")


def scopes_are_granted(_agent: "PersonalAgent", evidence: Evidence) -> None:
    """Nothing was done beyond what was granted."""
    used = documents.member(evidence.payload, "scopesUsed")
    if not isinstance(used, list) or not set(map(str, used)) <= set(evidence.grant.scopes):
        raise BadReceipt("it is about scopes that were not granted")


def token_claims(token: str) -> Mapping[str, Any]:
    """Return what a delegation token says, unverified; nothing where it cannot be read."""
    try:
        claims: dict[str, Any] = jwt.decode(token, options={"verify_signature": False})
    except (jwt.PyJWTError, ValueError, RecursionError):
        return {}
    return claims


def _fits(agent: "PersonalAgent", evidence: Evidence, name: str, claim: str) -> None:
    expected = agent.delegation.token_claims(evidence.grant.access_token).get(claim)
    found = documents.member(evidence.payload, name)
    if found is None or (expected is not None and found != expected):
        raise BadReceipt(f"its {name} is not the delegation token's {claim}")
