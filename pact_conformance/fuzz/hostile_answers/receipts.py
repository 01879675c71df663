"""Changes of a receipt (§5.6), each part by itself, and of the keys that it is verified with."""

import json
from collections.abc import Callable
from copy import deepcopy
from typing import Any

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature

from pact_conformance.fuzz.family import Impossible
from pact_conformance.fuzz.hostile_answers.draft import Draft, Receipt
from pact_conformance.fuzz.hostile_answers.entering import (
    MANNERS,
    kind,
)
from pact_conformance.fuzz.hostile_answers.making import keys
from pact_conformance.fuzz.hostile_answers.writing import Raw, Twice
from pact_conformance.fuzz.kind import Kind, OneOf, Whole
from pact_conformance.tokens import base64url
from pact_conformance.tokens.assemble import sign, sign_hmac

_VERIFIES, _REPLY = "5.6-agent-verifies", "4.2-agent-reply"
_RECORD = ["receipts"]

_CLAIMS = ("grantId", "user", "pa", "brand", "scopesUsed", "actions", "ts")

# What becomes of a claim that is shown, and not of the one that is signed.
_OTHER: dict[str, Callable[[Any], Any]] = {
    "in capitals": lambda it: json.loads(json.dumps(it).upper()),
    "with a letter behind it": lambda it: f"{it}x" if isinstance(it, str) else [*it, "x"],
    "without its last letter": lambda it: it[:-1],
    "with a blank behind it": lambda it: f"{it} " if isinstance(it, str) else [*it, " "],
    "null": lambda _: None,
    "empty": lambda it: type(it)(),
    "in an array": lambda it: [it],
    "as a text of JSON": json.dumps,
}
# Other values that a good receipt may have.
_SAME: dict[str, Any] = {
    "empty": [],
    "one without a hash": [{"tool": "lookup_orders"}],
    "twenty": [{"tool": f"tool_{number}"} for number in range(20)],
    "without a fraction": "2026-09-30T12:00:00Z",
}
_NAMES = ("x-note", "refund", "approvedBy", "__proto__", "näme")

_HEADERS: dict[str, Any] = {
    "typ": "receipt+jwt",
    "cty": "json",
    "x-note": {"a": [1]},
    "iat": 1,
    "https://x.example/h": "x",
}
# What a signer's key may be said to be; good by itself, since a published key has signed.
_POINTERS = ("jwk", "jku", "x5u", "x5c")


def _claim_differs(draft: Draft, name: str, how: str) -> None:
    shown = draft.receipt.claims[name]
    other = _OTHER[how](shown)
    if other == shown:
        raise Impossible(f"{name} is the same {how}")
    draft.receipt.claims[name] = other


def _claim_false(draft: Draft, name: str) -> None:
    draft.receipt.claims[name] = "another"


def _claim_added(draft: Draft, name: str) -> None:
    draft.receipt.claims[name] = "was never signed"


def _payload_added(draft: Draft, name: str) -> None:
    draft.receipt.payload[name] = "is not shown"


def _both_added(draft: Draft, name: str) -> None:
    for claims in (draft.receipt.payload, draft.receipt.claims):
        claims[name] = {"a": [1, None, True]}


def _claim_missing(draft: Draft, name: str) -> None:
    del draft.receipt.claims[name]


def _signed_twice(draft: Draft, name: str) -> None:
    """Sign a member twice; what is shown is the first, which nobody reads who reads by the book."""
    shown = draft.receipt.payload[name]
    draft.receipt.payload[name] = Twice(shown, [] if isinstance(shown, list) else "another")


def _signed_twice_alike(draft: Draft, name: str) -> None:
    shown = draft.receipt.payload[name]
    draft.receipt.payload[name] = Twice("another", shown)


def _written(draft: Draft, manner: str) -> None:
    draft.receipt.payload_manner = MANNERS[manner]


def _same(draft: Draft, name: str, which: str) -> None:
    for claims in (draft.receipt.payload, draft.receipt.claims):
        claims[name] = deepcopy(_SAME[which])


def _about(draft: Draft, name: str) -> None:
    """Have it signed about something else, as it is shown."""
    others: dict[str, Any] = {
        "grantId": "a2agrant_other",
        "user": "omar-1",
        "pa": f"{draft.receipt.payload['pa']}/other",
        "brand": f"{draft.names.interface}-other",
        "scopesUsed": ["refunds:issue"],
        "ts": "1999-01-01T00:00:00Z",
    }
    for claims in (draft.receipt.payload, draft.receipt.claims):
        claims[name] = deepcopy(others[name])


