"""Changes of iat, exp and nbf: how they are written, how large they are, how they differ (§3.2)."""

import math
from collections.abc import Callable, Iterator, Mapping
from functools import partial

from pact_conformance.fuzz.family import Impossible
from pact_conformance.fuzz.forged_tokens.draft import Draft
from pact_conformance.fuzz.forged_tokens.entering import kind, written
from pact_conformance.fuzz.forged_tokens.lookalikes import DIGITS
from pact_conformance.fuzz.kind import Kind, OneOf, Whole
from pact_conformance.tokens.caller import LIFETIME

# §3.2: seconds from iat to exp, and what clocks may differ by.
LIMIT, SKEW = 300, 30

_PRESENT: Mapping[str, str] = {"iat": "3.2-iat-present", "exp": "3.2-exp-present"}

# Texts of a number: none is a NumericDate (RFC 7519 §2).
_TEXTS: Mapping[str, Callable[[int], str]] = {
    "the text of it": str,
    "the text of it behind a space": lambda it: f" {it}",
    "the text of it before a line break": lambda it: f"{it}\\n",
    "the text of it with a plus": lambda it: f"+{it}",
    "the text of it with a fraction": lambda it: f"{it}.0",
    "the text of it with an exponent": lambda it: f"{it}e0",
    "the text of it in hexadecimal": hex,
    "the text of it with underscores": lambda it: f"{it:_}",
    "the text of it with commas": lambda it: f"{it:,}",
    "the text of it and a unit": lambda it: f"{it}s",
    "the text of it in Arabic digits": lambda it: str(it).translate(DIGITS["Arabic"]),
    "the text of it in Devanagari digits": lambda it: str(it).translate(DIGITS["Devanagari"]),
    "the text of it in fullwidth digits": lambda it: str(it).translate(DIGITS["fullwidth"]),
    "an ISO date": lambda _: "2099-01-01T00:00:00Z",
    "an HTTP date": lambda _: "Thu, 01 Jan 2099 00:00:00 GMT",
}

# Ways to write the same number that JSON has.
_WRITTEN: Mapping[str, Callable[[int], str]] = {
    "with a fraction of nothing": lambda it: f"{it}.0",
    "with a long fraction of nothing": lambda it: f"{it}.00000000000000000000",
    "with an exponent of nothing": lambda it: f"{it}e0",
    "with an exponent": lambda it: f"{it}0e-1",
    "in units of a thousand million": lambda it: f"{it // 10**9}.{it % 10**9:09d}e9",
    "with half a second more": lambda it: f"{it}.5",
    "with a millionth more": lambda it: f"{it}.000001",
}

# What is no number in JSON, and a number to readers who do not mind.
_NOT_JSON: Mapping[str, Callable[[int], str]] = {
    "a plus": lambda it: f"+{it}",
    "a leading zero": lambda it: f"0{it}",
    "a dot and nothing behind it": lambda it: f"{it}.",
    "hexadecimal digits": hex,
    "underscores": lambda it: f"{it:_}",
    "an n behind it": lambda it: f"{it}n",
}

_BEYOND = ("NaN", "Infinity", "-Infinity", "-NaN", "nan", "inf", "1e", "--1", "undefined")

# Ends that are too late, from the one that would be right.
_FAR: Mapping[str, Callable[[int], str]] = {
    "in milliseconds": lambda it: str(it * 1000),
    "in microseconds": lambda it: str(it * 1_000_000),
    "2^31 s later": lambda it: str(it + 2**31),
    "2^32 s later": lambda it: str(it + 2**32),
    "2^53": lambda _: str(2**53),
    "2^53 and one": lambda _: str(2**53 + 1),
    "2^63 less one": lambda _: str(2**63 - 1),
    "2^63": lambda _: str(2**63),
    "2^64 s later": lambda it: str(it + 2**64),
    "2^128 s later": lambda it: str(it + 2**128),
    "of 30 digits": lambda _: "9" * 30,
    "of 400 digits": lambda _: "9" * 400,
    "the year 10000": lambda _: "253402300800",
    "1e15": lambda _: "1e15",
    "1e308": lambda _: "1e308",
    "1e400": lambda _: "1e400",
    "1E+9999": lambda _: "1E+9999",
}

