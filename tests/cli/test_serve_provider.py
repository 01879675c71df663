"""`serve provider` prints settings that work, keeps its key to itself and stops when asked."""

import json
import re
import signal
import socket
import stat
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.cli.command import PROGRAM, call
from tests.plugin.suite import run, shell


@dataclass
class Served:
    """A running `serve provider`, and what it has said so far."""

    process: "subprocess.Popen[str]"
    said: str

    @property
    def exports(self) -> dict[str, str]:
        """The settings that it told to export."""
        return dict(re.findall(r"^ *export (\w+)=(\S+)$", self.said, re.MULTILINE))

    def stop(self) -> str:
        """Interrupt it and return everything that it said."""
        self.process.send_signal(signal.SIGINT)
        rest, _ = self.process.communicate(timeout=10)
        self.said += rest
        return self.said


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    process = subprocess.Popen(
        [*PROGRAM, "serve", "provider", "--listen", "127.0.0.1:0"],
        cwd=tmp_path,
        env=shell({"TMPDIR": str(tmp_path)}),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
    )
    assert process.stdout is not None
    said = ""
    for line in process.stdout:
        said += line
        if "Ctrl-C" in line:
            break
    yield Served(process, said)
    process.kill()
    process.communicate()


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
