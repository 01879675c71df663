"""Flaws of §5.6: where receipts are, how they are signed, and that they stay as they were."""

import base64
import hashlib
import hmac
import json
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

from pact_conformance.counterpart.flaws.registry import flaw
from pact_conformance.counterpart.flaws.under_delegation import around_delegation, change_receipt
from pact_conformance.counterpart.provider.brand_agent import Authority, Reply
from pact_conformance.counterpart.provider.call import Call
from pact_conformance.counterpart.provider.conversations import Conversation
from pact_conformance.counterpart.provider.delegation.receipts import Served
from pact_conformance.counterpart.provider.delegation.signing import SigningKey
from pact_conformance.counterpart.provider.message_rules import Submission
from pact_conformance.counterpart.provider.provider import Provider
from pact_conformance.counterpart.provider.verifier import ES256
from pact_conformance.counterpart.substitution import Document

_NAME = "pact.receipt"

# Where it is


def _attach(provider: Provider, attach: Callable[[Document, Document], object]) -> None:
    """Let `attach` put a receipt into the answer, of which it gets a copy."""

    def attach_receipt(answer: Any, receipt: Document) -> Any:  # noqa: ANN401 - a JSON value
        copy = json.loads(json.dumps(answer))
        attach(copy, receipt)
        return copy

    provider.delegation.attach_receipt = attach_receipt


@flaw("5.6-receipt")
def gives_no_receipts(provider: Provider) -> None:
    """Replies under delegation have no receipt."""
    _attach(provider, lambda _answer, _receipt: None)


@flaw("5.6-receipt")
def gives_receipts_for_tools_alone(provider: Provider) -> None:
    """A reply for which no tool was called has no receipt."""
    attach = provider.delegation.attach_receipt

    def attach_receipt(answer: Any, receipt: Document) -> Any:  # noqa: ANN401 - a JSON value
        return attach(answer, receipt) if receipt["claims"]["actions"] else answer

    provider.delegation.attach_receipt = attach_receipt


@flaw("5.6-receipt")
def gives_receipts_for_first_messages_alone(provider: Provider) -> None:
    """Only the message that opens a conversation gets a receipt."""
    attach = provider.delegation.attach_receipt
    seen: set[str] = set()

    def attach_receipt(answer: Any, receipt: Document) -> Any:  # noqa: ANN401 - a JSON value
        context_id = answer["message"]["contextId"]
        if context_id in seen:
            return answer
        seen.add(context_id)
        return attach(answer, receipt)

    provider.delegation.attach_receipt = attach_receipt


@flaw("5.6-receipt")
def gives_no_receipts_where_delegation_came_later(provider: Provider) -> None:
    """A conversation that began without a delegation token gets no receipts under one."""
    conclude = provider.delegation.conclude

    def conclude_unless_begun_without(*arguments: Any) -> Any:  # noqa: ANN401 - as they are
        conversation: Conversation = arguments[1]
        began_without = next(iter(conversation.replies)) not in conversation.ran_as
        return arguments[-1] if began_without else conclude(*arguments)

    provider.delegation.conclude = conclude_unless_begun_without


@flaw("5.6-receipt")
def puts_the_receipt_beside_the_message(provider: Provider) -> None:
    """The receipt stands in the metadata of the answer, not of its Message."""
    _attach(provider, lambda answer, receipt: answer.update(metadata={_NAME: receipt}))


@flaw("5.6-receipt")
def puts_the_receipt_into_the_message(provider: Provider) -> None:
    """The receipt is a member of the Message, not of its metadata."""
    _attach(provider, lambda answer, receipt: answer["message"].update({_NAME: receipt}))


@flaw("5.6-receipt")
def puts_the_receipt_onto_a_part(provider: Provider) -> None:
    """The receipt stands in the metadata of the Message's part."""

    def attach(answer: Document, receipt: Document) -> None:
        answer["message"]["parts"][0]["metadata"] = {_NAME: receipt}

    _attach(provider, attach)


@flaw("5.6-receipt")
def calls_the_receipt_otherwise(provider: Provider) -> None:
    """The receipt stands in the metadata as receipt, without the prefix."""
    _attach(provider, lambda answer, it: answer["message"].update(metadata={"receipt": it}))


