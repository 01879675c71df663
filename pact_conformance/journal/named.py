"""Finds secrets by the name that stands before them: members, form fields, parameters, inputs."""

import html
import json
import re
from collections.abc import Callable
from functools import partial
from typing import NamedTuple, TypeAlias
from urllib.parse import unquote_plus

from pact_conformance.journal.placeholder import OPEN, VERIFICATION_LINK, placeholder

NAMES = (
    "device_code",
    "user_code",
    "access_token",
    "refresh_token",
    "password",
    "assertion",
    "client_secret",
    "deviceCode",
    "userCode",
    "accessToken",
    "refreshToken",
)
"""Members of OAuth (RFC 6749, RFC 7521, RFC 8628), and fields of a Brand's login."""

LINKS = ("verification_uri_complete", "verificationUriComplete", "pact.verificationUriComplete")
"""Members that hold a link with a code in it (RFC 8628 §3.2, §5.5); its origin is no secret."""

Learn: TypeAlias = Callable[[str, str], None]
"""Is told a value and its name, so that the value is masked elsewhere, too."""


class _Place(NamedTuple):
    """Where a name and its value stand together, and how the value is written there."""

    pattern: re.Pattern[str]
    decode: Callable[[str], str]
    quoted: bool = False
    link: bool = False


def names_secret(text: str) -> bool:
    """Say whether any of the names stands in a text at all."""
    lowered = text.lower()
    return any(name in lowered for name in _LOWERED)


def mask_named(text: str, learn: Learn) -> str:
    """Return the text with the values behind secret names masked."""
    for place in _PLACES:
        text = place.pattern.sub(partial(_masked, place=place, learn=learn), text)
    return _INPUT.sub(lambda tag: _masked_input(tag[0], learn), text)


def _masked(match: re.Match[str], place: _Place, learn: Learn) -> str:
    value, name = match["value"], match["name"].lower()
    if not value or (OPEN in value if place.link else value.startswith(OPEN)):
        return match[0]
    learn(place.decode(value), name)
    mark = f"{_origin(value)}{VERIFICATION_LINK}" if place.link else placeholder(name)
    return match[0].removesuffix(value) + (f'"{mark}"' if place.quoted else mark)


def _masked_input(tag: str, learn: Learn) -> str:
    named, valued = _INPUT_NAME.search(tag), _INPUT_VALUE.search(tag)
    if named is None or valued is None or not valued["value"]:
        return tag
    name = named["name"].lower()
    learn(html.unescape(valued["value"]), name)
    start, end = valued.span("value")
    return f"{tag[:start]}{placeholder(name)}{tag[end:]}"


def _origin(link: str) -> str:
    """Return scheme and host of a link as they are written, with the slash behind them."""
    found = _ORIGIN.match(link)
    return found[0] if found else ""


def _unescape(value: str) -> str:
    try:
        return str(json.loads(f'"{value}"'))
    except ValueError:
        return value


def _unquote_twice(value: str) -> str:
    return unquote_plus(unquote_plus(value))


def _place(
    pattern: str, decode: Callable[[str], str], *, quoted: bool = False, link: bool = False
) -> _Place:
    return _Place(re.compile(pattern, re.IGNORECASE | re.DOTALL), decode, quoted, link)


_NAME = f"(?P<name>{'|'.join(NAMES)})"
_LINK = f"(?P<name>{'|'.join(map(re.escape, LINKS))})"
_LOWERED = tuple(name.lower() for name in (*NAMES, *LINKS))

# In each pattern the value comes last; a value that is cut off is masked as well.
_PLACES = (
    # links first, before what is in them is masked by itself
    _place(rf'"{_LINK}"\s*:\s*"(?P<value>(?:[^"\\]|\\.)*)', _unescape, link=True),
    _place(rf'\\+"{_LINK}\\+"\s*:\s*\\+"(?P<value>[^"\\]*)', str, link=True),
    _place(rf"{_LINK}=(?P<value>[^&\"'\s<>\\#]+)", unquote_plus, link=True),
    _place(rf'"{_NAME}"\s*:\s*"(?P<value>(?:[^"\\]|\\.)*)', _unescape),
    _place(rf'"{_NAME}"\s*:\s*(?P<value>-?\d[\d.eE+-]*)', str, quoted=True),
    _place(rf'\\+"{_NAME}\\+"\s*:\s*\\+"(?P<value>[^"\\]*)', str),
    _place(rf"{_NAME}=(?P<value>[^&\"'\s<>\\#]+)", unquote_plus),
    _place(rf"{_NAME}%(?:25)*3D(?P<value>(?:(?!%(?:25)*26)[^&\"'\s<>\\#])+)", _unquote_twice),
)

_ORIGIN = re.compile(r"https?:(?:\\?/){2}[^/?#@\\\"'\s]+(?:\\?/)?(?![^/?#]*@)", re.IGNORECASE)

_INPUT = re.compile(r"<input\b[^<>]*", re.IGNORECASE)
_INPUT_NAME = re.compile(rf"\bname\s*=\s*[\"']?{_NAME}\b", re.IGNORECASE)
_INPUT_VALUE = re.compile(
    r"\bvalue\s*=\s*(?P<quote>[\"']?)(?P<value>(?:(?!(?P=quote)).)*)(?P=quote)", re.IGNORECASE
)
