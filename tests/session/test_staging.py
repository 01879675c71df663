"""The stage as a run starts it: addresses, certificates, and its part of the journal."""

import json
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from jsonschema import Draft202012Validator

from pact_conformance.assets import folder
from pact_conformance.counterpart.certificates import make_certificate
from pact_conformance.journal.journal import Journal, read
from pact_conformance.journal.mask import Mask
from pact_conformance.report.exchanges import show
from pact_conformance.session.staging import AUDIENCE, CA_FILE, Registered, Staging
from pact_conformance.settings import Settings
from pact_conformance.subject.stage import Scene, Stage
from pact_conformance.verdicts import Untested
from tests.counterpart.agent import Agent, message

SCHEMA = json.loads((folder("schemas") / "journal.schema.json").read_text(encoding="utf-8"))


@contextmanager
def staged(folder: Path, agent: Agent, **settings: Any) -> Iterator[Staging]:  # noqa: ANN401 - values
    with agent.published() as known:
        registered = Registered(known.issuer, known.jwks_uri)
        with Staging(Settings(**settings), registered, folder) as staging:
            yield staging


def say(client: httpx.Client, agent: Agent, scene: Scene) -> httpx.Response:
    headers = {"Authorization": f"Bearer {agent.token(aud=AUDIENCE)}"}
    return client.post(f"{scene.interface}/message:send", json=message(), headers=headers)


def test_what_the_agent_sent_is_in_the_journal_without_secrets(tmp_path: Path) -> None:
    agent, mask, path = Agent(), Mask(), tmp_path / "journal.ndjson"
    journal = Journal(path)
    with staged(tmp_path, agent) as staging, httpx.Client(trust_env=False) as client:
        stage = Stage(staging.address, mask, journal)
        scene = stage.open(approve={"auto": "all"}, answers={"jwks": [{"close": True}]})
        say(client, agent, scene)
        bearer = {"Authorization": f"Bearer {agent.token(aud=AUDIENCE)}"}
        form = {"client_id": agent.issuer, "scope": "orders:read"}
        codes = client.post(f"{scene.issuer}/device_authorization", data=form, headers=bearer)
        client.get(codes.json()["verification_uri_complete"])
        client.get(f"{scene.card}?x", headers={"Authorization": "Bearer nonsense"})
        with pytest.raises(httpx.RemoteProtocolError):
            client.get(f"{scene.issuer}/jwks.json")
        seen = stage.everything()
        stage.close()
    written = path.read_text()
    exchanges = list(read(path))
    journal.close()

    assert [it.id for it in exchanges] == [it.exchange_id for it in seen]
    assert [it.operation for it in exchanges] == ["message:send", "oauth", "other", "card", "jwks"]
    assert [it.credentials for it in exchanges] == ["good", "good", "none", "forged", "none"]
    assert {it.by for it in exchanges} == {"agent"}
    assert [show(it).curl for it in exchanges] == [""] * 5
    assert exchanges[4].answer is None
    for line in written.splitlines():
        Draft202012Validator(SCHEMA).validate(json.loads(line))
    for secret in (codes.json()["device_code"], codes.json()["user_code"], "eyJ"):
        assert secret not in written


def test_the_audience_is_no_url_and_is_asked_for_as_it_is(tmp_path: Path) -> None:
    agent = Agent()
    with staged(tmp_path, agent) as staging, httpx.Client(trust_env=False) as client:
        stage = Stage(staging.address, Mask())
        answer = say(client, agent, stage.open())
        stage.close()

    assert answer.status_code == 200
    assert staging.address.audience == AUDIENCE


def test_a_certificate_is_made_for_the_run(tmp_path: Path) -> None:
    agent = Agent()
    with staged(tmp_path, agent, mock_tls="made") as staging:
        stage = Stage(staging.address, Mask())
        scene = stage.open(interfaceHost="other", domain={"serves": True})
        context = ssl.create_default_context(cafile=staging.address.ca_file)
        with httpx.Client(trust_env=False, verify=context) as trusting:
            card = trusting.get(scene.card)
            domain = trusting.get(f"{scene.domain}/.well-known/agent-card.json")
            answer = say(trusting, agent, scene)
        with httpx.Client(trust_env=False) as client, pytest.raises(httpx.ConnectError):
            client.get(scene.card)
        urls = [it.url for it in scene.seen()]
        stage.close()

    assert (card.status_code, domain.status_code, answer.status_code) == (200, 200, 200)
    assert scene.card.startswith("https://127.0.0.1:")
    assert scene.interface.startswith("https://localhost:")
    assert urls == [
        scene.card,
        f"{scene.domain}/.well-known/agent-card.json",
        f"{scene.interface}/message:send",
    ]
    assert [it.name for it in tmp_path.iterdir()] == [CA_FILE]
    assert "PRIVATE" not in (tmp_path / CA_FILE).read_text()


def test_a_certificate_is_given(tmp_path: Path) -> None:
    made, certificate, key = make_certificate([]), tmp_path / "c.pem", tmp_path / "k.pem"
    certificate.write_bytes(made.chain)
    key.write_bytes(made.key)
    ca = tmp_path / "ca.pem"
    ca.write_bytes(made.ca)
    with staged(tmp_path, Agent(), mock_tls=f"{certificate},{key}") as staging:
        stage = Stage(staging.address, Mask())
        context = ssl.create_default_context(cafile=str(ca))
        card = httpx.get(stage.open().card, verify=context, trust_env=False)
        stage.close()

    assert card.status_code == 200
    assert staging.address.ca_file is None


def test_behind_a_public_url_there_is_one_host(tmp_path: Path) -> None:
    public = "https://mock.tunnel.example/below"
    with staged(tmp_path, Agent(), mock_url=f"{public}/", mock_listen="127.0.0.1:0") as staging:
        stage = Stage(staging.address, Mask())
        scene = stage.open(card_path="/card/1")
        link = stage.open().card
        for script in ({"domain": {"serves": True}}, {"interfaceHost": "other"}):
            with pytest.raises(Untested, match="one host"):
                stage.open(**script)
        stage.close()

    assert scene.card == f"{public}/card/1"
    assert scene.interface == f"{public}/a2a/{scene.brand_id}"
    assert link.startswith(f"{public}/a2a/")
    assert staging.address.control.startswith("http://127.0.0.1:")


def test_an_address_that_is_taken_is_told(tmp_path: Path) -> None:
    with (
        staged(tmp_path, Agent()) as staging,
        pytest.raises(pytest.UsageError, match=r"E2E_MOCK_LISTEN: cannot listen on 127\.0\.0\.1"),
        staged(tmp_path, Agent(), mock_listen=staging.address.base.removeprefix("http://")),
    ):
        pass
