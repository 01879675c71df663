"""`serve provider` and `serve agent`: the counterparts for people.

The mock Provider comes with demonstration agents to sign as.
"""

import json
import os
import shlex
import shutil
import socket
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import click

from pact_conformance.counterpart.personal_agent.adapter import Adapter, changes_of
from pact_conformance.counterpart.personal_agent.configuration import PersonalAgentConfig
from pact_conformance.counterpart.personal_agent.serving import serve as serve_application
from pact_conformance.counterpart.provider.configuration import (
    DEFAULT_BRANDS,
    AccountConfig,
    AgentConfig,
    BrandConfig,
    ProviderConfig,
    check_scopes,
)
from pact_conformance.counterpart.provider.control import HOOKS
from pact_conformance.counterpart.provider.delegation.acting import prompts
from pact_conformance.counterpart.provider.serving import serve
from pact_conformance.options import BY_KEY
from pact_conformance.settings import DEFAULT_FILE
from pact_conformance.tokens.jwks_server import JwksServer
from pact_conformance.tokens.keys import SigningKey

HIGHEST_PORT = 65535
PROGRAM = "pact-conformance"

# The mock looks at a key set again so soon that no check waits for it.
REFETCH_SECONDS = 0.05
CACHE_SECONDS = 1.0

# What the settings call each demonstration agent, and what it publishes keys for; of the last three
# of the first one a Provider takes no signature.
_AGENTS: Mapping[str, tuple[str, ...]] = {
    "": ("ES256", "RS256", "ES384", "ES512", "EdDSA"),
    "other_": ("ES256",),
    "disabled_": ("ES256",),
    "spare_": ("ES256",),
}


@dataclass(frozen=True)
class Demonstration:
    """The personal agents that a tester is given: registered, and with their keys in files.

    The set of the spare one is served by the suite's own run, which changes it. The others' are
    there all the time, so that tokens can be signed by hand.
    """

    registrations: tuple[AgentConfig, ...]
    settings: Mapping[str, str]
    """What the suite is told of them, by key."""


def provider(
    *,
    listen: str,
    public_url: str | None,
    registrations: Sequence[str],
    scopes: Sequence[str] = (),
    accounts: Sequence[str] = (),
    flaws: Sequence[str],
    variants: Sequence[str],
) -> None:
    """Serve until interrupted; say where, and write settings and keys to files.

    Raises:
        ValueError: an address that is not HOST:PORT, a registration that is not ISSUER=JWKS_URI, a
            scope that is not ID=DESCRIPTION, an account that is not NAME:PASSWORD:USER.
        KeyError: no flaw or variant of such a name.
        OSError: the address cannot be listened on.
    """
    _check_address(listen)
    theirs = [_registration(text) for text in registrations]
    brands = tuple(_delegating(brand, scopes, accounts) for brand in DEFAULT_BRANDS)
    with JwksServer("127.0.0.1:0") as jwks, tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        ours = _demonstration(folder, jwks)
        config = ProviderConfig(
            brands=brands,
            listen=listen,
            public_url=public_url,
            agents=(*theirs, *ours.registrations),
            jwks_max_age=CACHE_SECONDS,
            jwks_refetch_interval=REFETCH_SECONDS,
        )

        def announce(ready: Mapping[str, Any]) -> None:
            settings = {**_subject(ready["ready"]), "audience": config.audience, **ours.settings}
            file = _settings_file(folder, settings, ready["ready"]["control"], brands[0])
            _say(ready["ready"], settings, file, brands[0])

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


def _delegating(brand: BrandConfig, scopes: Sequence[str], accounts: Sequence[str]) -> BrandConfig:
    """Return a Brand with these scopes and accounts, where any are given."""
    if scopes:
        brand = replace(brand, scopes=dict(_scope(text) for text in scopes))
    if accounts:
        brand = replace(brand, accounts=tuple(_account(text) for text in accounts))
    return brand


def _scope(text: str) -> tuple[str, str]:
    scope, _, description = text.partition("=")
    try:
        check_scopes({scope: description})
    except ValueError:
        raise ValueError(f"--scope {text}: expected ID=DESCRIPTION") from None
    return scope, description


def _account(text: str) -> AccountConfig:
    name, _, rest = text.partition(":")
    password, _, user = rest.rpartition(":")
    if not (name and password and user):
        raise ValueError("--account: expected NAME:PASSWORD:USER")
    return AccountConfig(username=name, password=password, user=user)


def _demonstration(folder: Path, jwks: JwksServer) -> Demonstration:
    address = _free_address()
    settings = {"jwks_listen": address, "jwks_url": f"http://{address}"}
    agents = []
    for prefix, algs in _AGENTS.items():
        name = prefix.rstrip("_") or "demonstration"
        keys = tuple(SigningKey.generate(alg, kid=f"{name}-{alg.lower()}") for alg in algs)
        uri = jwks.publish(name, keys)
        if prefix == "spare_":
            uri = f"http://{address}/spare/jwks.json"
        # The first one's is below the suite's own server, which lays traps there for a Provider
        # that guesses where keys are (§3.1).
        issuer = f"https://{name}.personal-agent.example" if prefix else f"http://{address}/{name}"
        agents.append(AgentConfig(issuer=issuer, jwks_uri=uri, enabled=prefix != "disabled_"))
        settings[f"{prefix}issuer"] = issuer
        settings[f"{prefix}private_jwk"] = f"@{_key_file(folder, name, keys)}"
    return Demonstration(tuple(agents), settings)


def _free_address() -> str:
    """Return an address that nobody listens on, for the suite's own JWKS."""
    with socket.create_server(("127.0.0.1", 0)) as found:
        return f"127.0.0.1:{found.getsockname()[1]}"


