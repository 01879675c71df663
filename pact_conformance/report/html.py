"""`report.html`: one page for people, which needs nothing but itself.

Whatever a subject said is hostile: everything that the template prints has its control characters
made visible and is escaped, nothing of it comes near a script, and a content security policy lets
the browser run and load nothing but what this module put in.
"""

from base64 import b64encode
from collections.abc import Iterator, Mapping
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pact_conformance.catalogue import Catalogue
from pact_conformance.report import sections
from pact_conformance.report.text import harmless
from pact_conformance.report.view import SIGNS, view
from pact_conformance.report.view_of_checks import Exchanges
from pact_conformance.report.writing import write_whole

if TYPE_CHECKING:
    from jinja2 import Template

NAME = "report.html"

# The page stays fluid; the others lie beside it.
MOST_PICTURES = 24
_TEMPLATES = Path(__file__).parent / "templates"


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
    style, script = (_asset(f"report.{kind}") for kind in ("css", "js"))
    return _template().render(
        document=document,
        page=view(document, Exchanges(document, journal), pitfalls),
        signs=SIGNS,
        profile_title=sections.profile,
        role_title=sections.role,
        section_title=sections.title,
        policy=_policy(style, script),
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
    _template()


@cache
def _template() -> "Template":
    from jinja2 import Environment, FileSystemLoader, StrictUndefined  # noqa: PLC0415 - heavy

    environment = Environment(
        loader=FileSystemLoader(_TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_shown,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["marked"] = _marked
    return environment.get_template("report.html.j2")


def _marked(text: str) -> str:
    """Show what stands between backticks as code, as the catalogue means it."""
    from markupsafe import Markup, escape  # noqa: PLC0415 - comes with jinja2

    pieces = harmless(text).split("`")
    if len(pieces) % 2 == 0:
        return harmless(text)
    code = Markup("<code>{}</code>")
    return Markup().join(
        code.format(piece) if place % 2 else escape(piece) for place, piece in enumerate(pieces)
    )


def _shown(value: object) -> object:
    """Make text harmless; what is marked as safe is the template's own."""
    if isinstance(value, str) and not hasattr(value, "__html__"):
        return value if value.isprintable() else harmless(value)
    return value


def _asset(name: str) -> str:
    """Read our own style or script; as it stands in the page, so that its hash is the browser's."""
    from markupsafe import Markup  # noqa: PLC0415 - comes with jinja2

    return Markup((_TEMPLATES / name).read_text(encoding="utf-8"))  # noqa: S704 - a file of ours


def _policy(style: str, script: str) -> str:
    allowed = {"style-src": _digest(style), "script-src": _digest(script), "img-src": "data:"}
    rules = [f"{kind} {source}" for kind, source in allowed.items()]
    return "; ".join(["default-src 'none'", *rules, "base-uri 'none'", "form-action 'none'"])


def _digest(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"
