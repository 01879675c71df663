"""The domains of the Brands themselves: the standard place of a card is there (§2.1).

In truth a Brand's website is the Brand's own; here it is a second small site of the same server,
told from the Provider by the port. It knows one path, which leads to the Provider's card.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from starlette.responses import RedirectResponse, Response

from pact_conformance.counterpart.provider.configuration import BrandConfig
from pact_conformance.counterpart.provider.operations import CARD

if TYPE_CHECKING:
    from starlette.requests import Request

    from pact_conformance.counterpart.provider.provider import Provider

Site = Callable[["Provider", BrandConfig, "Request"], Response]
"""Answers what is asked of a Brand's domain."""


@dataclass(frozen=True)
class Domain:
    """Where a Brand's own site is."""

    url: str
    """Without a path."""
    port: int


class Domains:
    """The sites of the Brands, as far as they have one."""

    def __init__(self) -> None:
        self._by_brand: dict[str, Domain] = {}
        self._by_port: dict[int | None, str] = {}

    def add(self, brand_id: str, domain: Domain) -> None:
        """Enter a Brand's site."""
        self._by_brand[brand_id] = domain
        self._by_port.setdefault(domain.port, brand_id)

    def url(self, brand_id: str) -> str | None:
        """Return the URL of a Brand's site, without a path; None where it has none."""
        domain = self._by_brand.get(brand_id)
        return None if domain is None else domain.url

    def port(self, brand_id: str) -> int:
        """Return the port of ours that a Brand's site listens on."""
        return self._by_brand[brand_id].port

    def brand_at(self, port: int | None) -> str | None:
        """Return the Brand whose site listens on a port of ours."""
        return self._by_port.get(port)


def site(provider: "Provider", brand: BrandConfig, request: "Request") -> Response:
    """Serve a Brand's site: at the card's place the card or the way to it, and nothing else."""
    if request.url.path != CARD:
        return Response(status_code=404)
    if request.method not in ("GET", "HEAD"):
        return Response(status_code=405, headers={"Allow": "GET, HEAD"})
    if brand.domain_serves_card:
        return provider.answers.card(provider.card(brand, provider.base))
    return RedirectResponse(provider.card_url(brand.id), status_code=302)
