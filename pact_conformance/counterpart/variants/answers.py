"""Legal ways to write answers down and to send them (§2, §6, HTTP)."""

import asyncio
import itertools
import json
from collections.abc import AsyncIterator, Callable

from starlette.responses import Response, StreamingResponse

from pact_conformance.counterpart.provider.call import Call
from pact_conformance.counterpart.provider.provider import Provider, Respond
from pact_conformance.counterpart.substitution import Document, change_answers, change_errors
from pact_conformance.counterpart.variants.registry import variant


def _rewrite(provider: Provider, write: Callable[[object], bytes]) -> None:
    """Write JSON bodies in another way."""

    def change(_call: Call, response: Response) -> None:
        if "json" in response.headers.get("content-type", ""):
            response.body = write(json.loads(bytes(response.body)))
            response.headers["content-length"] = str(len(response.body))

    change_answers(provider, change)


@variant()
def writes_json_with_spaces_and_escapes(provider: Provider) -> None:
    """JSON is indented, and all that is not ASCII is escaped."""
    _rewrite(provider, lambda value: json.dumps(value, indent=4, ensure_ascii=True).encode())


@variant()
def writes_members_in_another_order(provider: Provider) -> None:
    """JSON has its members in reverse order, and ends with a line end."""
    _rewrite(provider, lambda value: json.dumps(_reversed(value)).encode() + b"\r\n")


@variant()
def escapes_slashes(provider: Provider) -> None:
    """JSON has escapes where none are needed."""
    _rewrite(provider, lambda value: json.dumps(value).replace("/", "\\/").encode())


def _reversed(value: object) -> object:
    if isinstance(value, dict):
        return {name: _reversed(member) for name, member in reversed(value.items())}
    return [_reversed(item) for item in value] if isinstance(value, list) else value


@variant()
def names_the_charset(provider: Provider) -> None:
    """The media type of A2A answers has a parameter and capital letters."""

    def change(_call: Call, response: Response) -> None:
        content_type = response.headers.get("content-type", "")
        if content_type == "application/a2a+json":
            response.headers["content-type"] = "Application/A2A+JSON; charset=utf-8"

    change_answers(provider, change)


@variant()
def sends_many_headers(provider: Provider) -> None:
    """Answers have further headers, some of them twice."""

    def change(_call: Call, response: Response) -> None:
        response.headers["Server"] = "provider/1.0"
        response.headers["A2A-Version"] = "1.0"
        response.headers["Access-Control-Allow-Origin"] = "*"
        response.headers["X-Request-Id"] = f"{id(response):x}"
        response.headers["Strict-Transport-Security"] = "max-age=63072000"
        for name in ("a", "b"):
            response.set_cookie(name, "1")

    change_answers(provider, change)


@variant()
def closes_the_connection_after_an_error(provider: Provider) -> None:
    """The connection is closed after each error."""

    def change(_call: Call, response: Response) -> None:
        if response.status_code >= 400:
            response.headers["Connection"] = "close"

    change_answers(provider, change)


@variant()
def closes_the_connection_after_every_answer(provider: Provider) -> None:
    """The connection is closed after each answer."""
    change_answers(
        provider, lambda _call, response: response.headers.update({"Connection": "close"})
    )


@variant()
def sends_bodies_in_chunks(provider: Provider) -> None:
    """Bodies come in chunks of 7 bytes, without a length."""

    def change(_call: Call, response: Response) -> Response | None:
        if not response.body:
            return None
        headers = dict(response.headers)
        del headers["content-length"]
        return StreamingResponse(_chunks(bytes(response.body)), response.status_code, headers)

    change_answers(provider, change)


async def _chunks(body: bytes) -> AsyncIterator[bytes]:
    for start in range(0, len(body), 7):
        yield body[start : start + 7]


@variant()
def takes_50_ms_for_each_answer(provider: Provider) -> None:
    """Every answer takes 50 ms."""

    async def around(call: Call, proceed: Respond) -> Response:
        await asyncio.sleep(0.05)
        return await proceed(call)

    provider.around.append(around)


@variant()
def tells_more_in_errors(provider: Provider) -> None:
    """An error has metadata, further details and members that A2A does not know."""

    def change(body: Document) -> None:
        error = body["error"]
        error["details"][0]["metadata"] = {"service": "provider.example"}
        help_type = "type.googleapis.com/google.rpc.Help"
        error["details"].append({"@type": help_type, "links": []})
        error["requestId"] = body["traceId"] = "7f"

    change_errors(provider, change)


@variant()
def tells_errors_in_another_language(provider: Provider) -> None:
    """The message of an error is not in English."""
    change_errors(provider, lambda body: body["error"].update(message="リクエストが無効です"))


@variant()
def tells_no_message_in_errors(provider: Provider) -> None:
    """The message of an error is empty."""
    change_errors(provider, lambda body: body["error"].update(message=""))


@variant()
def numbers_each_error(provider: Provider) -> None:
    """The message of an error names the request, so that no two are equal."""
    numbers = itertools.count(1)

    def change(body: Document) -> None:
        body["error"]["message"] += f" (request {next(numbers)})"

    change_errors(provider, change)
