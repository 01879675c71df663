"""What an exchange costs: our recording client beside a bare httpx client, in one run."""

import json
import statistics
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import httpx

from pact_conformance.counterpart.provider.configuration import AgentConfig, ProviderConfig
from pact_conformance.counterpart.provider.serving import start
from pact_conformance.journal.client import RecordingClient
from pact_conformance.journal.journal import Journal
from pact_conformance.journal.mask import Mask
from pact_conformance.tokens.caller import Caller
from pact_conformance.tokens.jwks_server import JwksServer
from pact_conformance.tokens.keys import SigningKey
from pact_conformance.wire.messages import send_request, user_message

ROUNDS = 5
REQUESTS = 400


@dataclass(frozen=True)
class Cost:
    """Medians over the rounds, both clients in turn within each."""

    bare: float
    """Requests a second."""
    recording: float
    """Requests a second."""

    @property
    def ratio(self) -> float:
        """How many times as long an exchange of ours takes."""
        return self.bare / self.recording


def measure() -> Cost:
    """Send blank messages with fresh tokens, signed the same way for both clients."""
    key = SigningKey.generate("ES256", kid="k")
    with JwksServer() as jwks, tempfile.TemporaryDirectory() as folder:
        issuer = "https://benchmark.personal-agent.example"
        agent = AgentConfig(issuer=issuer, jwks_uri=jwks.publish("k", [key]))
        config = ProviderConfig(agents=(agent,))
        with start(config) as provider:
            caller = Caller(issuer, config.audience, (key,))
            url = f"{provider.brands[0].interface}/message:send"
            journal = Journal(Path(folder) / "journal.ndjson")
            ours = RecordingClient(journal, Mask(), deadline=10)
            with httpx.Client(trust_env=False) as bare:
                rounds = [(_rate(_bare(bare, caller, url)), _rate(_ours(ours, caller, url)))]
                rounds = [
                    (_rate(_bare(bare, caller, url)), _rate(_ours(ours, caller, url)))
                    for _ in range(ROUNDS)
                ]
            ours.close()
            journal.close()
    return Cost(*(statistics.median(rates) for rates in zip(*rounds, strict=True)))


def _rate(send: Callable[[], None]) -> float:
    started = time.perf_counter()
    for _ in range(REQUESTS):
        send()
    return REQUESTS / (time.perf_counter() - started)


def _body() -> bytes:
    return json.dumps(send_request(user_message(" "))).encode()


def _bare(client: httpx.Client, caller: Caller, url: str) -> Callable[[], None]:
    def send() -> None:
        headers = {
            "Authorization": f"Bearer {caller.token(caller.user('b')).text}",
            "A2A-Version": "1.0",
            "Content-Type": "application/json",
        }
        assert client.post(url, headers=headers, content=_body()).json()["error"]["code"] == 400

    return send


def _ours(client: RecordingClient, caller: Caller, url: str) -> Callable[[], None]:
    headers = [("A2A-Version", "1.0"), ("Content-Type", "application/json")]

    def send() -> None:
        answer = client.exchange(
            "POST",
            url,
            operation="message:send",
            headers=headers,
            content=_body(),
            token=caller.token(caller.user("b")),
        )
        assert answer.error is not None

    return send
