"""Changes of the keys that receipts are verified with (§5.1, §5.6)."""

from typing import Any

from pact_conformance.fuzz.hostile_answers.draft import Draft
from pact_conformance.fuzz.hostile_answers.entering import (
    kind,
    more,
    odd,
    otherwise_written,
    typed,
)
from pact_conformance.fuzz.hostile_answers.making import keys
from pact_conformance.fuzz.kind import Kind, OneOf

_VERIFIES = "5.6-agent-verifies"
_RECORD = ["receipts"]

# Keys that a set may hold besides, and that nobody can verify a receipt with.
_KEYS: dict[str, dict[str, Any]] = {
    "of a kty that nobody knows": {"kty": "LATTICE", "kid": "k-9", "x": "AAAA"},
    "for encryption": {"kty": "RSA", "use": "enc", "kid": "k-9", "n": "AQAB", "e": "AQAB"},
    "of another curve": {"kty": "EC", "crv": "secp256k1", "kid": "k-9", "x": "AAAA", "y": "AAAA"},
    "that is symmetric": {"kty": "oct", "kid": "k-9", "k": "AAAA"},
    "without a kid": {"kty": "OKP", "crv": "X25519", "x": "AAAA"},
}
_ODD_KEYS: dict[str, Any] = {
    "null": None,
    "a number": 7,
    "a text": "key",
    "an array": [],
    "an empty object": {},
    "a key without kty": {"kid": "k-9", "x": "AAAA"},
    "a key whose kty is a number": {"kty": 7},
    "a point that is on no curve": {"kty": "EC", "crv": "P-256", "kid": "k-9", "x": "AA",
                                   "y": "AA"},
    "a key of members that are no base64": {"kty": "RSA", "kid": "k-9", "n": "%%%", "e": "="},
    "a key whose kid is an object": {"kty": "oct", "kid": {"a": 1}, "k": "AAAA"},
    "a key with a huge n": {"kty": "RSA", "kid": "k-9", "n": "_" * 20_000, "e": "AQAB"},
    "a key of e = 0": {"kty": "RSA", "kid": "k-9", "n": "AQAB", "e": "AA"},
}  # fmt: skip


def _another_key(draft: Draft, which: str, where: str) -> None:
    entries = draft.keys.document["keys"]
    entries.insert(0 if where == "before" else len(entries), {**_KEYS, **_ODD_KEYS}[which])


def _without(draft: Draft, name: str) -> None:
    for entry in draft.keys.document["keys"]:
        entry.pop(name, None)


def _with(draft: Draft, which: str) -> None:
    values: dict[str, Any] = {"key_ops": ["verify"], "iat": 1, "exp": 4102444800,
                              "x-note": [1]}  # fmt: skip
    for entry in draft.keys.document["keys"]:
        entry[which] = values[which]


def _same_kid(draft: Draft, where: str) -> None:
    """Publish a stranger's key under the kid of the one that signs."""
    entries = draft.keys.document["keys"]
    stranger = keys()["stranger"].public_jwk()
    entries.insert(0 if where == "before" else len(entries), stranger)


def _keys_status(draft: Draft, status: int) -> None:
    draft.keys.status = status


def _none_published(draft: Draft, how: str) -> None:
    entries = draft.keys.document["keys"]
    draft.keys.document = {
        "an empty set": {"keys": []},
        "another key": {"keys": [keys()["stranger"].public_jwk()]},
        "a key of that kid alone, a stranger's": {"keys": [keys()["stranger"].public_jwk()]},
        "an array": entries,
        "a key alone": entries[0],
        "keys by their kid": {"keys": {it["kid"]: it for it in entries}},
    }[how]


KEYS: tuple[Kind[Draft], ...] = (
    more("keys", "keys", ("", "keys.0"), "the key set"),
    otherwise_written("keys", "keys", "the key set", "5.1-agent-endpoints"),
    typed(
        "keys",
        "keys",
        "the key set",
        ("application/jwk-set+json",),
        "warn-if-refused",
        "5.1-agent-endpoints",
        id_="keys-type-of-key-sets",
    ),
    typed(
        "keys",
        "keys",
        "the key set",
        ("application/json; charset=utf-8", "Application/JSON"),
        "accepted",
        "5.1-agent-endpoints",
    ),
    kind("keys-another", "the key set has a key {0} {1} the others", "accepted", _VERIFIES,
         _another_key, "keys.document", needs=_RECORD,
         takes=[OneOf(tuple(_KEYS)), OneOf(("behind", "before"))]),
    kind("keys-without", "no key of the set has `{0}`", "accepted", _VERIFIES, _without,
         "keys.members", needs=_RECORD, takes=[OneOf(("alg", "use"))]),
    kind("keys-with", "each key of the set has `{0}`", "accepted", _VERIFIES, _with,
         "keys.members", needs=_RECORD,
         takes=[OneOf(("key_ops", "iat", "exp", "x-note"))]),
    kind("keys-odd-key", "the key set has {0} {1} the others", "either", _VERIFIES, _another_key,
         "keys.document", takes=[OneOf(tuple(_ODD_KEYS)), OneOf(("behind", "before"))]),
    kind("keys-same-kid", "a stranger's key has the kid of the one that signs, {0} it", "either",
         _VERIFIES, _same_kid, "keys.document", takes=[OneOf(("behind", "before"))]),
    kind("keys-none", "the key set is {0}", "either", _VERIFIES, _none_published,
         "keys.document",
         takes=[OneOf(("an empty set", "another key", "an array", "a key alone",
                       "keys by their kid"))]),
    odd("keys", "keys", ("", "keys", "keys.0", "keys.0.kid", "keys.0.x", "keys.1.n", "keys.1.e"),
        "the key set", _VERIFIES),
    kind("keys-status", "the key set comes with status {0}", "either", _VERIFIES, _keys_status,
         "keys.status", takes=[OneOf((201, 301, 401, 403, 404, 429, 500, 503))]),
    typed("keys", "keys", "the key set", ("text/plain", "text/html", "", "x"), "either",
          _VERIFIES, id_="keys-type-other"),
)  # fmt: skip
