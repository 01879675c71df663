"""The User of these tests signs in and decides by hand-made steps, not by the suite's approver."""

from collections.abc import Iterable
from urllib.parse import urljoin

import httpx
from selectolax.lexbor import LexborHTMLParser


def decide(link: str, scopes: Iterable[str] | None, *, username: str = "jane") -> str:
    """Follow a login link to its end; tick these scopes and allow, or refuse with None.

    Return the text of the last page.
    """
    account = [("username", username), ("password", f"{username}-secret")]
    decision = [("decision", "deny")]
    if scopes is not None:
        decision = [("decision", "approve"), *(("scope", scope) for scope in scopes)]
    with httpx.Client(follow_redirects=True, trust_env=False, timeout=10) as client:
        page = client.get(link)
        for filled in (account, []):  # the second page only hands over
            page = _submit(client, page, filled)
        if LexborHTMLParser(page.text).css_matches("form"):  # none if a grant covers all
            page = _submit(client, page, decision)
    body = LexborHTMLParser(page.text).body
    assert body is not None
    return body.text(strip=True, separator=" ")


def _submit(
    client: httpx.Client, page: httpx.Response, filled: list[tuple[str, str]]
) -> httpx.Response:
    """Submit the page's form with its hidden fields and what was filled in."""
    form = LexborHTMLParser(page.text).css_first("form")
    assert form is not None, page.text
    fields: dict[str, list[str]] = {}
    for field in form.css('input[type="hidden"]'):
        fields[str(field.attributes["name"])] = [field.attributes.get("value") or ""]
    for name, value in filled:
        fields.setdefault(name, []).append(value)
    return client.post(
        urljoin(str(page.url), form.attributes.get("action") or ""),
        data=fields,
        headers={"Origin": str(page.url.join("/")).rstrip("/")},
    ).raise_for_status()
