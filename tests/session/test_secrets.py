"""No secret of the tester shows anywhere but to the subject: in no file, on no terminal."""

from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from tests.plugin.suite import Run, run
from tests.session.subjects import KEYS, brand, mock_behind, settings
from tests.subject.servers import Reply, Request, Server

GATEWAY_KEY = "g4t3w4y-k3y-0f-th3-t3st3r"


@pytest.fixture
def config(tmp_path: Path) -> Path:
    """A settings file with a secret in it."""
    path = tmp_path / "settings.toml"
    path.write_text(f'[headers]\nX-Gateway-Key = "{GATEWAY_KEY}"\n')
    return path


def secrets_of(requests: Iterable[Request]) -> dict[str, str]:
    """What must show nowhere: each secret, and what it is."""
    secrets = {GATEWAY_KEY: "the gateway's key"}
    for key in KEYS:
        for name in ("d", "p", "q", "dp", "dq", "qi"):
            if value := key.private_jwk().get(name):
                secrets[value] = f"{name} of {key.kid}"
    for request in requests:
        authorization = request.headers.get("Authorization", "")
        token = authorization.rpartition(" ")[2]
        if token.count(".") == 2 and len(token) > 100:
            secrets[token] = "a token"
            if len(signature := token.rpartition(".")[2]) > 40:
                secrets[signature] = "a signature"
    return secrets


def leaks(ended: Run, secrets: dict[str, str]) -> Iterator[str]:
    """Say where a secret stands in clear."""
    told = {"the terminal": ended.output}
    for path in sorted(it for it in ended.folder.rglob("*") if it.is_file()):
        told[path.name] = path.read_bytes().decode("utf-8", "replace")
    for place, text in told.items():
        for secret, what in secrets.items():
            at = text.find(secret)
            if at >= 0:
                yield f"{what} in {place}: …{text[max(0, at - 60) : at + 20]!r}"


def sent_to(server: Server) -> list[str]:
    """The tokens that a subject has seen."""
    return [it.headers["Authorization"] for it in server.requests if "Authorization" in it.headers]


def test_a_run_that_passes_shows_no_secret(tmp_path: Path, config: Path) -> None:
    with mock_behind(lambda _, reply: reply) as server:
        ended = run(
            f"--pact-config={config}",
            folder=tmp_path / "reports",
            environment=settings(brand(server)),
        )

    assert ended.code == 0, ended.output
    assert len(set(sent_to(server))) > 100
    assert all(it.headers["X-Gateway-Key"] == GATEWAY_KEY for it in server.requests)
    assert list(leaks(ended, secrets_of(server.requests))) == []


def echoing(request: Request, reply: Reply) -> Reply:
    """Repeat every header of the request in the answer, and refuse tokens in a wrong way."""
    echo = "\n".join(f"{name}: {value}" for name, value in request.headers.items())
    if reply.status == 401 and "Authorization" in request.headers:
        return Reply(
            418, echo.encode(), {"Content-Type": "text/plain", "X-Echo": echo.split("\n")[1]}
        )
    if reply.status == 401:
        return Reply(401, echo.encode(), reply.headers)
    if b'"parts"' in reply.body:
        body = reply.body.replace(b'"text":"', b'"text":"' + echo.replace("\n", " ").encode())
        return Reply(reply.status, body, reply.headers)
    return reply


@pytest.mark.parametrize("workers", [[], ["-n2"]])
def test_a_subject_that_echoes_everything_gives_no_secret_away(
    tmp_path: Path, config: Path, workers: list[str]
) -> None:
    with mock_behind(echoing) as server:
        ended = run(
            f"--pact-config={config}",
            "-vv",
            "--showlocals",
            "-rA",
            f"--junitxml={tmp_path}/reports/junit.xml",
            *workers,
            folder=tmp_path / "reports",
            environment=settings(brand(server)),
        )

    assert ended.code == 1, ended.output[-3000:]
    assert len(ended.checks("failed")) > 50
    assert "418 with " in ended.output
    assert (ended.folder / "junit.xml").exists()
    assert list(leaks(ended, secrets_of(server.requests))) == []