def _subject(ready: Mapping[str, Any]) -> dict[str, str]:
    first, second = ready["brands"][0], ready["brands"][1]
    return {
        "provider": first["card"],
        "provider_url": ready["base"],
        "customer_id": first["id"],
        "brand_domain": first["domain"],
        "other_brand": second["card"],
    }


def _key_file(folder: Path, name: str, keys: Iterable[SigningKey]) -> Path:
    return _private(
        folder / f"{name}.jwks", json.dumps({"keys": [key.private_jwk() for key in keys]})
    )


def _settings_file(
    folder: Path, settings: Mapping[str, str], control: str, brand: BrandConfig
) -> Path:
    """Write what a run needs that is to decide everything; a JSON string is one of TOML too."""
    lines = [f"{key} = {json.dumps(value)}" for key, value in settings.items()]
    lines += [f"jwks_cache_s = {CACHE_SECONDS}", 'approver = "form"', "", "[hooks]"]
    lines += [f"{hook} = {json.dumps(control)}" for hook in HOOKS]
    lines += ["", "[prompts]"]
    lines += [f"{json.dumps(it)} = {json.dumps(text)}" for it, text in prompts(brand).items()]
    for account in brand.accounts[:2]:
        lines += ["", "[[accounts]]", f"username = {json.dumps(account.username)}"]
        lines += [f"password = {json.dumps(account.password)}"]
        lines += [f"user = {json.dumps(account.user)}"]
    return _private(folder / DEFAULT_FILE, "\n".join([*lines, ""]))


def _private(path: Path, text: str) -> Path:
    """Write what only this user may read; it never reaches the terminal."""
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600), "w", encoding="utf-8") as file:
        file.write(text)
    return path


def program() -> str:
    """Return how this program is called from a shell: by name only where the name means it."""
    called = Path(sys.argv[0])
    if called.name == "__main__.py":
        return f"{shlex.quote(sys.executable)} -m pact_conformance"
    found = shutil.which(PROGRAM)
    if found is not None and called.exists() and Path(found).samefile(called):
        return PROGRAM
    return shlex.quote(str(called))


def _say(
    ready: Mapping[str, Any], settings: Mapping[str, str], file: Path, brand: BrandConfig
) -> None:
    oauth = f"{ready['brands'][0]['interface']}/oauth"
    width = max(len(scope) for scope in brand.scopes)
    scopes = "\n".join(f"  {scope:{width}}  {text}" for scope, text in brand.scopes.items())
    accounts = "\n".join(
        f"  {it.username} / {it.password}   is {it.user} at the Brand" for it in brand.accounts
    )
    exports = "\n".join(
        f"  export {BY_KEY[key].environment}={value}" for key, value in settings.items()
    )
    command, config = program(), f"--config={shlex.quote(str(file))}"
    click.echo(
        f"""The mock Provider serves {len(ready["brands"])} Brands at {ready["base"]}.

Run the suite against it; the file holds all settings, with hooks, while this runs:
  {command} run {config}
  pytest --pact-{config.removeprefix("--")}
  export PA_JWT=$({command} token {config})    # for curl

The same without hooks:
{exports}

Point a personal agent of your own at it (start again with --register ISSUER=JWKS_URI):
  card      {settings["provider"]}
  audience  {settings["audience"]}

Its Brands offer delegation for these scopes:
{scopes}
and these people can sign in at each of them:
{accounts}
Get a login link by hand, open its verification_uri_complete in a browser, then poll {oauth}/token:
  curl -H "Authorization: Bearer $PA_JWT" --data-urlencode client_id={settings["issuer"]} \\
    --data-urlencode "scope={" ".join(brand.scopes)}" {oauth}/device_authorization
What has been approved can be seen and taken back at {oauth}/grants.

What its Brands' agents answer to is in docs/mock-provider.md. Ctrl-C stops it."""
    )


def agent(
    *,
    listen: str,
    public_url: str | None = None,
    issuer: str | None = None,
    alg: str = "ES256",
    ca_file: Path | None = None,
    flaws: Sequence[str] = (),
    variants: Sequence[str] = (),
) -> None:
    """Serve the mock personal agent until interrupted, and say how to talk through it.

    Raises:
        ValueError: an address that is not HOST:PORT.
        KeyError: no flaw or variant of such a name.
        OSError: the address cannot be listened on.
    """
    _check_address(listen)
    config = PersonalAgentConfig(
        listen=listen, public_url=public_url, issuer=issuer, alg=alg, ca_file=ca_file
    )
    adapter = Adapter(config, changes=changes_of(flaws, variants), speaks_http=True)

    whom = '"brand": "BRAND", "user": {"id": "jane"}'

    def say() -> None:
        click.echo(
            f"""The mock personal agent is at {adapter.base}.

Register it with your Provider, which assigns it an audience:
  issuer   {adapter.issuer}
  jwksUri  {adapter.jwks_uri}

Let it talk; each answer names what the next request needs:
  curl {adapter.base} -d '{{"operation": "connect", "card": "CARD_URL", "audience": "AUDIENCE"}}'
  curl {adapter.base} -d '{{"operation": "say", {whom}, "text": "Hello"}}'
  curl {adapter.base} -d '{{"operation": "sign_in", {whom}}}'
  curl {adapter.base} -d '{{"operation": "go_on", {whom}}}'

The operations are in docs/mock-personal-agent.md. Ctrl-C stops it."""
        )

    serve_application(adapter.listener, adapter.application, started=say)
    click.echo("stopped")
