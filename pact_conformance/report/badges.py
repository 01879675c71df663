"""A badge for each profile: an SVG to show, and the JSON that shields.io makes one of."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from xml.sax.saxutils import escape

from pact_conformance.report import sections
from pact_conformance.report.cited import Document
from pact_conformance.report.writing import write_whole

FOLDER = "badges"

FILES = tuple(
    f"{FOLDER}/{role}{profile}.{suffix}"
    for role in ("", "agent-")
    for profile in ("identity", "delegated")
    for suffix in ("svg", "json")
)
"""What a run may write, below the folder of its report."""

# The colour by verdict, with enough contrast to white; shields.io takes the same.
_COLOURS: Mapping[str, str] = {
    "conformant": "#1a7440",
    "incomplete": "#4a5a6c",
    "not conformant": "#b42318",
}
_LABEL = "#3c4045"

# Pixels of a character at 11 px, by what it is; the text is then fitted to the sum.
_WIDE, _USUAL, _NARROW = 9.5, 6.6, 3.6
_PAD = 7


def write(document: Document, folder: Path) -> tuple[Path, ...]:
    """Write `identity.svg`, `identity.json` and so on into a folder; return what was written.

    Raises:
        OSError: the folder cannot be written.
    """
    written = []
    for key, label, verdict in _badges(document):
        for suffix, text in (("svg", svg(label, verdict)), ("json", endpoint(label, verdict))):
            write_whole(folder / f"{key}.{suffix}", text)
            written.append(folder / f"{key}.{suffix}")
    return tuple(written)


def svg(label: str, verdict: str) -> str:
    """Return a badge of 20 pixels in height that says the verdict in words."""
    left, right = (_width(it) for it in (label, verdict))
    whole = left + right
    name = escape(f"{label}: {verdict}")
    texts = "".join(
        f'<text x="{x:g}" y="14" textLength="{width - 2 * _PAD:g}">{escape(it)}</text>'
        for x, width, it in ((left / 2, left, label), (left + right / 2, right, verdict))
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{whole:g}" height="20" role="img" '
        f'aria-label="{name}"><title>{name}</title>'
        f'<clipPath id="r"><rect width="{whole:g}" height="20" rx="3"/></clipPath>'
        f'<g clip-path="url(#r)"><rect width="{left:g}" height="20" fill="{_LABEL}"/>'
        f'<rect x="{left:g}" width="{right:g}" height="20" fill="{_COLOURS[verdict]}"/></g>'
        '<g fill="#fff" text-anchor="middle" font-size="11" '
        f'font-family="Verdana,Geneva,DejaVu Sans,sans-serif">{texts}</g></svg>\n'
    )


def endpoint(label: str, verdict: str) -> str:
    """Return what shields.io reads at an endpoint (https://shields.io/badges/endpoint-badge)."""
    members = {"schemaVersion": 1, "label": label, "message": verdict, "color": _COLOURS[verdict]}
    failing = {"isError": True} if verdict == "not conformant" else {}
    return json.dumps({**members, **failing}, indent=1) + "\n"


def _badges(document: Document) -> Iterator[tuple[str, str, str]]:
    spec = document["spec"]
    for key, profile in document["profiles"].items():
        name = sections.profile(key).removeprefix(f"{spec['name']} ")
        yield key, f"{spec['name']} {spec['version']} {name}", profile["verdict"]


def _width(text: str) -> float:
    return round(sum(map(_pixels, text)) + 2 * _PAD, 1)


def _pixels(character: str) -> float:
    if character in "mwMW":
        return _WIDE
    return _NARROW if character in "ijlrtfI.:, 1" else _USUAL
