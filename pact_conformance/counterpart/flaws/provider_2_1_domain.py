"""Flaws of §2.1: the Brand's own domain, where its card is looked for first."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from starlette.responses import RedirectResponse, Response

from pact_conformance.counterpart.flaws.registry import flaw
from pact_conformance.counterpart.provider.configuration import BrandConfig
from pact_conformance.counterpart.provider.operations import CARD
from pact_conformance.counterpart.provider.provider import Provider
from pact_conformance.counterpart.provider.serving import UNKNOWN_BRAND

if TYPE_CHECKING:
    from starlette.requests import Request


def _answer(provider: Provider, answer: "Callable[[BrandConfig, Request], Response]") -> None:
    """Answer otherwise where the card is looked for."""
    original = provider.site

    def site(provider: Provider, brand: BrandConfig, request: "Request") -> Response:
        if request.url.path == CARD:
            return answer(brand, request)
        return original(provider, brand, request)

    provider.site = site


@flaw("2.1-brand-domain")
def has_no_card_at_a_brands_domain(provider: Provider) -> None:
    """The Brand's domain answers 404 where its card should be."""
    _answer(provider, lambda _brand, _request: Response(status_code=404))


@flaw("2.1-brand-domain")
def has_a_page_at_the_place_of_the_card(provider: Provider) -> None:
    """The Brand's domain answers with its home page where its card should be."""
    page = "<!doctype html><title>Welcome</title><h1>Welcome to our shop</h1>"
    _answer(provider, lambda _brand, _request: Response(page, media_type="text/html"))


@flaw("2.1-brand-domain")
def asks_for_a_login_at_a_brands_domain(provider: Provider) -> None:
    """The Brand's domain answers 401 where its card should be."""
    headers = {"WWW-Authenticate": 'Basic realm="staging"'}
    _answer(provider, lambda _brand, _request: Response(status_code=401, headers=headers))


@flaw("2.1-brand-domain")
def redirects_a_brands_domain_to_an_unknown_brand(provider: Provider) -> None:
    """The Brand's domain redirects to the card of a Brand that does not exist."""
    _answer(provider, lambda _brand, _request: RedirectResponse(provider.card_url(UNKNOWN_BRAND)))


@flaw("2.1-brand-domain")
def redirects_a_brands_domain_to_another_brand(provider: Provider) -> None:
    """The Brand's domain redirects to the card of another Brand."""
    brands = list(provider.brands)

    def other(brand: BrandConfig) -> str:
        return brands[(brands.index(brand.id) + 1) % len(brands)]

    _answer(provider, lambda brand, _request: RedirectResponse(provider.card_url(other(brand))))


@flaw("2.1-brand-domain")
def redirects_a_brands_domain_in_circles(provider: Provider) -> None:
    """The Brand's domain redirects the card's place to itself."""
    _answer(provider, lambda _brand, request: RedirectResponse(str(request.url)))
