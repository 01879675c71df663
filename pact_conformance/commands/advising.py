"""The advice of the hardening pack as text for a terminal, and the flaws that leave it."""

from collections.abc import Iterator

from pact_conformance.catalogue.advice import Advice, find, load
from pact_conformance.catalogue.explain import wrapped

BEGINS = "hardening"
"""How every id begins."""


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
    yield wrapped(advice.statement)
    for heading, text in (
        ("Why", advice.why),
        ("What is measured", advice.measured),
        ("The tester gives", ", ".join(advice.needs)),
        ("Who says so", "; ".join(advice.sources)),
    ):
        if text:
            yield f"{heading}:\n{wrapped(text, indent='  ')}"
