"""The folder that a run writes to: made fresh, and what happens when it has no room."""

import errno
from collections.abc import Callable
from pathlib import Path

import pytest

from pact_conformance.report import badges
from pact_conformance.rig import LEDGER
from pact_conformance.subject.agent.log import FILE as AGENT_LOG

JOURNAL = "journal.ndjson"
PAGE = "report.html"
PICTURES = "approvals/*.png"

# What the system says when there is no room; a wrong folder is the tester's to correct.
_NO_ROOM = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO})


class DiskFull(Exception):  # noqa: N818 - it says what is the case
    """What the run finds cannot be kept."""

    def __init__(self, folder: Path, error: OSError) -> None:
        super().__init__(f"{folder} cannot be written: {error.strerror or error}")


def fresh(folder: Path, begin: Callable[[], None]) -> None:
    """Begin the report and the journal; nothing else of an earlier run would go with them.

    Args:
        folder: to make fresh.
        begin: puts a new report in the place of an old one.

    Raises:
        DiskFull: there is no room; an old report stands.
        pytest.UsageError: the folder is none that can be written.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        begin()
        ours = (PAGE, LEDGER, AGENT_LOG, *badges.FILES)
        for old in (*(folder / name for name in ours), *folder.glob(PICTURES)):
            old.unlink(missing_ok=True)
        (folder / JOURNAL).write_bytes(b"")
    except OSError as error:
        if error.errno in _NO_ROOM:
            raise DiskFull(folder, error) from error
        raise pytest.UsageError(f"--pact-report: cannot write to {folder}: {error}") from None


def requests(folder: Path) -> int:
    """Return how many requests the journal holds so far, without understanding them."""
    count = 0
    try:
        with (folder / JOURNAL).open("rb") as journal:
            while block := journal.read(1 << 20):
                count += block.count(b"\n")
    except FileNotFoundError:
        pass  # it has not begun
    return count


def pictures(folder: Path) -> tuple[str, ...]:
    """Return the pictures of the User's way, as paths below the folder, in order."""
    return tuple(sorted(it.relative_to(folder).as_posix() for it in folder.glob(PICTURES)))
