"""The forms in which one secret can appear in URLs, headers, JSON and HTML."""

import html
import json
import re
from urllib.parse import quote, quote_plus


def forms(secret: str) -> frozenset[str]:
    """Return the texts that stand for a secret once it is percent-encoded or escaped."""
    percent = {
        quote(secret, safe="", errors="replace"),
        quote(secret, errors="replace"),
        quote_plus(secret, errors="replace"),
    }
    percent |= {_HEX.sub(_lower, it) for it in percent}
    percent |= {quote(it, safe="") for it in percent}  # a link inside of a link: `return_to`
    escaped = {
        json.dumps(secret)[1:-1],
        json.dumps(secret, ensure_ascii=False)[1:-1],
    }
    escaped |= {it.replace("/", r"\/") for it in escaped}
    escaped |= {json.dumps(it)[1:-1] for it in escaped}  # JSON inside of a JSON text
    marked_up = {html.escape(secret, quote=False), html.escape(secret)}
    escaped |= {_UNICODE.sub(_upper, it) for it in escaped}
    return frozenset({secret} | percent | escaped | marked_up)


_HEX = re.compile(r"%[0-9A-F]{2}")
_UNICODE = re.compile(r"(?<=\\u)[0-9a-f]{4}")


def _lower(match: re.Match[str]) -> str:
    return match[0].lower()


def _upper(match: re.Match[str]) -> str:
    return match[0].upper()
