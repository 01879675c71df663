"""`keep`: an example of the fuzzing is tried again in every run from now on."""

from pathlib import Path

import click

from pact_conformance.commands.usage import BadUsage


@click.command()
@click.option(
    "--into",
    type=click.Path(path_type=Path),
    help="a file of your own (--kept names it); by default that of its family in fixtures/kept",
)
@click.option("--id", "id_", default="", help="what reports call it; by default after its changes")
@click.option("--comment", default="", help="why it is worth keeping; by default what it is")
@click.argument("example")
def keep(example: str, into: Path | None, id_: str, comment: str) -> None:
    """Keep an example of the fuzzing, to be tried again in every run.

    EXAMPLE is what a report shows: '["forged-tokens",["alg-missing"]]'.
    """
    # What `run` need not load.
    from pact_conformance.fuzz import kept  # noqa: PLC0415
    from pact_conformance.fuzz.example import NoExample, parse  # noqa: PLC0415

    try:
        row = kept.keep(parse(example), into, id_=id_, comment=comment)
    except (NoExample, kept.BadKept) as error:
        raise BadUsage(str(error)) from None
    except OSError as error:
        said = f"cannot write {error.filename}: {error.strerror}; --into names another file"
        raise BadUsage(said) from None
    click.echo(f"kept {row.id} ({row.requirement}): {row.comment}")
