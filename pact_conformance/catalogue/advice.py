"""Advice beyond the specification, as data: what the hardening pack measures and why (opt-in).

No profile rests on any of it. The files lie in `hardening/` beside this module, one for each role.
"""

import difflib
import hashlib
import json
import tomllib
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from pact_conformance.catalogue.requirement import Profile, Role

FOLDER = Path(__file__).with_name("hardening")

# The order in which people are told of the roles.
_ROLES: tuple[Role, ...] = ("provider", "personal-agent")


@dataclass(frozen=True, slots=True, kw_only=True)
class Advice:
    """One piece of advice: what is wise, why, who says so, and what is measured of a subject.

    `profile` says what a subject has to offer to be measured; `needs` names the settings that a
    tester gives for it.
    """

    id: str
    role: Role
    profile: Profile
    title: str
    statement: str
    why: str
    measured: str
    sources: tuple[str, ...]
    needs: tuple[str, ...] = ()


class UnknownAdvice(LookupError):  # noqa: N818 - it names what happened to the id
    """No advice has this id. The message offers those that look like it."""

    def __init__(self, identifier: str, known: Mapping[str, Advice]) -> None:
        close = difflib.get_close_matches(identifier, known, n=3)
        hint = f"; did you mean {' or '.join(close)}?" if close else ""
        super().__init__(f"no advice has the id {identifier!r}{hint}")


@cache
def load() -> Mapping[str, Advice]:
    """Return all advice by its id, a Provider's first, in the order of the files."""
    found = {}
    for role in _ROLES:
        text = (FOLDER / f"{role}.toml").read_text(encoding="utf-8")
        for row in tomllib.loads(text)["advice"]:
            advice = Advice(role=role, **{name: _plain(value) for name, value in row.items()})
            found[advice.id] = advice
    return MappingProxyType(found)


def find(identifier: str) -> Advice:
    """Return the advice with an id.

    Raises:
        UnknownAdvice: there is none.
    """
    known = load()
    if identifier not in known:
        raise UnknownAdvice(identifier, known)
    return known[identifier]


@cache
def digest() -> str:
    """Return the SHA-256 over all advice in a canonical form, so that a report can name it."""
    rows = [asdict(it) for it in load().values()]
    canonical = json.dumps(rows, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
    return hashlib.sha256(canonical.encode()).hexdigest()


def _plain(value: Any) -> Any:  # noqa: ANN401 - whatever TOML has; a test judges it by its schema
    """Texts are wrapped in the files: white space in them is one space each."""
    if isinstance(value, str):
        return " ".join(value.split())
    return tuple(_plain(it) for it in value) if isinstance(value, list) else value
