"""What a collected check cites, and what it can be selected by."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

import pytest

from pact_conformance.catalogue import Requirement, UnknownRequirement, load
from pact_conformance.rig import Judged

MARKERS = {
    "must": "decides a MUST",
    "should": "decides a SHOULD",
    "may": "decides a MAY",
    "provider": "a Provider is the subject",
    "personal_agent": "a personal agent is the subject",
    "identity": "belongs to PACT Identity",
    "delegated": "belongs to PACT Delegated",
}


@dataclass(frozen=True)
class Cited:
    """The requirements of a check, all of one level."""

    requirements: tuple[Requirement, ...]
    name: str
    case: str
    family: str = ""
    """Of examples that it tries; empty where it tries none."""


CITED: pytest.StashKey[Cited] = pytest.StashKey()


def declare_markers(config: pytest.Config) -> None:
    """Make the markers known, so that `--strict-markers` accepts them."""
    config.addinivalue_line("markers", "requirement(*ids): the requirements that a check decides")
    config.addinivalue_line("markers", "fuzz(family): tries many examples of a family")
    config.addinivalue_line("markers", "last: runs when all other checks have")
    for name, words in MARKERS.items():
        config.addinivalue_line("markers", f"{name}: {words}")


def cite(items: Iterable[pytest.Item]) -> Iterator[pytest.Item]:
    """Read the requirements of each check and make it selectable by them.

    Yields the items that are checks.

    Raises:
        pytest.UsageError: an unknown id, or requirements of different levels in one check.
    """
    catalogue = load()
    for item in items:
        ids = [it for marker in item.iter_markers("requirement") for it in marker.args]
        if not ids:
            continue
        try:
            rows = tuple(catalogue[it] for it in dict.fromkeys(ids))
        except UnknownRequirement as error:
            raise pytest.UsageError(f"{item.nodeid}: {error}") from None
        levels = {row.level for row in rows}
        if len(levels) > 1:
            raise pytest.UsageError(
                f"{item.nodeid} cites requirements of several levels: "
                + ", ".join(f"{row.id} ({row.level})" for row in rows)
            )
        original = getattr(item, "originalname", None) or item.name
        case = item.name[len(original) + 1 : -1] if item.name != original else ""
        fuzz = item.get_closest_marker("fuzz")
        family = "" if fuzz is None else str(fuzz.args[0])
        item.stash[CITED] = Cited(rows, original.removeprefix("test_"), case, family)
        _make_selectable(item, rows)
        yield item


def kept(items: Iterable[pytest.Item], judged: Collection[Judged]) -> list[pytest.Item]:
    """Return what is to be run: checks of the profiles that are judged, and those that come last.

    Args:
        items: as they were collected.
        judged: the roles and profiles that the run judges.
    """
    found = [item for item in items if _is_judged(item, judged)]
    return sorted(found, key=lambda item: item.get_closest_marker("last") is not None)


def without_families(items: Iterable[pytest.Item]) -> list[pytest.Item]:
    """Return what is run where nothing is to be fuzzed."""
    return [item for item in items if not _family(item)]


def of_family(item: pytest.Item, family: str) -> bool:
    """Say whether an item tries the examples of a family."""
    return _family(item) == family


def _family(item: pytest.Item) -> str:
    return item.stash[CITED].family if CITED in item.stash else ""


def _is_judged(item: pytest.Item, judged: Collection[Judged]) -> bool:
    if CITED not in item.stash:
        return True
    return any((row.role, row.profile) in judged for row in item.stash[CITED].requirements)


def _make_selectable(item: pytest.Item, rows: Iterable[Requirement]) -> None:
    for row in rows:
        item.extra_keyword_matches |= {row.id, row.section, f"§{row.section}"}
        for mark in (row.level.lower(), row.role.replace("-", "_"), row.profile):
            item.add_marker(mark)
            item.extra_keyword_matches.add(mark)
