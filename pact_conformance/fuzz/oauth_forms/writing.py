"""Changes of how a form is written, and of what stands in its place (RFC 6749 appendix B)."""

import json
from collections.abc import Callable, Mapping, Sequence
from urllib.parse import quote, quote_plus

from pact_conformance.fuzz.entering import kind, named
from pact_conformance.fuzz.kind import Kind
from pact_conformance.fuzz.oauth_forms.draft import Draft, Pair, Write, escaped, plainly
from pact_conformance.fuzz.oauth_forms.entering import READ, either
from pact_conformance.wire.media_types import FORM, JSON

Escape = Callable[[str], str]


def _by(escape: Escape) -> Write:
    return lambda pairs: "&".join(
        f"{escape(name)}={escape(value)}" for name, value in pairs
    ).encode()


def _wholly(text: str) -> str:
    return "".join(f"%{byte:02X}" for byte in text.encode("utf-8", "surrogatepass"))


def _in_lower_case(text: str) -> str:
    return "".join(f"%{byte:02x}" for byte in text.encode("utf-8", "surrogatepass"))


# The same form to every reader of forms.
_SAME: Mapping[str, Write] = {
    "plus signs for spaces": _by(quote_plus),
    "colons and slashes as they are": _by(lambda it: quote(it, safe=":/")),
    "colons, slashes and signs as they are": _by(lambda it: quote(it, safe=":/,@!$'()*~")),
    "every byte percent-encoded": _by(_wholly),
    "every byte percent-encoded in lower case": _by(_in_lower_case),
    "tildes percent-encoded": _by(lambda it: escaped(it).replace("~", "%7E")),
}


def _around(before: bytes = b"", behind: bytes = b"") -> Write:
    return lambda pairs: before + plainly(pairs) + behind


def _instead(old: bytes, new: bytes) -> Write:
    return lambda pairs: plainly(pairs).replace(old, new)


def _as_json(pairs: Sequence[Pair]) -> bytes:
    return json.dumps(dict(pairs)).encode()


def _as_multipart(pairs: Sequence[Pair]) -> bytes:
    parts = (
        f'--a\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'
        for name, value in pairs
    )
    return ("".join(parts) + "--a--\r\n").encode("utf-8", "surrogatepass")


