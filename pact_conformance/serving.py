"""`serve provider`: the mock Provider for people, with a demonstration agent to sign as."""

import json
import os
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from pact_conformance.counterpart.provider.configuration import AgentConfig, ProviderConfig
from pact_conformance.counterpart.provider.serving import serve
from pact_conformance.tokens.jwks_server import JwksServer
from pact_conformance.tokens.keys import SigningKey

DEMONSTRATION = "https://demonstration.personal-agent.example"
HIGHEST_PORT = 65535


def provider(
    *,
    listen: str,
    public_url: str | None,
    registrations: Sequence[str],
    flaws: Sequence[str],
    variants: Sequence[str],
) -> None:
    """Serve until interrupted; say where, and write the demonstration agent's key to a file.

    Raises:
        ValueError: an address that is not HOST:PORT, a registration that is not ISSUER=JWKS_URI.
        KeyError: no flaw or variant of such a name.
        OSError: the address cannot be listened on.
    """
    _check_address(listen)
    agents = [_registration(text) for text in registrations]
    keys = tuple(SigningKey.generate(alg, kid=f"demo-{alg.lower()}") for alg in ("ES256", "RS256"))
    with JwksServer("127.0.0.1:0") as jwks, tempfile.TemporaryDirectory() as folder:
        agents.append(AgentConfig(issuer=DEMONSTRATION, jwks_uri=jwks.publish("demo", keys)))
        config = ProviderConfig(listen=listen, public_url=public_url, agents=tuple(agents))
        key_file = _key_file(Path(folder), keys)

        def announce(ready: Mapping[str, Any]) -> None:
            _say(ready["ready"], config, key_file)

        serve(config, log=True, announce=announce, flaws=flaws, variants=variants)
    click.echo("stopped")


def _check_address(listen: str) -> None:
    host, _, port = listen.rpartition(":")
    if not host or not port.isascii() or not port.isdigit() or int(port) > HIGHEST_PORT:
        raise ValueError(f"--listen {listen}: expected HOST:PORT")


def _registration(text: str) -> AgentConfig:
    issuer, equals, jwks_uri = text.partition("=http")
    if not equals:
        raise ValueError(f"--register {text}: expected ISSUER=JWKS_URI")
    return AgentConfig(issuer=issuer, jwks_uri=f"http{jwks_uri}")


def _key_file(folder: Path, keys: Sequence[SigningKey]) -> Path:
    """Write the private keys where only this user can read them; they never reach the terminal."""
    path = folder / "demonstration-agent.jwks"
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600), "w") as file:
        json.dump({"keys": [key.private_jwk() for key in keys]}, file)
    return path


def _say(ready: Mapping[str, Any], config: ProviderConfig, key_file: Path) -> None:
    first, second = ready["brands"][0], ready["brands"][1]
    click.echo(
        f"""The mock Provider serves {len(ready["brands"])} Brands at {ready["base"]}.

Point the suite at it:
  export E2E_PROVIDER={first["card"]}
  export E2E_OTHER_BRAND={second["card"]}
  export PA_ISSUER={DEMONSTRATION}
  export PA_AUDIENCE={config.audience}
  export PA_PRIVATE_JWK=@{key_file}
  pact-conformance run

Point a personal agent of your own at it (start again with --register ISSUER=JWKS_URI):
  card      {first["card"]}
  audience  {config.audience}

What its Brands' agents answer to is in docs/mock-provider.md. Ctrl-C stops it."""
    )
