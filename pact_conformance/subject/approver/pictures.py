"""Pictures of the login and of the consent page, for the report: without passwords and codes."""

import itertools
from pathlib import Path

from playwright.sync_api import Error, Page

FOLDER = "approvals"


class Pictures:
    """Takes pictures into the folder of the report.

    Args:
        folder: of the report; None: no pictures are taken.
        code: the user code, which is covered wherever the page shows it.
    """

    def __init__(self, folder: Path | None, code: str) -> None:
        self._folder = None if folder is None else folder / FOLDER
        self._code = code

    def take(self, page: Page, which: str) -> None:
        """Take a picture of the whole page; one that cannot be taken is left out."""
        if self._folder is None:
            return
        covered = [page.locator("input[type=password]")]
        for text in dict.fromkeys([self._code, self._code.replace("-", "")]):
            if text:
                covered.append(page.get_by_text(text))
                covered.append(page.locator(f'input[value*="{text}" i]'))
        try:
            picture = page.screenshot(full_page=True, mask=covered, timeout=5000)
        except Error:
            return
        self._write(picture, which)

    def _write(self, picture: bytes, which: str) -> None:
        """Write it under the next number; other processes of the run number theirs too."""
        assert self._folder is not None
        self._folder.mkdir(parents=True, exist_ok=True)
        taken = [it.name.partition("-")[0] for it in self._folder.glob("*.png")]
        first = max((int(it) for it in taken if it.isdigit()), default=0)
        first += which != "consent" or not first
        for number in itertools.count(first):
            try:
                with (self._folder / f"{number:02}-{which}.png").open("xb") as file:
                    file.write(picture)
            except FileExistsError:
                continue
            return
