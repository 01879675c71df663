"""Extra headers, which may be a gateway's credentials, go to the origins that the tester named."""

import pytest

from pact_conformance.settings import Settings, load

SET = {
    "E2E_PROVIDER": "https://provider.example/a2a/b",
    "PA_ISSUER": "https://pa.example",
    "PA_AUDIENCE": "aud",
    "PA_PRIVATE_JWK": "{}",
}


@pytest.fixture
def settings() -> Settings:
    return load({"allow_origins": "https://gateway.example"}, environment=SET)


@pytest.mark.parametrize(
    "url", ["https://provider.example:443/x", "https://gateway.example/a2a/b/message:send"]
)
def test_they_go_to_a_named_origin(settings: Settings, url: str) -> None:
    assert settings.names_origin_of(url)


@pytest.mark.parametrize(
    "url",
    [
        "https://stranger.example/a2a/b",
        "http://provider.example/a2a/b",
        "https://provider.example:1/",
    ],
)
def test_they_go_nowhere_else(settings: Settings, url: str) -> None:
    assert not settings.names_origin_of(url)
