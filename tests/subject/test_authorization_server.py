"""The OAuth endpoints of a Brand are asked as §5.3 has it, and get tokens only where they may."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Protocol
from urllib.parse import parse_qsl

import pytest

from pact_conformance.journal.client import RecordingClient
from pact_conformance.journal.exchange import Exchange
from pact_conformance.journal.journal import Journal, read
from pact_conformance.journal.mask import Mask
from pact_conformance.subject.authorization_server import AuthorizationServer
from pact_conformance.subject.provider import Provider
from pact_conformance.subject.rate_limit import Patience
from pact_conformance.tokens.caller import Caller
from pact_conformance.tokens.keys import SigningKey
from pact_conformance.verdicts import Inconclusive, NotApplicable, Untested, notebook
from pact_conformance.wire.card import Card
from tests.wire.cards import good_card

from .servers import BRAND, Answer, Reply, Request, Server, json_reply

ISSUER = "https://pa.example.com"
OWN = ("client_id", ISSUER)


class Made(Protocol):
    """Makes the authorization server of a Brand, and the list of what it was asked."""

    def __call__(
        self, answer: Answer, *, oauth: str | None = None, refresh: str | None = None
    ) -> tuple[AuthorizationServer, list[Request]]: ...


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.ndjson"


@pytest.fixture
def served(path: Path) -> Iterator[Made]:
    """Make the authorization server of a Brand that a small server answers for."""
    opened: list[Server] = []
    journal = Journal(path)
    client = RecordingClient(journal, Mask(), deadline=5)

    def make(
        answer: Answer, *, oauth: str | None = None, refresh: str | None = None
    ) -> tuple[AuthorizationServer, list[Request]]:
        server = Server(answer)
        server.__enter__()
        opened.append(server)
        card = card_at(server.url, oauth or server.url, refresh)
        caller = Caller(ISSUER, "aud", (SigningKey.generate("ES256", kid="k"),))
        patience = Patience(5, sleep=lambda _: None)
        made = AuthorizationServer(Provider(client, card, caller, patience))
        return made, server.requests

    yield make
    client.close()
    journal.close()
    for server in opened:
        server.__exit__(None, None, None)


def card_at(base: str, oauth: str, refresh: str | None) -> Card:
    document = good_card()
    document["supportedInterfaces"][0]["url"] = base + BRAND
    scheme = document["securitySchemes"]["userDelegation"]["oauth2SecurityScheme"]
    scheme["flows"]["deviceCode"]["deviceAuthorizationUrl"] = f"{oauth}/device"
    scheme["flows"]["deviceCode"]["tokenUrl"] = f"{oauth}/token"
    if refresh is not None:
        scheme["flows"]["deviceCode"]["refreshUrl"] = f"{oauth}{refresh}"
    scheme["oauth2MetadataUrl"] = f"{oauth}/metadata"
    return Card(document, base + BRAND)


def documents(request: Request) -> Reply:
    """Serve metadata and keys to anybody."""
    if request.path == "/metadata":
        base = f"http://{request.headers['Host']}"
        return json_reply({"issuer": "https://brand", "jwks_uri": f"{base}/jwks"})
    return json_reply({"keys": []}) if request.path == "/jwks" else json_reply({})


def form(request: Request) -> list[tuple[str, str]]:
    return parse_qsl(request.body.decode(), keep_blank_values=True)


def recorded(path: Path) -> list[Exchange]:
    return list(read(path))


def test_a_flow_begins_with_the_form_of_the_specification(served: Made) -> None:
    server, requests = served(documents)

    server.begin(["orders:read", "orders:cancel"], user="u")

    headers = {name.lower(): value for name, value in requests[-1].headers.items()}
    assert requests[-1].path == "/device"
    assert headers["content-type"] == "application/x-www-form-urlencoded"
    assert headers["authorization"].startswith("Bearer ey")
    assert "a2a-version" not in headers
    assert b"scope=orders%3Aread%20orders%3Acancel" in requests[-1].body
    assert form(requests[-1]) == [OWN, ("scope", "orders:read orders:cancel")]


def test_a_code_is_redeemed_and_a_token_refreshed_at_the_token_endpoint(served: Made) -> None:
    server, requests = served(documents)

    server.redeem("dc", user="u")
    grant_type = "urn:ietf:params:oauth:grant-type:device_code"
    assert requests[-1].path == "/token"
    assert form(requests[-1]) == [("grant_type", grant_type), ("device_code", "dc"), OWN]

    server.refresh("rt", user="u", scopes=["a", "b"])
    usual = [("grant_type", "refresh_token"), ("refresh_token", "rt")]
    assert requests[-1].path == "/token"
    assert form(requests[-1]) == [*usual, OWN, ("scope", "a b")]


def test_a_refresh_goes_where_the_card_says(served: Made) -> None:
    server, requests = served(documents, refresh="/refresh")

    server.refresh("rt", user="u")

    assert requests[-1].path == "/refresh"


def test_what_is_asked_for_can_be_changed(served: Made) -> None:
    server, requests = served(documents)

    server.begin(None, user="u", client_id=None)
    assert requests[-1].body == b""

    server.begin(["a"], user="u", client_id="https://other")
    assert form(requests[-1]) == [("client_id", "https://other"), ("scope", "a")]

    server.redeem("dc", user="u", form=[("a", "1"), ("a", "2 &=")], token=None)
    assert form(requests[-1]) == [("a", "1"), ("a", "2 &=")]
    assert "Authorization" not in requests[-1].headers

    url = server.delegation.token_url
    server.post(url, [], user="u", content=b"{}", content_type="application/json")
    assert requests[-1].body == b"{}"
    assert requests[-1].headers["Content-Type"] == "application/json"


def test_the_journal_knows_what_was_asked(served: Made, path: Path) -> None:
    server, _ = served(documents)

    server.begin([], user="u")
    _ = server.keys

    assert [it.operation for it in recorded(path)] == ["oauth", "metadata", "jwks"]
    assert [it.credentials for it in recorded(path)] == ["good", "none", "none"]


def test_a_rate_limit_is_waited_out_with_a_fresh_token(served: Made, path: Path) -> None:
    replies = iter([Reply(429, headers={"Retry-After": "1"}), json_reply({"device_code": "d"})])
    server, requests = served(lambda _: next(replies))

    assert server.begin([], user="u").status == 200
    first, second = (it.headers["Authorization"] for it in requests)
    assert first != second
    assert [it.answer and it.answer.status for it in recorded(path)] == [429, 200]


def test_tokens_go_to_no_stranger(served: Made) -> None:
    server, _ = served(documents, oauth="https://stranger.example")

    asks: list[Callable[[], object]] = [
        lambda: server.begin([], user="u"),
        lambda: server.redeem("dc", user="u"),
        lambda: server.refresh("rt", user="u"),
    ]
    for ask in asks:
        with pytest.raises(Untested) as ended:
            ask()
        assert ended.value.do.endswith(
            ("--pact-allow-origins=https://stranger.example/device", "stranger.example/token")
        )


def test_tokens_go_where_the_tester_allows(served: Made) -> None:
    server, _ = served(documents, oauth="https://stranger.example")
    allowed = AuthorizationServer(server.provider, ["https://stranger.example"])

    allowed._assert_allowed(server.delegation.token_url)


@pytest.mark.parametrize("url", ["", "no url", "https://[::1", "https://host:port/token"])
def test_an_endpoint_that_is_none_gets_nothing(served: Made, url: str) -> None:
    server, _ = served(documents)

    with pytest.raises(Untested):
        server.post(url, [], user="u")


def test_documents_are_read_once_and_cited_by_each_check(served: Made) -> None:
    server, requests = served(documents)

    assert server.issuer == "https://brand"
    with notebook() as book:
        assert server.jwks == {"keys": []}
    with notebook() as again:
        assert server.jwks == {"keys": []}

    assert [it.path for it in requests] == ["/metadata", "/jwks"]
    assert book.exchanges == again.exchanges


def test_a_document_behind_authentication_is_read_with_a_token(served: Made) -> None:
    def guarded(request: Request) -> Reply:
        return documents(request) if "Authorization" in request.headers else Reply(401)

    server, _ = served(guarded)

    assert server.metadata.status == 200
    assert server.metadata_without_token.status == 401
    assert server.keys.status == 200
    assert server.keys_without_token.status == 401


def test_a_document_at_a_stranger_gets_no_token(
    served: Made, monkeypatch: pytest.MonkeyPatch
) -> None:
    server, requests = served(lambda _: Reply(401))
    monkeypatch.setattr(server, "_may_get_tokens", lambda _url: False)

    assert server.metadata.status == 401
    assert len(requests) == 1


def test_a_document_that_was_not_served_is_read_again(served: Made) -> None:
    replies = iter([Reply(503), json_reply({"issuer": "i"})])
    server, _ = served(lambda _: next(replies))

    assert server.metadata.status == 503
    assert server.issuer == "i"


def test_a_code_is_not_sent_again_where_the_answer_was_lost(served: Made) -> None:
    """A code may be used up although its answer never came; beginning anew does no harm."""
    server, requests = served(lambda _: Reply(200, headers={"Content-Length": "5"}, close=True))

    with pytest.raises(Inconclusive):
        server.redeem("dc", user="u")

    assert len(requests) == 1


def test_a_card_without_delegation_has_no_authorization_server(served: Made) -> None:
    provider = served(documents)[0].provider
    document = json.loads(json.dumps(provider.card.document))
    del document["securitySchemes"]["userDelegation"]
    bare = Provider(provider.client, Card(document, ""), provider.caller, provider.patience)

    with pytest.raises(NotApplicable):
        AuthorizationServer(bare)
