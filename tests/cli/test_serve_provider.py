"""`serve provider` prints settings that work, keeps its key to itself and stops when asked."""

import json
import re
import shlex
import signal
import socket
import stat
import subprocess
import time
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest

from pact_conformance.serving import program
from tests.cli.command import PROGRAM, call
from tests.plugin.suite import run, shell


@dataclass
class Served:
    """A running `serve provider`, and what it says."""

    process: "subprocess.Popen[str]"
    output: Path
    """A file: a pipe that nobody reads would stop it when it is full."""

    @property
    def said(self) -> str:
        """What it has said so far."""
        return self.output.read_text("utf-8")

    @property
    def exports(self) -> dict[str, str]:
        """The settings that it told to export."""
        return dict(re.findall(r"^ *export (\w+)=(\S+)$", self.said, re.MULTILINE))

    @property
    def file(self) -> Path:
        """The settings file that it told to name."""
        return Path(re.findall(r" run --config=(\S+)$", self.said, re.MULTILINE)[0])

    def stop(self) -> str:
        """Interrupt it and return everything that it said."""
        self.process.send_signal(signal.SIGINT)
        self.process.wait(timeout=10)
        return self.said


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    output = tmp_path / "said"
    with output.open("w") as file:
        process = subprocess.Popen(
            [*PROGRAM, "serve", "provider", "--listen", "127.0.0.1:0"],
            cwd=tmp_path,
            env=shell({"TMPDIR": str(tmp_path)}),
            stdout=file,
            stderr=subprocess.STDOUT,
            text=True,
        )
    running = Served(process, output)
    until = time.monotonic() + 30
    while "Ctrl-C" not in running.said and time.monotonic() < until:
        time.sleep(0.05)
    yield running
    process.kill()
    process.wait()


def test_what_it_prints_works_when_exported(served: Served, tmp_path: Path) -> None:
    ended = run(
        "-k",
        "2.1 or 3.2-es256 or 3.2-bearer-header",
        folder=tmp_path / "reports",
        environment=served.exports,
    )
    said = served.stop()

    assert ended.code == 0, ended.output
    verdicts = ended.verdicts()
    assert verdicts["3.2-es256"] == "passed"
    assert verdicts["2.1-card-per-brand"] == "passed"
    assert served.process.returncode == 0, said
    assert said.rstrip().endswith("stopped")
    assert "Traceback" not in said
    assert "eyJ" not in said, "no token shows in its log"


def test_with_its_file_every_requirement_is_decided(served: Served, tmp_path: Path) -> None:
    for again in ("first", "second"):
        ended = run(f"--pact-config={served.file}", folder=tmp_path / again)

        assert ended.code == 0, ended.output
        assert ended.report["profiles"]["identity"]["verdict"] == "conformant", ended.output
        assert ended.report["profiles"]["identity"]["counts"].get("untested", 0) == 0


def test_the_commands_that_it_prints_can_be_pasted(served: Served, tmp_path: Path) -> None:
    (command,) = re.findall(r"PA_JWT=\$\((.*)\)", served.said)
    ended = subprocess.run(
        shlex.split(command), cwd=tmp_path, capture_output=True, text=True, check=False
    )

    assert ended.returncode == 0, ended.stderr
    answer = httpx.post(
        served.exports["E2E_PROVIDER"].replace("/.well-known/agent-card.json", "/message:send"),
        headers={"Authorization": f"Bearer {ended.stdout.strip()}"},
        json={},
    )
    assert answer.status_code == 400, "it got past authentication"


@pytest.mark.parametrize("on_path", [True, False])
def test_it_calls_itself_by_name_where_the_name_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, on_path: bool
) -> None:
    script = tmp_path / "a folder" / "pact-conformance"
    script.parent.mkdir()
    script.touch(0o755)
    monkeypatch.setattr("sys.argv", [str(script)])
    monkeypatch.setenv("PATH", str(script.parent if on_path else tmp_path))

    assert program() == ("pact-conformance" if on_path else f"'{script}'")


@pytest.mark.parametrize("name", ["demonstration.jwks", "spare.jwks", "pact-conformance.toml"])
def test_its_files_are_its_users_alone(served: Served, name: str) -> None:
    assert stat.S_IMODE((served.file.parent / name).stat().st_mode) == 0o600


def test_it_says_who_signs_in_and_for_what(served: Served) -> None:
    file = tomllib.loads(served.file.read_text("utf-8"))

    assert "jane / jane-secret" in served.said
    assert "Look up your orders and their status" in served.said
    assert [it["user"] for it in file["accounts"]] == ["jane-4471", "omar-1208"]
    assert file["approver"] == "form"
    assert file["prompts"].keys() == {"orders:read", "orders:cancel", "addresses:change", ""}


def test_its_key_is_its_users_alone_and_is_gone_afterwards(served: Served) -> None:
    path = Path(served.exports["PA_PRIVATE_JWK"].removeprefix("@"))
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    keys = json.loads(path.read_text("utf-8"))["keys"]

    said = served.stop()

    assert served.process.returncode == 0
    assert not path.exists()
    for key in keys:
        assert key["d"] not in said


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["--listen", "8750"], "Error: --listen 8750: expected HOST:PORT"),
        (["--listen", "127.0.0.1:99999"], "Error: --listen 127.0.0.1:99999: expected HOST:PORT"),
        (["--register", "https://pa.example"], "expected ISSUER=JWKS_URI"),
        (["--scope", "a b=c"], "Error: --scope a b=c: expected ID=DESCRIPTION"),
        (["--scope", "a="], "Error: --scope a=: expected ID=DESCRIPTION"),
        (["--account", "jane:secret"], "Error: --account: expected NAME:PASSWORD:USER"),
        (["--listen=127.0.0.1:0", "--flaw", "x"], "Error: there is no flaw called 'x'"),
        (["--listen=127.0.0.1:0", "--variant", "x"], "Error: there is no variant called 'x'"),
    ],
)
def test_what_cannot_be_served_ends_with_4_and_one_line(
    tmp_path: Path, arguments: list[str], line: str
) -> None:
    ended = call("serve", "provider", *arguments, cwd=tmp_path)

    assert ended.returncode == 4, ended.stdout
    assert line in ended.stdout
    assert len(ended.stdout.strip().splitlines()) == 1


def test_a_port_that_is_taken_ends_with_4_and_one_line(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        ended = call("serve", "provider", "--listen", f"127.0.0.1:{port}", cwd=tmp_path)

    assert ended.returncode == 4
    assert ended.stdout == f"Error: cannot listen on 127.0.0.1:{port}: Address already in use\n"
