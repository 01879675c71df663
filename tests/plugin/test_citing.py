"""What a check may cite: known requirements, all of one level."""

from collections.abc import Iterator
from types import SimpleNamespace
from typing import cast

import pytest

from pact_conformance.session.collection import CITED, cite


class Item:
    """As much of a collected test as citing looks at."""

    def __init__(self, name: str, *cited: str) -> None:
        self.name = name
        self.originalname = name.partition("[")[0]
        self.nodeid = f"suites/test_x.py::{name}"
        self.stash = pytest.Stash()
        self.extra_keyword_matches: set[str] = set()
        self.marks: set[str] = set()
        self._cited = cited

    def iter_markers(self, name: str) -> Iterator[SimpleNamespace]:
        assert name == "requirement"
        return (SimpleNamespace(args=(it,)) for it in self._cited)

    def get_closest_marker(self, name: str) -> None:
        assert name in {"advice", "fuzz"}

    def add_marker(self, name: str) -> None:
        self.marks.add(name)


def cite_all(*items: Item) -> list[Item]:
    return cast("list[Item]", list(cite(cast("tuple[pytest.Item, ...]", items))))


def test_a_check_is_known_by_its_name_and_case() -> None:
    one, two = Item("test_it_is_refused[none]", "3.2-alg"), Item("test_it_is_refused", "3.2-alg")
    bracketed = Item("test_it_is_refused[a[b]]", "3.2-alg")

    cite_all(one, two, bracketed)

    assert (one.stash[CITED].name, one.stash[CITED].case) == ("it_is_refused", "none")
    assert (two.stash[CITED].name, two.stash[CITED].case) == ("it_is_refused", "")
    assert bracketed.stash[CITED].case == "a[b]"


def test_a_test_that_cites_nothing_is_no_check() -> None:
    plain, check = Item("test_of_somebody_else"), Item("test_it", "3.2-alg")

    assert cite_all(plain, check) == [check]
    assert CITED not in plain.stash


def test_a_check_is_selectable_by_what_it_cites() -> None:
    item = Item("test_it", "3.2-alg", "3.2-signature")

    cite_all(item)

    words = {"3.2-alg", "3.2-signature", "3.2", "§3.2", "must", "provider", "identity"}
    assert words <= item.extra_keyword_matches
    assert item.marks == {"must", "provider", "identity"}


def test_a_requirement_that_is_cited_twice_counts_once() -> None:
    item = Item("test_it", "3.2-alg", "3.2-signature", "3.2-alg")

    cite_all(item)

    assert [row.id for row in item.stash[CITED].requirements] == ["3.2-alg", "3.2-signature"]


def test_an_unknown_requirement_is_a_usage_error_with_close_matches() -> None:
    with pytest.raises(pytest.UsageError, match=r"test_it.*3\.2-algs.*3\.2-alg") as told:
        cite_all(Item("test_it", "3.2-algs"))

    assert "\n" not in str(told.value)


def test_several_levels_in_one_check_are_a_usage_error() -> None:
    with pytest.raises(pytest.UsageError, match=r"test_it .*3\.2-alg \(MUST\), ") as told:
        cite_all(Item("test_it", "3.2-alg", "2.1-card-description"))

    assert "2.1-card-description (SHOULD)" in str(told.value)
    assert "\n" not in str(told.value)
