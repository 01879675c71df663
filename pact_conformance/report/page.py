"""A page for people that needs nothing but itself, and in which all text is only ever text.

Whatever a subject said is hostile: everything that a template prints has its control characters
made visible and is escaped, and a content security policy lets the browser run and load nothing
but our own style and script.
"""

from base64 import b64encode
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from pact_conformance.report.text import harmless

if TYPE_CHECKING:
    from jinja2 import Template

TEMPLATES = Path(__file__).parent / "templates"


@cache
def template(path: Path) -> "Template":
    """Compile a template, which may import others from its own folder and from `TEMPLATES`."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined  # noqa: PLC0415 - heavy

    environment = Environment(
        loader=FileSystemLoader([path.parent, TEMPLATES]),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_shown,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["marked"] = _marked
    return environment.get_template(path.name)


def asset(*paths: Path) -> str:
    """Read our own style or script; as it stands in the page, so that its hash is the browser's."""
    from markupsafe import Markup  # noqa: PLC0415 - comes with jinja2

    text = "".join(path.read_text(encoding="utf-8") for path in paths)
    return Markup(text)  # noqa: S704 - files of ours


def policy(style: str, script: str) -> str:
    """Return the content security policy of a page with this style and this script."""
    allowed = {"style-src": _digest(style), "script-src": _digest(script), "img-src": "data:"}
    rules = [f"{kind} {source}" for kind, source in allowed.items()]
    return "; ".join(["default-src 'none'", *rules, "base-uri 'none'", "form-action 'none'"])


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


def _digest(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"
