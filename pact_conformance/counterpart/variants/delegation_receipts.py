"""Legal receipts (§5.6)."""

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

from pact_conformance.counterpart.provider.conversations import Conversation
from pact_conformance.counterpart.provider.delegation.receipts import Served
from pact_conformance.counterpart.provider.message_rules import Submission
from pact_conformance.counterpart.provider.provider import Provider
from pact_conformance.counterpart.substitution import Document, change_reply
from pact_conformance.counterpart.variants.registry import variant


@variant()
def uses_no_scopes(provider: Provider) -> None:
    """A receipt has empty scopesUsed and actions, whatever the turn did."""
    provider.delegation.receipt_claims["scopesUsed"] = lambda _provider, _served: []
    provider.delegation.receipt_claims["actions"] = lambda _provider, _served: []


@variant()
def describes_actions_at_length(provider: Provider) -> None:
    """An action has members that the example does not show, and a hash of another form."""

    def actions(_provider: Provider, served: Served) -> list[Document]:
        return [
            {"tool": f"shop/{it.tool} (v2)", "argsHash": "b64-…", "at": 1.5, "args": None, "n": [1]}
            for it in served.reply.actions
        ]

    provider.delegation.receipt_claims["actions"] = actions


@variant()
def lists_an_action_in_every_receipt(provider: Provider) -> None:
    """A turn that needs no scope has actions too, for tools that need none."""
    provider.delegation.receipt_claims["actions"] = lambda _provider, _served: [
        {"tool": "opening_hours"},
        {"tool": "opening_hours"},
    ]


def _write_time(provider: Provider, write: Callable[[datetime], str]) -> None:
    provider.delegation.receipt_claims["ts"] = lambda _provider, served: write(
        datetime.fromtimestamp(served.now, UTC)
    )


@variant()
def writes_times_in_whole_seconds(provider: Provider) -> None:
    """The time of a receipt has no fraction, as in the example."""
    _write_time(provider, lambda it: it.strftime("%Y-%m-%dT%H:%M:%SZ"))


@variant()
def writes_times_in_nanoseconds(provider: Provider) -> None:
    """The time of a receipt has nine digits of a second."""
    _write_time(provider, lambda it: it.strftime("%Y-%m-%dT%H:%M:%S.%f123Z"))


@variant()
def writes_times_with_an_offset_of_zero(provider: Provider) -> None:
    """The time of a receipt ends with +00:00."""
    _write_time(provider, lambda it: it.isoformat())


@variant()
def writes_times_in_lower_case(provider: Provider) -> None:
    """The time of a receipt is written with t and z (RFC 3339 §5.6)."""
    _write_time(provider, lambda it: it.strftime("%Y-%m-%dt%H:%M:%S.%fz"))


@variant("5.6-ts")
def writes_times_of_another_zone(provider: Provider) -> None:
    """The time of a receipt is that of another zone, with its offset."""
    zone = timezone(timedelta(hours=5, minutes=45))
    _write_time(provider, lambda it: it.astimezone(zone).isoformat(timespec="seconds"))


@variant("5.6-claims-only")
def signs_registered_claims_beside(provider: Provider) -> None:
    """The payload of jws has iss, aud, iat and jti that claims does not show."""
    sign = provider.delegation.sign

    def sign_receipt(provider: Provider, brand_id: str, claims: Document, typ: str) -> str:
        issuer = provider.delegation.issuer(provider, brand_id)
        more = {"iss": issuer, "aud": claims["pa"], "iat": 1_790_000_000, "jti": "1"}
        return sign(provider, brand_id, claims | more, typ)

    provider.delegation.sign_receipt = sign_receipt


@variant()
def shows_more_claims(provider: Provider) -> None:
    """A receipt has further claims, shown and signed alike."""
    more: Document = {"contextId": "c", "iat": 1.5, "x-more": {"n": None, "é": ["\u2028", 1e3]}}
    for name, value in more.items():
        provider.delegation.receipt_claims[name] = lambda *_, value=value: value


@variant()
def signs_members_in_another_order(provider: Provider) -> None:
    """The payload of jws has the members of claims in another order."""
    sign = provider.delegation.sign
    provider.delegation.sign_receipt = lambda provider, brand_id, claims, typ: sign(
        provider, brand_id, dict(sorted(claims.items())), typ
    )


@variant()
def names_another_typ_in_receipts(provider: Provider) -> None:
    """The typ of a receipt is one of its own."""
    sign = provider.delegation.sign
    provider.delegation.sign_receipt = lambda provider, brand_id, claims, _typ: sign(
        provider, brand_id, claims, "receipt+jws"
    )


@variant("5.6-brand")
def names_the_brand_with_a_slash(provider: Provider) -> None:
    """The brand of a receipt is the interface URL with a slash behind it."""
    provider.delegation.receipt_claims["brand"] = lambda provider, served: (
        f"{provider.interface(served.brand_id)}/"
    )


@variant("5.6-stored-receipt")
def signs_a_stored_reply_again(provider: Provider) -> None:
    """The receipt of a repeated reply is signed anew, with the same claims."""
    stored = provider.conduct.stored_answer

    def stored_answer(conversation: Conversation, submission: Submission) -> object:
        answer: Any = stored(conversation, submission)
        receipt = ((answer or {}).get("message") or {}).get("metadata", {}).get("pact.receipt")
        if receipt is None:
            return answer
        again: Any = json.loads(json.dumps(answer))
        brand_id = receipt["claims"]["brand"].rpartition("/")[2]
        jws = provider.delegation.sign_receipt(provider, brand_id, receipt["claims"], "JWT")
        again["message"]["metadata"]["pact.receipt"]["jws"] = jws
        return again

    provider.conduct.stored_answer = stored_answer


@variant()
def has_other_metadata_beside_the_receipt(provider: Provider) -> None:
    """A reply has metadata of its own, and a receipt has members beside jws and claims."""
    attach = provider.delegation.attach_receipt
    provider.delegation.attach_receipt = lambda answer, receipt: attach(
        answer, receipt | {"alg": "ES256", "x-more": None}
    )

    def change(answer: Document) -> None:
        answer["message"]["metadata"] = {"trace": "7f", "pact.more": {"jws": "none"}}

    change_reply(provider, change)
