"""Finds what `python:module:factory` names, from the tester's working folder."""

import importlib
import sys
from pathlib import Path
from typing import Any


class Unimportable(Exception):  # noqa: N818 - it says what is the case
    """There is no such thing, or it cannot be made; in one line."""


def found(how: str) -> Any:  # noqa: ANN401 - whatever the tester's module holds
    """Import the module and return what the rest of the name stands for.

    The working folder comes last, so that nothing in it takes the place of another module.

    Args:
        how: `python:module:factory`; the factory may have dots.

    Raises:
        Unimportable: the module raises, or does not have it.
    """
    _, module, factory = how.split(":", 2)
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.append(here)
    try:
        value: Any = importlib.import_module(module)
    except (Exception, SystemExit) as error:
        said = " ".join(f"{type(error).__name__}: {error}".split())
        raise Unimportable(f"cannot import {module} ({said})") from error
    for name in factory.split("."):
        try:
            value = getattr(value, name)
        except AttributeError:
            raise Unimportable(f"{module} has no {factory}") from None
    if not callable(value) and not callable(getattr(value, "say", None)):
        raise Unimportable(f"{factory} of {module} is neither an adapter nor makes one")
    return value


def made(how: str) -> Any:  # noqa: ANN401 - whatever the tester's factory makes
    """Return the adapter itself: what was named, or what that makes.

    Raises:
        Unimportable: it cannot be had.
    """
    value = found(how)
    if not isinstance(value, type) and callable(getattr(value, "say", None)):
        return value
    try:
        adapter = value()
    except (Exception, SystemExit) as error:
        said = " ".join(f"{type(error).__name__}: {error}".split())
        raise Unimportable(f"{how.partition(':')[2]} raised {said}") from error
    if not callable(getattr(adapter, "say", None)):
        raise Unimportable(f"{how.partition(':')[2]} made something that has no method say")
    return adapter
