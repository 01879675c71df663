"""Flaws of §3.2: when a token was issued, when it expires, and how long it lives."""

import copy
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from pact_conformance.counterpart.flaws.claims import prepare
from pact_conformance.counterpart.flaws.registry import flaw
from pact_conformance.counterpart.provider.provider import Provider
from pact_conformance.counterpart.provider.refusals import Unauthenticated
from pact_conformance.counterpart.provider.verifier import Presented, Step, Verifier, integer


def _limit(provider: Provider, step: str, **limits: float) -> None:
    """Give one step other limits than the rest."""
    original: Step = provider.verifier.steps[step]

    def limited(verifier: Verifier, token: Presented) -> None:
        other = copy.copy(verifier)
        other.limits = replace(verifier.limits, **limits)
        original(other, token)

    provider.verifier.steps.replace(step, limited)


def _read_numbers(provider: Provider, name: str, read: Callable[[object], object]) -> None:
    def change(_verifier: Verifier, claims: dict[str, Any]) -> None:
        claims[name] = read(claims.get(name, ...))
        if claims[name] is ...:
            del claims[name]

    prepare(provider, change)


def _of_text(value: object) -> object:
    return int(value) if isinstance(value, str) and value.isdecimal() else value


@flaw("3.2-iat-present")
def accepts_a_token_without_iat(provider: Provider) -> None:
    """A token without `iat` is taken as issued when it arrives."""

    def change(_verifier: Verifier, claims: dict[str, Any]) -> None:
        claims.setdefault("iat", claims["exp"] - 120 if isinstance(claims.get("exp"), int) else 0)

    prepare(provider, change)


@flaw("3.2-iat-present")
def accepts_a_text_as_iat(provider: Provider) -> None:
    """A token whose `iat` is a string of digits is accepted."""
    _read_numbers(provider, "iat", _of_text)


@flaw("3.2-iat-present")
def accepts_null_as_iat(provider: Provider) -> None:
    """A token whose `iat` is null is taken as issued when it arrives."""
    _read_numbers(
        provider,
        "iat",
        lambda value: int(provider.clock.now()) if value is None else value,
    )


@flaw("3.2-iat-future")
def accepts_an_iat_60_s_in_the_future(provider: Provider) -> None:
    """The skew allowed to `iat` is 60 s."""
    _limit(provider, "is_issued", early=60)


@flaw("3.2-iat-future")
def accepts_an_iat_40_s_in_the_future(provider: Provider) -> None:
    """The skew allowed to `iat` is 40 s."""
    _limit(provider, "is_issued", early=40)


@flaw("3.2-iat-future")
def accepts_any_iat_in_the_future(provider: Provider) -> None:
    """Whether `iat` lies in the future is not looked at."""
    _limit(provider, "is_issued", early=10**9)


@flaw("3.2-exp-present")
def accepts_a_token_without_exp(provider: Provider) -> None:
    """A token without `exp` is taken to live as long as it may."""

    def change(_verifier: Verifier, claims: dict[str, Any]) -> None:
        claims.setdefault("exp", claims["iat"] + 300 if isinstance(claims.get("iat"), int) else 0)

    prepare(provider, change)


@flaw("3.2-exp-present")
def accepts_a_text_as_exp(provider: Provider) -> None:
    """A token whose `exp` is a string of digits is accepted."""
    _read_numbers(provider, "exp", _of_text)


@flaw("3.2-exp-present")
def accepts_null_as_exp(provider: Provider) -> None:
    """A token whose `exp` is null is taken not to expire."""
    _read_numbers(
        provider,
        "exp",
        lambda value: int(provider.clock.now()) + 60 if value is None else value,
    )


@flaw("3.2-exp-lifetime")
def accepts_a_lifetime_of_301_s(provider: Provider) -> None:
    """A token may live one second longer than 300."""
    _limit(provider, "lifetime_is_short", lifetime=301)


@flaw("3.2-exp-lifetime")
def adds_the_skew_to_the_lifetime(provider: Provider) -> None:
    """A token may live 300 s and the skew."""
    _limit(provider, "lifetime_is_short", lifetime=330)


@flaw("3.2-exp-lifetime")
def does_not_limit_the_lifetime(provider: Provider) -> None:
    """A token may live as long as it says."""
    provider.verifier.steps.drop("lifetime_is_short")


@flaw("3.2-exp-lifetime")
def measures_the_lifetime_from_now(provider: Provider) -> None:
    """A token may live 300 s from its arrival, whenever it was issued."""

    def ends_soon(verifier: Verifier, token: Presented) -> None:
        if integer(token, "exp") > token.now + verifier.limits.lifetime:
            raise Unauthenticated("lives too long")

    provider.verifier.steps.replace("lifetime_is_short", ends_soon)


@flaw("3.2-exp-accepted-300")
def refuses_a_lifetime_of_300_s(provider: Provider) -> None:
    """A token must live less than 300 s."""
    _limit(provider, "lifetime_is_short", lifetime=299)


@flaw("3.2-exp-accepted-300")
def limits_the_lifetime_to_120_s(provider: Provider) -> None:
    """A token may live no longer than the reference signer's."""
    _limit(provider, "lifetime_is_short", lifetime=120)


@flaw("3.2-exp-expired")
def accepts_a_token_60_s_after_it_expired(provider: Provider) -> None:
    """The skew allowed to `exp` is 60 s."""
    _limit(provider, "is_not_expired", late=60)


@flaw("3.2-exp-expired")
def accepts_a_token_5_min_after_it_expired(provider: Provider) -> None:
    """The skew allowed to `exp` is 300 s."""
    _limit(provider, "is_not_expired", late=300)


@flaw("3.2-exp-expired")
def accepts_expired_tokens(provider: Provider) -> None:
    """Whether a token has expired is not looked at."""
    _limit(provider, "is_not_expired", late=10**9)


@flaw("3.2-skew-tolerated")
def refuses_any_iat_in_the_future(provider: Provider) -> None:
    """No skew is allowed to `iat`."""
    _limit(provider, "is_issued", early=0)


@flaw("3.2-exp-after-iat")
def accepts_an_exp_before_iat(provider: Provider) -> None:
    """A token that expired before it was issued is accepted."""
    provider.verifier.steps.drop("expires_after_its_issue")


@flaw("3.2-nbf")
def ignores_nbf(provider: Provider) -> None:
    """A token whose `nbf` lies in the future is accepted."""
    provider.verifier.steps.drop("may_be_used_already")
