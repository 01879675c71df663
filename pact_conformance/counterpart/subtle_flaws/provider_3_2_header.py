"""Subtle flaws of §3.2: algorithms, critical parameters and keys."""

from collections.abc import Callable

from pact_conformance.counterpart.flaws.registry import subtle_flaw
from pact_conformance.counterpart.provider.keys import read_key
from pact_conformance.counterpart.provider.provider import Provider
from pact_conformance.counterpart.provider.verifier import (
    Presented,
    Verifier,
    alg_is_allowed,
    keys_are_published,
    nothing_is_critical,
    signature_is_good,
)


def _read_alg(provider: Provider, read: Callable[[str], str]) -> None:
    def alg_is_read(verifier: Verifier, token: Presented) -> None:
        alg = token.header.get("alg")
        if isinstance(alg, str):
            token.header["alg"] = read(alg)
        alg_is_allowed(verifier, token)

    provider.verifier.steps.replace("alg_is_allowed", alg_is_read)


@subtle_flaw("3.2-alg")
def trims_alg(provider: Provider) -> None:
    """White space around `alg` is taken off before it is compared."""
    _read_alg(provider, str.strip)


@subtle_flaw("3.2-alg")
def compares_alg_by_its_beginning(provider: Provider) -> None:
    """An `alg` that begins with ES256 is taken for it."""
    _read_alg(provider, lambda alg: "ES256" if alg.startswith("ES256") else alg)


@subtle_flaw("3.2-alg")
def reads_the_number_of_alg_in_any_script(provider: Provider) -> None:
    """The digits of `alg` may be those of any script."""

    def read(alg: str) -> str:
        family, number = alg[:2], alg[2:]
        return f"{family}{int(number)}" if number.isdecimal() else alg

    _read_alg(provider, read)


@subtle_flaw("3.2-crit")
def minds_the_first_critical_name_alone(provider: Provider) -> None:
    """A token with several names in `crit` is accepted if the first is a known one."""

    def first_is_known(verifier: Verifier, token: Presented) -> None:
        names = token.header.get("crit")
        if isinstance(names, list) and len(names) > 1 and names[0] in {"alg", "kid", "typ"}:
            return
        nothing_is_critical(verifier, token)

    provider.verifier.steps.replace("nothing_is_critical", first_is_known)


@subtle_flaw("3.2-crit")
def ignores_what_is_critical_unless_it_is_a_list_or_a_text(provider: Provider) -> None:
    """A `crit` that is an object, a number or true is ignored."""

    def is_no_list(verifier: Verifier, token: Presented) -> None:
        if isinstance(token.header.get("crit"), list | str | None):
            nothing_is_critical(verifier, token)

    provider.verifier.steps.replace("nothing_is_critical", is_no_list)


@subtle_flaw("3.2-keys-only-jwks")
def trusts_a_set_of_keys_in_the_header(provider: Provider) -> None:
    """A token that carries a JWKS in its header is verified with it."""

    async def find(verifier: Verifier, token: Presented) -> None:
        carried = token.header.get("jwks")
        entries = carried.get("keys") if isinstance(carried, dict) else None
        if not isinstance(entries, list):
            await keys_are_published(verifier, token)
            return
        token.keys = tuple(key for key in map(read_key, entries) if key is not None)

    provider.verifier.steps.replace("keys_are_published", find)


@subtle_flaw("3.2-kid-no-bypass")
def does_not_verify_with_a_kid_that_is_nothing(provider: Provider) -> None:
    """A token whose `kid` is false, 0 or an empty array is accepted unverified."""

    def is_nothing(token: Presented) -> bool:
        kid = token.header.get("kid")
        return kid is not None and not kid and kid != ""

    async def find(verifier: Verifier, token: Presented) -> None:
        if not is_nothing(token):
            await keys_are_published(verifier, token)

    def verify(verifier: Verifier, token: Presented) -> None:
        if not is_nothing(token):
            signature_is_good(verifier, token)

    provider.verifier.steps.replace("keys_are_published", find)
    provider.verifier.steps.replace("signature_is_good", verify)