@flaw("5.6-receipt")
def gives_the_bare_jws_for_a_receipt(provider: Provider) -> None:
    """The receipt is the text of its jws alone."""
    _attach(provider, lambda answer, it: answer["message"].update(metadata={_NAME: it["jws"]}))


@flaw("5.6-receipt")
def gives_receipts_without_jws(provider: Provider) -> None:
    """A receipt has its claims alone."""
    change_receipt(provider, lambda receipt: receipt.pop("jws") and None)


@flaw("5.6-receipt")
def gives_receipts_without_claims(provider: Provider) -> None:
    """A receipt has its jws alone."""
    change_receipt(provider, lambda receipt: receipt.pop("claims") and None)


@flaw("5.6-receipt")
def writes_the_claims_as_a_text(provider: Provider) -> None:
    """The claims of a receipt are a text with JSON in it."""
    change_receipt(provider, lambda it: it.update(claims=json.dumps(it["claims"])))


@flaw("5.5-no-token-no-power")
def gives_receipts_without_delegation(provider: Provider) -> None:
    """A reply without a delegation token has a receipt of nobody."""
    answer_of = provider.conduct.answer

    def answer(conversation: Conversation, reply: Reply) -> object:
        said: Any = answer_of(conversation, reply)
        claims = {"user": "", "scopesUsed": [], "actions": []}
        said["message"]["metadata"] = {_NAME: {"jws": "", "claims": claims}}
        return said

    provider.conduct = replace(provider.conduct, answer=answer)


# How it is signed


def _sign_by(provider: Provider, sign: Callable[[Document, SigningKey], str]) -> None:
    """Let `sign` make the JWS of a receipt, of its claims and the published key."""

    def sign_receipt(provider: Provider, brand_id: str, claims: Document, _typ: str) -> str:
        return sign(claims, provider.delegation.keys.of(brand_id)[0])

    provider.delegation.sign_receipt = sign_receipt


@flaw("5.6-jws")
def signs_receipts_with_a_key_of_their_own(provider: Provider) -> None:
    """Receipts are signed with a key that is published nowhere."""
    other = SigningKey.generate()
    _sign_by(provider, lambda claims, _key: other.sign(claims, "JWT"))


@flaw("5.6-jws")
def signs_receipts_with_another_key_of_the_same_kid(provider: Provider) -> None:
    """Receipts name the published key and are signed with another one."""
    other = SigningKey.generate()
    _sign_by(provider, lambda claims, key: replace(other, kid=key.kid).sign(claims, "JWT"))


@flaw("5.6-jws")
def signs_receipts_with_the_key_of_another_brand(provider: Provider) -> None:
    """Receipts are signed with the key of the next Brand."""
    brands = list(provider.brands)

    def sign_receipt(provider: Provider, brand_id: str, claims: Document, typ: str) -> str:
        other = brands[(brands.index(brand_id) + 1) % len(brands)]
        return provider.delegation.keys.of(other)[0].sign(claims, typ)

    provider.delegation.sign_receipt = sign_receipt


