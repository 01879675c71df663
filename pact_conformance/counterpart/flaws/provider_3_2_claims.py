"""Flaws of §3.2: who a token is from, for and about, and claims beside the table."""

from collections.abc import Callable
from typing import Any

from pact_conformance.counterpart.flaws.claims import prepare
from pact_conformance.counterpart.flaws.registry import flaw
from pact_conformance.counterpart.provider.provider import Provider
from pact_conformance.counterpart.provider.refusals import Unauthenticated
from pact_conformance.counterpart.provider.verifier import Presented, Step, Verifier


def _default(provider: Provider, name: str, value: Callable[[Verifier], object]) -> None:
    """Fill in a claim that is missing."""
    prepare(provider, lambda verifier, claims: claims.setdefault(name, value(verifier)))


# iss


def _first_issuer(verifier: Verifier) -> str:
    return next(iter(verifier.agents), "")


@flaw("3.2-iss", "3.1-unknown-issuer", "3.1-issuer-exact")
def takes_any_issuer_for_the_first(provider: Provider) -> None:
    """A token of an issuer that is not registered is taken for one of the first agent."""

    def change(verifier: Verifier, claims: dict[str, Any]) -> None:
        issuer = claims.get("iss")
        if not isinstance(issuer, str) or issuer not in verifier.agents:
            claims["iss"] = _first_issuer(verifier)

    prepare(provider, change)


@flaw("3.2-iss")
def takes_a_missing_issuer_for_the_first(provider: Provider) -> None:
    """A token without `iss` is taken for one of the first agent."""
    _default(provider, "iss", _first_issuer)


def _match_issuer(provider: Provider, is_match: Callable[[str, str], bool]) -> None:
    def change(verifier: Verifier, claims: dict[str, Any]) -> None:
        issuer = claims.get("iss")
        for known in verifier.agents if isinstance(issuer, str) else ():
            if is_match(str(issuer), known):
                claims["iss"] = known
                return

    prepare(provider, change)


@flaw("3.1-issuer-exact")
def compares_issuers_without_case(provider: Provider) -> None:
    """An issuer in upper case is taken for the registered one."""
    _match_issuer(provider, lambda issuer, known: issuer.casefold() == known.casefold())


@flaw("3.2-iss", "3.1-issuer-exact")
def ignores_a_slash_after_the_issuer(provider: Provider) -> None:
    """An issuer with a slash more or less at its end is taken for the registered one."""
    _match_issuer(provider, lambda issuer, known: issuer.rstrip("/") == known.rstrip("/"))


@flaw("3.2-iss", "3.1-issuer-exact")
def compares_issuers_by_their_beginning(provider: Provider) -> None:
    """An issuer that begins with a registered one is taken for it."""
    _match_issuer(provider, str.startswith)


@flaw("3.2-iss")
def takes_an_array_of_issuers(provider: Provider) -> None:
    """An array with a registered issuer in it is taken for that issuer."""

    def change(verifier: Verifier, claims: dict[str, Any]) -> None:
        issuers = claims.get("iss")
        if isinstance(issuers, list):
            known = [issuer for issuer in issuers if issuer in verifier.agents]
            claims["iss"] = known[0] if known else None

    prepare(provider, change)


# sub


def _take_sub(provider: Provider, is_taken: Callable[[object], bool]) -> None:
    original: Step = provider.verifier.steps["sub_names_a_user"]

    def any_sub(verifier: Verifier, token: Presented) -> None:
        sub = token.claims.get("sub", ...)
        if not is_taken(sub):
            original(verifier, token)
        token.claims["sub"] = "nobody" if sub is ... else str(sub)

    provider.verifier.steps.replace("sub_names_a_user", any_sub)


@flaw("3.2-sub")
def accepts_a_token_without_sub(provider: Provider) -> None:
    """A token without `sub` is accepted."""
    _take_sub(provider, lambda sub: sub is ...)


@flaw("3.2-sub")
def accepts_null_as_sub(provider: Provider) -> None:
    """A token whose `sub` is null is accepted."""
    _take_sub(provider, lambda sub: sub is None)


@flaw("3.2-sub")
def accepts_a_number_as_sub(provider: Provider) -> None:
    """A token whose `sub` is a number is accepted."""
    _take_sub(provider, lambda sub: isinstance(sub, int | float))


