"""Changes of what the claims are: missing, of another type, twice, altered once signed (§3.2)."""

import json
from collections.abc import Callable, Iterator, Mapping
from functools import partial

from pact_conformance.fuzz.forged_tokens.draft import Draft
from pact_conformance.fuzz.forged_tokens.entering import filled, kind, written
from pact_conformance.fuzz.kind import Kind, OneOf

NAMES = ("iss", "sub", "aud", "iat", "exp")

# The requirement that each claim's presence and type belong to.
_REQUIREMENTS: Mapping[str, str] = {
    "iss": "3.2-iss",
    "sub": "3.2-sub",
    "aud": "3.2-aud",
    "iat": "3.2-iat-present",
    "exp": "3.2-exp-present",
}
_COMMON = ("null", "true", "false", "[]", "{}")

# What each claim must not be, as JSON texts: the text of the right value is in most of them.
_TYPES: Mapping[str, tuple[str, ...]] = {
    "iss": (
        *_COMMON,
        '""',
        "7",
        "0",
        '["{iss}"]',
        '[["{iss}"]]',
        '{"{iss}":true}',
        '{"iss":"{iss}"}',
        '{"length":1,"0":"{iss}"}',
    ),
    "sub": (*_COMMON, "42", "0", "-1", "1.5", '["someone"]', '{"id":"someone"}', "1e400"),
    "aud": (
        *_COMMON,
        '""',
        "7",
        "0",
        '{"{aud}":true}',
        '{"aud":"{aud}"}',
        '[["{aud}"]]',
        '[{"aud":"{aud}"}]',
        '["another-provider"]',
        "[null]",
        '{"length":1,"0":"{aud}"}',
    ),
    "iat": (*_COMMON, "[{now}]", '{"iat":{now}}', '""'),
    "exp": (*_COMMON, "[{soon}]", '{"exp":{soon}}', '""'),
}
_AUDIENCES = (
    '["{aud}","another-provider"]',
    '["another-provider","{aud}"]',
    '["{aud}",""]',
    '["{aud}",null]',
    '["{aud}","another-provider","{aud}"]',
    '["{aud}",["{aud}"]]',
)
_BLANK = ('""', '" "', '"   "', '"\\t"', '"\\n"', '"\\u00a0"', '"\\u2003"', '"\\u3000"')
_UNSEEN = ('"\\u200b"', '"\\ufeff"', '"\\u00ad"', '"\\u0000"')
_SUBS = (
    '"a"',
    '"0"',
    '"user-42"',
    '"auth0|5f7c8ec7c33c6c004bbafe82"',
    '"6d1c2f0e-8d43-4b7e-9b62-2e1d3f4a5b6c"',
    '"A.b_C-d~e"',
)
_UNUSUAL_SUBS = (
    '"null"',
    '"undefined"',
    '"__proto__"',
    '" a"',
    '"a b"',
    '"Zo\\u00eb"',
    '"\\ud83d\\uded2"',
    '"../x"',
    f'"{"s" * 256}"',
    '"\\u0041"',
    '"a\\u0000b"',
    "\"' OR '1'='1\"",
    '"\\ud800"',
)
_JTIS = ("null", "1", "true", "[]", '["a"]', "{}", '""', f'"{"j" * 512}"', '"\\ud800"', "1e400")

# Wrong values for a claim that stands twice, and for one that is altered once it is signed.
_WRONG: Mapping[str, tuple[str, ...]] = {
    "iss": ('"https://personal-agent.invalid"', '""', "null", "[]"),
    "sub": ("null", "0", "[]", "{}"),
    "aud": ('"another-provider"', '""', "null", "[]"),
    "iat": ("4102444800", "null", '"0"', "0"),
    "exp": ("946684800", "4102444800", "null", '"0"', "0"),
}
_ALTERED: Mapping[str, str] = {
    "sub": '"another-user"',
    "exp": "{soon}1",
    "aud": '"{aud}x"',
    "iss": '"{iss}x"',
    "jti": '"another-token"',
    "role": '"admin"',
}


