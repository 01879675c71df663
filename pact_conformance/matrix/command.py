"""`pact-conformance matrix`."""

import sys
from pathlib import Path
from typing import Any

import click


@click.command()
@click.argument("names", nargs=-1)
@click.option(
    "--reports",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("reports/matrix"),
    show_default=True,
    help="where matrix.html and matrix.json go, and the report of each that is not as declared",
)
@click.option(
    "--role",
    type=click.Choice(["provider", "personal-agent"]),
    help="flaws and variants of one mock alone; the honest ones are run in any case",
)
@click.option(
    "--whole/--by-section",
    default=True,
    help="hold each against the whole suite (the default); or flaws against the sections of what "
    "they break, and the whole where these cannot show it, and variants of delegation against "
    "those of PACT Delegated",
)
@click.option(
    "--rotate",
    default=10,
    show_default=True,
    help="under --by-section, one in so many is held against the whole, others at each commit",
)
@click.option(
    "--share",
    default=1,
    show_default=True,
    help="under --by-section, one of a Provider's variants in so many is run, others at each "
    "commit",
)
@click.option(
    "--agents",
    default=1,
    show_default=True,
    help="under --by-section, one in so many of the personal agent's flaws and variants is run, "
    "others at each commit",
)
@click.option(
    "--pairs",
    default=0,
    show_default=True,
    help="so many pairs of flaws too, both at once, other pairs at each commit",
)
@click.option(
    "--at-once",
    type=click.IntRange(min=1),
    default=3,
    show_default=True,
    help="runs at the same time: each waits now and then",
)
def matrix(names: tuple[str, ...], reports: Path, *, at_once: int, **choice: Any) -> None:  # noqa: ANN401 - as the shell gives them
    """Prove the suite: run every flaw and variant of the mocks, or NAMES, against it.

    Writes which check caught what. Exit code 1: a flaw is not caught exactly as it declares, a
    variant is failed, or a check catches nothing. The whole takes long: see docs/matrix.md.
    """
    from pact_conformance.matrix import running  # noqa: PLC0415 - what `run` need not load

    try:
        sys.exit(running.run(running.Choice(names=names, **choice), reports, at_once=at_once))
    except LookupError as error:
        raise BadChoice(f"{error.args[0]} (`pact-conformance flaws` lists them)") from None
    except OSError as error:
        raise BadChoice(f"{reports}: {error.strerror or error}") from None


class BadChoice(click.ClickException):
    """Something that whoever started the matrix can correct."""

    exit_code = 4
