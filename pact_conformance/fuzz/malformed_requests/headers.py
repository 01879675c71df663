"""Changes of headers and of framing (RFC 9110, RFC 9112, §2)."""

import gzip
from collections.abc import Callable, Mapping

from pact_conformance.fuzz.entering import kind, named
from pact_conformance.fuzz.kind import Kind, OneOf
from pact_conformance.fuzz.malformed_requests.draft import BEARER, Draft
from pact_conformance.fuzz.malformed_requests.entering import (
    NO_FAILURE,
    SERVED,
    either,
    of_http,
    with_body,
)
from pact_conformance.wire.media_types import FORM, JSON

# application/json in other words: type, subtype and names of parameters have no case (RFC 9110
# §8.3.1), and a charset changes nothing (RFC 8259 §11).
_TYPES = (
    *("application/json; charset=utf-8", "application/json;charset=utf-8"),
    *("application/json; charset=UTF-8", 'application/json; charset="utf-8"'),
    *("application/json; Charset=utf-8", "Application/JSON", "APPLICATION/JSON"),
    *("application/json ; charset=utf-8", "application/json;  charset=utf-8"),
)
_ODD_TYPES = (
    *("application/json;", "application/json; ", "application/json; charset=us-ascii"),
    *("application/json; charset=utf-16", "application/json; charset=latin1"),
    *("application/json; charset=x-unheard-of", "application/json; charset=", "application/json;a"),
    *("application/json; version=1", "application/json; a=b; a=c", 'application/json; a="'),
    *("application/json, application/json", "application/json, text/plain", "application/*"),
    *("application/a2a+json; charset=utf-8", "APPLICATION/A2A+JSON", "application/a2a-json"),
    *("application/vnd.api+json", "application/ld+json", "application/problem+json", "text/json"),
    *(
        "application/jsonl",
        "application/x-ndjson",
        "application/json-seq",
        "text/plain",
        "text/html",
    ),
    *("application/octet-stream", "application/xml", "application/grpc", FORM, "json", "*/*"),
    *("application", "/", ";", "", "multipart/form-data", "multipart/form-data; boundary=a"),
    *("\u00e9/json", f"application/json; a={'b' * 3000}", f"application/{'a' * 300}"),
)
_VERSIONS = (
    *("1", "1.0.0", "1.0.1", "1.00", "01.0", "v1.0", "1.1", "1.0-beta", "0.3", "0.3.0", "0", "2"),
    *("2.0", "9.9", "-1", "1,0", "1.0, 1.0", "1.0,0.3", "1.0;q=1", "1.0 1.0", '"1.0"', "'1.0'"),
    *("1.0\u00a0", "\u0661.\u0660", "\uff11.0", "latest", "*", "a", "", "1e0", "1" * 300),
)
_NAMES: Mapping[str, Callable[[str], str]] = {
    "lower case": str.lower,
    "upper case": str.upper,
    "swapped case": str.swapcase,
}
_ORDERS: Mapping[str, Callable[[list[tuple[str, str]]], list[tuple[str, str]]]] = {
    "from last to first": lambda it: it[::-1],
    "with the first at the end": lambda it: [*it[1:], *it[:1]],
}
# What clients and the servers between add, and nobody has to understand.
_EXTRA: Mapping[str, tuple[tuple[str, str], ...]] = {
    "an unknown header": (("X-Unheard-Of", "1"),),
    "an unknown header twice": (("X-Unheard-Of", "1"), ("X-Unheard-Of", "2")),
    "an empty header": (("X-Unheard-Of", ""),),
    "a trace": (("Traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"),),
    "a malformed trace": (("Traceparent", "00-zz"), ("Tracestate", "a=b,,=,")),
    "a request id": (("X-Request-ID", "7"),),
    "a language": (("Accept-Language", "de-CH, de;q=0.9, *;q=0.1"),),
    "a time-out": (("Prefer", "wait=10"),),
    "A2A's media type accepted": (("Accept", "application/a2a+json"),),
    "a list of types accepted": (("Accept", "application/a2a+json, application/json;q=0.9, */*"),),
    "no cache": (("Cache-Control", "no-cache"), ("Pragma", "no-cache")),
}
# Headers that a Provider, or a server in front of it, may act upon.
_TELLING: Mapping[str, tuple[tuple[str, str], ...]] = {
    "text accepted alone": (("Accept", "text/html"),),
    "nothing accepted": (("Accept", "*/*;q=0"),),
    "a malformed Accept": (("Accept", ";q=,/"),),
    "an empty Accept": (("Accept", ""),),
    "no charset accepted": (("Accept-Charset", "utf-7, *;q=0"),),
    "no coding accepted": (("Accept-Encoding", "*;q=0"),),
    "every coding accepted": (("Accept-Encoding", "gzip, deflate"),),
    "a malformed coding": (("Accept-Encoding", "gzip;q=a, ;,"),),
    "a condition": (("If-None-Match", "*"),),
    "another condition": (("If-Match", '"a"'),),
    "a condition of time": (("If-Modified-Since", "Thu, 01 Jan 1970 00:00:00 GMT"),),
    "a malformed date": (("If-Unmodified-Since", "yesterday"),),
    "a range": (("Range", "bytes=0-0"),),
    "a malformed range": (("Range", "bytes=9-1,a-"),),
    "an origin": (("Origin", "https://evil.example"),),
    "a null origin": (("Origin", "null"),),
    "a referrer": (("Referer", "https://\u00e9.example/%zz"),),
    "cookies": (("Cookie", "a=b; c; =d; \u00e9=f"),),
    "no user agent": (("User-Agent", ""),),
    "an odd user agent": (("User-Agent", "\u00e9 () { :; }; ${jndi:x}"),),
    "another method asked for": (("X-HTTP-Method-Override", "DELETE"),),
    "a forwarded host": (("X-Forwarded-Host", "evil.example"), ("Forwarded", "for=;;")),
    "a forwarded address": (("X-Forwarded-For", "a, 1.2.3.4.5, ::"),),
    "a forwarded scheme": (("X-Forwarded-Proto", "gopher"),),
    "an upgrade": (("Connection", "Upgrade"), ("Upgrade", "h2c")),
    "a web socket": (("Connection", "Upgrade"), ("Upgrade", "websocket")),
    "trailers": (("TE", "trailers"), ("Trailer", "X-A")),
    "one hop": (("Max-Forwards", "0"),),
    "a language of the body": (("Content-Language", "xx-unheard-of"),),
    "a place of the body": (("Content-Disposition", 'attachment; filename="../a'),),
    "a digest": (("Content-MD5", "a"), ("Digest", "a")),
    "a part of a body": (("Content-Range", "bytes 0-1/9"),),
    "extensions": (("A2A-Extensions", "https://extensions.example/a, , a"),),
    "malformed extensions": (("A2A-Extensions", ",\u00e9,<>"),),
    "a long header": (("X-Unheard-Of", "a" * 5000),),
    "a very long header": (("X-Unheard-Of", "a" * 30_000),),
    "a long name": (("X-" + "A" * 300, "1"),),
    "a hundred headers": tuple((f"X-Unheard-Of-{at}", "1") for at in range(100)),
    "a header of Latin letters": (("X-Unheard-Of", "caf\u00e9 \u6ce8"),),
    "a name with signs": (("X!#$%&'*+.^_`|~", "1"),),
    "an underscore": (("A2A_Version", "9.9"), ("Content_Type", "text/plain")),
}
_EXPECTATIONS = ("100-continue", "100-Continue", "200-ok", "", "100-continue, 200-ok")
_CODED: Mapping[str, tuple[str, Callable[[bytes], bytes]]] = {
    "gzip": ("gzip", gzip.compress),
    "gzip in name alone": ("gzip", bytes),
    "an unknown coding": ("x-unheard-of", bytes),
    "identity": ("identity", bytes),
    "an empty coding": ("", bytes),
    "a gzip that is cut": ("gzip", lambda it: gzip.compress(it)[:-9]),
}
_DOUBLED: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "Content-Type": ("Content-Type", (JSON, JSON)),
    "Content-Type with two types": ("Content-Type", (JSON, "text/plain")),
    "A2A-Version": ("A2A-Version", ("1.0", "1.0")),
    "A2A-Version with two versions": ("A2A-Version", ("1.0", "9.9")),
    "A2A-Version with two versions, the other first": ("A2A-Version", ("9.9", "1.0")),
    "Authorization": ("Authorization", (BEARER, BEARER)),
    "Authorization with another first": ("Authorization", ("Basic YTpi", BEARER)),
    "Authorization with another behind": ("Authorization", (BEARER, "Basic YTpi")),
}


