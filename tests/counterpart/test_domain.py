"""The Brand's own site, which leads to the Brand's card."""

import json

import httpx
import pytest

from pact_conformance.counterpart.provider.configuration import BrandConfig, ProviderConfig
from pact_conformance.counterpart.provider.domain import Domain, Domains
from pact_conformance.counterpart.provider.operations import CARD
from pact_conformance.counterpart.provider.serving import RunningProvider, start


def test_the_domain_of_a_brand_redirects_to_its_card(
    running: RunningProvider, client: httpx.Client
) -> None:
    for brand in running.brands:
        answer = client.get(f"{brand.domain}{CARD}")

        assert (answer.status_code, answer.headers["location"]) == (302, brand.card)
        assert client.get(brand.card).json()["supportedInterfaces"][0]["url"] == brand.interface


def test_a_domain_is_another_site_than_the_provider(running: RunningProvider) -> None:
    first, second = running.brands

    assert first.domain is not None
    assert first.domain.startswith("http://localhost:")
    assert first.domain != second.domain
    assert running.brand_domain == first.domain


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [("GET", "/", 404), ("GET", "/control/x", 404), ("POST", CARD, 405), ("HEAD", CARD, 302)],
)
def test_nothing_else_is_there(
    running: RunningProvider, client: httpx.Client, method: str, path: str, status: int
) -> None:
    assert client.request(method, f"{running.brand_domain}{path}").status_code == status


def test_the_provider_is_not_there(running: RunningProvider, client: httpx.Client) -> None:
    path = running.brands[0].card.removeprefix(running.base)

    assert client.get(f"{running.brand_domain}{path}").status_code == 404


def test_a_domain_may_serve_the_card_itself_or_not_be() -> None:
    brands = (
        BrandConfig(id="serves", name="S", domain_serves_card=True),
        BrandConfig(id="lacks", name="L", domain_listen=None),
    )
    with start(ProviderConfig(brands=brands)) as provider:
        first, second = provider.brands
        card = httpx.get(f"{first.domain}{CARD}", trust_env=False)

    assert card.json()["supportedInterfaces"][0]["url"] == first.interface
    assert second.domain is None


def test_a_domain_may_be_reached_by_another_url() -> None:
    brand = BrandConfig(id="b", name="B", domain_url="https://shop.example")
    with start(ProviderConfig(brands=(brand,))) as provider:
        assert provider.brand_domain == "https://shop.example"


def test_where_a_domain_listens_is_checked() -> None:
    brand = {"id": "b", "name": "B", "domainListen": "nowhere"}
    with pytest.raises(ValueError, match="HOST:PORT"):
        ProviderConfig.from_json(json.dumps({"brands": [brand]}))


def test_a_site_is_found_by_its_port() -> None:
    domains = Domains()
    domains.add("one", Domain("http://one.example", 1))
    domains.add("two", Domain("http://two.example", 2))

    assert [domains.brand_at(port) for port in (1, 2, 3, None)] == ["one", "two", None, None]
