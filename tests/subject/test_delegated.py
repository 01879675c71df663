"""A delegation token goes beside the agent's own, and the journal knows what it is worth."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from pact_conformance.journal.client import RecordingClient
from pact_conformance.journal.exchange import Exchange
from pact_conformance.journal.journal import Journal, read
from pact_conformance.journal.mask import Mask
from pact_conformance.journal.placeholder import DELEGATION_TOKEN
from pact_conformance.subject.delegated import delegation_lines
from pact_conformance.subject.operations import LIST
from pact_conformance.subject.provider import Provider
from pact_conformance.subject.rate_limit import Patience
from pact_conformance.tokens.caller import Caller
from pact_conformance.tokens.keys import SigningKey
from pact_conformance.tokens.token import Token
from pact_conformance.wire.card import Card
from tests.wire.cards import good_card

from .servers import BRAND, Server, json_reply

HEADER = "X-A2A-User-Delegation"
FORGED = Token("forged-delegation-token", "forged", forgery="signature-empty")
GOOD = Token("another-delegation-token", "good")


@pytest.fixture
def server() -> Iterator[Server]:
    with Server(lambda _: json_reply({"message": {}})) as server:
        yield server


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    journal = Journal(tmp_path / "journal.ndjson")
    yield journal
    journal.close()


@pytest.fixture
def provider(server: Server, journal: Journal) -> Iterator[Provider]:
    client = RecordingClient(journal, Mask(), deadline=5)
    document = good_card()
    document["supportedInterfaces"][0]["url"] = server.url + BRAND
    caller = Caller("https://pa.example", "aud", (SigningKey.generate("ES256", kid="k"),))
    yield Provider(client, Card(document, server.url), caller, Patience(0))
    client.close()


def recorded(journal: Journal) -> Exchange:
    return list(read(journal.path))[-1]


def test_a_token_goes_out_as_bearer_beside_the_agents_own(
    provider: Provider, server: Server, journal: Journal
) -> None:
    provider.send(user="u", delegation="a-delegation-token")

    sent = server.requests[-1].headers
    assert sent[HEADER] == "Bearer a-delegation-token"
    assert sent["Authorization"].startswith("Bearer ey")
    assert sent["A2A-Version"] == "1.0"
    assert recorded(journal).delegation == "good"
    assert recorded(journal).sent.header(HEADER) == f"Bearer {DELEGATION_TOKEN}"
    assert "a-delegation-token" not in journal.path.read_text(encoding="utf-8")


def test_without_one_there_is_no_header(
    provider: Provider, server: Server, journal: Journal
) -> None:
    provider.send(user="u")

    assert HEADER not in server.requests[-1].headers
    assert recorded(journal).delegation == "none"


def test_any_operation_can_have_one(provider: Provider, server: Server, journal: Journal) -> None:
    provider.call(LIST, user="u", delegation=FORGED)

    assert server.requests[-1].headers[HEADER] == f"Bearer {FORGED.text}"
    assert recorded(journal).delegation == "forged"


def test_headers_of_ones_own_do_not_drop_it(provider: Provider, server: Server) -> None:
    provider.send(user="u", headers=[("X-One", "1")], delegation="a-delegation-token")

    assert server.requests[-1].headers["X-One"] == "1"
    assert server.requests[-1].headers[HEADER] == "Bearer a-delegation-token"


@pytest.mark.parametrize(
    ("delegation", "raw", "values", "worth"),
    [
        (None, None, [], "none"),
        ("a.b.c", None, ["Bearer a.b.c"], "good"),
        (GOOD, None, [f"Bearer {GOOD.text}"], "good"),
        (FORGED, None, [f"Bearer {FORGED.text}"], "forged"),
        (None, "text", ["text"], "other"),
        (None, "", [""], "other"),
        (None, ["Bearer a", "Bearer b"], ["Bearer a", "Bearer b"], "other"),
    ],
)
def test_what_is_on_the_header_says_what_it_is_worth(
    delegation: str | Token | None, raw: str | list[str] | None, values: list[str], worth: str
) -> None:
    lines, found = delegation_lines(delegation, raw)

    assert lines == [(HEADER, value) for value in values]
    assert found == worth


def test_a_token_and_a_raw_value_exclude_each_other() -> None:
    with pytest.raises(ValueError, match="exclude"):
        delegation_lines("a.b.c", "text")
