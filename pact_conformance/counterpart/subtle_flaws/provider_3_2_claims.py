"""Subtle flaws of §3.2: how claims are compared and what they are taken for."""

import unicodedata
from collections.abc import Callable
from typing import Any

from pact_conformance.counterpart.flaws.claims import prepare
from pact_conformance.counterpart.flaws.registry import subtle_flaw
from pact_conformance.counterpart.provider.provider import Provider
from pact_conformance.counterpart.provider.refusals import Unauthenticated
from pact_conformance.counterpart.provider.verifier import Presented, Step, Verifier

# iss


def _read_issuer(provider: Provider, read: Callable[[str], str]) -> None:
    """Take an issuer for the registered one that it is read as."""

    def change(verifier: Verifier, claims: dict[str, Any]) -> None:
        issuer = claims.get("iss")
        if isinstance(issuer, str) and issuer not in verifier.agents:
            claims["iss"] = read(issuer)

    prepare(provider, change)


@subtle_flaw("3.2-iss")
def reads_issuers_as_international_names(provider: Provider) -> None:
    """An issuer beyond ASCII is normalised and folded, as names of hosts are, then compared."""

    def read(issuer: str) -> str:
        if issuer.isascii():
            return issuer
        return unicodedata.normalize("NFKC", issuer).casefold()

    _read_issuer(provider, read)


@subtle_flaw("3.2-iss")
def looks_past_unseen_characters_of_an_issuer(provider: Provider) -> None:
    """Characters that only format are taken out of an issuer before it is compared."""
    _read_issuer(
        provider, lambda issuer: "".join(it for it in issuer if unicodedata.category(it) != "Cf")
    )


@subtle_flaw("3.2-iss")
def trims_line_breaks_off_issuers(provider: Provider) -> None:
    """A line break or a tab around an issuer is taken off before it is compared."""
    _read_issuer(provider, lambda issuer: issuer.strip("\r\n\t"))


@subtle_flaw("3.2-iss")
def reads_the_issuer_out_of_an_object(provider: Provider) -> None:
    """An object whose member `iss` is a registered issuer is taken for it."""

    def change(_verifier: Verifier, claims: dict[str, Any]) -> None:
        issuer = claims.get("iss")
        if isinstance(issuer, dict):
            claims["iss"] = issuer.get("iss")

    prepare(provider, change)


# aud


def _take_audience(provider: Provider, is_taken: Callable[[Any, str], bool]) -> None:
    original: Step = provider.verifier.steps["audience_is_ours"]

    def any_audience(verifier: Verifier, token: Presented) -> None:
        if not is_taken(token.claims.get("aud"), verifier.audience):
            original(verifier, token)

    provider.verifier.steps.replace("audience_is_ours", any_audience)


@subtle_flaw("3.2-aud")
def compares_audiences_by_their_end(provider: Provider) -> None:
    """An audience that ends with the assigned one is accepted."""
    _take_audience(provider, lambda aud, own: isinstance(aud, str) and aud.endswith(own))


@subtle_flaw("3.2-aud")
def looks_for_the_audience_in_an_object(provider: Provider) -> None:
    """An object with a member called by the assigned audience is accepted."""
    _take_audience(provider, lambda aud, own: isinstance(aud, dict) and own in aud)


@subtle_flaw("3.2-aud", "3.2-aud-one-string")
def looks_into_arrays_of_arrays_for_the_audience(provider: Provider) -> None:
    """An array of arrays with the assigned audience in it is accepted."""

    def is_taken(aud: Any, own: str) -> bool:  # noqa: ANN401 - any JSON value
        return isinstance(aud, list) and any(isinstance(it, list) and own in it for it in aud)

    _take_audience(provider, is_taken)


@subtle_flaw("3.2-aud")
def reads_audiences_out_of_a_text_with_commas(provider: Provider) -> None:
    """A text of several audiences between commas, with the assigned one in it, is accepted."""
    _take_audience(provider, lambda aud, own: isinstance(aud, str) and own in aud.split(","))


@subtle_flaw("3.2-aud")
def takes_a_star_for_any_audience(provider: Provider) -> None:
    """The audience `*` is accepted."""
    _take_audience(provider, lambda aud, _own: aud == "*")


@subtle_flaw("3.2-aud")
def ends_an_audience_at_nul(provider: Provider) -> None:
    """What stands behind a NUL in an audience is not looked at."""
    _take_audience(
        provider, lambda aud, own: isinstance(aud, str) and aud.partition("\0")[0] == own
    )


# sub and jti


@subtle_flaw("3.2-sub")
def accepts_false_as_sub(provider: Provider) -> None:
    """A token whose `sub` is false is accepted."""

    def change(_verifier: Verifier, claims: dict[str, Any]) -> None:
        if claims.get("sub") is False:
            claims["sub"] = "false"

    prepare(provider, change)


@subtle_flaw("3.2-jti-optional")
def fails_at_a_jti_that_cannot_be_looked_up(provider: Provider) -> None:
    """A `jti` that is an array or an object makes the look-up of replays fail."""
    seen: set[object] = set()

    def is_new(_verifier: Verifier, token: Presented) -> None:
        jti = token.claims.get("jti")
        if jti is None:
            return
        if jti in seen:
            raise Unauthenticated("replay")
        seen.add(jti)

    provider.verifier.steps.add(is_new)


@subtle_flaw(
    "3.2-extra-members",
    "3.2-iss",
    "3.2-sub",
    "3.2-aud",
    "3.2-iat-present",
    "3.2-exp-present",
)
def takes_names_of_claims_without_case(provider: Provider) -> None:
    """A claim whose name differs from a known one by case alone takes its place."""
    known = ("iss", "sub", "aud", "iat", "exp")

    def change(_verifier: Verifier, claims: dict[str, Any]) -> None:
        for name in list(claims):
            if name.lower() in known and name not in known:
                claims[name.lower()] = claims[name]

    prepare(provider, change)
