"""What flaws of §5.5 and §5.6 do to messages under a delegation token."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

from pact_conformance.counterpart.provider.brand_agent import Authority
from pact_conformance.counterpart.provider.call import Call
from pact_conformance.counterpart.provider.delegation.token_checks import PresentedDelegation
from pact_conformance.counterpart.provider.provider import Provider
from pact_conformance.counterpart.substitution import Document

VERIFIED = (
    "5.5-aud",
    "5.5-client-id",
    "5.5-exp",
    "5.5-malformed",
    "5.5-revoked",
    "5.5-signature",
)
"""What is seen to be broken where no delegation token gets the 401 that it should."""


def also_accept(
    provider: Provider,
    is_enough: Callable[[PresentedDelegation], bool],
    *,
    alg: Callable[[object], bool] = lambda _: False,
) -> None:
    """Let something else stand for a good signature, and further values of `alg` pass."""
    steps = provider.delegation.token_steps
    is_allowed, is_ours = steps["alg_is_allowed"], steps["signature_is_ours"]

    def alg_is_allowed(provider: Provider, token: PresentedDelegation) -> None:
        if not alg(token.header.get("alg")):
            is_allowed(provider, token)

    def signature_is_ours(provider: Provider, token: PresentedDelegation) -> None:
        if not is_enough(token):
            is_ours(provider, token)

    steps.replace("alg_is_allowed", alg_is_allowed)
    steps.replace("signature_is_ours", signature_is_ours)


def signed(token: PresentedDelegation) -> bytes:
    """Return what the signature of a token is over (RFC 7515 §5.2)."""
    return f"{token.segments[0]}.{token.segments[1]}".encode()


def around_delegation(
    provider: Provider, gate: Callable[[Provider, Call, Callable[[], Awaitable[None]]], Any]
) -> None:
    """Let `gate` stand around the gate that looks at the delegation token."""
    inner = provider.gates["delegation_is_good"]

    async def delegation_is_good(provider: Provider, call: Call) -> None:
        await gate(provider, call, lambda: inner(provider, call))

    provider.gates.replace("delegation_is_good", delegation_is_good)


def change_authority(
    provider: Provider, change: Callable[[PresentedDelegation, Authority], Authority]
) -> None:
    """Let `change` decide what a good token gives."""
    read = provider.delegation.read_authority
    provider.delegation.read_authority = lambda token: change(token, read(token))


def change_receipt(provider: Provider, change: Callable[[Document], object]) -> None:
    """Let `change` work on each receipt, or put another value in its place, once it is signed."""
    original = provider.delegation.receipt

    def receipt(*arguments: Any) -> Any:  # noqa: ANN401 - handed on as they are
        document = original(*arguments)
        return change(document) or document

    provider.delegation.receipt = receipt


def change_step_up(provider: Provider, change: Callable[[Document], object]) -> None:
    """Let `change` work on each answer that is a step-up, or put another in its place."""
    original = provider.delegation.conclude

    def conclude(*arguments: Any) -> Any:  # noqa: ANN401 - handed on as they are
        answer: Any = original(*arguments)
        return (change(answer) or answer) if "task" in answer else answer

    provider.delegation.conclude = conclude


def as_brand_user(authority: Authority, brand_user: str) -> Authority:
    """Return an authority over another account."""
    return replace(authority, brand_user=brand_user)
