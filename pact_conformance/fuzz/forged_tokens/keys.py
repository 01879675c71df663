"""Changes of whose key signs, and of what a token says of keys: kid, jwk, jku, x5c … (§3.2)."""

import json
from base64 import b64encode
from collections.abc import Callable, Mapping
from typing import Any

from pact_conformance.fuzz.entering import named
from pact_conformance.fuzz.family import Impossible
from pact_conformance.fuzz.forged_tokens.draft import Draft, signer
from pact_conformance.fuzz.forged_tokens.entering import filled, kind
from pact_conformance.fuzz.forged_tokens.strangers import stranger
from pact_conformance.fuzz.kind import Kind, OneOf
from pact_conformance.tokens import certificates
from pact_conformance.tokens.caller import NoKeyError
from pact_conformance.tokens.keys import SigningKey

_KID, _SIGNED, _CARRIED = "header.kid", "signature", "header.carried"
_BYPASS, _ONLY_JWKS, _BINDING = "3.2-kid-no-bypass", "3.2-keys-only-jwks", "3.2-agent-binding"

# As JSON text; `{kid}` is the registered one.
_ODD_KIDS = (
    '"no-such-key"',
    '""',
    "null",
    "0",
    "1",
    "false",
    "true",
    "[]",
    '["{kid}"]',
    "{}",
    '{"kid":"{kid}"}',
    "1.5",
    "1e400",
    '"{kid}x"',
    '"x{kid}"',
    '"{kid} "',
    '"{kid}\\u0000"',
    '"*"',
    '".*"',
    '"../../../../../../dev/null"',
    '"/dev/null"',
    '"file:///dev/null"',
    '"https://keys.invalid/jwks.json"',
    "\"' OR '1'='1\"",
    '"__proto__"',
    '"constructor"',
    '"\\u0000"',
    '"\\ud83d\\udd11"',
    f'"{"k" * 1024}"',
)


def _write_kid(draft: Draft, text: str) -> None:
    draft.header.write("kid", filled(draft, text))


def _by_stranger(draft: Draft) -> SigningKey:
    key = stranger(draft.key.alg)
    draft.sign = signer(key)
    return key


def _signed_by_stranger(draft: Draft) -> None:
    _by_stranger(draft)


def _odd_kid_by_stranger(draft: Draft, text: str) -> None:
    _write_kid(draft, text)
    _by_stranger(draft)


def _no_kid_by_stranger(draft: Draft) -> None:
    draft.header.remove("kid")
    _by_stranger(draft)


def _kid_of_another_key(draft: Draft) -> None:
    others = [key.kid for key in draft.caller.keys if key.kid not in {None, draft.key.kid}]
    if not others:
        raise Impossible("there is no other key")
    draft.header.set("kid", others[0])


# What a token can carry of keys: the members, made of the key that they vouch for.

_Carry = Callable[[SigningKey, float], Mapping[str, Any]]


def _data_url(key: SigningKey) -> str:
    document = json.dumps({"keys": [key.public_jwk()]}).encode()
    return f"data:application/json;base64,{b64encode(document).decode()}"


def _chain(key: SigningKey, now: float) -> list[str]:
    return certificates.chain(certificates.self_signed(key, at=now))


_CARRIED_KEYS: Mapping[str, _Carry] = {
    "jwk": lambda key, _: {"jwk": key.public_jwk()},
    "a private jwk": lambda key, _: {"jwk": key.private_jwk()},
    "jwk as text": lambda key, _: {"jwk": json.dumps(key.public_jwk())},
    "jwks": lambda key, _: {"jwks": {"keys": [key.public_jwk()]}},
    "keys": lambda key, _: {"keys": [key.public_jwk()]},
    "x5c": lambda key, now: {"x5c": _chain(key, now)},
    "jwk and x5c": lambda key, now: {"jwk": key.public_jwk(), "x5c": _chain(key, now)},
    "jku with the key in a data URL": lambda key, _: {"jku": _data_url(key)},
    "jku that leads nowhere": lambda *_: {"jku": "https://keys.invalid/jwks.json"},
    "x5u that leads nowhere": lambda *_: {"x5u": "https://keys.invalid/chain.pem"},
}
_KIDS = {"the registered kid": "{kid}", "its own kid": None, "no kid": ""}


