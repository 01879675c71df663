import json
import re
import signal
import ssl
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

import httpx
import pytest

from pact_conformance.counterpart import variants
from pact_conformance.counterpart.provider.configuration import (
    AgentConfig,
    BrandConfig,
    ProviderConfig,
)
from pact_conformance.counterpart.provider.serving import start
from tests.counterpart.agent import AUDIENCE, Agent
from tests.counterpart.delegating import Page

Capture = pytest.CaptureFixture[str]
COMMAND = [sys.executable, "-m", "pact_conformance.counterpart.provider", "--config", "-"]


@contextmanager
def program(*arguments: str) -> Iterator["subprocess.Popen[str]"]:
    with subprocess.Popen(
        [*COMMAND, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin
        process.stdin.write("{}\n")
        process.stdin.flush()
        try:
            yield process
        finally:
            process.kill()


def first_line(process: "subprocess.Popen[str]") -> str:
    assert process.stdout
    return process.stdout.readline()


def test_one_line_says_where_the_brands_are() -> None:
    with program("--exit-with-stdin") as process:
        ready = json.loads(first_line(process))["ready"]
        cards = [httpx.get(brand["card"], trust_env=False).json() for brand in ready["brands"]]
        unknown = httpx.get(ready["unknown_card"], trust_env=False)

    interfaces = [brand["interface"] for brand in ready["brands"]]
    assert [card["supportedInterfaces"][0]["url"] for card in cards] == interfaces
    assert unknown.status_code == 404


def test_it_ends_when_its_stdin_closes() -> None:
    with program("--exit-with-stdin") as process:
        first_line(process)
        assert process.stdin
        process.stdin.close()

        assert process.wait(5) == 0


def test_it_is_served_where_and_as_its_variants_say() -> None:
    deployments = [it.name for it in variants.ALL.values() if it.deploy is not None]
    with start(ProviderConfig(), variants=deployments) as running:
        assert running.ca is not None
        trusted = ssl.create_default_context(cadata=running.ca)
        card = httpx.get(running.brands[0].card, verify=trusted, trust_env=False)
        beside = httpx.get(
            running.brands[0].card.replace(urlsplit(running.base).path, ""),
            verify=trusted,
            trust_env=False,
        )

    assert re.fullmatch(r"https://\[::1\]:\d+/partners/pact/v1", running.base)
    assert card.json()["supportedInterfaces"][0]["url"].startswith(running.base)
    assert beside.status_code == 404


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_ends_cleanly_on_a_signal(number: signal.Signals) -> None:
    with program("--exit-with-stdin") as process:
        first_line(process)
        process.send_signal(number)

        assert process.wait(5) == 0


def test_a_wrong_configuration_is_named() -> None:
    answer = subprocess.run(
        COMMAND, input='{"brandz": []}', capture_output=True, text=True, check=False
    )

    assert answer.returncode == 2
    assert "unknown member 'brandz'" in answer.stderr


def test_a_start_that_fails_is_an_error() -> None:
    with pytest.raises(RuntimeError, match="did not start"):
        start(ProviderConfig(listen="192.0.2.1:0"))


def test_a_brand_may_live_in_another_time() -> None:
    brands = (BrandConfig(id="now", name="Now"), BrandConfig(id="next", name="N", clock_offset=1e6))
    with start(ProviderConfig(brands=brands)) as provider:
        dates = [httpx.head(brand.card, trust_env=False).headers for brand in provider.brands]

    assert dates[0]["date"] != dates[1]["date"]


def test_a_configuration_survives_json() -> None:
    config = ProviderConfig(
        brands=(BrandConfig(id="b", name="Bücher", clock_offset=-3.0),),
        agents=(AgentConfig(issuer="i", jwks_uri="u", enabled=False, audience="a"),),
        public_url="http://localhost:1",
        listen="[::1]:80",
    )

    assert ProviderConfig.from_json(config.to_json()) == config
    assert config.address == ("::1", 80)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("[]", "must be a JSON object"),
        ('{"agents": {}}', "agents must be an array"),
        ('{"agents": [{"issuer": "i"}]}', "jwks_uri"),
        ('{"agents": [{"issuer": 1, "jwksUri": ""}]}', "issuer must be"),
        ('{"listen": "localhost"}', "HOST:PORT"),
    ],
)
def test_what_is_wrong_with_a_configuration_is_said(text: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        ProviderConfig.from_json(text)


def test_flaws_and_variants_are_named_at_the_start() -> None:
    flaws = ("sends-an-envelope-for-an-unmatched-path",)
    variants = ("closes-the-connection-after-every-answer", "sends-bodies-in-chunks")
    with start(ProviderConfig(), flaws=flaws, variants=variants) as provider:
        answer = httpx.get(f"{provider.brands[0].interface}/nothing", trust_env=False)

    assert answer.json()["error"]["details"][0]["reason"] == "TASK_NOT_FOUND"
    assert answer.headers["connection"] == "close"
    assert answer.headers["transfer-encoding"] == "chunked"


def test_an_unknown_flaw_does_not_start() -> None:
    with pytest.raises(RuntimeError, match="exit code 2"):
        start(ProviderConfig(), flaws=("nothing",))


def test_the_log_names_the_caller_but_no_token(agent: Agent, capfd: Capture) -> None:
    token = agent.token("user-1@example.com")
    with agent.published() as registration:
        config = ProviderConfig(agents=(registration,), audience=AUDIENCE)
        with start(config, log=True) as provider:
            url = f"{provider.brands[0].interface}/tasks?access_token={token}"
            headers = {"Authorization": f"Bearer {token}"}
            httpx.get(url, headers=headers, trust_env=False).raise_for_status()

    (line,) = capfd.readouterr().err.splitlines()
    assert f"/tasks 200 {agent.issuer} " in line
    assert "user-1@example.com" not in line
    assert not any(segment in line for segment in token.split("."))


def test_the_log_names_no_code_and_no_assertion(agent: Agent, capfd: Capture) -> None:
    with agent.published() as registration:
        config = ProviderConfig(agents=(registration,), audience=AUDIENCE)
        with start(config, log=True) as provider, httpx.Client(trust_env=False) as client:
            oauth = f"{provider.brands[0].interface}/oauth"
            form = {"client_id": agent.issuer, "scope": "orders:read"}
            begun = client.post(
                f"{oauth}/device_authorization", data=form, headers=agent.bearer()
            ).json()
            login = Page.of(client.get(begun["verification_uri_complete"]))
            assert login.action is not None
            fields = {**login.fields, "username": "jane", "password": "jane-secret"}
            handed = Page.of(client.post(login.action, data=fields, follow_redirects=True))
            assert handed.action is not None
            consent = client.post(handed.action, data=handed.fields, follow_redirects=True)
            assert consent.status_code == 200

    said = capfd.readouterr().err
    secrets = [begun["user_code"], begun["device_code"], handed.fields["assertion"], "jane-secret"]
    assert len(said.splitlines()) == 6
    assert not any(secret in said for secret in [*secrets, *client.cookies.values()])