def _remove(draft: Draft, claim: str) -> None:
    draft.claims.remove(claim)


def _rename(draft: Draft, name: str, *, claim: str) -> None:
    draft.claims[claim].name = json.dumps(name)


def _twice(draft: Draft, wrong: str, spelt: str, *, claim: str, first: bool) -> None:
    draft.claims.add(claim, filled(draft, wrong), first=first)
    added = draft.claims.all[0 if first else -1]
    if spelt == "escaped":
        added.name = escaped(claim)


def escaped(name: str) -> str:
    """Return a name as JSON with its first letter escaped: it is the same name (RFC 8259 §8.3)."""
    return f'"\\u{ord(name[0]):04x}{name[1:]}"'


def _other_names(claim: str) -> tuple[str, ...]:
    return (
        claim.upper(),
        claim.title(),
        f"{claim} ",
        f" {claim}",
        f"{claim}\0",
        f"{claim[0]}\u200b{claim[1:]}",
    )


def _of_claim(claim: str) -> Iterator[Kind[Draft]]:
    requirement, slot = _REQUIREMENTS[claim], f"claims.{claim}"
    yield kind(
        f"{claim}-missing",
        f"no {claim}",
        "refused",
        requirement,
        partial(_remove, claim=claim),
        slot,
    )
    yield kind(
        f"{claim}-type",
        f"{claim} is {{0}}",
        "refused",
        requirement,
        written("claims", claim),
        slot,
        takes=[OneOf(_TYPES[claim])],
    )
    yield kind(
        f"{claim}-other-name",
        f"{claim} under the name {{0}}",
        "refused",
        requirement,
        partial(_rename, claim=claim),
        slot,
        takes=[OneOf(_other_names(claim))],
    )
    yield kind(
        f"{claim}-twice",
        f"{claim} twice, first right and then {{0}} ({{1}} name)",
        "refused",
        "3.2-compact-jws",
        partial(_twice, claim=claim, first=False),
        slot,
        "claims.order",
        takes=[OneOf(_WRONG[claim]), OneOf(("plain", "escaped"))],
    )
    yield kind(
        f"{claim}-twice-last-good",
        f"{claim} twice, first {{0}} and then right ({{1}} name)",
        "either",
        "3.2-compact-jws",
        partial(_twice, claim=claim, first=True),
        slot,
        "claims.order",
        takes=[OneOf(_WRONG[claim]), OneOf(("plain", "escaped"))],
    )


def _alter(draft: Draft, claim: str) -> None:
    def presented(it: Draft) -> None:
        it.claims.write(claim, filled(it, _ALTERED[claim]))

    draft.presented = presented


# Claims that nobody knows, as JSON texts.
_EXTRAS: Mapping[str, str] = {
    "scope": '"orders:read"',
    "plan": '"gold"',
    "roles": '["admin"]',
    "context": '{"a":{"b":[1,null,{"c":true}]}}',
    "n\u00e4me": '"Zo\u00eb \U0001f6d2"',
    "https://pa.example/plan": '"gold"',
    "alg": '"none"',
    "kid": '"another"',
    "auth_time": "1700000000",
    "active": "false",
    "x": "0.1",
}
_OTHER_CASES: Mapping[str, str] = {
    "ISS": '"https://personal-agent.invalid"',
    "Iss": '"https://personal-agent.invalid"',
    "AUD": '"another-provider"',
    "Aud": '["another-provider"]',
    "SUB": "null",
    "Sub": '"somebody-else"',
    "EXP": "0",
    "Exp": "946684800",
    "IAT": "4102444800",
    "Iat": "4102444800",
    "NBF": "4102444800",
}
_HARD: Mapping[str, str] = {
    "a number beyond any double": "1e400",
    "an integer of 40 digits": "9" * 40,
    "a number that is nearly nothing": "1e-400",
    "minus zero": "-0",
    "arrays in arrays, 50 deep": "[" * 50 + "]" * 50,
    "arrays in arrays, 900 deep": "[" * 900 + "]" * 900,
    "objects in objects, 100 deep": '{"a":' * 100 + "1" + "}" * 100,
    "a lone surrogate": '"\\ud800"',
    "NUL": '"\\u0000"',
    "2,000 characters": f'"{"x" * 2000}"',
    "two members of one name": '{"a":1,"a":2}',
    "a member called __proto__": '{"__proto__":{"admin":true}}',
}