# What readers of forms make different things of.
_ODD: Mapping[str, Write] = {
    "an empty body": lambda _: b"",
    "a line break behind it": _around(behind=b"\r\n"),
    "an ampersand before it": _around(before=b"&"),
    "an ampersand behind it": _around(behind=b"&"),
    "two ampersands between": _instead(b"&", b"&&"),
    "semicolons between": _instead(b"&", b";"),
    "line breaks between": _instead(b"&", b"\r\n"),
    "spaces between": _instead(b"&", b" & "),
    "colons for equals signs": _instead(b"=", b": "),
    "HTML's ampersands": _instead(b"&", b"&amp;"),
    "a question mark before it": _around(before=b"?"),
    "a name without a value": _around(behind=b"&x-unheard-of"),
    "a value without a name": _around(behind=b"&=1"),
    "two equals signs": _around(behind=b"&x-unheard-of==1"),
    "a byte order mark before it": _around(before=b"\xef\xbb\xbf"),
    "NUL before it": _around(before=b"\0"),
    "NUL behind it": _around(behind=b"\0"),
    "an escape that is cut": _around(behind=b"&x-unheard-of=%"),
    "an escape that is cut later": _around(behind=b"&x-unheard-of=%4"),
    "an escape that is none": _around(behind=b"&x-unheard-of=%zz"),
    "an escape of scripts": _around(behind=b"&x-unheard-of=%u0041"),
    "an escape of no UTF-8": _around(behind=b"&x-unheard-of=%ff"),
    "an escape of half a character": _around(behind=b"&x-unheard-of=%e2%82"),
    "an escape of an overlong NUL": _around(behind=b"&x-unheard-of=%c0%80"),
    "an escape of a surrogate": _around(behind=b"&x-unheard-of=%ed%a0%80"),
    "an escape of NUL": _around(behind=b"&x-unheard-of=%00"),
    "an escape of NUL in a name": _around(behind=b"&x-unheard%00of=1"),
    "an escape of no UTF-8 in a name": _around(behind=b"&x-%ff=1"),
    "bytes that are no UTF-8": _around(behind=b"&x-unheard-of=\xff\xfe"),
    "characters as they are": _around(behind="&x-unheard-of=\u00e9\u6ce8".encode()),
    "many brackets": _around(behind=b"&a" + b"[a]" * 200 + b"=1"),
    "an index that is large": _around(behind=b"&a[999999999]=1"),
    "a name and brackets of it": _around(behind=b"&a=1&a[b]=2&a[]=3"),
    "a charset in the form": _around(before=b"_charset_=utf-16&"),
    "percent-encoding twice": _by(lambda it: escaped(escaped(it))),
    "UTF-16": lambda pairs: plainly(pairs).decode().encode("utf-16"),
    "UTF-16 without mark": lambda pairs: plainly(pairs).decode().encode("utf-16-le"),
    "JSON": _as_json,
    "JSON in a text": lambda pairs: json.dumps(plainly(pairs).decode()).encode(),
    "an array of JSON": lambda pairs: json.dumps([dict(pairs)]).encode(),
    "null": lambda _: b"null",
    "XML": lambda _: b"<form/>",
    "parts": _as_multipart,
    "60,000 letters behind it": _around(behind=b"&x-unheard-of=" + b"a" * 60_000),
}
_TYPES = (
    *(JSON, "application/json; charset=utf-8", "text/plain", "multipart/form-data; boundary=a"),
    *("multipart/form-data", "application/octet-stream", "application/xml", "text/html", "*/*"),
    *("application/x-www-form-urlencoded; charset=utf-16", f"{FORM}; charset=x-unheard-of"),
    *(f"{FORM};", f"{FORM}; charset=", f"{FORM}; a=b", f"{FORM}, {FORM}", f"{FORM}, {JSON}"),
    *("application/x-www-form-urlencode", "application/x-www-form-urlencoded+json", "form", ""),
    *("application/jwt", "application/jose", "\u00e9/\u00e9", f"{FORM}; a={'b' * 3000}"),
)
_SAME_TYPES = (*(f"{FORM}; charset=utf-8", f"{FORM};charset=UTF-8", f'{FORM}; charset="utf-8"'),)
_TYPES_IN_OTHER_CASE = (FORM.upper(), FORM.title())
_METHODS = ("PUT", "PATCH", "DELETE", "PROPFIND", "POSTS", "X-POST", "A" * 64)
_ASKING = ("GET", "OPTIONS", "HEAD", "TRACE", "post")
_QUERIES = (
    *("x-unheard-of=1", "a", "&", "=", "%zz", "%ff", "%00", "client_id=a", "scope=a"),
    *("grant_type=password", "client_secret=a", "access_token=a", f"a={'b' * 3000}"),
)
_EXTRA: Mapping[str, tuple[Pair, ...]] = {
    "JSON accepted": (("Accept", "application/json"),),
    "JSON accepted among others": (("Accept", "text/html;q=0.5, application/json, */*;q=0.1"),),
    "an unknown header": (("X-Unheard-Of", "1"),),
    "the version of A2A": (("A2A-Version", "1.0"),),
    "a trace": (("Traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"),),
    "a language": (("Accept-Language", "de-CH, *;q=0.1"),),
    "a connection that ends": (("Connection", "close"),),
    "no cache": (("Cache-Control", "no-cache"),),
}
_TELLING: Mapping[str, tuple[Pair, ...]] = {
    "a password beside the token": (("Authorization", "Basic YTpi"),),
    "an empty password beside the token": (("Authorization", "Basic"),),
    "another token beside the token": (("Authorization", "Bearer a.b.c"),),
    "a proof of possession": (("DPoP", "a.b.c"),),
    "another version of A2A": (("A2A-Version", "9.9"),),
    "text accepted alone": (("Accept", "text/html"),),
    "a malformed Accept": (("Accept", ";q=,/"),),
    "an origin": (("Origin", "https://evil.example"),),
    "a null origin": (("Origin", "null"),),
    "cookies": (("Cookie", "session=a; a; =b"),),
    "another method asked for": (("X-HTTP-Method-Override", "GET"),),
    "a forwarded host": (("X-Forwarded-Host", "evil.example"), ("Forwarded", "host=;;")),
    "a delegation token": (("X-A2A-User-Delegation", "Bearer a.b.c"),),
    "a long header": (("X-Unheard-Of", "a" * 5000),),
    "a very long header": (("X-Unheard-Of", "a" * 30_000),),
    "chunks": (("Transfer-Encoding", "chunked"),),
    "an expectation": (("Expect", "100-continue"),),
    "a coding of the body": (("Content-Encoding", "gzip"),),
    "an upgrade": (("Connection", "Upgrade"), ("Upgrade", "h2c")),
}


