"""Changes of how a segment is written as base64url (RFC 7515 §2, RFC 4648 §3, §5)."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TypeAlias

from pact_conformance.fuzz.family import Impossible
from pact_conformance.fuzz.forged_tokens.draft import Draft
from pact_conformance.fuzz.forged_tokens.entering import PARTS, Rewrite, changed, kind, members
from pact_conformance.fuzz.forged_tokens.lookalikes import DIGITS
from pact_conformance.fuzz.kind import Kind, OneOf, Whole

_COMPACT = "3.2-compact-jws"
_SEGMENTS = ("claims", "header", "signature")
_ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

Signed: TypeAlias = str
"""`as it is sent`, or `as it was`: whether the change is made before or after signing."""

SIGNED: tuple[Signed, Signed] = ("as it is sent", "as it was")


def _segment(draft: Draft, which: str, signed: Signed, rewrite: Rewrite) -> None:
    """Rewrite a segment, before or after it is signed; the signature's own is never signed."""

    def change(text: str) -> str:
        return changed(text, rewrite(text))

    if which == "signature":
        if signed != SIGNED[0]:
            raise Impossible("a signature is not signed")
        draft.signature_segment = change
    elif signed == SIGNED[0]:
        setattr(draft, f"{which}_segment", change)
    else:
        join = draft.join
        name = {"header": "header", "claims": "payload"}[which]
        draft.join = lambda it: join(replace(it, **{name: change(getattr(it, name))}))


def _leaving(draft: Draft, which: str, rests: tuple[int, ...]) -> None:
    """Let a segment encode a number of bytes that leaves one of these rests when divided by 3."""
    if which == "signature":
        return  # its length is given; where it does not fit, the change is impossible
    encode = getattr(draft, f"{which}_bytes")

    def longer(text: str) -> bytes:
        data: bytes = encode(text)
        while len(data) % 3 not in rests:
            data += b" "
        return data

    setattr(draft, f"{which}_bytes", longer)


def _right(text: str) -> str:
    return text + "=" * (-len(text) % 4)


_PADDINGS: Mapping[str, Rewrite] = {
    "the right padding": _right,
    "one `=`": lambda it: f"{it}=",
    "two `=`": lambda it: f"{it}==",
    "three `=`": lambda it: f"{it}===",
    "four `=`": lambda it: f"{it}====",
    "the right padding and more": lambda it: f"{_right(it)}=",
}


def _padded(draft: Draft, which: str, form: str, signed: Signed) -> None:
    if form.startswith("the right"):
        _leaving(draft, which, (1, 2))
    _segment(draft, which, signed, _PADDINGS[form])


def _placed(what: str, where: str) -> Rewrite:
    places: Mapping[str, Callable[[str], int]] = {
        "inside": lambda it: len(it) // 2,
        "before": lambda _: 0,
        "behind": len,
    }

    def rewrite(text: str) -> str:
        place = places[where](text)
        return text[:place] + what + text[place:]

    return rewrite


_PLACES = ("inside", "before", "behind")
_BLANKS: Mapping[str, str] = {"a space": " ", "a tab": "\t", "two spaces": "  "}

# Visible characters that no base64 has, some that mean something elsewhere, and some beyond ASCII.
_FOREIGN = (
    *("!", "~", "*", "'", "(", ")", ":", "@", "$", "%", "&", '"', "<", ">", "|", "\\", "^", "`"),
    *("{", "}", "[", "]", "?", "#", "\u00e9", "\u00ad", "\u2011", "\uff21", "%0A", "%3D", "&#61;"),
)


def _blank(draft: Draft, which: str, name: str, where: str, signed: Signed) -> None:
    if where == "before" and which == "header":
        raise Impossible("white space before a token is not part of it")
    if where == "behind" and which == "signature":
        raise Impossible("white space behind a header is not part of it")
    _segment(draft, which, signed, _placed(_BLANKS[name], where))


def _foreign(draft: Draft, which: str, what: str, where: str, signed: Signed) -> None:
    _segment(draft, which, signed, _placed(what, where))


def _other_alphabet(draft: Draft, which: str, signed: Signed) -> None:
    """Write + and / for - and _, which are made to occur."""
    if which in PARTS:
        members(draft, which).set("note", "?>?>?>?>?>?>?>?>")
    _segment(draft, which, signed, lambda it: it.replace("-", "+").replace("_", "/"))