def _header(draft: Draft, name: str) -> None:
    draft.receipt.header[name] = deepcopy(_HEADERS[name])


def _no_header(draft: Draft, name: str) -> None:
    draft.receipt.header.pop(name)


def _critical(draft: Draft) -> None:
    draft.receipt.header |= {"crit": ["x-unheard-of"], "x-unheard-of": True}


def _rsa(draft: Draft) -> None:
    key = keys()["RS256"]
    draft.receipt.header |= {"alg": "RS256", "kid": key.kid}
    draft.receipt.sign = lambda it: sign(key, it)


def _stranger(receipt: Receipt) -> None:
    key = keys()["stranger"]
    receipt.sign = lambda it: sign(key, it)


def _by_a_stranger(draft: Draft, named: str) -> None:
    """Have a key sign that nobody publishes, and say by the header where it would be found."""
    _stranger(draft.receipt)
    header, jwk = draft.receipt.header, keys()["stranger"].public_jwk()
    url = draft.names.elsewhere("keys.json", far=True)
    match named:
        case "the kid of a published one":
            pass
        case "no kid":
            del header["kid"]
        case "another kid":
            header["kid"] = "another"
        case "jwk":
            header["jwk"] = jwk
        case "jwk and no kid":
            del header["kid"]
            header["jwk"] = jwk
        case _:
            header[named] = url if named in {"jku", "x5u"} else ["MIIB"]


_BY_A_STRANGER = (
    "the kid of a published one", "no kid", "another kid", "jwk", "jwk and no kid", "jku", "x5u",
    "x5c",
)  # fmt: skip


def _pointed(draft: Draft, name: str) -> None:
    url = draft.names.elsewhere("keys.json", far=True)
    jwk = keys()["stranger"].public_jwk()
    draft.receipt.header[name] = {"jwk": jwk, "jku": url, "x5u": url, "x5c": ["MIIB"]}[name]


def _alg(draft: Draft, alg: str) -> None:
    draft.receipt.header["alg"] = alg


def _unsigned(draft: Draft, alg: str) -> None:
    draft.receipt.header["alg"] = alg
    draft.receipt.sign = lambda _: b""


def _hmac(draft: Draft, alg: str, secret: str) -> None:
    """Sign with what is public of a key, as if it were a secret."""
    key = keys()["RS256" if secret.startswith("RSA") else "ES256"]
    public = key.private.public_key()
    pem = public.public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
    )
    jwk = json.dumps(key.public_jwk()).encode()
    text = {"PEM": pem, "JWK": jwk, "nothing": b""}[secret.rpartition(" ")[2]]
    draft.receipt.header |= {"alg": alg, "kid": key.kid}
    draft.receipt.sign = lambda it: sign_hmac(alg, text, it)


def _signature(change: Callable[[bytes], bytes]) -> Callable[[Draft], None]:
    def apply(draft: Draft) -> None:
        draft.receipt.signature = change

    return apply


def _flipped(draft: Draft, byte: int) -> None:
    def flip(signature: bytes) -> bytes:
        if byte >= len(signature):  # that of HMAC is shorter, and some receipts have none
            raise Impossible(f"the signature has no byte {byte}")
        return signature[:byte] + bytes([signature[byte] ^ 1]) + signature[byte + 1 :]

    draft.receipt.signature = flip


def _der(signature: bytes) -> bytes:
    r, s = (int.from_bytes(it, "big") for it in (signature[:32], signature[32:]))
    return encode_dss_signature(r, s)


_SIGNATURES: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda _: b"",
    "all zero": lambda it: bytes(len(it)),
    "cut in half": lambda it: it[:32],
    "with r and s exchanged": lambda it: it[32:] + it[:32],
    "with a byte more": lambda it: it + b"\x00",
    "the same twice": lambda it: it + it,
    "r = 0 and s = 1": lambda _: bytes(63) + b"\x01",
}


def _spoilt(draft: Draft, how: str) -> None:
    draft.receipt.signature = _SIGNATURES[how]


def _payload_after(draft: Draft, name: str) -> None:
    """Sign, then put other claims in the place of those that were signed."""
    receipt = draft.receipt
    other = {**receipt.payload, name: "another"}
    receipt.claims = deepcopy(other)

    def swap(jws: str) -> str:
        header, _, signature = jws.split(".")
        return f"{header}.{base64url.encode(json.dumps(other).encode())}.{signature}"

    receipt.join = swap