def _segment(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def _jws(header: Document, claims: Document, sign: Callable[[bytes], bytes]) -> str:
    text = ".".join(_segment(json.dumps(it).encode()) for it in (header, claims))
    return f"{text}.{_segment(sign(text.encode()))}"


@flaw("5.6-jws")
def signs_receipts_with_hs256(provider: Provider) -> None:
    """Receipts are signed with HS256 and a secret of the Provider."""

    def sign(claims: Document, key: SigningKey) -> str:
        header = {"alg": "HS256", "kid": key.kid}
        return _jws(header, claims, lambda it: hmac.new(b"s", it, hashlib.sha256).digest())

    _sign_by(provider, sign)


@flaw("5.6-jws")
def signs_receipts_with_alg_none(provider: Provider) -> None:
    """Receipts have alg none and no signature."""
    _sign_by(provider, lambda claims, _key: _jws({"alg": "none"}, claims, lambda _: b""))


@flaw("5.6-jws")
def signs_receipts_over_other_bytes(provider: Provider) -> None:
    """The signature of a receipt is over its payload alone."""

    def sign(claims: Document, key: SigningKey) -> str:
        def over_payload(text: bytes) -> bytes:
            signature: bytes = ES256.sign(text.partition(b".")[2], key.private)
            return signature

        return _jws({"alg": "ES256", "kid": key.kid}, claims, over_payload)

    _sign_by(provider, sign)


def _change_jws(provider: Provider, change: Callable[[str], object]) -> None:
    change_receipt(provider, lambda receipt: receipt.update(jws=change(receipt["jws"])))


@flaw("5.6-jws")
def detaches_the_payload_of_receipts(provider: Provider) -> None:
    """The jws of a receipt has an empty payload: the claims stand beside it."""
    _change_jws(provider, lambda jws: "..".join((jws.split(".")[0], jws.split(".")[2])))


@flaw("5.6-receipt")
def writes_the_jws_as_json(provider: Provider) -> None:
    """The jws of a receipt is an object in the JSON serialization."""

    def flattened(jws: str) -> object:
        return dict(zip(("protected", "payload", "signature"), jws.split("."), strict=True))

    _change_jws(provider, flattened)


@flaw("5.6-jws")
def gives_the_signature_for_the_jws(provider: Provider) -> None:
    """The jws of a receipt is the signature alone."""
    _change_jws(provider, lambda jws: jws.rpartition(".")[2])


# That it stays as it was


def _store(provider: Provider, change: Callable[[Document, Authority], object]) -> None:
    """Let `change` work on a copy of each stored reply with a receipt before it is given again."""
    stored_answer = provider.conduct.stored_answer
    now: dict[str, Authority] = {}

    async def gate(_provider: Provider, call: Call, proceed: Callable[[], Awaitable[None]]) -> None:
        await proceed()
        if call.authority is not None:
            now["authority"] = call.authority

    def give_again(conversation: Conversation, submission: Submission) -> object:
        answer: Any = stored_answer(conversation, submission)
        metadata = answer.get("message", {}).get("metadata", {}) if answer is not None else {}
        if _NAME not in metadata:
            return answer
        copy = json.loads(json.dumps(answer))
        change(copy["message"]["metadata"], now["authority"])
        return copy

    around_delegation(provider, gate)
    provider.conduct = replace(provider.conduct, stored_answer=give_again)


@flaw("5.6-stored-receipt")
def stores_replies_without_receipts(provider: Provider) -> None:
    """A stored reply comes without the receipt of its turn."""
    _store(provider, lambda metadata, _authority: metadata.pop(_NAME))


@flaw("5.6-stored-receipt")
def makes_receipts_anew_for_stored_replies(provider: Provider) -> None:
    """A stored reply comes with a receipt of the time of the retry."""
    sign = _signer(provider)

    def change(metadata: Document, _authority: Authority) -> None:
        claims = metadata[_NAME]["claims"] | {"ts": "2026-01-01T00:00:00.000Z"}
        metadata[_NAME] = {"jws": sign(claims), "claims": claims}

    _store(provider, change)


@flaw("5.6-stored-receipt")
def tells_in_a_stored_receipt_that_nothing_was_done(provider: Provider) -> None:
    """A stored reply comes with a receipt that is marked as a repeat."""
    sign = _signer(provider)

    def change(metadata: Document, _authority: Authority) -> None:
        claims = metadata[_NAME]["claims"] | {"repeated": True}
        metadata[_NAME] = {"jws": sign(claims), "claims": claims}

    _store(provider, change)


@flaw("5.6-stored-receipt")
def signs_stored_receipts_again(provider: Provider) -> None:
    """A stored reply comes with the same claims, signed anew."""
    sign = _signer(provider)
    _store(provider, lambda it, _authority: it[_NAME].update(jws=sign(it[_NAME]["claims"])))


def _signer(provider: Provider) -> Callable[[Document], str]:
    """Return what signs claims for the Brand of the last receipt."""
    original = provider.delegation.receipt
    last: dict[str, str] = {}

    def receipt(provider: Provider, served: Served) -> Document:
        last["brand"] = served.brand_id
        return original(provider, served)

    provider.delegation.receipt = receipt
    return lambda claims: provider.delegation.keys.of(last["brand"])[0].sign(claims, "JWT")
