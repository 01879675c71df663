"""What holds for every module of the package and of the suites."""

import ast
from pathlib import Path

import pytest

from .tree import PACKAGE, SUITES, modules, named

MOST_LINES = 450

every_module = pytest.mark.parametrize("path", modules(PACKAGE, SUITES), ids=named)


@every_module
def test_a_module_says_what_it_is(path: Path) -> None:
    said = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))

    assert said, f"{named(path)} has no docstring"


@every_module
def test_a_module_is_small_enough_to_be_read_at_once(path: Path) -> None:
    lines = len(path.read_text(encoding="utf-8").splitlines())

    assert lines <= MOST_LINES, "split it: one notion a module"
