"""`init`: the settings file with every key explained, to be filled in where it differs."""

import textwrap
from pathlib import Path

from jinja2 import Environment, PackageLoader, StrictUndefined

from pact_conformance.options import BY_KEY

WIDTH = 88
TEMPLATE = "pact-conformance.toml.j2"


def render() -> str:
    """Return the file: every key commented out, so that it loads and changes nothing."""
    environment = Environment(  # noqa: S701 - TOML, not HTML
        loader=PackageLoader("pact_conformance"),
        undefined=StrictUndefined,
        trim_blocks=True,
        keep_trailing_newline=True,
    )
    return environment.get_template(TEMPLATE).render(explained=explained)


def explained(key: str) -> str:
    """Return the comment of an option: its words, and where else it can be set."""
    option = BY_KEY[key]
    ways = [option.environment, None if option.secret else option.flag]
    words = f"{option.words[0].upper()}{option.words[1:]}."
    if option.choices:
        words += f" One of {', '.join(option.choices)}."
    return _comment(f"{words} [{' or '.join(way for way in ways if way)}]")


def _comment(words: str) -> str:
    return textwrap.fill(
        words,
        WIDTH,
        initial_indent="# ",
        subsequent_indent="# ",
        break_long_words=False,
        break_on_hyphens=False,
    )


def write(path: Path, *, force: bool = False) -> None:
    """Write the file, in place of another only if told to.

    Raises:
        FileExistsError: there is a file and `force` was not given.
        OSError: it cannot be written.
    """
    with path.open("w" if force else "x", encoding="utf-8") as file:
        file.write(render())
