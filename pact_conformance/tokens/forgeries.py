"""The forgeries of `fixtures/forgeries`, and their making.

What makes a token refusable, how sure that is, and what a Provider may make of it are data.
"""

import tomllib
from collections.abc import Mapping
from functools import cache
from typing import Any

from pact_conformance.assets import folder
from pact_conformance.tokens.forgery import Forgery, Result, UnforgeableError
from pact_conformance.tokens.forging import control_for, forge

__all__ = ["Forgery", "Result", "UnforgeableError", "control_for", "forge", "load"]


@cache
def load(requirement: str | None = None) -> tuple[Forgery, ...]:
    """Return all forgeries in the order of the files, or those that show a requirement."""
    if requirement is not None:
        return tuple(it for it in load() if requirement in it.requirement)
    found = []
    for path in sorted((folder("fixtures") / "forgeries").glob("*.toml")):
        rows = tomllib.loads(path.read_text(encoding="utf-8"))["forgery"]
        found += [_forgery(row, path.stem) for row in rows]
    return tuple(found)


def _forgery(row: Mapping[str, Any], family: str) -> Forgery:
    lists = {name: tuple(row.get(name, ())) for name in ("requirement", "needs", "beside")}
    return Forgery(family=family, **{**row, **lists})
