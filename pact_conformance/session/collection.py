"""What a collected check cites, and what it can be selected by."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from pact_conformance.catalogue import Requirement, UnknownRequirement, load
from pact_conformance.rig import Judged

if TYPE_CHECKING:
    from pact_conformance.catalogue.advice import Advice

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
    """The requirements of a check, all of one level; or the advice that it measures."""

    requirements: tuple[Requirement, ...]
    name: str
    case: str
    family: str = ""
    """Of examples that it tries; empty where it tries none."""
    advice: "Advice | None" = None
    """None for a check of the specification."""

    @property
    def judged(self) -> frozenset[Judged]:
        """The roles and profiles that it is about."""
        about = self.requirements if self.advice is None else (self.advice,)
        return frozenset((it.role, it.profile) for it in about)


CITED: pytest.StashKey[Cited] = pytest.StashKey()


def declare_markers(config: pytest.Config) -> None:
    """Make the markers known, so that `--strict-markers` accepts them."""
    config.addinivalue_line("markers", "requirement(*ids): the requirements that a check decides")
    config.addinivalue_line("markers", "advice(id): the advice that a check measures")
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
        if item.get_closest_marker("advice") is not None:
            yield _advising(item)
            continue
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
        name, case = _named(item)
        fuzz = item.get_closest_marker("fuzz")
        family = "" if fuzz is None else str(fuzz.args[0])
        item.stash[CITED] = Cited(rows, name, case, family)
        _make_selectable(item, rows)
        if family:
            item.extra_keyword_matches |= {"fuzzing", family}
        yield item


def _named(item: pytest.Item) -> tuple[str, str]:
    """Return the name of a check and of its case."""
    original = getattr(item, "originalname", None) or item.name
    case = item.name[len(original) + 1 : -1] if item.name != original else ""
    return original.removeprefix("test_"), case


def _advising(item: pytest.Item) -> pytest.Item:
    """Read the advice of a check, and make it selectable by it.

    Raises:
        pytest.UsageError: an unknown id.
    """
    # Few runs have the hardening pack.
    from pact_conformance.catalogue.advice import UnknownAdvice, find  # noqa: PLC0415

    marker = item.get_closest_marker("advice")
    assert marker is not None
    try:
        advice = find(str(marker.args[0]))
    except UnknownAdvice as error:
        raise pytest.UsageError(f"{item.nodeid}: {error}") from None
    item.stash[CITED] = Cited((), *_named(item), advice=advice)
    words = (advice.id, "hardening", advice.role.replace("-", "_"), advice.profile)
    item.extra_keyword_matches |= set(words)
    for mark in words[2:]:
        item.add_marker(mark)
    return item


def kept(items: Iterable[pytest.Item], judged: Collection[Judged]) -> list[pytest.Item]:
    """Return what is to be run: checks of the profiles that are judged, and those that come last.

    After all of the specification comes what measures advice, so that it disturbs nothing.

    Args:
        items: as they were collected.
        judged: the roles and profiles that the run judges.
    """
    found = [item for item in items if _is_judged(item, judged)]
    return sorted(found, key=_how_late)


def _how_late(item: pytest.Item) -> tuple[bool, bool]:
    return is_advice(item), item.get_closest_marker("last") is not None


def is_advice(item: pytest.Item) -> bool:
    """Say whether an item measures advice beyond the specification."""
    return CITED in item.stash and item.stash[CITED].advice is not None


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
    return bool(item.stash[CITED].judged & set(judged))


def _make_selectable(item: pytest.Item, rows: Iterable[Requirement]) -> None:
    for row in rows:
        item.extra_keyword_matches |= {row.id, row.section, f"§{row.section}"}
        for mark in (row.level.lower(), row.role.replace("-", "_"), row.profile):
            item.add_marker(mark)
            item.extra_keyword_matches.add(mark)
