"""Virtual environments for what is not ours to depend on, apart from the suite's own.

They stay under `.venvs/` of the checkout. A stamp tells for which pins and which Python one was
made, so that a second call costs one small read; a file lock lets parallel test workers share the
making.
"""

import fcntl
import hashlib
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[1]
FOLDER = CHECKOUT / ".venvs"


class EnvironmentUnavailableError(RuntimeError):
    """Other people's packages could not be installed; nothing is said about the suite."""


def python(folder: Path, requirements: Path) -> Path:
    """The interpreter of an environment, made first if it is missing or out of date.

    Args:
        folder: where it is kept.
        requirements: all of its packages with their pins: nothing else is installed.

    Raises:
        EnvironmentUnavailableError: it could not be made.
    """
    interpreter = folder / "bin" / "python"
    wanted = _stamp_text(requirements)
    if _is_made(folder, wanted):
        return interpreter
    with _locked(folder.with_name(f"{folder.name}.lock")):
        # Another worker may have made it while this one waited for the lock.
        if not _is_made(folder, wanted):
            _make(folder, requirements)
            _stamp(folder).write_text(wanted)
    return interpreter


def _stamp(folder: Path) -> Path:
    return folder / "made-for.txt"


def _stamp_text(requirements: Path) -> str:
    pins = hashlib.sha256(requirements.read_bytes()).hexdigest()
    # An environment's python is a link to the one it stands on, by one name or another.
    return f"{Path(sys.executable).resolve()}\n{sys.version}\n{pins}\n"


def _is_made(folder: Path, wanted: str) -> bool:
    try:
        return _stamp(folder).read_text() == wanted and (folder / "bin" / "python").exists()
    except FileNotFoundError:
        return False


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _make(folder: Path, requirements: Path) -> None:
    _run([sys.executable, "-m", "venv", "--clear", str(folder)], requirements)
    # Few retries: without a network the default waits for minutes before it says so.
    pip = [str(folder / "bin" / "python"), "-m", "pip", "install", "--quiet"]
    quick = ["--disable-pip-version-check", "--retries", "2", "--timeout", "30"]
    _run([*pip, *quick, "--no-deps", "--requirement", str(requirements)], requirements)


def _run(command: list[str], requirements: Path) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode == 0:
        return
    said = "\n".join((done.stderr or done.stdout).strip().splitlines()[-8:])
    raise EnvironmentUnavailableError(
        f"No environment for {requirements.parent.name}: installing {requirements.name} failed. "
        f"Is the package registry reachable from here (pip's settings, proxy, pins)? "
        f"`{' '.join(command)}` ended with {done.returncode}:\n{said}"
    )
