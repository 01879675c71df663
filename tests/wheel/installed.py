"""The wheel, built from this checkout, in a virtual environment that knows nothing of it.

What the wheel depends on is installed once for each set of dependencies, under `.venvs/`, and never
changed again. The wheel itself goes to an environment of its own that sees these packages, so that
several test processes do not get in each other's way.
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
DEPENDENCIES = CHECKOUT / ".venvs" / "wheel-dependencies"


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


def installed(work: Path) -> Installed:
    """Build the wheel and install it, all below `work`."""
    wheel = build(work)
    dependencies = _dependencies()
    environment = work / "environment"
    _run([sys.executable, "-m", "venv", "--without-pip", str(environment)])
    link = _packages(environment) / "dependencies.pth"
    link.write_text(f"{_packages(dependencies)}\n", encoding="utf-8")
    python = str(environment / "bin" / "python")
    _run([python, "-m", "pip", "install", "--quiet", "--no-deps", str(wheel)])
    return Installed(wheel, environment)


def build(work: Path) -> Path:
    """Build the wheel as a release would."""
    _run([sys.executable, "-m", "build", "--wheel", "--outdir", str(work), str(CHECKOUT)])
    (wheel,) = work.glob("*.whl")
    return wheel


def _dependencies() -> Path:
    """Return the environment with what the wheel depends on, made first if need be."""
    project = tomllib.loads((CHECKOUT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    declared: list[str] = project["dependencies"]
    wanted = (
        f"{sys.executable}\n{sys.version}\n"
        + hashlib.sha256("\n".join(declared).encode()).hexdigest()
    )
    stamp = DEPENDENCIES / "made-for.txt"
    with _locked(DEPENDENCIES.with_suffix(".lock")):
        if not (stamp.is_file() and stamp.read_text() == wanted):
            _run([sys.executable, "-m", "venv", "--clear", str(DEPENDENCIES)])
            pip = [str(DEPENDENCIES / "bin" / "python"), "-m", "pip", "install", "--quiet"]
            # Few retries: without a network the default waits for minutes before it says so.
            quick = ["--disable-pip-version-check", "--retries", "2", "--timeout", "30"]
            _run([*pip, *quick, *declared])
            stamp.write_text(wanted)
    return DEPENDENCIES


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    path.parent.mkdir(exist_ok=True)
    with path.open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _packages(environment: Path) -> Path:
    (packages,) = environment.glob("lib/python*/site-packages")
    return packages


def _run(command: list[str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        said = "\n".join((done.stdout + done.stderr).strip().splitlines()[-8:])
        raise CannotInstallError(f"`{' '.join(command)}` ended with {done.returncode}:\n{said}")
