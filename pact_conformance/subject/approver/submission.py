"""What a browser sends when a form is submitted (HTML, "form submission")."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from urllib.parse import urldefrag, urlencode, urlsplit, urlunsplit

import httpx

from pact_conformance.subject.approver.choosing import Act
from pact_conformance.subject.approver.shown import PRESSED, TICKED, Field, Form, Pair, Shown

URLENCODED = "application/x-www-form-urlencoded"
_MULTIPART = "multipart/form-data"


@dataclass(frozen=True)
class Request:
    """What the browser asks for next."""

    method: str
    url: str
    pairs: tuple[Pair, ...] = ()
    """The fields of a posted form."""
    enctype: str = URLENCODED

    def body(self) -> tuple[bytes | None, str | None]:
        """Return the body and its media type; None where there is none."""
        if self.method == "GET":
            return None, None
        if self.enctype == _MULTIPART:
            files = [(name, (None, value.encode())) for name, value in self.pairs]
            made = httpx.Request("POST", self.url, files=files)
            return made.read(), made.headers["content-type"]
        if self.enctype == "text/plain":
            text = "".join(f"{name}={value}\r\n" for name, value in self.pairs)
            return text.encode(), "text/plain"
        return urlencode(self.pairs).encode("ascii"), URLENCODED


def request_of(shown: Shown, act: Act) -> Request:
    """Return the request that an act on a page makes.

    Raises:
        ValueError: the form would not be sent over HTTP (`method=dialog`, `javascript:`).
    """
    if act.link is not None:
        return Request("GET", urldefrag(act.link.url).url)
    if act.form is None:
        raise ValueError("the field belongs to no form, so that only a script could send it")
    return _submitted(act.form, list(shown.of(act.form)), act)


def _submitted(form: Form, fields: Sequence[Field], act: Act) -> Request:
    pressed = act.button or _default_button(fields)
    action = (pressed and pressed.action) or form.action
    method = (pressed and pressed.method) or form.method
    enctype = (pressed and pressed.enctype) or form.enctype
    url = urldefrag(action).url
    if urlsplit(url).scheme not in {"http", "https"} or method == "dialog":
        raise ValueError(f"the form is not sent over HTTP, but to {url.partition(':')[0]}:")
    pairs = tuple(_successful(fields, act, pressed))
    if method == "post":
        known = enctype in {_MULTIPART, "text/plain"}
        return Request("POST", url, pairs, enctype if known else URLENCODED)
    return Request("GET", urlunsplit(urlsplit(url)._replace(query=urlencode(pairs))))


def _default_button(fields: Sequence[Field]) -> Field | None:
    """Return the button that Enter in a field presses (HTML, "implicit submission")."""
    buttons = [it for it in fields if it.kind in {"submit", "image"}]
    return buttons[0] if buttons and not buttons[0].disabled else None


def _successful(fields: Sequence[Field], act: Act, pressed: Field | None) -> Iterator[Pair]:
    """Yield the fields that are sent, in the order of the page."""
    for it in fields:
        entered = act.entries.get(it.at)
        if it.disabled or it.kind == "reset":
            continue
        if it.kind in PRESSED:
            if pressed is not None and it.at == pressed.at:
                yield from _button(it)
        elif not it.name:
            continue
        elif it.kind in TICKED:
            if it.checked if entered is None else entered is True:
                yield it.name, it.value
        elif it.kind == "select":
            chosen = it.chosen if entered is None else (str(entered),)
            yield from ((it.name, value) for value in chosen)
        elif it.kind == "file":
            yield it.name, ""
        else:
            value = it.value if entered is None else str(entered)
            yield it.name, _with_line_ends(value) if it.kind == "textarea" else value


def _button(it: Field) -> Iterator[Pair]:
    if it.kind == "image":
        prefix = f"{it.name}." if it.name else ""
        yield f"{prefix}x", "0"
        yield f"{prefix}y", "0"
    elif it.name:
        yield it.name, it.value


def _with_line_ends(value: str) -> str:
    return value.replace("\r\n", "\n").replace("\r", "\n").replace("\n", "\r\n")
