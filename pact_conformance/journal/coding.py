"""Undoes the content codings of an answer (RFC 9110 §8.4), up to a bound on the outcome.

We ask for `identity`, but a server may still compress, and a few kilobytes can stand for gigabytes.
"""

import zlib
from collections.abc import Callable

_MOST_CODINGS = 3


class CodingError(ValueError):
    """The body is not what its Content-Encoding promises."""


class TooLarge(ValueError):  # noqa: N818 - it says what is the case
    """Undone, the body exceeds the bound."""


def undo(body: bytes, codings: list[str], limit: int) -> bytes:
    """Return the body with its codings undone, last one first.

    A coding that we do not know, or a list that is absurdly long, leaves the body as it came.

    Raises:
        CodingError: a coding cannot be undone.
        TooLarge: the outcome exceeds `limit` bytes.
    """
    wanted = [it for it in codings if it and it != "identity"]
    if not body or len(wanted) > _MOST_CODINGS or any(it not in _DECODERS for it in wanted):
        return body
    for coding in reversed(wanted):
        body = _DECODERS[coding](body, limit)
    return body


def _gzip(body: bytes, limit: int) -> bytes:
    return _inflate(body, zlib.MAX_WBITS | 16, limit)


def _deflate(body: bytes, limit: int) -> bytes:
    """Undo `deflate`: the zlib format, though some servers send the bare stream (§8.4.1.2)."""
    try:
        return _inflate(body, zlib.MAX_WBITS, limit)
    except CodingError:
        return _inflate(body, -zlib.MAX_WBITS, limit)


def _inflate(body: bytes, window: int, limit: int) -> bytes:
    decoder = zlib.decompressobj(window)
    try:
        plain = decoder.decompress(body, limit + 1)
    except zlib.error as error:
        raise CodingError(str(error)) from error
    if len(plain) > limit:
        raise TooLarge
    if not decoder.eof:
        raise CodingError("the compressed data ends early")
    return plain


_DECODERS: dict[str, Callable[[bytes, int], bytes]] = {
    "gzip": _gzip,
    "x-gzip": _gzip,
    "deflate": _deflate,
}
