"""Answers on the stage: the Provider's own, and what a script makes of them."""

import json
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, Self

from pydantic import JsonValue
from starlette.types import ASGIApp, Message, Scope, Send

from pact_conformance.counterpart.provider.answers import encode
from pact_conformance.counterpart.provider.stage.script import Answer, merged
from pact_conformance.wire.media_types import A2A_JSON, JSON

Headers = list[tuple[bytes, bytes]]


@dataclass(frozen=True)
class Heard:
    """An answer, whole."""

    status: int
    headers: Headers
    body: bytes

    @classmethod
    async def of(cls, application: ASGIApp, scope: Scope, body: bytes) -> Self:
        """Return what an application answers to a request whose body has been read."""
        status, headers, answered = 500, Headers(), bytearray()
        read = False

        async def receive() -> Message:
            nonlocal read
            if read:
                return {"type": "http.disconnect"}
            read = True
            return {"type": "http.request", "body": body, "more_body": False}

        async def send(message: Message) -> None:
            nonlocal status, headers
            if message["type"] == "http.response.start":
                status, headers = message["status"], list(message["headers"])
            else:
                answered.extend(message.get("body", b""))

        await application(scope, receive, send)
        return cls(status, headers, bytes(answered))

    async def send(self, send: Send) -> None:
        """Send it."""
        start = {"type": "http.response.start", "status": self.status, "headers": self.headers}
        await send(start)
        await send({"type": "http.response.body", "body": self.body})


def play(answer: Answer, honest: Heard | None, *, date: str, is_a2a: bool) -> Heard:
    """Return what a script makes of an answer.

    Args:
        answer: of the script, what it names filled in.
        honest: the Provider's own answer, where there is one.
        date: for an answer that has none.
        is_a2a: whether JSON has A2A's media type.
    """
    if honest is None or answer.replaces:
        heard = _new(answer, date, is_a2a=is_a2a)
    else:
        body = honest.body
        if answer.patch is not None:
            body = encode(merged(_value(honest.body), answer.patch))
        heard = Heard(answer.status or honest.status, honest.headers, body)
    headers = _with(heard.headers, _given(answer))
    if heard.body or heard.status not in (HTTPStatus.NO_CONTENT, HTTPStatus.NOT_MODIFIED):
        headers = _with(headers, [("content-length", str(len(heard.body)))])
    return Heard(heard.status, headers, heard.body)


def _new(answer: Answer, date: str, *, is_a2a: bool) -> Heard:
    """Return an answer that has nothing of the honest one."""
    headers: Headers = [(b"date", date.encode())]
    body, kind = b"", ""
    if answer.body is not None:
        body, kind = encode(answer.body), A2A_JSON if is_a2a else JSON
    elif answer.text is not None:
        body, kind = answer.text.encode(), "text/plain; charset=utf-8"
    if kind:
        headers.append((b"content-type", kind.encode()))
    return Heard(answer.status or HTTPStatus.OK, headers, body)


def _given(answer: Answer) -> list[tuple[str, str]]:
    """Return the headers that an answer of a script names."""
    given = [("content-type", answer.content_type)] if answer.content_type is not None else []
    for name, value in answer.headers.items():
        given += [(name, it) for it in (value if isinstance(value, list) else [value])]
    return given


def _with(headers: Headers, given: list[tuple[str, str]]) -> Headers:
    """Return headers with some in the place of those of their names."""
    names = {name.lower().encode() for name, _ in given}
    kept = [(name, value) for name, value in headers if name.lower() not in names]
    return kept + [(name.lower().encode(), value.encode("latin-1")) for name, value in given]


def _value(body: bytes) -> JsonValue:
    try:
        value: Any = json.loads(body)
    except ValueError:
        return None
    return value  # type: ignore[no-any-return]
