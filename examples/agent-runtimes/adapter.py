"""Lets the suite drive the personal agent of the package agent-runtimes: one JSON object a line.

`adapter.py PORT KEY_FILE` serves the agent's keys at http://127.0.0.1:PORT/jwks.json, and keeps the
private one in the file, so that the agent is the same when it is started again.
"""

import asyncio
import json
import sys
import threading
import traceback
from collections.abc import Awaitable, Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import httpx
from agent_runtimes.protocols.egress import client_fetch
from agent_runtimes.protocols.pact.client import (
    InMemoryDelegationStore,
    InMemoryReceiptStore,
    PactPersonalAgent,
    Reply,
    SignIn,
    StepUp,
)
from agent_runtimes.protocols.web_bot_auth.directory import directory_body
from agent_runtimes.protocols.web_bot_auth.keys import LocalSigner
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)

Told = dict[str, Any]


class FailureError(Exception):
    """What the agent raised: the turn came to nothing, and its caller knows."""


class Adapter:
    """The agent at each Brand that it was told of, and the operations of the contract."""

    def __init__(self, issuer: str, signer: LocalSigner) -> None:
        self._issuer = issuer
        self._signer = signer
        self._http = httpx.AsyncClient(timeout=15.0, trust_env=False)
        self._delegations = InMemoryDelegationStore()
        self._receipts = InMemoryReceiptStore()
        self._agents: dict[str, PactPersonalAgent] = {}
        self._begun: dict[tuple[str, str], SignIn] = {}

    async def hello(self, _asked: Told) -> Told:
        """Offer what the agent has: it publishes no keys, so it rotates none."""
        offered = ["connect", "say", "sign_in", "go_on", "holds"]
        return {"operations": offered, "name": "agent-runtimes"}

    async def connect(self, asked: Told) -> Told:
        """Read a card. The agent is given the URL of a card; it looks at no domain."""
        if asked.get("card") is None:
            return {"error": "the agent takes the URL of a card alone"}
        agent = PactPersonalAgent(
            card_url=asked["card"],
            issuer=self._issuer,
            audience=asked["audience"],
            signer=self._signer,
            delegations=self._delegations,
            receipts=self._receipts,
            http=self._http,
            # Its own default refuses every private address; this is what it has for tests.
            metadata=client_fetch(self._http),
        )
        await attempt(agent.discover())
        handle = f"brand-{len(self._agents) + 1}"
        self._agents[handle] = agent
        return {"brand": handle}

    async def say(self, asked: Told) -> Told:
        """Send a message; a step-up is handed to the caller, as the agent does."""
        agent = self._agents[asked["brand"]]
        user, context_id = asked["user"]["id"], asked["conversation"]
        came: Reply | StepUp = await attempt(agent.send(user, asked["text"], context_id=context_id))
        if isinstance(came, StepUp):
            needed = {"link": came.verification_uri, "scopes": list(came.missing)}
            return {"needsSignIn": needed, "conversation": came.context_id}
        return {"reply": {"text": came.text}, "conversation": came.context_id}

    async def sign_in(self, asked: Told) -> Told:
        """Begin a device flow for the scopes that the caller chooses."""
        if asked["scopes"] is None:
            return {"error": "the agent's caller chooses the scopes"}
        agent, user = self._agents[asked["brand"]], asked["user"]["id"]
        begun = await attempt(agent.request_sign_in(user, asked["scopes"]))
        self._begun[asked["brand"], user] = begun
        return {"needsSignIn": {"link": begun.verification_uri}}

    async def go_on(self, asked: Told) -> Told:
        """Poll until it is decided. The agent sends nothing again: its caller does."""
        agent, user = self._agents[asked["brand"]], asked["user"]["id"]
        begun = self._begun.pop((asked["brand"], user), None)
        if begun is None:
            return {"reply": {"text": "no sign-in was begun"}}
        granted = await attempt(agent.finish_sign_in(user, begun))
        return {"reply": {"text": f"granted: {' '.join(granted)}"}}

    async def holds(self, asked: Told) -> Told:
        """Tell the granted scopes. Of receipts the agent keeps the claims, and no `jws`."""
        card = self._agents[asked["brand"]].card
        held = card and await self._delegations.get(card.interface_url, asked["user"]["id"])
        return {"scopes": list(held[1]) if held else [], "receipts": []}


async def attempt(call: Awaitable[Any]) -> Any:  # noqa: ANN401 - of the agent's own types
    """Await the agent; whatever it raises has reached its caller, which is how it gives up."""
    try:
        return await call
    except Exception as error:
        traceback.print_exc()
        raise FailureError(f"{type(error).__name__}: {error}") from error


def kept_signer(file: Path) -> LocalSigner:
    """Return a signer with the key of a file, which is made if it is not there."""
    if not file.exists():
        made = ec.generate_private_key(ec.SECP256R1())
        file.write_bytes(made.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    key = load_pem_private_key(file.read_bytes(), password=None)
    assert isinstance(key, ec.EllipticCurvePrivateKey)
    return LocalSigner(key)


def publish(port: int, body: bytes) -> None:
    """Serve a JWK Set for as long as the process lives."""

    class Keys(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            found = self.path == "/jwks.json"
            self.send_response(200 if found else 404)
            self.send_header("Content-Type", "application/json")
            self.end_headers()
            self.wfile.write(body if found else b"")

        def log_message(self, *_about: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", port), Keys)
    threading.Thread(target=server.serve_forever, daemon=True).start()


def main() -> None:
    """Answer line by line until there are no more."""
    port, file = int(sys.argv[1]), Path(sys.argv[2])
    signer = kept_signer(file)
    publish(port, directory_body([signer.public_jwk]))
    adapter = Adapter(f"http://127.0.0.1:{port}", signer)
    offered = (
        *(adapter.hello, adapter.connect, adapter.say),
        *(adapter.sign_in, adapter.go_on, adapter.holds),
    )
    operations: dict[str, Callable[[Told], Awaitable[Told]]] = {it.__name__: it for it in offered}
    with asyncio.Runner() as runner:
        for line in sys.stdin:
            asked = json.loads(line)
            operation = operations.get(asked["operation"])
            told: Told = {"error": "not offered"}
            try:
                if operation is not None:
                    told = runner.run(operation(asked))
            except FailureError as failure:
                told = {"gaveUp": {"reason": str(failure)}}
            sys.stdout.write(json.dumps({"id": asked["id"], **told}) + "\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
