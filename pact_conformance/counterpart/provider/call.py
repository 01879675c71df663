"""One request on its way through the Provider: what it asks for, of whom, and from whom."""

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from starlette.requests import Request

from pact_conformance.counterpart.provider.refusals import Unauthenticated, invalid

if TYPE_CHECKING:
    from pact_conformance.counterpart.provider.brand_agent import Authority
    from pact_conformance.counterpart.provider.configuration import BrandConfig
    from pact_conformance.counterpart.provider.operations import Operation
    from pact_conformance.counterpart.provider.verifier import User

_BRAND_PATH = re.compile(r"/a2a/([^/]+)(/.*)?", re.DOTALL)
_BEARER = re.compile(r"bearer +([^\s,]+)", re.IGNORECASE)


@dataclass
class Call:
    """A request, and what the gates have found out about it."""

    request: Request
    brand_id: str | None
    path: str
    """What follows the interface URL, with its slash."""
    brand: "BrandConfig | None" = None
    operation: "Operation | None" = None
    path_members: dict[str, str] = field(default_factory=dict)
    user: "User | None" = None
    authority: "Authority | None" = None
    """What the request's delegation token gives, where it has a good one (§5.5)."""

    @classmethod
    def of(cls, request: Request) -> "Call":
        """Read the Brand from the path, `/a2a/{brandId}/…` (§2.1)."""
        path: str = request.scope["path"]
        match = _BRAND_PATH.fullmatch(path)
        if match is None:
            return cls(request=request, brand_id=None, path=path)
        return cls(request=request, brand_id=match[1], path=match[2] or "")


def bearer_token(request: Request) -> str:
    """Return the token of the Authorization header, whose scheme has no case (RFC 9110 §11.1).

    Raises:
        Unauthenticated: there is no such header, more than one, or another scheme.
    """
    values = request.headers.getlist("authorization")
    match = _BEARER.fullmatch(values[0].strip()) if len(values) == 1 else None
    if match is None:
        raise Unauthenticated("no bearer token")
    return match[1]


async def read_body(request: Request, longest: int) -> bytes:
    """Return the body.

    Raises:
        A2ARefusal: it is longer than `longest`.
    """
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > longest:
            raise invalid(f"The request body is longer than {longest} bytes")
    return bytes(body)