def _typed(draft: Draft, value: str) -> None:
    with_body(draft)
    draft.set_header("Content-Type", value)


def _oddly_typed(draft: Draft, value: str) -> None:
    draft.reasons.add("CONTENT_TYPE_NOT_SUPPORTED")
    _typed(draft, value)


def _untyped(draft: Draft) -> None:
    with_body(draft)
    draft.set_header("Content-Type")


def _versioned(draft: Draft, value: str) -> None:
    draft.reasons.add("VERSION_NOT_SUPPORTED")
    draft.set_header("A2A-Version", value)


def _unversioned(draft: Draft) -> None:
    draft.reasons.add("VERSION_NOT_SUPPORTED")
    draft.set_header("A2A-Version")


def _version_in_query(draft: Draft, name: str) -> None:
    draft.reasons.add("VERSION_NOT_SUPPORTED")
    draft.set_header("A2A-Version")
    draft.query.append(f"{name}=1.0")


def _named(draft: Draft, name: str) -> None:
    draft.headers = [(_NAMES[name](it), value) for it, value in draft.headers]


def _ordered(draft: Draft, name: str) -> None:
    draft.headers = _ORDERS[name](draft.headers)


def _added(table: Mapping[str, tuple[tuple[str, str], ...]]) -> Callable[[Draft, str], None]:
    def apply(draft: Draft, name: str) -> None:
        draft.reasons |= {"EXTENSION_SUPPORT_REQUIRED"} if "extensions" in name else set()
        draft.headers += table[name]

    return apply