def _carry(draft: Draft, name: str, key: SigningKey) -> None:
    for member, value in _CARRIED_KEYS[name](key, draft.now).items():
        draft.header.set(member, value)


def _carried_by_stranger(draft: Draft, name: str, kid: str) -> None:
    key = _by_stranger(draft)
    _carry(draft, name, key)
    if kid == "no kid":
        draft.header.remove("kid")
    elif kid == "its own kid":
        draft.header.set("kid", key.kid)


def _carried_beside(draft: Draft, name: str, whose: str) -> None:
    own = whose == "its own"
    if own and "private" in name:
        raise Impossible("nobody shows a registered private key")
    _carry(draft, name, draft.key if own else stranger(draft.key.alg))


def _is_same(one: SigningKey, another: SigningKey) -> bool:
    named = {"kid", "alg"}
    both = (
        {name: value for name, value in key.public_jwk().items() if name not in named}
        for key in (one, another)
    )
    return next(both) == next(both)


def _by_other_agent(draft: Draft, kid: str) -> None:
    if draft.other is None:
        raise Impossible("there is no other personal agent")
    try:
        key = draft.other.key(draft.key.alg)
    except NoKeyError:
        key = draft.other.key()
    if any(_is_same(key, own) for own in draft.caller.keys):
        raise Impossible("both personal agents have this key")
    draft.header.set("alg", key.alg)
    draft.sign = signer(key)
    if kid == "no kid" or (kid == "its own kid" and key.kid is None):
        draft.header.remove("kid")
    elif kid == "its own kid":
        draft.header.set("kid", key.kid)


KEYS: tuple[Kind[Draft], ...] = (
    kind(
        "kid-missing", "no kid", "either", _BYPASS, lambda draft: draft.header.remove("kid"), _KID
    ),
    kind("kid-odd", "kid is {0}", "either", _BYPASS, _write_kid, _KID, takes=[OneOf(_ODD_KIDS)]),
    kind(
        "kid-of-another-key",
        "kid names another key of the same agent",
        "either",
        _BYPASS,
        _kid_of_another_key,
        _KID,
    ),
    kind(
        "kid-odd-by-stranger",
        "kid is {0}, signed by a key that nobody registered",
        "refused",
        _BYPASS,
        _odd_kid_by_stranger,
        _KID,
        _SIGNED,
        takes=[OneOf(_ODD_KIDS)],
    ),
    kind(
        "kid-missing-by-stranger",
        "no kid, signed by a key that nobody registered",
        "refused",
        _BYPASS,
        _no_kid_by_stranger,
        _KID,
        _SIGNED,
    ),
    kind(
        "by-stranger",
        "signed by a key that nobody registered",
        "refused",
        "3.2-signature",
        _signed_by_stranger,
        _SIGNED,
    ),
    kind(
        "carried-by-stranger",
        "signed by a key that it carries as {0}, with {1}",
        "refused",
        _ONLY_JWKS,
        _carried_by_stranger,
        _KID,
        _SIGNED,
        _CARRIED,
        takes=[named(_CARRIED_KEYS), named(_KIDS)],
    ),
    kind(
        "carried-beside",
        "well signed, and it carries {0} of {1} key",
        "either",
        _ONLY_JWKS,
        _carried_beside,
        _CARRIED,
        takes=[named(_CARRIED_KEYS), OneOf(("its own", "another"))],
    ),
    kind(
        "by-other-agent",
        "signed by another personal agent's key, with {0}",
        "refused",
        _BINDING,
        _by_other_agent,
        "header.alg",
        _KID,
        _SIGNED,
        takes=[named(_KIDS)],
        needs=["other-caller"],
    ),
)
