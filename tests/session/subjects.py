"""Subjects for runs: the mock Provider behind other addresses, and what a tester sets for it."""

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

from pact_conformance.counterpart.provider.configuration import (
    DEFAULT_BRANDS,
    AgentConfig,
    ProviderConfig,
)
from pact_conformance.counterpart.provider.serving import RunningProvider, start
from pact_conformance.tokens.jwks_server import JwksServer
from pact_conformance.tokens.keys import SigningKey
from tests.subject.servers import CARD, Reply, Request, Server, forwarding

ISSUER = "https://agent.tests.example"
AUDIENCE = "aud-of-the-tests"
KEYS = tuple(SigningKey.generate(alg, kid=f"k-{alg.lower()}") for alg in ("ES256", "RS256"))
PRIVATE = json.dumps({"keys": [key.private_jwk() for key in KEYS]})


def settings(provider: str, **more: str) -> dict[str, str]:
    """The environment of a tester whose Provider is this one."""
    return {
        "E2E_PROVIDER": provider,
        "PA_ISSUER": ISSUER,
        "PA_AUDIENCE": AUDIENCE,
        "PA_PRIVATE_JWK": PRIVATE,
        **more,
    }


def brand(server: Server) -> str:
    """The card URL of the Brand that a server stands for."""
    return server.url + CARD


@contextmanager
def mock(
    *, clock_offset: float = 0.0, variants: Sequence[str] = (), flaws: Sequence[str] = ()
) -> Iterator[RunningProvider]:
    """The mock Provider, knowing the tests' personal agent."""
    with JwksServer() as jwks:
        registered = AgentConfig(issuer=ISSUER, jwks_uri=jwks.publish("tests", KEYS))
        config = ProviderConfig(
            brands=tuple(replace(it, clock_offset=clock_offset) for it in DEFAULT_BRANDS),
            agents=(registered,),
            audience=AUDIENCE,
        )
        with start(config, flaws, variants) as running:
            yield running


@contextmanager
def mock_behind(change: Callable[[Request, Reply], Reply]) -> Iterator[Server]:
    """The mock Provider behind a server that changes what passes; its card points there."""
    with mock() as running, Server(lambda _: Reply(503)) as server:

        def pointed_here(request: Request, reply: Reply) -> Reply:
            body = reply.body.replace(running.base.encode(), server.url.encode())
            return change(request, replace(reply, body=body))

        server.answer = forwarding(running.base, pointed_here)
        yield server
