"""The advice of the hardening pack as text for a terminal, and the flaws that leave it."""

import textwrap
from collections.abc import Iterator

from pact_conformance.catalogue.advice import Advice, find, load

BEGINS = "hardening"
"""How every id begins."""

_WIDTH = 88


def told(identifier: str) -> str:
    """Explain the advice with an id, or list that whose ids begin like this.

    Raises:
        UnknownAdvice: none does.
    """
    rows = [it for id_, it in load().items() if id_.startswith(identifier)]
    if identifier in load() or not rows:
        return "\n\n".join(_explained(find(identifier)))
    widest = max(len(it.id) for it in rows)
    return "\n".join(f"{it.id.ljust(widest)}  {it.role.ljust(14)}  {it.title}" for it in rows)


def _explained(advice: Advice) -> Iterator[str]:
    yield f"{advice.id}\nadvice · {advice.role} · {advice.profile}"
    yield _wrapped(advice.statement)
    for heading, text in (
        ("Why", advice.why),
        ("What is measured", advice.measured),
        ("The tester gives", ", ".join(advice.needs)),
        ("Who says so", "; ".join(advice.sources)),
    ):
        if text:
            yield f"{heading}:\n{_wrapped(text, indent='  ')}"


def _wrapped(text: str, *, indent: str = "") -> str:
    return textwrap.fill(
        text,
        _WIDTH,
        initial_indent=indent,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )
