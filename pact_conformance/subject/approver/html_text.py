"""What a person reads of a piece of HTML."""

from collections.abc import Iterator
from itertools import islice

from selectolax.lexbor import LexborNode

# What is not shown, whatever it holds.
_UNSEEN = frozenset(
    {"head", "title", "script", "style", "template", "select", "datalist", "textarea", "object"}
    | {"iframe", "svg", "math", "audio", "video", "canvas"}
)

# What stands within a line: no space comes of where such an element begins or ends.
_WITHIN_A_LINE = frozenset(
    {"a", "abbr", "acronym", "b", "bdi", "bdo", "big", "cite", "code", "data", "del", "dfn", "em"}
    | {"font", "i", "ins", "kbd", "mark", "q", "s", "samp", "small", "span", "strike", "strong"}
    | {"sub", "sup", "time", "tt", "u", "var", "wbr"}
)


MOST_OF_LABEL = 200
"""Nodes of what labels a field that are read."""


def text_of(node: LexborNode, most: int | None = None) -> str:
    """Return the visible text below a node, escapes undone and white space collapsed.

    Args:
        node: where to begin.
        most: pieces that are read, so that a page of labels in labels ends; None: all.
    """
    return " ".join("".join(islice(_pieces(node), most)).split())


def hidden(node: LexborNode) -> bool:
    """Say whether a node says itself that it is not shown; style sheets are not read."""
    attributes = node.attributes
    style = "".join((attributes.get("style") or "").lower().split())
    return "hidden" in attributes or "display:none" in style or "visibility:hidden" in style


def _pieces(root: LexborNode) -> Iterator[str]:
    """Yield the pieces in order; by a stack, for a page may nest deeper than Python calls."""
    pending: list[LexborNode | str] = [root]
    while pending:
        piece = pending.pop()
        if isinstance(piece, str):
            yield piece
            continue
        tag = piece.tag or ""
        if tag == "-text":
            yield piece.text_content or ""
        elif not (tag.startswith("-") or tag in _UNSEEN or hidden(piece)):
            space = "" if tag in _WITHIN_A_LINE else " "
            pending += [space, *reversed(list(piece.iter(include_text=True))), _caption(piece)]
            yield space


def _caption(node: LexborNode) -> str:
    """Return what a button that is an input has written on it."""
    attributes = node.attributes
    if node.tag != "input" or (attributes.get("type") or "").lower() not in {"submit", "button"}:
        return ""
    return attributes.get("value") or ""