# Ends that are too early.
_PAST: Mapping[str, Callable[[int], str]] = {
    "0": lambda _: "0",
    "-0": lambda _: "-0",
    "0.0": lambda _: "0.0",
    "1": lambda _: "1",
    "-1": lambda _: "-1",
    "its negative": lambda it: str(-it),
    "-1e400": lambda _: "-1e400",
    "1e-400": lambda _: "1e-400",
    "-2^63": lambda _: str(-(2**63)),
    "-2^63 less one": lambda _: str(-(2**63) - 1),
    "2^32 s earlier": lambda it: str(it - 2**32),
    "in days": lambda it: str(it // 86400),
}


def _due_at(draft: Draft, claim: str) -> int:
    return draft.now + (LIFETIME if claim == "exp" else 0)


def _text(draft: Draft, name: str, *, claim: str) -> None:
    draft.claims.write(claim, f'"{_TEXTS[name](_due_at(draft, claim))}"')


def _number(
    draft: Draft, name: str, *, claim: str, table: Mapping[str, Callable[[int], str]]
) -> None:
    draft.claims.write(claim, table[name](_due_at(draft, claim)))


def _of_claim(claim: str) -> Iterator[Kind[Draft]]:
    slot = f"claims.{claim}"
    yield kind(
        f"{claim}-text",
        f"{claim} is a string in JSON: {{0}}",
        "refused",
        _PRESENT[claim],
        partial(_text, claim=claim),
        slot,
        takes=[OneOf(tuple(_TEXTS))],
    )
    yield kind(
        f"{claim}-no-number",
        f"{claim} is {{0}}, which is no JSON",
        "refused",
        _PRESENT[claim],
        written("claims", claim),
        slot,
        takes=[OneOf(_BEYOND)],
    )
    yield kind(
        f"{claim}-no-json",
        f"{claim} is a number with {{0}}, which JSON does not have",
        "warn-if-accepted",
        "3.2-compact-jws",
        partial(_number, claim=claim, table=_NOT_JSON),
        slot,
        takes=[OneOf(tuple(_NOT_JSON))],
    )
    yield kind(
        f"{claim}-written",
        f"{claim} {{0}}",
        "either",
        _PRESENT[claim],
        partial(_number, claim=claim, table=_WRITTEN),
        slot,
        takes=[OneOf(tuple(_WRITTEN))],
    )
    yield kind(
        f"{claim}-past",
        f"{claim} is {{0}}",
        "refused",
        "3.2-exp-expired" if claim == "exp" else "3.2-exp-lifetime",
        partial(_number, claim=claim, table=_PAST),
        slot,
        "claims.exp",
        takes=[OneOf(tuple(_PAST))],
    )
    yield kind(
        f"{claim}-far",
        f"{claim} is {{0}}" if claim == "iat" else "exp is {0}",
        "refused",
        "3.2-iat-future" if claim == "iat" else "3.2-exp-lifetime",
        partial(_number, claim=claim, table=_FAR),
        slot,
        "claims.exp",
        takes=[OneOf(tuple(_FAR))],
    )


def _both(draft: Draft, name: str) -> None:
    for claim in ("iat", "exp"):
        draft.claims.write(claim, _FAR[name](_due_at(draft, claim)))


def _lives(draft: Draft, seconds: int, *, since: int = 5) -> None:
    iat = draft.now - since
    if seconds <= LIMIT and iat + seconds < draft.now + draft.uncertainty + 15:
        raise Impossible("it may be over by the Provider's clock")
    draft.claims.set("iat", iat)
    draft.claims.set("exp", iat + seconds)


def _lives_a_fraction(draft: Draft, fraction: str) -> None:
    iat = draft.now - 5
    draft.claims.set("iat", iat)
    draft.claims.write("exp", f"{iat + LIMIT}{fraction}")


def _starts_a_fraction_early(draft: Draft, fraction: str) -> None:
    iat = draft.now - 6
    draft.claims.write("iat", f"{iat}{fraction}")
    draft.claims.set("exp", iat + 1 + LIMIT)


def _expired(draft: Draft, seconds: int) -> None:
    ago = SKEW + math.ceil(draft.uncertainty) + seconds
    draft.claims.set("iat", draft.now - ago - LIFETIME)
    draft.claims.set("exp", draft.now - ago)


def _ahead(draft: Draft, seconds: int) -> None:
    draft.claims.set("iat", draft.now + seconds)
    draft.claims.set("exp", draft.now + seconds + LIFETIME)
    draft.use_within = seconds - SKEW - 1 - draft.uncertainty


def _soon(draft: Draft, seconds: int) -> None:
    if draft.uncertainty > SKEW - seconds:
        raise Impossible("the Provider's clock is not known well enough")
    draft.claims.set("iat", draft.now + seconds)
    draft.claims.set("exp", draft.now + seconds + LIFETIME)


def _backwards(draft: Draft, seconds: int) -> None:
    draft.claims.set("iat", draft.now + 10)
    draft.claims.set("exp", draft.now + 10 - seconds)


def _not_before(draft: Draft, seconds: int) -> None:
    draft.claims.set("exp", draft.now + LIMIT - 10)
    draft.claims.set("nbf", draft.now + seconds)
    draft.use_within = seconds - SKEW - 1 - draft.uncertainty


_NBFS = ("null", '"0"', '""', "true", "[]", "{}", "1e400", "-1")
_FRACTIONS = (".5", ".999", ".000001", ".25")

TIMES: tuple[Kind[Draft], ...] = (
    *_of_claim("iat"),
    *_of_claim("exp"),
    kind(
        "times-far",
        "iat and exp are {0}",
        "refused",
        "3.2-iat-future",
        _both,
        "claims.iat",
        "claims.exp",
        takes=[OneOf(tuple(_FAR))],
    ),
    kind(
        "lifetime",
        "a lifetime of {0} s",
        "refused",
        "3.2-exp-lifetime",
        _lives,
        "claims.iat",
        "claims.exp",
        takes=[Whole(LIMIT + 1, 100_000)],
    ),
    kind(
        "lifetime-long",
        "a lifetime of 2^{0} s",
        "refused",
        "3.2-exp-lifetime",
        lambda draft, power: _lives(draft, 2**power),
        "claims.iat",
        "claims.exp",
        takes=[Whole(9, 70)],
    ),
    kind(
        "lifetime-short",
        "a lifetime of {0} s",
        "accepted",
        "3.2-es256",
        _lives,
        "claims.iat",
        "claims.exp",
        takes=[OneOf((60, 90, 119, 121, 180, 240, 299))],
    ),
    kind(
        "lifetime-300",
        "a lifetime of 300 s, {0} s old",
        "accepted",
        "3.2-exp-accepted-300",
        lambda draft, since: _lives(draft, LIMIT, since=since),
        "claims.iat",
        "claims.exp",
        takes=[OneOf((5, 0, 1, 30, 60, 150, 240))],
    ),
    kind(
        "lifetime-fraction",
        "a lifetime of 300{0} s",
        "warn-if-accepted",
        "3.2-exp-lifetime",
        _lives_a_fraction,
        "claims.iat",
        "claims.exp",
        takes=[OneOf(_FRACTIONS)],
    ),
    kind(
        "lifetime-fraction-early",
        "a lifetime of 301 s less {0}",
        "warn-if-accepted",
        "3.2-exp-lifetime",
        _starts_a_fraction_early,
        "claims.iat",
        "claims.exp",
        takes=[OneOf(_FRACTIONS)],
    ),
    kind(
        "expired",
        "expired for {0} s more than clocks excuse",
        "refused",
        "3.2-exp-expired",
        _expired,
        "claims.iat",
        "claims.exp",
        takes=[Whole(1, 1_000_000)],
    ),
    kind(
        "iat-ahead",
        "iat {0} s ahead",
        "refused",
        "3.2-iat-future",
        _ahead,
        "claims.iat",
        "claims.exp",
        takes=[Whole(60, 1_000_000)],
    ),
    kind(
        "iat-soon",
        "iat {0} s ahead",
        "warn-if-refused",
        "3.2-skew-tolerated",
        _soon,
        "claims.iat",
        "claims.exp",
        takes=[OneOf((1, 5, 10, 15))],
    ),
    kind(
        "exp-before-iat",
        "exp {0} s before iat, both near",
        "warn-if-accepted",
        "3.2-exp-after-iat",
        _backwards,
        "claims.iat",
        "claims.exp",
        takes=[OneOf((0, 1, 5))],
    ),
    kind(
        "nbf-ahead",
        "nbf {0} s ahead",
        "warn-if-accepted",
        "3.2-nbf",
        _not_before,
        "claims.nbf",
        "claims.iat",
        "claims.exp",
        takes=[OneOf((120, 150, 200))],
    ),
    kind(
        "nbf-past",
        "nbf {0} s ago",
        "accepted",
        "3.2-extra-members",
        lambda draft, seconds: draft.claims.set("nbf", draft.now - seconds),
        "claims.nbf",
        takes=[OneOf((60, 30, 300, 86_400))],
    ),
    kind(
        "nbf-odd",
        "nbf is {0}",
        "either",
        "3.2-nbf",
        written("claims", "nbf"),
        "claims.nbf",
        takes=[OneOf(_NBFS)],
    ),
)