def _written(table: Mapping[str, Write]) -> Callable[[Draft, str], None]:
    def apply(draft: Draft, name: str) -> None:
        draft.write = table[name]

    return apply


def _typed(draft: Draft, value: str) -> None:
    draft.content_type = value


def _untyped(draft: Draft) -> None:
    draft.content_type = None


def _added(table: Mapping[str, tuple[Pair, ...]]) -> Callable[[Draft, str], None]:
    def apply(draft: Draft, name: str) -> None:
        draft.headers += table[name]

    return apply


def _as_json_by_name(draft: Draft) -> None:
    draft.write, draft.content_type, draft.of_http = _as_json, JSON, True


def _method(draft: Draft, method: str) -> None:
    draft.method = method
    draft.accepted = frozenset()


def _in_query(draft: Draft) -> None:
    draft.query.append(plainly(draft.pairs).decode())
    draft.write = lambda _: b""
    # Where that is what no form at all gets, nothing shows whether the query was read.
    draft.accepted -= {draft.known.of_nothing(draft.endpoint)}


def _queried(draft: Draft, part: str) -> None:
    draft.query.append(part)


WRITING: tuple[Kind[Draft], ...] = (
    kind(
        "encoding",
        "a form with {0}",
        "accepted",
        READ,
        _written(_SAME),
        "writing",
        takes=[named(_SAME)],
    ),
    kind("header-extra", "{0}", "accepted", READ, _added(_EXTRA), "header", takes=[named(_EXTRA)]),
    kind(
        "media-type-case",
        "the Content-Type `{0}`",
        "accepted",
        READ,
        _typed,
        "type",
        takes=[named(dict.fromkeys(_TYPES_IN_OTHER_CASE))],
    ),
    kind(
        "media-type-charset",
        "the Content-Type `{0}`",
        "warn-if-refused",
        READ,
        _typed,
        "type",
        takes=[named(dict.fromkeys(_SAME_TYPES))],
    ),
    either("writing", "a form with {0}", _written(_ODD), "writing", _ODD),
    either("media-type", "the Content-Type `{0}`", _typed, "type", _TYPES),
    either("media-type-absent", "no Content-Type", _untyped, "type", ()),
    either("method", "the method {0}", _method, "method", (*_METHODS, *_ASKING)),
    either("query", "a query with `{0}` in it", _queried, "query", _QUERIES),
    either("header-telling", "{0}", _added(_TELLING), "header", _TELLING),
    kind(
        "json",
        "the parameters as JSON",
        "either",
        "6-oauth-errors",
        _as_json_by_name,
        "writing",
        "type",
    ),
    kind(
        "in-query",
        "the parameters in the query, and no body",
        "warn-if-accepted",
        "6-oauth-errors",
        _in_query,
        "writing",
        "query",
    ),
)
"""The kinds of changes of how a form is written, and of what stands around it."""