@flaw("3.2-sub")
def accepts_an_object_or_array_as_sub(provider: Provider) -> None:
    """A token whose `sub` is an object or an array is accepted."""
    _take_sub(provider, lambda sub: isinstance(sub, dict | list))


@flaw("3.2-sub-nonblank")
def accepts_an_empty_sub(provider: Provider) -> None:
    """A token whose `sub` is the empty string is accepted."""
    _take_sub(provider, lambda sub: sub == "")


@flaw("3.2-sub-nonblank")
def accepts_a_blank_sub(provider: Provider) -> None:
    """A token whose `sub` is white space is accepted."""
    _take_sub(provider, lambda sub: isinstance(sub, str) and sub != "")


# aud


def _take_audience(provider: Provider, is_taken: Callable[[object, str], bool]) -> None:
    original: Step = provider.verifier.steps["audience_is_ours"]

    def any_audience(verifier: Verifier, token: Presented) -> None:
        if not is_taken(token.claims.get("aud"), verifier.audience):
            original(verifier, token)

    provider.verifier.steps.replace("audience_is_ours", any_audience)


@flaw("3.2-aud", "3.2-aud-one-string", "3.1-audience-not-card-url")
def does_not_look_at_the_audience(provider: Provider) -> None:
    """A token for any audience, or none, is accepted."""
    provider.verifier.steps.drop("audience_is_ours")


@flaw("3.2-aud")
def accepts_a_token_without_audience(provider: Provider) -> None:
    """A token without `aud` is accepted."""
    _default(provider, "aud", lambda verifier: verifier.audience)


@flaw("3.2-aud")
def compares_audiences_by_their_beginning(provider: Provider) -> None:
    """An audience that begins with the assigned one is accepted."""
    _take_audience(provider, lambda aud, own: isinstance(aud, str) and aud.startswith(own))


@flaw("3.2-aud")
def compares_audiences_without_case(provider: Provider) -> None:
    """The assigned audience in another case is accepted."""
    _take_audience(
        provider,
        lambda aud, own: isinstance(aud, str) and aud.casefold() == own.casefold(),
    )


@flaw("3.1-audience-not-card-url")
def accepts_its_urls_as_audience(provider: Provider) -> None:
    """The interface or card URL of a Brand is accepted as the audience."""
    _take_audience(
        provider,
        lambda aud, _own: isinstance(aud, str) and aud.startswith(provider.base),
    )


@flaw("3.2-aud-one-string")
def accepts_several_audiences(provider: Provider) -> None:
    """An array of several audiences with the assigned one in it is accepted."""
    _take_audience(
        provider,
        lambda aud, own: isinstance(aud, list) and len(aud) > 1 and own in aud,
    )


@flaw("3.2-aud-one-string")
def accepts_an_array_of_one_audience(provider: Provider) -> None:
    """An array with nothing but the assigned audience is accepted."""
    _take_audience(provider, lambda aud, own: aud == [own])


# jti and what is not in the table


@flaw("3.2-jti-optional")
def demands_a_jti(provider: Provider) -> None:
    """A token without `jti` is refused."""

    def jti_is_there(_verifier: Verifier, token: Presented) -> None:
        if not isinstance(token.claims.get("jti"), str):
            raise Unauthenticated("jti")

    provider.verifier.steps.add(jti_is_there)


@flaw("3.2-extra-members")
def refuses_unknown_claims(provider: Provider) -> None:
    """A token with a claim that PACT does not name is refused."""
    known = {"iss", "sub", "aud", "iat", "exp", "nbf", "jti"}

    def claims_are_known(_verifier: Verifier, token: Presented) -> None:
        if token.claims.keys() - known:
            raise Unauthenticated("unknown claim")

    provider.verifier.steps.add(claims_are_known)


@flaw("3.2-extra-members")
def refuses_unknown_header_parameters(provider: Provider) -> None:
    """A token with a header parameter that is not alg, kid or typ is refused."""

    def parameters_are_known(_verifier: Verifier, token: Presented) -> None:
        if token.header.keys() - {"alg", "kid", "typ"}:
            raise Unauthenticated("unknown header parameter")

    provider.verifier.steps.add(parameters_are_known)
