import json
from pathlib import Path

from pact_conformance.report.settings_told import told
from pact_conformance.settings import Settings, load
from tests.session.subjects import KEYS, PRIVATE

FILE = """
provider = "https://provider.example"
approver = "cmd:./approve --pin 4711-0815"
strict = true
mock_listen = "127.0.0.1:8443"
[absent]
closing = "we never close, says hunter2hunter2"
[prompts]
"orders:read" = "Where is my order? My password is hunter2hunter2"
[headers]
X-Key = "g4t3w4y-k3y"
[hooks]
rate_limit = "https://hooks.example/limit?key=s3cr3t-k3y"
[[accounts]]
username = "jane"
password = "hunter2hunter2"
"""
SECRETS = ("4711-0815", "hunter2hunter2", "g4t3w4y-k3y", "s3cr3t-k3y", KEYS[0].private_jwk()["d"])


def settings(tmp_path: Path, more: str = "") -> Settings:
    file = tmp_path / "pact-conformance.toml"
    file.write_text(more + FILE)
    shell = {"PA_ISSUER": "https://pa.example", "PA_AUDIENCE": "a", "PA_PRIVATE_JWK": PRIVATE}
    return load({"baseline": "known.toml"}, environment=shell, file=file)


def test_what_differs_from_the_defaults_is_told(tmp_path: Path) -> None:
    given = told(settings(tmp_path))["given"]

    assert given["provider"] == "https://provider.example"
    assert given["issuer"] == "https://pa.example"
    assert given["strict"] is True
    assert given["absent"]["closing"].startswith("we never close, says ")
    assert "complete" not in given
    assert "baseline" not in given


def test_what_is_withheld_is_named(tmp_path: Path) -> None:
    assert set(told(settings(tmp_path))["withheld"]) == {
        "private_jwk",
        "approver",
        "accounts",
        "headers.X-Key",
        "hooks.rate_limit",
    }


def test_no_secret_is_told(tmp_path: Path) -> None:
    text = json.dumps(
        told(settings(tmp_path, 'agent_jwks = "https://a.example/?key=s3cr3t-k3y"\n'))
    )

    assert [it for it in SECRETS if it in text] == []


def test_a_run_without_settings_tells_that_both_subjects_are_built_in() -> None:
    given = {"provider": "mock", "agent": "mock"}

    assert told(load({}, environment={})) == {"given": given, "withheld": []}
