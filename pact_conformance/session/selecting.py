"""What `-m` and `-k` say: seen to make sense before anything is sent."""

import ast
import difflib
import re
from collections.abc import Iterable

import pytest

_NAME = r"[\w:+\-.\[\]\\/]+"
_VALUE = r"""(?:"[^"\\]*"|'[^'\\]*'|[\w-]+)"""
_ARGUMENTS = rf"\(\s*\w+\s*=\s*{_VALUE}(?:\s*,\s*\w+\s*=\s*{_VALUE})*\s*\)"

# A name as a selection has it, which may be narrowed by arguments of the marker.
_TERM = re.compile(rf"({_NAME})(?:[ \t]*{_ARGUMENTS})?")

_WORDS = frozenset({"and", "or", "not"})

# What a selection is made of when each name in it has become a constant.
_MADE_OF = (ast.Expression, ast.BoolOp, ast.And, ast.Or, ast.UnaryOp, ast.Not, ast.Constant)


def validate(config: pytest.Config) -> None:
    """See that pytest will understand what is selected.

    It would tell only when everything is collected, and by then the subject has been asked.

    Raises:
        pytest.UsageError: it will not, or a marker is not declared where markers must be.
    """
    for option, given in _given(config):
        if not _is_selection(given):
            raise pytest.UsageError(f"{option} {given!r}: expected names joined by and, or, not")
    if _strict(config):
        _declared(config.option.markexpr or "", config.getini("markers"))


def told(config: pytest.Config) -> str:
    """Return what was selected, in the user's words; empty if nothing was said."""
    return " ".join(f"{option} {given!r}" for option, given in _given(config))


def _given(config: pytest.Config) -> list[tuple[str, str]]:
    both = (("-m", config.option.markexpr), ("-k", config.option.keyword))
    return [(option, given) for option, given in both if given and given.strip()]


def _is_selection(given: str) -> bool:
    def constant(term: re.Match[str]) -> str:
        return f" {term[0]} " if term[1] in _WORDS else " 1 "

    if _TERM.sub("", given).strip(" \t()"):
        return False
    try:
        # In parentheses, for Python minds how a line begins.
        tree = ast.parse(f"({_TERM.sub(constant, given)})", mode="eval")
    except (SyntaxError, ValueError):
        return False
    return all(isinstance(node, _MADE_OF) for node in ast.walk(tree))


def _strict(config: pytest.Config) -> bool:
    return bool(config.getini("strict_markers") or config.getini("strict"))


def _declared(given: str, lines: Iterable[str]) -> None:
    declared = [re.split(r"[:(]", line, maxsplit=1)[0].strip() for line in lines]
    for term in _TERM.finditer(given):
        name = term[1]
        if name in _WORDS or name in declared:
            continue
        close = difflib.get_close_matches(name, declared, n=1)
        hint = f"did you mean {close[0]}?" if close else "`pytest --markers` lists them"
        raise pytest.UsageError(f"-m {given!r}: there is no marker {name!r}; {hint}")
