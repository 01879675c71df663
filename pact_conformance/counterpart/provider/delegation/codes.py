"""Device codes and user codes (RFC 8628 §3.2, §6.1)."""

import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from pact_conformance.counterpart.provider.configuration import BrandConfig
    from pact_conformance.counterpart.provider.delegation.grants import Grant

_LETTERS = "BCDFGHJKLMNPQRSTVWXZ"
"""No vowels, so that no words come up, and nothing to take for a digit (RFC 8628 §6.1)."""


def mint_device_code() -> str:
    """Return a new device code, which nobody can guess."""
    return f"dc_{secrets.token_urlsafe(32)}"


def mint_user_code() -> str:
    """Return a new user code, short enough to be typed: `WDJB-MJHT`."""
    letters = "".join(secrets.choice(_LETTERS) for _ in range(8))
    return f"{letters[:4]}-{letters[4:]}"


def as_typed(user_code: str) -> str:
    """Return a user code as it was given out, however it was typed (RFC 8628 §6.1)."""
    letters = "".join(it for it in user_code.upper() if it in _LETTERS)
    return f"{letters[:4]}-{letters[4:]}"


@dataclass
class DeviceCode:
    """One flow: what a personal agent asked for, and what the User has decided."""

    device_code: str = field(repr=False)
    user_code: str = field(repr=False)
    brand_id: str
    client_id: str
    """The issuer of the personal agent that asked."""
    scopes: tuple[str, ...]
    """What was asked for, in the order of the card."""
    expires_at: float
    interval: float
    """Seconds between two polls; each poll that comes too soon adds to it."""
    polled_at: float | None = None
    decision: Literal["pending", "approved", "denied"] = "pending"
    grant: "Grant | None" = None
    """The grant that stands behind an approval."""
    granted: tuple[str, ...] = ()
    """What the User approved of what was asked for (§5.3)."""
    decided_by: str | None = None
    """The Brand user in whose session it was decided; None while it is not."""
    redeemed: bool = False
    """Whether it has been exchanged for a token."""

    def approve(self, grant: "Grant", scopes: tuple[str, ...]) -> None:
        """Let the next poll have a token of a grant, for these scopes."""
        self.decision, self.grant, self.granted = "approved", grant, scopes

    def deny(self) -> None:
        """Let polls get `access_denied`."""
        self.decision = "denied"


class Codes:
    """The codes of a Provider, of all its Brands; whose a code is, is for the rules to ask."""

    def __init__(self) -> None:
        self.mint_device_code: Callable[[], str] = mint_device_code
        self.mint_user_code: Callable[[], str] = mint_user_code
        self._by_device_code: dict[str, DeviceCode] = {}
        self._by_user_code: dict[str, DeviceCode] = {}

    def issue(
        self, brand: "BrandConfig", client_id: str, scopes: tuple[str, ...], now: float
    ) -> DeviceCode:
        """Return a new pair of codes."""
        code = DeviceCode(
            device_code=self.mint_device_code(),
            user_code=self.mint_user_code(),
            brand_id=brand.id,
            client_id=client_id,
            scopes=scopes,
            expires_at=now + brand.device_code_seconds,
            interval=brand.poll_interval,
        )
        self._by_device_code[code.device_code] = code
        self._by_user_code[code.user_code] = code
        return code

    def by_device_code(self, device_code: str) -> DeviceCode | None:
        """Return the flow of a device code, whoever's it is."""
        return self._by_device_code.get(device_code)

    def by_user_code(self, user_code: str) -> DeviceCode | None:
        """Return the flow of a user code, whoever's it is."""
        return self._by_user_code.get(user_code)
