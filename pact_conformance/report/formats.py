"""The forms that a report can be had in, each made of `report.json` and its journal alone."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from pact_conformance.catalogue import load as load_catalogue
from pact_conformance.report import allure_files, annotations, badges, html, junit, markdown
from pact_conformance.report.writing import write_whole

Document: TypeAlias = dict[str, Any]


@dataclass(frozen=True)
class Format:
    """A form: either one text, or files."""

    about: str
    text: Callable[[Document], str] | None = None
    files: Callable[[Document, Path, Path], str] | None = None
    """Takes the document, the folder of the report and where to write; says what it wrote."""
    place: str = ""
    """Where files go if nothing is said, below the folder of the report."""


def _page(document: Document, folder: Path, place: Path) -> str:
    journal = folder / Path(document["journal"]).name
    write_whole(place, html.render(document, journal, load_catalogue()))
    return str(place)


def _badges(document: Document, _: Path, place: Path) -> str:
    return ", ".join(str(it) for it in badges.write(document, place))


def _allure(document: Document, folder: Path, place: Path) -> str:
    count = allure_files.write(document, folder / Path(document["journal"]).name, place)
    return f"{count} results to {place}"


def _annotations(document: Document) -> str:
    return "".join(f"{line}\n" for line in annotations.lines(document))


FORMATS: Mapping[str, Format] = {
    "markdown": Format("a summary for a pull request or the page of a job", markdown.summary),
    "html": Format("the page", files=_page, place=html.NAME),
    "junit": Format("JUnit's XML", junit.render),
    "allure": Format("results for Allure", files=_allure, place="allure-results"),
    "annotations": Format("GitHub's workflow commands, one a line", _annotations),
    "badges": Format("an SVG and shields.io's JSON a profile", files=_badges, place=badges.FOLDER),
}


def write(document: Document, folder: Path, name: str, output: Path | None) -> str:
    """Have a report in a form.

    Args:
        document: as `load.read` returns it.
        folder: where the report and its journal lie.
        name: a key of `FORMATS`.
        output: where to write; None is beside the report, or for a text nowhere.

    Returns:
        the text itself where it is written nowhere, else a line that begins with `wrote`.

    Raises:
        OSError: the place cannot be written.
    """
    made = FORMATS[name]
    if made.files is not None:
        return f"wrote {made.files(document, folder, output or folder / made.place)}\n"
    assert made.text is not None
    text = made.text(document)
    if output is None:
        return text
    write_whole(output, text)
    return f"wrote {output}\n"
