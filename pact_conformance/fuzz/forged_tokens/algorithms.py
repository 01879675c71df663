"""Changes of `alg`: spellings, types, other algorithms, the public key as a secret (§3.2)."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial

from pact_conformance.fuzz.entering import named
from pact_conformance.fuzz.family import Impossible
from pact_conformance.fuzz.forged_tokens.draft import Draft, signer
from pact_conformance.fuzz.forged_tokens.entering import Rewrite, filled, kind, written
from pact_conformance.fuzz.forged_tokens.lookalikes import DIGITS
from pact_conformance.fuzz.kind import Kind, OneOf
from pact_conformance.tokens.assemble import sign_hmac
from pact_conformance.tokens.tampering import SECRETS

_ALG, _SIGNED = "header.alg", "signature"
_REFUSED = "3.2-alg"

_CASES: Mapping[str, Rewrite] = {"lower": str.lower, "title": str.title, "swapped": str.swapcase}
_BLANKS: Mapping[str, Rewrite] = {
    "space behind": lambda it: f"{it} ",
    "space before": lambda it: f" {it}",
    "tab behind": lambda it: f"{it}\t",
    "line break behind": lambda it: f"{it}\n",
    "NUL behind": lambda it: f"{it}\0",
}
_CONTINUED: Mapping[str, Rewrite] = {
    "K": lambda it: f"{it}K",
    "X": lambda it: f"{it}X",
    ",none": lambda it: f"{it},none",
    "/none": lambda it: f"{it}/none",
    "+A256KW": lambda it: f"{it}+A256KW",
    "itself": lambda it: it * 2,
}
_SCRIPTS: Mapping[str, Rewrite] = {
    "fullwidth digits": lambda it: it.translate(DIGITS["fullwidth"]),
    "Arabic digits": lambda it: it.translate(DIGITS["Arabic"]),
    "a Cyrillic letter": lambda it: it.replace("S", "\u0405"),
    "a soft hyphen inside": lambda it: f"{it[:2]}\u00ad{it[2:]}",
}
_OTHER_NAMES = (
    "ECDSA",
    "RSA",
    "SHA256",
    "SHA256withECDSA",
    "P-256",
    "ES",
    "256",
    "1.2.840.10045.4.3.2",
    "http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha256",
    "dir",
    "any",
    "*",
)
_NONE = ("none", "None", "NONE", "nOnE", "none ", "", "null")
_TYPES = (
    "null",
    "256",
    "true",
    "false",
    '["{alg}"]',
    '["none","{alg}"]',
    '{"ES256":true}',
    '{"alg":"{alg}"}',
    "[]",
    "{}",
)
_WORDS: Mapping[str, Callable[[Draft], str]] = {
    "kid": lambda draft: draft.key.kid or "",
    "issuer": lambda draft: draft.caller.issuer,
    "audience": lambda draft: draft.caller.audience,
    "secret": lambda _: "secret",
    "NUL": lambda _: "\0",
    "x or n of the key": lambda draft: next(
        draft.key.public_jwk()[name] for name in ("x", "n") if name in draft.key.public_jwk()
    ),
}


def _spell(rewrites: Mapping[str, Rewrite]) -> Callable[[Draft, str], None]:
    return lambda draft, name: draft.header.set("alg", rewrites[name](draft.key.alg))


def _unsigned(draft: Draft, spelling: str) -> None:
    draft.header.set("alg", spelling)
    draft.sign = lambda _: b""


def _hmac(draft: Draft, alg: str, secret: bytes) -> None:
    draft.header.set("alg", alg)
    draft.sign = partial(sign_hmac, alg, secret)


def _hmac_of_key(draft: Draft, alg: str, form: str) -> None:
    try:
        _hmac(draft, alg, SECRETS[form](draft.key))
    except (TypeError, KeyError) as error:
        raise Impossible(f"the key has no {form}") from error


def _same_key(draft: Draft, alg: str) -> None:
    draft.header.set("alg", alg)
    draft.sign = signer(replace(draft.key, alg=alg))


def _published(alg: str) -> Callable[[Draft], None]:
    def apply(draft: Draft) -> None:
        key = draft.caller.key(alg)
        draft.header.set("alg", alg)
        draft.header.set("kid", key.kid)
        draft.sign = signer(key)

    return apply


def _twice(draft: Draft, other: str, *, first: bool) -> None:
    draft.header.add("alg", filled(draft, other), first=first)


def _mislabelled(draft: Draft) -> None:
    draft.header.set("alg", "RS256" if draft.key.alg == "ES256" else "ES256")


_HMACS = OneOf(("HS256", "HS384", "HS512"))
_OTHERS = ('"none"', '"HS256"', '"es256"', "null", "[]")

ALGORITHMS: tuple[Kind[Draft], ...] = (
    kind(
        "alg-case",
        "alg in another case ({0})",
        "refused",
        _REFUSED,
        _spell(_CASES),
        _ALG,
        takes=[named(_CASES)],
    ),
    kind(
        "alg-blank",
        "alg with a {0} it",
        "refused",
        _REFUSED,
        _spell(_BLANKS),
        _ALG,
        takes=[named(_BLANKS)],
    ),
    kind(
        "alg-continued",
        "alg with `{0}` behind it",
        "refused",
        _REFUSED,
        _spell(_CONTINUED),
        _ALG,
        takes=[named(_CONTINUED)],
    ),
    kind(
        "alg-script",
        "alg with {0}",
        "refused",
        _REFUSED,
        _spell(_SCRIPTS),
        _ALG,
        takes=[named(_SCRIPTS)],
    ),
    kind(
        "alg-other-name",
        "alg `{0}` over a good signature",
        "refused",
        _REFUSED,
        lambda draft, name: draft.header.set("alg", name),
        _ALG,
        takes=[OneOf(_OTHER_NAMES)],
    ),
    kind(
        "alg-none-unsigned",
        "alg `{0}` with an empty signature",
        "refused",
        _REFUSED,
        _unsigned,
        _ALG,
        _SIGNED,
        takes=[OneOf(_NONE)],
    ),
    kind(
        "alg-none-signed",
        "alg `{0}` over a good signature",
        "refused",
        _REFUSED,
        lambda draft, name: draft.header.set("alg", name),
        _ALG,
        takes=[OneOf(_NONE)],
    ),
    kind(
        "alg-missing", "no alg", "refused", _REFUSED, lambda draft: draft.header.remove("alg"), _ALG
    ),
    kind(
        "alg-type",
        "alg is {0}",
        "refused",
        _REFUSED,
        written("header", "alg"),
        _ALG,
        takes=[OneOf(_TYPES)],
    ),
    kind(
        "alg-hmac-of-key",
        "alg {0}, keyed with the public key ({1})",
        "refused",
        _REFUSED,
        _hmac_of_key,
        _ALG,
        _SIGNED,
        takes=[_HMACS, named(SECRETS)],
    ),
    kind(
        "alg-hmac-of-key-rsa",
        "alg {0}, keyed with the public RSA key ({1})",
        "refused",
        _REFUSED,
        _hmac_of_key,
        _ALG,
        _SIGNED,
        takes=[_HMACS, named(SECRETS)],
        needs=["rs256"],
    ),
    kind(
        "alg-hmac-of-word",
        "alg {0}, keyed with: {1}",
        "refused",
        _REFUSED,
        lambda draft, alg, word: _hmac(draft, alg, _WORDS[word](draft).encode()),
        _ALG,
        _SIGNED,
        takes=[_HMACS, named(_WORDS)],
    ),
    kind(
        "alg-of-rsa",
        "alg {0} by the registered RSA key",
        "refused",
        _REFUSED,
        _same_key,
        _ALG,
        _SIGNED,
        takes=[OneOf(("PS256", "RS384", "RS512", "PS384", "PS512"))],
        needs=["rs256"],
    ),
    *(
        kind(
            f"alg-{alg.lower()}",
            f"alg {alg} by a published key",
            "refused",
            _REFUSED,
            _published(alg),
            _ALG,
            _SIGNED,
            "header.kid",
            needs=[f"published:{alg}"],
        )
        for alg in ("ES384", "ES512", "EdDSA")
    ),
    kind(
        "alg-mislabelled",
        "alg names the other of the two algorithms",
        "refused",
        _REFUSED,
        _mislabelled,
        _ALG,
    ),
    kind(
        "alg-twice",
        "alg twice, first right and then {0}",
        "refused",
        "3.2-compact-jws",
        partial(_twice, first=False),
        _ALG,
        "header.order",
        takes=[OneOf(_OTHERS)],
    ),
    kind(
        "alg-twice-last-good",
        "alg twice, first {0} and then right",
        "either",
        "3.2-compact-jws",
        partial(_twice, first=True),
        _ALG,
        "header.order",
        takes=[OneOf(_OTHERS)],
    ),
    kind("rs256", "signed with RS256", "accepted", "3.2-rs256", lambda _: None, needs=["rs256"]),
)
