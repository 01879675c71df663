"""Have somebody else's PACT agent do what a test asks; run by the interpreter of its subject.

It is the personal agent of the PyPI package `agent-runtimes`, whose Provider tests/real runs. Lines
come and go as in `program.py`; the process is one agent, which it keeps.
"""

import asyncio
import json
import sys
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import asdict
from typing import Any

import httpx
from agent_runtimes.protocols.egress import client_fetch  # type: ignore[import-not-found]
from agent_runtimes.protocols.pact.client import (  # type: ignore[import-not-found]
    InMemoryDelegationStore,
    InMemoryReceiptStore,
    PactPersonalAgent,
)
from agent_runtimes.protocols.web_bot_auth.keys import (  # type: ignore[import-not-found]
    LocalSigner,
)


class Played:
    """The agent, and what it is asked to do."""

    def __init__(self) -> None:
        self._signer = LocalSigner.generate("ecdsa-p256-sha256")
        self._receipts = InMemoryReceiptStore()
        self._agent: Any = None
        self._sign_in: Any = None

    async def key(self) -> Any:  # noqa: ANN401  # JSON, here and below
        """Its public key, for the registration."""
        return dict(self._signer.public_jwk)

    async def meet(self, *, card: str, issuer: str, audience: str) -> Any:  # noqa: ANN401
        """Read a Brand's card, as an agent that is registered."""
        http = httpx.AsyncClient(timeout=10.0, trust_env=False)
        self._agent = PactPersonalAgent(
            card_url=card,
            issuer=issuer,
            audience=audience,
            signer=self._signer,
            delegations=InMemoryDelegationStore(),
            receipts=self._receipts,
            http=http,
            metadata=client_fetch(http),
        )
        read = await self._agent.discover()
        return {"name": read.name, "profile": read.profile, "interface": read.interface_url}

    async def send(self, *, user: str, text: str, context_id: str | None = None) -> Any:  # noqa: ANN401
        """Send a message; what came of it, with the kind that the agent takes it for."""
        came = await self._agent.send(user, text, context_id=context_id)
        return {"kind": type(came).__name__, **asdict(came)}

    async def sign_in(self, *, user: str, scopes: list[str]) -> Any:  # noqa: ANN401
        """Ask for scopes; the link that the User is shown."""
        self._sign_in = await self._agent.request_sign_in(user, scopes)
        return self._sign_in.verification_uri

    async def poll(self, *, user: str) -> Any:  # noqa: ANN401
        """What was granted, or none while the User has not decided."""
        return await self._agent.poll_sign_in(user, self._sign_in)

    async def receipts(self) -> Any:  # noqa: ANN401
        """The receipts that it has verified and kept."""
        return [claims for _, _, claims in self._receipts.receipts]


def main() -> None:
    """Answer line by line until there are no more."""
    played = Played()
    functions = (played.key, played.meet, played.send, played.sign_in, played.poll, played.receipts)
    known: Mapping[str, Callable[..., Coroutine[Any, Any, Any]]] = {
        it.__name__: it for it in functions
    }
    with asyncio.Runner() as runner:
        for line in sys.stdin:
            asked = json.loads(line)
            answer: dict[str, Any]
            try:
                answer = {"returned": runner.run(known[asked.pop("do")](**asked))}
            except Exception as error:  # noqa: BLE001  # whatever the agent raises is the test's
                answer = {"raised": type(error).__name__, "said": str(error)}
            sys.stdout.write(json.dumps(answer) + "\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
