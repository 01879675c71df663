"""Flaws of §5.1: the metadata of a Brand's authorization server, and its keys."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from cryptography.hazmat.primitives.asymmetric import ec
from jwt.algorithms import ECAlgorithm
from starlette.responses import HTMLResponse, Response

from pact_conformance.counterpart.flaws.registry import flaw
from pact_conformance.counterpart.flaws.shown_tokens import UNVERIFIABLE, change_claims
from pact_conformance.counterpart.provider.delegation.metadata import METADATA, Member
from pact_conformance.counterpart.provider.provider import Provider
from pact_conformance.counterpart.substitution import answering, change_card


@flaw("5.1-metadata")
def serves_no_metadata(provider: Provider) -> None:
    """There is nothing at the URL of the metadata."""
    provider.delegation.routes.handle("metadata", answering(lambda: Response(status_code=404)))


@flaw("5.1-metadata")
def serves_a_page_as_metadata(provider: Provider) -> None:
    """The URL of the metadata leads to a page for people."""
    page = "<!doctype html><title>OAuth</title>"
    provider.delegation.routes.handle("metadata", answering(lambda: HTMLResponse(page)))


@flaw("5.1-metadata")
def has_metadata_without_issuer(provider: Provider) -> None:
    """The metadata has no `issuer`."""
    del provider.delegation.metadata["issuer"]


@flaw("5.1-metadata")
def has_metadata_without_token_endpoint(provider: Provider) -> None:
    """The metadata has no `token_endpoint`."""
    del provider.delegation.metadata["token_endpoint"]


@flaw("5.1-metadata")
def has_metadata_without_device_endpoint(provider: Provider) -> None:
    """The metadata has no `device_authorization_endpoint`, as before RFC 8628."""
    del provider.delegation.metadata["device_authorization_endpoint"]


@flaw("5.1-metadata")
def has_metadata_without_jwks_uri(provider: Provider) -> None:
    """The metadata has no `jwks_uri`."""
    del provider.delegation.metadata["jwks_uri"]


@flaw("5.1-metadata")
def has_metadata_of_another_stage(provider: Provider) -> None:
    """The endpoints in the metadata are those of another stage."""
    metadata = provider.delegation.metadata

    def elsewhere(name: str) -> Member:
        here = metadata[name]
        return lambda provider, brand: str(here(provider, brand)).replace("://", "://staging.")

    for name in ("device_authorization_endpoint", "token_endpoint"):
        metadata[name] = elsewhere(name)


@flaw("5-authorization-server-per-brand", "5.1-metadata", "5.4-iss", *UNVERIFIABLE)
def links_the_metadata_of_the_last_brand(provider: Provider) -> None:
    """Every card links the metadata of one Brand, which is not this one."""
    last = list(provider.brands)[-1]
    url = f"{provider.interface(last)}/oauth{METADATA}"
    change_card(
        provider,
        lambda card: card["securitySchemes"]["userDelegation"]["oauth2SecurityScheme"].update(
            oauth2MetadataUrl=url
        ),
    )


def _ask_for_a_token(provider: Provider, name: str) -> None:
    routes = provider.delegation.routes
    routes.add(replace(routes[name], public=False))


@flaw("5.1-metadata-open")
def asks_for_a_token_for_the_metadata(provider: Provider) -> None:
    """The metadata is served only to callers with a good token."""
    _ask_for_a_token(provider, "metadata")


@flaw("5.1-metadata-open")
def asks_for_a_token_for_the_keys(provider: Provider) -> None:
    """The key set is served only to callers with a good token."""
    _ask_for_a_token(provider, "jwks")


@flaw("5.1-metadata-complete")
def has_no_response_types_in_the_metadata(provider: Provider) -> None:
    """The metadata has no `response_types_supported`, for there is none."""
    del provider.delegation.metadata["response_types_supported"]


@flaw("5.1-metadata-complete")
def has_no_grant_types_in_the_metadata(provider: Provider) -> None:
    """The metadata has no `grant_types_supported`."""
    del provider.delegation.metadata["grant_types_supported"]


@flaw("5.1-metadata-complete")
def calls_the_device_code_grant_by_a_short_name(provider: Provider) -> None:
    """The grant types in the metadata have `device_code` in place of the URN."""
    grants = ["device_code", "refresh_token"]
    provider.delegation.metadata["grant_types_supported"] = lambda _provider, _brand: grants


def _change_keys(
    provider: Provider, change: Callable[[str, list[dict[str, Any]]], list[Any]]
) -> None:
    keys = provider.delegation.keys
    publish = keys.jwks

    def jwks(brand_id: str) -> dict[str, Any]:
        return {"keys": change(brand_id, publish(brand_id)["keys"])}

    keys.jwks = jwks  # type: ignore[method-assign]


@flaw("5.1-jwks")
def publishes_the_private_key(provider: Provider) -> None:
    """The private member of the key is published along with it."""

    def change(brand_id: str, _keys: list[dict[str, Any]]) -> list[Any]:
        made = provider.delegation.keys.of(brand_id)
        return [
            {**ECAlgorithm.to_jwk(key.private, as_dict=True), "kid": key.kid}
            for key in made
            if isinstance(key.private, ec.EllipticCurvePrivateKey)
        ]

    _change_keys(provider, change)


@flaw("5.1-jwks")
def publishes_a_symmetric_key(provider: Provider) -> None:
    """The key set has a symmetric key beside the one that signs."""
    key = {"kty": "oct", "kid": "cookies", "k": "c2Vzc2lvbi1jb29raWVz"}
    _change_keys(provider, lambda _brand, keys: [*keys, key])


@flaw("5.1-jwks", *UNVERIFIABLE)
def publishes_no_keys(provider: Provider) -> None:
    """The key set is empty."""
    _change_keys(provider, lambda _brand, _keys: [])


@flaw("5.1-jwks", *UNVERIFIABLE)
def publishes_a_key_of_another_curve(provider: Provider) -> None:
    """The key set has a key that is fit for ES384 alone."""
    private = ec.generate_private_key(ec.SECP384R1())
    key = {**ECAlgorithm.to_jwk(private.public_key(), as_dict=True), "kid": "p384"}
    _change_keys(provider, lambda _brand, _keys: [key])


@flaw("5.1-jwks", *UNVERIFIABLE)
def serves_no_keys(provider: Provider) -> None:
    """There is nothing at the `jwks_uri`."""
    provider.delegation.routes.handle("jwks", answering(lambda: Response(status_code=404)))


@flaw("5.1-jwks", *UNVERIFIABLE)
def publishes_a_bare_array_of_keys(provider: Provider) -> None:
    """The key set is an array, without the object around it."""
    keys = provider.delegation.keys
    publish = keys.jwks
    keys.jwks = lambda brand_id: publish(brand_id)["keys"]  # type: ignore[method-assign]


@flaw("5-authorization-server-per-brand")
def has_one_issuer_for_all_brands(provider: Provider) -> None:
    """Every Brand's metadata and tokens have the first Brand's issuer."""
    first = next(iter(provider.brands))
    issuer = f"{provider.base}/oauth/{first}"
    provider.delegation.metadata["issuer"] = lambda _provider, _brand: issuer
    change_claims(provider, lambda _issue, claims: claims.update(iss=issuer))
