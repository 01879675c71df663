"""Subtle flaws of §3.2: how times are read, compared and bounded."""

from collections.abc import Callable
from typing import Any

from pact_conformance.counterpart.flaws.claims import prepare
from pact_conformance.counterpart.flaws.registry import subtle_flaw
from pact_conformance.counterpart.provider.provider import Provider
from pact_conformance.counterpart.provider.verifier import Presented, Step, Verifier, integer

_TIMES = ("iat", "exp")


def _read_times(provider: Provider, read: Callable[[Any], Any]) -> None:
    def change(_verifier: Verifier, claims: dict[str, Any]) -> None:
        for name in _TIMES:
            if name in claims:
                claims[name] = read(claims[name])

    prepare(provider, change)


@subtle_flaw("3.2-iat-future", "3.2-exp-lifetime")
def reads_large_times_as_milliseconds(provider: Provider) -> None:
    """A time of thirteen digits or more is taken for milliseconds."""

    def read(value: Any) -> Any:  # noqa: ANN401 - any JSON value
        return value // 1000 if isinstance(value, int) and 10**12 <= value < 10**14 else value

    _read_times(provider, read)


@subtle_flaw("3.2-exp-lifetime", "3.2-exp-expired")
def keeps_32_bits_of_an_end(provider: Provider) -> None:
    """Of `exp` the lower 32 bits are looked at."""

    def change(_verifier: Verifier, claims: dict[str, Any]) -> None:
        if isinstance(claims.get("exp"), int):
            claims["exp"] &= 0xFFFFFFFF

    prepare(provider, change)


@subtle_flaw("3.2-exp-present", "3.2-iat-present")
def reads_times_in_digits_of_other_scripts(provider: Provider) -> None:
    """The text of a time is refused in ASCII digits, and read in those of any other script."""

    def read(value: Any) -> Any:  # noqa: ANN401 - any JSON value
        is_number = isinstance(value, str) and value.isdecimal() and not value.isascii()
        return int(value) if is_number else value

    _read_times(provider, read)


@subtle_flaw("3.2-exp-present", "3.2-iat-present")
def reads_times_with_a_sign(provider: Provider) -> None:
    """The text of a time is read where it has a sign."""

    def read(value: Any) -> Any:  # noqa: ANN401 - any JSON value
        is_signed = isinstance(value, str) and value.startswith("+") and value[1:].isdecimal()
        return int(value) if is_signed else value

    _read_times(provider, read)


@subtle_flaw("3.2-exp-lifetime")
def drops_fractions_before_the_lifetime_is_compared(provider: Provider) -> None:
    """Times may have fractions, and the lifetime is cut to whole seconds before it is compared."""

    def change(verifier: Verifier, token: Presented) -> None:
        iat, exp = token.claims.get("iat"), token.claims.get("exp")
        if isinstance(iat, float | int) and isinstance(exp, float) and 0 < exp - iat < 301:
            token.claims["exp"] = int(iat) + min(int(exp - iat), int(verifier.limits.lifetime))

    provider.verifier.steps.add(change, before="is_issued")


@subtle_flaw("3.2-exp-lifetime", "3.2-iat-future")
def fails_at_times_that_no_calendar_has(provider: Provider) -> None:
    """A time beyond the year 9999 makes the Provider fail."""
    original: Step = provider.verifier.steps["is_issued"]

    def turn_into_dates(verifier: Verifier, token: Presented) -> None:
        for name in _TIMES:
            if integer(token, name) > 253_402_300_799:
                raise OverflowError(name)
        original(verifier, token)

    provider.verifier.steps.replace("is_issued", turn_into_dates)
