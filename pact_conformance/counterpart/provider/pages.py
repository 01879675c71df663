"""Pages for people: the Brand's login (§5.3), and the Provider's consent and grants.

Whatever a page shows is escaped; a content security policy lets the browser run and load nothing
but what the page itself brings, frame it nowhere, and send its forms only where they belong.
"""

import secrets
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from starlette.responses import HTMLResponse, RedirectResponse

from pact_conformance.counterpart.provider.call import read_body
from pact_conformance.counterpart.provider.delegation.oauth_requests import parse_form
from pact_conformance.counterpart.provider.refusals import A2ARefusal, PageRefusal
from pact_conformance.wire.media_types import FORM, essence

if TYPE_CHECKING:
    from jinja2 import Environment
    from starlette.requests import Request
    from starlette.responses import Response

_TEMPLATES = Path(__file__).parent / "templates"

SAFE = {
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
"""The headers that every page has."""


def render(name: str, view: Mapping[str, Any]) -> str:
    """Return a page as HTML: the template with this name, with what the page shows."""
    return _environment().get_template(f"{name}.html.j2").render(view)


class Pages:
    """How pages become answers."""

    def __init__(self) -> None:
        self.render: Callable[[str, Mapping[str, Any]], str] = render

    def show(
        self, name: str, view: Mapping[str, Any], *, status: int = 200, sends_to: str = "'self'"
    ) -> "Response":
        """Return a page.

        Args:
            name: of its template.
            view: what the template shows.
            status: the HTTP status.
            sends_to: where its forms may lead, as in `form-action` of a policy (CSP 3 §6.4.2).
        """
        nonce = secrets.token_urlsafe(16)
        text = self.render(name, {**view, "nonce": nonce, "style": _style()})
        policy = (
            f"default-src 'none'; style-src 'nonce-{nonce}'; script-src 'nonce-{nonce}'; "
            f"form-action {sends_to}; frame-ancestors 'none'; base-uri 'none'"
        )
        headers = {**SAFE, "Content-Security-Policy": policy}
        return HTMLResponse(text, status_code=status, headers=headers)

    def go(self, url: str) -> "Response":
        """Return a redirect that is followed by GET (RFC 9110 §15.4.4)."""
        return RedirectResponse(url, status_code=303, headers=SAFE)

    def refuse(self, refusal: PageRefusal, brand_name: str) -> "Response":
        """Return the page that says why not."""
        view = {"brand": brand_name, "title": refusal.title, "text": refusal.text}
        return self.show("refused", view, status=refusal.status)


async def read_fields(request: "Request", longest: int) -> dict[str, list[str]]:
    """Return the fields of a form that a browser sent, each with all of its values.

    Raises:
        PageRefusal: it sent something else.
    """
    if essence(request.headers.get("content-type")) != FORM:
        raise PageRefusal(415, "That was not a form", "Please go back and try again.")
    try:
        pairs = parse_form(await read_body(request, longest))
    except (ValueError, A2ARefusal):
        raise PageRefusal(
            400, "That form cannot be read", "Please go back and try again."
        ) from None
    fields: dict[str, list[str]] = {}
    for name, value in pairs:
        fields.setdefault(name, []).append(value)
    return fields


def one(fields: Mapping[str, list[str]], name: str) -> str:
    """Return the one value of a field; empty where it is missing or there are several."""
    values = fields.get(name, [])
    return values[0] if len(values) == 1 else ""


@cache
def _environment() -> "Environment":
    from jinja2 import Environment, FileSystemLoader, StrictUndefined  # noqa: PLC0415 - not all show

    return Environment(
        loader=FileSystemLoader(_TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


@cache
def _style() -> str:
    return (_TEMPLATES / "pages.css").read_text(encoding="utf-8")
