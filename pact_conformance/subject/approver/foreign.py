"""A form that a page of another site sends through the User's browser.

Such a page knows what its maker knows: who began the flow knows its codes and scopes, and anybody
the names of fields and buttons. It knows no secret that the real page holds, the browser tells
where the form comes from, and cookies that are kept to the site itself stay at home.
"""

from dataclasses import replace
from urllib.parse import unquote

from pact_conformance.subject.approver.errand import Errand
from pact_conformance.subject.approver.submission import Request

ELSEWHERE = "https://elsewhere.example"
"""Where the other site is: a name that is nobody's (RFC 2606)."""

HEADERS = (
    ("Sec-Fetch-Site", "cross-site"),
    ("Sec-Fetch-Mode", "navigate"),
    ("Sec-Fetch-Dest", "document"),
)
"""What browsers say of it besides Origin and Referer."""

_LEAST_SECRET = 16
"""A shorter value is no secret that a form could rest on."""


def without_secrets(request: Request, errand: Errand, typed: frozenset[str]) -> Request:
    """Return the form without what the other site cannot know.

    Args:
        request: as the real page would send it.
        errand: whose codes, scopes and link are known.
        typed: what was typed into it.
    """
    known = {*typed, *errand.scopes, errand.user_code}
    link = unquote(unquote(errand.link))

    def is_known(value: str) -> bool:
        return len(value) < _LEAST_SECRET or value in known or unquote(value) in link

    return replace(request, pairs=tuple(it for it in request.pairs if is_known(it[1])))
