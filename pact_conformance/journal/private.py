"""Exchanges of the User's browser: kept as what was asked where, without any content.

The names of a Brand's own secrets are not known: fields of forms, hidden inputs, parameters of a
link. So no value is kept, whatever it is called.
"""

from dataclasses import replace
from urllib.parse import parse_qsl, urlsplit, urlunsplit

from pact_conformance.journal.exchange import Failure
from pact_conformance.journal.placeholder import placeholder
from pact_conformance.journal.recording import Asked
from pact_conformance.journal.transport import Incoming

_URLENCODED = "application/x-www-form-urlencoded"


def without_contents(asked: Asked, outcome: Incoming | Failure) -> tuple[Asked, Incoming | Failure]:
    """Return an exchange as it may be recorded: values of queries, forms and pages left out."""
    kept = replace(
        asked,
        url=_without_values(asked.url),
        headers=[
            (name, _without_values(value) if name.lower() == "referer" else value)
            for name, value in asked.headers
        ],
        content=None if asked.content is None else _body(asked),
    )
    if isinstance(outcome, Failure):
        says_url = outcome.kind == "url"
        return kept, Failure("url", "this is no URL to ask for") if says_url else outcome
    headers = [(name, _header(name.lower(), value)) for name, value in outcome.headers]
    return kept, replace(outcome, headers=headers, body=_not_kept(outcome.body))


def _header(name: bytes, value: bytes) -> bytes:
    if name in {b"location", b"content-location"}:
        return _without_values(value.decode("latin-1")).encode("utf-8")
    return b"(not kept)" if name in {b"refresh", b"link"} else value


def _body(asked: Asked) -> bytes:
    content = asked.content or b""
    types = [value for name, value in asked.headers if name.lower() == "content-type"]
    if types and types[0].startswith(_URLENCODED):
        return _names(content.decode("utf-8", "replace")).encode("utf-8")
    return _not_kept(content)


def _not_kept(content: bytes) -> bytes:
    return b"(%d bytes, not kept)" % len(content) if content else b""


def _names(query: str) -> str:
    if "=" not in query:
        return placeholder("query") if query else ""
    pairs = parse_qsl(query, keep_blank_values=True)
    return "&".join(f"{name}={placeholder(name) if value else ''}" for name, value in pairs)


def _without_values(url: str) -> str:
    try:
        parts = urlsplit(url)
    except ValueError:
        return placeholder("url")
    fragment = placeholder("fragment") if parts.fragment else ""
    return urlunsplit(parts._replace(query=_names(parts.query), fragment=fragment))
