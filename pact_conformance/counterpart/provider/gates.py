"""What every request passes on its way to an operation, in the order of §2.2 and §3.4.

Routing comes before authentication: an unknown Brand is 404 even with a good token, and what is no
operation is 404 or 405 without one. Nothing reads the body before the caller is known.
"""

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from pact_conformance.counterpart.provider.refusals import (
    A2ARefusal,
    NoSuchBrand,
    NoSuchRoute,
)
from pact_conformance.counterpart.provider.table import Table
from pact_conformance.wire.card import VERSION

if TYPE_CHECKING:
    from pact_conformance.counterpart.provider.call import Call
    from pact_conformance.counterpart.provider.provider import Provider

Gate = Callable[["Provider", "Call"], Awaitable[None]]


async def brand_is_hosted(provider: "Provider", call: "Call") -> None:
    """Find the Brand of the path (§2.1, §2.2)."""
    if call.brand_id is None:
        raise NoSuchRoute(call.path)
    call.brand = provider.brands.get(call.brand_id)
    if call.brand is None:
        raise NoSuchBrand(call.brand_id)


async def operation_exists(provider: "Provider", call: "Call") -> None:
    """Find the operation of method and path (§2.2, §5.1)."""
    table = provider.delegation.table(call.brand, call.path) or provider.operations
    call.operation, call.path_members = table.match(call.request.method, call.path)


async def caller_is_known(provider: "Provider", call: "Call") -> None:
    """Verify the personal-agent JWT of every request except the card's (§3.2)."""
    if call.operation is not None and call.operation.public:
        return
    token = provider.bearer_token(call.request)
    now = provider.clock.now(call.brand_id)
    call.user = await provider.verifier.verify(token, now, is_open=provider.is_open(call.brand_id))


async def caller_keeps_its_rate(provider: "Provider", call: "Call") -> None:
    """Refuse a User who asks too often, where the Provider sets a limit (§6)."""
    if call.user is None:
        return
    now = provider.clock.now(call.brand_id)
    provider.conditions.check_rate(call.brand_id, call.user, now)
    provider.rates.check(call.brand_id, call.user, now)


async def delegation_is_good(provider: "Provider", call: "Call") -> None:
    """Verify the delegation token of a message, once the caller is known (§5.5)."""
    if call.operation is None or not call.operation.takes_delegation:
        return
    assert call.brand is not None
    text = provider.delegation.read_header(call.request)
    if text is not None:
        call.authority = provider.delegation.authority(provider, call.brand, call.user, text)


async def version_is_spoken(provider: "Provider", call: "Call") -> None:
    """Refuse a version of A2A that is not spoken here.

    A2A lets the version stand in the query too. PACT only says that requests should name it (§2),
    so one that does not is served as 1.0.
    """
    asked = call.request.headers.get("a2a-version") or call.request.query_params.get("A2A-Version")
    if call.operation is not None and call.operation.is_a2a and not call.operation.public:
        provider.check_version((asked or "").strip())


def check_version(asked: str) -> None:
    """Refuse a version of A2A other than 1.0; none given is the empty string."""
    if asked not in ("", VERSION):
        raise A2ARefusal("VERSION_NOT_SUPPORTED", f"A2A {VERSION} is spoken here")


def gates() -> Table[Gate]:
    """Return the gates in order."""
    return Table[Gate](
        brand_is_hosted,
        operation_exists,
        caller_is_known,
        caller_keeps_its_rate,
        delegation_is_good,
        version_is_spoken,
    )
