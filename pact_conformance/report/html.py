"""`report.html`: one page for people, which needs nothing but itself.

Whatever a subject said is hostile: nothing of it comes near a script, and `page` sees to it that it
is only ever text.
"""

from base64 import b64encode
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from pact_conformance.catalogue import Catalogue
from pact_conformance.report import page, sections
from pact_conformance.report.view import SIGNS, view
from pact_conformance.report.view_of_checks import Exchanges
from pact_conformance.report.writing import write_whole

NAME = "report.html"

# The page stays fluid; the others lie beside it.
MOST_PICTURES = 24
_TEMPLATE = page.TEMPLATES / "report.html.j2"


def write(document: Mapping[str, Any], folder: Path, catalogue: Catalogue) -> Path:
    """Write `report.html` into the folder that holds the journal, and return its path.

    Args:
        document: the report, as `document.build` made it or `load.read` read it.
        folder: where the page goes, and where the journal that the document names lies.
        catalogue: tells how subjects usually get a requirement wrong; a report of another edition
            is shown without that where the ids differ.
    """
    path = folder / NAME
    write_whole(path, render(document, folder / Path(document["journal"]).name, catalogue))
    return path


def render(document: Mapping[str, Any], journal: Path, catalogue: Catalogue) -> str:
    """Return the page as text."""
    pitfalls = {it.id: it.pitfalls for it in catalogue.requirements.values()}
    style, script = (page.asset(_TEMPLATE.with_name(f"report.{it}")) for it in ("css", "js"))
    return page.template(_TEMPLATE).render(
        document=document,
        page=view(document, Exchanges(document, journal), pitfalls),
        signs=SIGNS,
        profile_title=sections.profile,
        role_title=sections.role,
        section_title=sections.title,
        policy=page.policy(style, script),
        style=style,
        script=script,
        pictures=list(_pictures(document, journal.parent)),
    )


def _pictures(document: Mapping[str, Any], folder: Path) -> Iterator[tuple[str, str]]:
    """Yield what each picture of the User's way shows, and itself as a URL of data."""
    for name in document.get("pictures", ())[:MOST_PICTURES]:
        path = folder / name
        if path.is_file():
            coded = b64encode(path.read_bytes()).decode()
            number, _, what = path.stem.partition("-")
            yield f"{what} {number}", f"data:image/png;base64,{coded}"


def warm_up() -> None:
    """Compile the page's template, for processes that fork off runs."""
    page.template(_TEMPLATE)
