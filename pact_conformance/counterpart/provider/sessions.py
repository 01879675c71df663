"""Sign-ins that last for a while: at a Brand's site, and on the Provider's consent pages (§5.3)."""

import hmac
import secrets
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from pact_conformance.counterpart.provider.delegation.codes import DeviceCode


@dataclass
class Session:
    """One browser in which somebody has signed in."""

    brand_id: str
    brand_user: str
    """The User's id at the Brand."""
    name: str
    """What the Brand calls this customer on its pages."""
    expires_at: float
    code: "DeviceCode | None" = None
    """The flow that an assertion has brought into this browser; on the Provider's side alone."""
    csrf: str = field(default_factory=lambda: secrets.token_urlsafe(24), repr=False)
    """What forms carry, so that no other site can send them."""

    def sent(self, csrf: str) -> bool:
        """Say whether a form is one of ours."""
        return hmac.compare_digest(self.csrf.encode(), csrf.encode())


class Sessions:
    """The sessions of one kind of pages, for all Brands."""

    def __init__(self, kind: str) -> None:
        self._kind = kind
        self._by_value: dict[str, Session] = {}

    def cookie(self, brand_id: str) -> str:
        """Return the cookie's name. Cookies know no ports, so each Brand has a name of its own."""
        return f"{self._kind}-{brand_id}"

    def start(self, session: Session, response: "Response", *, path: str, secure: bool) -> None:
        """Keep a session, and give its cookie to the browser."""
        value = secrets.token_urlsafe(32)
        self._by_value[value] = session
        response.set_cookie(
            self.cookie(session.brand_id),
            value,
            path=path,
            secure=secure,
            httponly=True,
            samesite="lax",
        )

    def of(self, request: "Request", brand_id: str, now: float) -> Session | None:
        """Return the session of a request at a Brand, while it lasts."""
        session = self._by_value.get(request.cookies.get(self.cookie(brand_id), ""))
        if session is None or session.brand_id != brand_id or now >= session.expires_at:
            return None
        return session