def _expecting(draft: Draft, value: str) -> None:
    with_body(draft)
    draft.headers.append(("Expect", value))


def _chunked(draft: Draft) -> None:
    with_body(draft)
    draft.bare.add(411)
    draft.headers.append(("Transfer-Encoding", "chunked"))


def _coded(draft: Draft, name: str) -> None:
    with_body(draft)
    coding, code = _CODED[name]
    encode = draft.encode
    draft.encode = lambda text: code(encode(text))
    draft.headers.append(("Content-Encoding", coding))


def _doubled(draft: Draft, name: str) -> None:
    header, values = _DOUBLED[name]
    if header == "Content-Type":
        with_body(draft)
    draft.reasons |= {"VERSION_NOT_SUPPORTED", "CONTENT_TYPE_NOT_SUPPORTED"}
    draft.set_header(header, *values)


def _scheme(draft: Draft, scheme: str) -> None:
    draft.of_scheme = True
    draft.set_header("Authorization", BEARER.replace("Bearer", scheme))


def _closing(draft: Draft, value: str) -> None:
    draft.headers.append(("Connection", value))


_ACCEPTED: tuple[Kind[Draft], ...] = (
    kind(
        "header-case",
        "names of headers in {0}",
        "accepted",
        SERVED,
        _named,
        "names",
        takes=[named(_NAMES)],
    ),
    kind(
        "header-order",
        "headers in another order ({0})",
        "accepted",
        SERVED,
        _ordered,
        "header-order",
        takes=[named(_ORDERS)],
    ),
    kind("header-extra", "{0}", "accepted", SERVED, _added(_EXTRA), "extra", takes=[named(_EXTRA)]),
    kind(
        "media-type",
        "the Content-Type `{0}`",
        "accepted",
        SERVED,
        _typed,
        "type",
        takes=[OneOf(_TYPES)],
    ),
    kind("chunked", "a body in chunks, without a length", "accepted", SERVED, _chunked, "framing"),
    kind(
        "connection",
        "the header Connection: {0}",
        "accepted",
        SERVED,
        _closing,
        "connection",
        takes=[OneOf(("close", "keep-alive", "Keep-Alive"))],
    ),
    kind(
        "version-absent",
        "no A2A-Version",
        "warn-if-refused",
        "2-version-absent",
        _unversioned,
        "version",
    ),
    kind(
        "scheme-case",
        "the scheme of the Authorization header as {0}",
        "warn-if-refused",
        "3.2-bearer-case",
        _scheme,
        "authorization",
        takes=[OneOf(("bearer", "BEARER", "bEARER"))],
    ),
)

HEADERS: tuple[Kind[Draft], ...] = (
    *_ACCEPTED,
    either("media-type-odd", "the Content-Type `{0}`", _oddly_typed, "type", _ODD_TYPES),
    either("media-type-absent", "no Content-Type", _untyped, "type", ()),
    either("version", "the A2A-Version `{0}`", _versioned, "version", _VERSIONS),
    either(
        "version-in-query",
        "the version as the parameter {0}",
        _version_in_query,
        "version",
        ("A2A-Version", "a2a-version"),
    ),
    either("header-telling", "{0}", _added(_TELLING), "extra", _TELLING),
    kind(
        "header-twice",
        "{0} in two lines",
        "either",
        NO_FAILURE,
        of_http(_doubled),
        "type",
        "version",
        "authorization",
        takes=[named(_DOUBLED)],
    ),
    either("expect", "the header Expect: {0}", _expecting, "expect", _EXPECTATIONS),
    either("content-coding", "{0} for the body's coding", _coded, "coding", _CODED),
)
"""The kinds of changes of headers and of framing."""