def _add(table: Mapping[str, str]) -> Callable[[Draft, str], None]:
    return lambda draft, name: draft.claims.add(name, table[name])


CLAIMS: tuple[Kind[Draft], ...] = (
    *(it for claim in NAMES for it in _of_claim(claim)),
    kind(
        "aud-of-several",
        "aud is {0}",
        "refused",
        "3.2-aud-one-string",
        written("claims", "aud"),
        "claims.aud",
        takes=[OneOf(_AUDIENCES)],
    ),
    kind(
        "aud-array-of-one",
        "aud is {0}",
        "warn-if-accepted",
        "3.2-aud-one-string",
        written("claims", "aud"),
        "claims.aud",
        takes=[OneOf(('["{aud}"]', '["{aud}","{aud}"]'))],
    ),
    kind(
        "sub-blank",
        "sub is {0}",
        "warn-if-accepted",
        "3.2-sub-nonblank",
        written("claims", "sub"),
        "claims.sub",
        takes=[OneOf(_BLANK)],
    ),
    kind(
        "sub-unseen",
        "sub is {0}",
        "either",
        "3.2-sub-nonblank",
        written("claims", "sub"),
        "claims.sub",
        takes=[OneOf(_UNSEEN)],
    ),
    kind(
        "sub-other",
        "sub is {0}",
        "accepted",
        "3.2-es256",
        written("claims", "sub"),
        "claims.sub",
        takes=[OneOf(_SUBS)],
    ),
    kind(
        "sub-unusual",
        "sub is {0}",
        "either",
        "3.2-sub",
        written("claims", "sub"),
        "claims.sub",
        takes=[OneOf(_UNUSUAL_SUBS)],
    ),
    kind(
        "jti-missing",
        "no jti",
        "accepted",
        "3.2-jti-optional",
        partial(_remove, claim="jti"),
        "claims.jti",
    ),
    kind(
        "jti-odd",
        "jti is {0}",
        "either",
        "3.2-jti-optional",
        written("claims", "jti"),
        "claims.jti",
        takes=[OneOf(_JTIS)],
    ),
    kind(
        "altered",
        "{0} altered once it was signed",
        "refused",
        "3.2-signature",
        _alter,
        "signature",
        "claims.iss",
        "claims.sub",
        "claims.aud",
        "claims.exp",
        "claims.jti",
        takes=[OneOf(tuple(_ALTERED))],
    ),
    kind(
        "claim-extra",
        "a claim `{0}` that PACT does not name",
        "accepted",
        "3.2-extra-members",
        _add(_EXTRAS),
        "claims.extra",
        takes=[OneOf(tuple(_EXTRAS))],
    ),
    kind(
        "claim-name-case",
        "a claim `{0}`, which is another name",
        "accepted",
        "3.2-extra-members",
        _add(_OTHER_CASES),
        "claims.extra",
        takes=[OneOf(tuple(_OTHER_CASES))],
    ),
    kind(
        "claim-hard",
        "a further claim that holds {0}",
        "either",
        "3.2-extra-members",
        lambda draft, name: draft.claims.add("note", _HARD[name]),
        "claims.extra",
        takes=[OneOf(tuple(_HARD))],
    ),
)
