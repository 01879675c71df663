"""`token` prints a good token for the curl lines of a report, and nothing else."""

import json
from pathlib import Path

import jwt
import pytest

from pact_conformance.cli import main
from pact_conformance.options import TABLE
from pact_conformance.tokens.keys import SigningKey
from tests.cli.command import call
from tests.session.subjects import AUDIENCE, ISSUER, KEYS, settings

SETTINGS = settings("https://provider.example/card.json")

PEM = "-----BEGIN PRIVATE KEY-----\nMIGHAgEA\n-----END PRIVATE KEY-----\n"


@pytest.mark.parametrize("key", KEYS, ids=lambda key: key.alg)
def test_it_prints_a_fresh_token_and_nothing_else(key: SigningKey, tmp_path: Path) -> None:
    ended = call("token", "--alg", key.alg, "--sub", "user-7", cwd=tmp_path, environment=SETTINGS)

    assert ended.returncode == 0, ended.stdout
    assert len(ended.stdout.splitlines()) == 1
    claims = jwt.decode(
        ended.stdout.strip(),
        key.private.public_key(),
        algorithms=[key.alg],
        audience=AUDIENCE,
        issuer=ISSUER,
    )
    assert claims["sub"] == "user-7"


def test_where_not_the_token_is_what_is_odd_it_prints_a_good_one(tmp_path: Path) -> None:
    example = '["malformed-requests",["json-cut",1]]'
    ended = call("token", f"--example={example}", cwd=tmp_path, environment=SETTINGS)

    assert ended.returncode == 0, ended.stdout
    assert jwt.get_unverified_header(ended.stdout.strip())["kid"] == KEYS[0].kid


def test_it_reads_the_file_of_a_run(tmp_path: Path) -> None:
    (tmp_path / "key.json").write_text(SETTINGS["PA_PRIVATE_JWK"])
    (tmp_path / "mine.toml").write_text(
        f'issuer = "{ISSUER}"\naudience = "{AUDIENCE}"\nprivate_jwk = "@key.json"\n'
    )

    ended = call("token", "--config=mine.toml", cwd=tmp_path)

    assert ended.returncode == 0, ended.stdout
    assert jwt.get_unverified_header(ended.stdout.strip())["kid"] == KEYS[0].kid


@pytest.mark.parametrize(
    ("changed", "arguments", "line"),
    [
        ({"E2E_PROVIDER": "", "PA_ISSUER": ""}, [], "PA_ISSUER is not set"),
        ({"PA_AUDIENCE": ""}, [], "PA_AUDIENCE is not set"),
        ({"PA_PRIVATE_JWK": "{"}, [], "PA_PRIVATE_JWK: the private key is not JSON"),
        ({"PA_PRIVATE_JWK": PEM}, [], "PA_PRIVATE_JWK: the private key is PEM; a JWK is expected"),
        ({"PA_PRIVATE_JWK": "@gone.json"}, [], "PA_PRIVATE_JWK: cannot read the key file"),
        ({}, ["--max-wait=soon"], "--pact-max-wait"),
    ],
)
def test_bad_settings_are_one_line(
    changed: dict[str, str], arguments: list[str], line: str, tmp_path: Path
) -> None:
    ended = call("token", *arguments, cwd=tmp_path, environment={**SETTINGS, **changed})

    assert ended.returncode == 4
    assert len(ended.stdout.splitlines()) == 1
    assert ended.stdout.startswith(f"Error: {line}")


def test_a_key_that_cannot_do_it_is_told(tmp_path: Path) -> None:
    one = {**SETTINGS, "PA_PRIVATE_JWK": json.dumps(KEYS[0].private_jwk())}

    ended = call("token", "--alg=RS256", cwd=tmp_path, environment=one)

    assert ended.returncode == 4
    assert "holds no key for RS256" in ended.stdout


def test_it_takes_every_option_of_a_run() -> None:
    taken = {name for parameter in main.commands["token"].params for name in parameter.opts}

    assert {option.flag for option in TABLE if not option.secret} <= taken
