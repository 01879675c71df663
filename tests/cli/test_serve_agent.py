"""`serve agent` says by what a Provider knows it, speaks, and stops when asked."""

import re
import signal
import subprocess
from pathlib import Path

import httpx

from tests.cli.command import PROGRAM, call


def test_serve_agent_speaks_for_people(tmp_path: Path) -> None:
    output = tmp_path / "said"
    with output.open("w") as file:
        process = subprocess.Popen(
            [*PROGRAM, "serve", "agent", "--listen", "127.0.0.1:0"], stdout=file, text=True
        )
    try:
        with httpx.Client(trust_env=False) as client:
            while not (found := re.search(r"is at (\S+)\.\n", output.read_text())):
                assert process.poll() is None
                _wait(process)
            base = found[1]
            hello = client.post(base, json={"operation": "hello"}).json()
            keys = client.get(hello["jwksUri"]).json()
    finally:
        process.send_signal(signal.SIGINT)
        code = process.wait(10)

    said = output.read_text()
    assert code == 0
    assert hello["issuer"] in said
    assert hello["jwksUri"] in said
    assert keys["keys"]
    assert "stopped" in said


def test_serve_agent_refuses_what_is_no_address_or_no_flaw(tmp_path: Path) -> None:
    assert call("serve", "agent", "--listen", "nowhere", cwd=tmp_path).returncode == 4
    assert call("serve", "agent", "--flaw", "made-up", cwd=tmp_path).returncode == 4


def _wait(process: "subprocess.Popen[str]") -> None:
    try:
        process.wait(0.05)
    except subprocess.TimeoutExpired:
        return
