"""Variants of where and how a Provider is served."""

from dataclasses import replace

from pact_conformance.counterpart.provider.configuration import ProviderConfig
from pact_conformance.counterpart.variants.registry import deployment


@deployment
def is_at_an_ipv6_address(config: ProviderConfig) -> ProviderConfig:
    """The Provider is at an IPv6 address, in brackets in every URL."""
    return replace(config, listen="[::1]:0")


@deployment
def is_deployed_below_a_path(config: ProviderConfig) -> ProviderConfig:
    """Everything of the Provider is below a path of its host, and nothing is at the root."""
    return replace(config, root_path="/partners/pact/v1")


@deployment
def has_a_certificate_of_a_private_ca(config: ProviderConfig) -> ProviderConfig:
    """Provider and Brands are served over TLS, by a CA that nobody knows but the tester."""
    return replace(config, tls_made=True)