def _percent_encoded(draft: Draft, which: str, signed: Signed) -> None:
    _segment(draft, which, signed, lambda it: f"{it[:-1]}%{ord(it[-1:] or 'A'):02X}")


def _other_digits(draft: Draft, which: str, signed: Signed) -> None:
    _segment(draft, which, signed, lambda it: it.translate(DIGITS["fullwidth"]))


def _slack(draft: Draft, which: str, bits: int, signed: Signed) -> None:
    """Set bits of the last character that belong to no byte (RFC 4648 §3.5)."""
    _leaving(draft, which, (1,))

    def rewrite(text: str) -> str:
        free = {2: 4, 3: 2}.get(len(text) % 4, 0)
        last = _ALPHABET.index(text[-1]) if text else 0
        return text[:-1] + _ALPHABET[last | (bits & (1 << free) - 1)] if free else text

    _segment(draft, which, signed, rewrite)


def _dangling(draft: Draft, which: str, what: str, signed: Signed) -> None:
    """Add a character whose six bits make no byte."""
    _leaving(draft, which, (0,))

    def rewrite(text: str) -> str:
        if len(text) % 4:
            raise Impossible("with another character it would be a byte more")
        return text + what

    _segment(draft, which, signed, rewrite)


def _detached(draft: Draft) -> None:
    join = draft.join
    draft.join = lambda it: join(replace(it, payload=""))


def _detached_as_sent(draft: Draft) -> None:
    draft.claims_segment = lambda _: ""


_WHICH, _HOW = OneOf(_SEGMENTS), OneOf(SIGNED)
_SLOTS = (
    "header.segment",
    "claims.segment",
    "signature.segment",
    "header.writing",
    "claims.writing",
    "join",
)

SEGMENTS: tuple[Kind[Draft], ...] = (
    kind(
        "padded",
        "the {0} with {1}, signed {2}",
        "warn-if-accepted",
        _COMPACT,
        _padded,
        *_SLOTS,
        takes=[_WHICH, OneOf(tuple(_PADDINGS)), _HOW],
    ),
    kind(
        "blank-in-segment",
        "the {0} with {1} {2} it, signed {3}",
        "warn-if-accepted",
        _COMPACT,
        _blank,
        *_SLOTS,
        takes=[_WHICH, OneOf(tuple(_BLANKS)), OneOf(_PLACES), _HOW],
    ),
    kind(
        "foreign-in-segment",
        "the {0} with `{1}` {2} it, signed {3}",
        "refused",
        _COMPACT,
        _foreign,
        *_SLOTS,
        takes=[_WHICH, OneOf(_FOREIGN), OneOf(_PLACES), _HOW],
    ),
    kind(
        "other-alphabet",
        "the {0} with + and /, signed {1}",
        "refused",
        _COMPACT,
        _other_alphabet,
        *_SLOTS,
        "header.extra",
        "claims.extra",
        takes=[_WHICH, _HOW],
    ),
    kind(
        "percent-encoded",
        "the {0} with its last character percent-encoded, signed {1}",
        "refused",
        _COMPACT,
        _percent_encoded,
        *_SLOTS,
        takes=[_WHICH, _HOW],
    ),
    kind(
        "other-digits",
        "the {0} with fullwidth digits, signed {1}",
        "refused",
        _COMPACT,
        _other_digits,
        *_SLOTS,
        takes=[_WHICH, _HOW],
    ),
    kind(
        "slack",
        "the {0} with bits {1} behind its last byte, signed {2}",
        "warn-if-accepted",
        _COMPACT,
        _slack,
        *_SLOTS,
        takes=[_WHICH, Whole(1, 15), _HOW],
    ),
    kind(
        "dangling",
        "the {0} with `{1}` behind it that makes no byte, signed {2}",
        "warn-if-accepted",
        _COMPACT,
        _dangling,
        *_SLOTS,
        takes=[_WHICH, OneOf(("A", "Q", "_")), _HOW],
    ),
    kind(
        "detached",
        "the claims left out once they were signed",
        "refused",
        _COMPACT,
        _detached,
        *_SLOTS,
    ),
    kind(
        "detached-as-sent",
        "no claims, signed as it is sent",
        "refused",
        _COMPACT,
        _detached_as_sent,
        *_SLOTS,
    ),
)