_JOINS: dict[str, Callable[[str], str]] = {
    "without its signature": lambda it: it.rpartition(".")[0],
    "with a dot and no signature": lambda it: f"{it.rpartition('.')[0]}.",
    "with a fourth segment": lambda it: f"{it}.e30",
    "with its payload twice": lambda it: it.replace(".", f".{it.split('.')[1]}.", 1),
    "with an empty header": lambda it: f".{it.partition('.')[2]}",
    "with an empty payload": lambda it: "..".join((it.split(".")[0], it.split(".")[2])),
    "as its payload alone": lambda it: it.split(".")[1],
}
_DOUBTFUL_JOINS: dict[str, Callable[[str], str]] = {
    "with padding": lambda it: f"{it}==",
    "with white space around it": lambda it: f" {it}\n",
    "with Bearer before it": lambda it: f"Bearer {it}",
    "cut after 40 characters": lambda it: it[:40],
    "empty": lambda _: "",
    "a text that is none": lambda _: "not a JWS",
    "a hundred dots": lambda _: "." * 100,
    "in another alphabet": lambda it: it.replace("-", "+").replace("_", "/"),
}


def _joined(draft: Draft, how: str) -> None:
    draft.receipt.join = {**_JOINS, **_DOUBTFUL_JOINS}[how]


_WHOLE: dict[str, Callable[[dict[str, Any]], Any]] = {
    "null": lambda _: None,
    "the JWS alone": lambda it: it["jws"],
    "the claims alone": lambda it: {"claims": it["claims"]},
    "the JWS without claims": lambda it: {"jws": it["jws"]},
    "an array of it": lambda it: [it],
    "empty": lambda _: {},
    "a number": lambda _: 7,
    "a text of it": json.dumps,
    "with claims as a text": lambda it: {**it, "claims": json.dumps(it["claims"])},
    "with a JWS that is an object": lambda it: {**it, "jws": {"payload": "x", "signatures": []}},
    "with a JWS that is null": lambda it: {**it, "jws": None},
    "with a JWS that is a number": lambda it: {**it, "jws": 7},
    "with claims that are a deep array": lambda it: {**it, "claims": Raw("[" * 900 + "]" * 900)},
}


def _whole(draft: Draft, how: str) -> None:
    draft.receipt.whole = _WHOLE[how]


def _more(draft: Draft, name: str) -> None:
    draft.receipt.whole = lambda it: {**it, name: {"a": [1, None]}}


def _receipt(id_: str, words: str, due: Any, apply: Any, *slots: str, takes: Any = (),  # noqa: ANN401 - as `kind`
             needs: list[str] = _RECORD) -> Kind[Draft]:  # fmt: skip
    return kind(id_, words, due, _VERIFIES, apply, *slots, takes=takes, needs=needs)


def _claims(values: Any) -> OneOf:  # noqa: ANN401 - an iterable
    return OneOf(tuple(values))


