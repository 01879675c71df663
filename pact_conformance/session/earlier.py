"""What an earlier run left in the folder: put back when a run turns out to check nothing."""

import os
from dataclasses import dataclass
from pathlib import Path

from pact_conformance.report import badges
from pact_conformance.rig import LEDGER
from pact_conformance.session.folder import JOURNAL, PAGE
from pact_conformance.session.progress import OUTCOMES

# The report comes last: where it stands, everything that belongs to it does.
FILES = (OUTCOMES, LEDGER, JOURNAL, PAGE, *badges.FILES, "report.json")


@dataclass(frozen=True)
class _File:
    content: bytes
    mode: int
    times: tuple[int, int]


class Earlier:
    """The files of an earlier run, held in memory: this run may end anywhere and owe nobody.

    Args:
        folder: of the report.
        keep: hold them; otherwise only those of this run are taken away.
    """

    def __init__(self, folder: Path, *, keep: bool) -> None:
        self._folder = folder
        self._files = {name: _read(folder / name) if keep else None for name in FILES}

    def put_back(self) -> None:
        """Leave the folder as it was.

        Raises:
            OSError: it can no longer be written.
        """
        for name, file in self._files.items():
            path = self._folder / name
            if file is None:
                path.unlink(missing_ok=True)
                continue
            beside = path.with_name(f"{path.name}.earlier")
            try:
                beside.write_bytes(file.content)
                beside.chmod(file.mode)
                os.utime(beside, ns=file.times)
                beside.replace(path)
            finally:
                beside.unlink(missing_ok=True)


def _read(path: Path) -> _File | None:
    try:
        about = path.stat()
        return _File(
            path.read_bytes(), about.st_mode & 0o777, (about.st_atime_ns, about.st_mtime_ns)
        )
    except OSError:
        return None  # there is none, or nothing that this run could replace
