"""The wheel, built from this checkout, in a virtual environment that knows nothing of it.

The environment stays under `.venvs/`: what the wheel depends on is installed once for each set of
dependencies, the wheel itself each time.
"""

import fcntl
import hashlib
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[2]
ENVIRONMENT = CHECKOUT / ".venvs" / "wheel"


class CannotInstallError(RuntimeError):
    """A step of building or installing failed; its last lines say why."""


@dataclass(frozen=True)
class Installed:
    """The wheel and the environment that holds it."""

    wheel: Path
    folder: Path

    def tool(self, name: str) -> str:
        """The path of a command of the environment."""
        return str(self.folder / "bin" / name)


@contextmanager
def installed(work: Path) -> Iterator[Installed]:
    """Build the wheel into `work` and install it; nobody else does so in the meantime."""
    ENVIRONMENT.parent.mkdir(exist_ok=True)
    with ENVIRONMENT.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        wheel = build(work)
        _install(wheel)
        yield Installed(wheel, ENVIRONMENT)


def build(work: Path) -> Path:
    """Build the wheel as a release would."""
    _run([sys.executable, "-m", "build", "--wheel", "--outdir", str(work), str(CHECKOUT)])
    (wheel,) = work.glob("*.whl")
    return wheel


def _install(wheel: Path) -> None:
    pip = [str(ENVIRONMENT / "bin" / "python"), "-m", "pip", "install", "--quiet"]
    # Few retries: without a network the default waits for minutes before it says so.
    pip += ["--disable-pip-version-check", "--retries", "2", "--timeout", "30"]
    stamp = ENVIRONMENT / "made-for.txt"
    wanted = _wanted()
    if not (stamp.is_file() and stamp.read_text() == wanted):
        _run([sys.executable, "-m", "venv", "--clear", str(ENVIRONMENT)])
        _run([*pip, str(wheel)])
        stamp.write_text(wanted)
    else:
        _run([*pip, "--no-deps", "--force-reinstall", str(wheel)])


def _wanted() -> str:
    """What the environment depends on: this Python, and the dependencies as they are declared."""
    project = tomllib.loads((CHECKOUT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    declared = hashlib.sha256("\n".join(project["dependencies"]).encode()).hexdigest()
    return f"{sys.executable}\n{sys.version}\n{declared}\n"


def _run(command: list[str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        said = "\n".join((done.stdout + done.stderr).strip().splitlines()[-8:])
        raise CannotInstallError(f"`{' '.join(command)}` ended with {done.returncode}:\n{said}")