RECEIPTS: tuple[Kind[Draft], ...] = (
    # Good ones.
    kind("receipt-more", "beside the JWS stands `{0}`", "accepted", "2-agent-unknown-members",
         _more, "receipt.whole", takes=[OneOf(_NAMES)]),
    _receipt("receipt-rs256", "the receipt is signed by RS256", "accepted", _rsa, "receipt.key"),
    _receipt("receipt-writing", "the signed claims are written {0}", "accepted", _written,
             "receipt.writing", takes=[OneOf(tuple(MANNERS))]),
    _receipt("receipt-header", "the JWS has a header parameter `{0}`", "accepted", _header,
             "receipt.header", takes=[_claims(_HEADERS)]),
    _receipt("receipt-no-typ", "the JWS has no `typ`", "accepted",
             lambda draft: _no_header(draft, "typ"), "receipt.typ"),
    _receipt("receipt-scopes", "`scopesUsed` is {0}", "accepted",
             lambda draft, it: _same(draft, "scopesUsed", it), "receipt.claims",
             takes=[OneOf(("empty",))]),
    _receipt("receipt-actions", "`actions` are {0}", "accepted",
             lambda draft, it: _same(draft, "actions", it), "receipt.claims",
             takes=[OneOf(("empty", "one without a hash", "twenty"))]),
    _receipt("receipt-ts", "`ts` is {0}", "accepted", lambda draft, it: _same(draft, "ts", it),
             "receipt.claims", takes=[OneOf(("without a fraction",))]),
    _receipt("receipt-claim-more", "a claim `{0}` is signed and shown that nobody knows",
             "warn-if-refused", _both_added, "receipt.claims", takes=[OneOf(_NAMES)]),
    # Bad ones.
    _receipt("receipt-claim-other", "of the claim `{0}` what is shown is {1}, and not what is "
             "signed", "refused", _claim_differs, "receipt.claims",
             takes=[OneOf(_CLAIMS), _claims(_OTHER)]),
    _receipt("receipt-claim-false", "of the claim `{0}` another value is shown than is signed",
             "refused", _claim_false, "receipt.claims", takes=[OneOf(_CLAIMS)]),
    _receipt("receipt-claim-unsigned", "a claim `{0}` is shown that is not signed", "refused",
             _claim_added, "receipt.claims", takes=[OneOf(_NAMES)]),
    _receipt("receipt-twice", "`{0}` is signed twice, and the first of the two is shown",
             "refused", _signed_twice, "receipt.claims",
             takes=[OneOf(("user", "grantId", "brand", "actions", "scopesUsed"))]),
    _receipt("receipt-swapped", "the claims were exchanged after they were signed, `{0}` by "
             "another", "refused", _payload_after, "receipt.claims", "receipt.join",
             takes=[OneOf(("user", "actions", "ts"))]),
    _receipt("receipt-stranger", "a key has signed that is not published; the header has {0}",
             "refused", _by_a_stranger, "receipt.key", "receipt.header",
             takes=[OneOf(_BY_A_STRANGER)]),
    _receipt("receipt-unsigned", "the JWS is not signed, and its `alg` is `{0}`", "refused",
             _unsigned, "receipt.key",
             takes=[OneOf(("none", "None", "NONE", "ES256", "RS256", "HS256", ""))]),
    _receipt("receipt-hmac", "the JWS is signed by {0} with the public key: {1}", "refused",
             _hmac, "receipt.key",
             takes=[OneOf(("HS256", "HS384", "HS512")),
                    OneOf(("EC as PEM", "EC as JWK", "RSA as PEM", "RSA as JWK", "nothing"))]),
    _receipt("receipt-alg", "the `alg` is `{0}`, and ES256 has signed", "refused", _alg,
             "receipt.key",
             takes=[OneOf(("RS256", "ES384", "PS256", "HS256", "none", "EdDSA", "x"))]),
    _receipt("receipt-crit", "the header has a `crit` that nobody knows", "refused", _critical,
             "receipt.crit"),
    _receipt("receipt-flipped", "in byte {0} of the signature a bit is another", "refused",
             _flipped, "receipt.signature", takes=[Whole(0, 63)]),
    _receipt("receipt-signature", "the signature is {0}", "refused", _spoilt, "receipt.signature",
             takes=[_claims(_SIGNATURES)]),
    _receipt("receipt-segments", "the JWS is written {0}", "refused", _joined, "receipt.join",
             takes=[_claims(_JOINS)]),
    # What nobody need look at, or what may be read either way.
    kind("receipt-about", "the receipt is about another `{0}`, signed and shown", "either",
         _VERIFIES, _about, "receipt.claims",
         takes=[OneOf(("grantId", "user", "pa", "brand", "scopesUsed", "ts"))]),
    kind("receipt-claim-hidden", "a claim `{0}` is signed and not shown", "either", _VERIFIES,
         _payload_added, "receipt.claims", takes=[OneOf(_NAMES)]),
    kind("receipt-claim-missing", "the claim `{0}` is signed and not shown", "either", _VERIFIES,
         _claim_missing, "receipt.claims", takes=[OneOf(_CLAIMS)]),
    kind("receipt-twice-alike", "`{0}` is signed twice, and the last of the two is shown",
         "either", _VERIFIES, _signed_twice_alike, "receipt.claims",
         takes=[OneOf(("user", "grantId", "brand"))]),
    kind("receipt-no-kid", "the JWS has no `kid`", "either", _VERIFIES,
         lambda draft: _no_header(draft, "kid"), "receipt.header"),
    kind("receipt-pointer", "a published key has signed, and the header has `{0}`", "either",
         _VERIFIES, _pointed, "receipt.header", takes=[OneOf(_POINTERS)]),
    kind("receipt-der", "the signature is written in DER", "either", _VERIFIES, _signature(_der),
         "receipt.signature"),
    kind("receipt-text", "the JWS is written {0}", "either", _VERIFIES, _joined, "receipt.join",
         takes=[_claims(_DOUBTFUL_JOINS)]),
    kind("receipt-whole", "the receipt is {0}", "either", _REPLY, _whole, "receipt.whole",
         takes=[_claims(_WHOLE)]),
)  # fmt: skip
