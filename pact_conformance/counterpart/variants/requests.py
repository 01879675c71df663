"""Legal ways with requests that are odd: a Provider's, or of a server in front of it (§2)."""

import json
import re
import sys
from collections.abc import Callable
from typing import Any

from starlette.responses import RedirectResponse, Response

from pact_conformance.counterpart.provider.call import Call
from pact_conformance.counterpart.provider.delegation.oauth_requests import OAuthRequest
from pact_conformance.counterpart.provider.message_rules import Submission
from pact_conformance.counterpart.provider.provider import Provider, Respond
from pact_conformance.counterpart.provider.refusals import invalid
from pact_conformance.counterpart.variants.registry import variant
from pact_conformance.wire.media_types import A2A_JSON, FORM, JSON, essence

_DEEPEST = 64
_LONGEST_NUMBER = 20
"""Digits of 64 bits, and a sign."""
_KNOWN_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
_LONGEST_URL = 2048
_LONGEST_HEADER = 4096
_EXPECTATION = "100-continue"
_PAGE = "<html><head><title>{0}</title></head><body><h1>{0}</h1></body></html>"
_PLAIN_TARGET = re.compile(rb"[A-Za-z0-9/:._~%?&=+,;@!$'()*-]*")
_ESCAPES_IN_PATH = re.compile(rb"%(00|0[ad]|2e|2f|5c|25|c0|ed|ff)", re.IGNORECASE)


def _before_reading(provider: Provider, look: Callable[[bytes], object]) -> None:
    def the_body_is_looked_at(submission: Submission) -> None:
        look(submission.body)

    provider.rules.add(the_body_is_looked_at, before="body_is_json")


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len(dict(pairs)) < len(pairs):
        raise invalid("A member stands twice")
    return dict(pairs)


def _number(text: str) -> float:
    value = float(text)
    digits, _, _ = text.partition("e")
    if abs(value) > sys.float_info.max or (value == 0 and re.search("[1-9]", digits)):
        raise invalid("A number is too large, or too small")
    return value


def _whole(text: str) -> int:
    if len(text) > _LONGEST_NUMBER:
        raise invalid("A number is too large")
    return int(text)


@variant()
def refuses_json_that_few_can_hold(provider: Provider) -> None:
    """JSON is refused that other readers may read differently: what RFC 8259 leaves to them."""

    def look(body: bytes) -> None:
        if body.startswith(b"\xef\xbb\xbf") or b"\\u0000" in body:
            raise invalid("The body has characters that cannot be kept")
        if max(body.count(b"[" * _DEEPEST), body.count(b'{"a":' * _DEEPEST)):
            raise invalid("The body is nested too deep")
        try:
            json.loads(body, object_pairs_hook=_unique, parse_float=_number, parse_int=_whole)
        except (ValueError, RecursionError):
            return  # another rule says so

    _before_reading(provider, look)


@variant()
def skips_a_byte_order_mark(provider: Provider) -> None:
    """A byte order mark before a body is not looked at, as RFC 8259 §8.1 lets a reader do."""
    original = provider.rules["body_is_json"]

    def body_is_json(submission: Submission) -> None:
        submission.body = submission.body.removeprefix(b"\xef\xbb\xbf")
        original(submission)

    provider.rules.replace("body_is_json", body_is_json)


def _page(status: int, title: str) -> Response:
    return Response(_PAGE.format(f"{status} {title}"), status_code=status, media_type="text/html")


def _is_of_odd_bytes(call: Call) -> bool:
    scope = call.request.scope
    target, query = bytes(scope.get("raw_path") or b""), bytes(scope.get("query_string") or b"")
    is_plain = _PLAIN_TARGET.fullmatch(target + query) and b"%00" not in query
    return not is_plain or _ESCAPES_IN_PATH.search(target) is not None


def _stands_twice(call: Call) -> bool:
    headers = call.request.headers
    return any(len(headers.getlist(it)) > 1 for it in ("authorization", "content-type"))


def _is_of_other_type(call: Call) -> bool:
    headers = call.request.headers
    kind = essence(headers.get("content-type"))
    is_coded = headers.get("content-encoding", "identity") != "identity"
    return is_coded or kind not in {"", JSON, A2A_JSON, FORM}


# What a proxy answers by itself to a request that it does not like; the first that holds.
_OF_A_PROXY: tuple[tuple[Callable[[Call], bool], int, str], ...] = (
    (lambda it: it.request.method not in _KNOWN_METHODS, 501, "Not Implemented"),
    (lambda it: len(str(it.request.url)) > _LONGEST_URL, 414, "URI Too Long"),
    (
        lambda it: any(len(value) > _LONGEST_HEADER for _, value in it.request.headers.raw),
        431,
        "Request Header Fields Too Large",
    ),
    (_is_of_odd_bytes, 400, "Bad Request"),
    (_stands_twice, 400, "Bad Request"),
    (
        lambda it: it.request.headers.get("expect", _EXPECTATION).lower() != _EXPECTATION,
        417,
        "Expectation Failed",
    ),
    (_is_of_other_type, 415, "Unsupported Media Type"),
)


@variant()
def stands_behind_a_strict_proxy(provider: Provider) -> None:
    """A proxy refuses what is odd for HTTP with pages of its own."""

    async def around(call: Call, proceed: Respond) -> Response:
        for is_disliked, status, title in _OF_A_PROXY:
            if is_disliked(call):
                return _page(status, title)
        return await proceed(call)

    provider.around.insert(0, around)


@variant()
def redirects_from_a_slash_too_many(provider: Provider) -> None:
    """A path with a slash behind it, or two in it, is redirected to the one without."""

    async def around(call: Call, proceed: Respond) -> Response:
        path: str = call.request.scope["path"]
        plain = re.sub("/{2,}", "/", path).rstrip("/") or "/"
        if call.brand_id is None or path in {plain, f"/a2a/{call.brand_id}/"}:
            return await proceed(call)
        return RedirectResponse(plain.encode().decode("latin-1"), 308)

    provider.around.append(around)


def _at_oauth(provider: Provider, read: Callable[[OAuthRequest], object]) -> None:
    """Let `read` see a form before it is read as ever, and after."""
    for rules in (provider.delegation.device_rules, provider.delegation.token_rules):
        original = rules["body_is_a_form"]

        def body_is_a_form(
            provider: Provider,
            request: OAuthRequest,
            original: Callable[[Provider, OAuthRequest], None] = original,
        ) -> None:
            original(provider, request)
            read(request)

        rules.replace("body_is_a_form", body_is_a_form)


@variant()
def takes_the_last_of_parameters_that_stand_twice(provider: Provider) -> None:
    """Of parameters of a form that stand twice the last counts, as many libraries have it."""

    def read(request: OAuthRequest) -> None:
        request.pairs = list(dict(request.pairs).items())

    _at_oauth(provider, read)


@variant()
def takes_parameters_without_the_blanks_around_them(provider: Provider) -> None:
    """White space around what a parameter holds is not looked at."""

    def read(request: OAuthRequest) -> None:
        request.pairs = [(name, value.strip()) for name, value in request.pairs]

    _at_oauth(provider, read)
