"""`compare`: what changed from one report to another."""

import json
import sys
from pathlib import Path

import click

from pact_conformance.commands.usage import BadUsage


@click.command()
@click.argument("old", type=click.Path(path_type=Path))
@click.argument("new", type=click.Path(path_type=Path))
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "markdown", "json"]),
    default="text",
    show_default=True,
)
@click.option("--anyway", is_flag=True, help="compare what cannot well be compared, too")
def compare(old: Path, new: Path, form: str, *, anyway: bool) -> None:
    """Say what changed from OLD to NEW, each a report.json or its folder.

    For each profile: what got worse or better, what is newly or no longer tested, and what another
    edition of the suite changed.

    Exit code 0: nothing got worse; 1: something did; 4: the two cannot be compared (another
    subject, role or catalogue, or a run that was ended early), unless --anyway.
    """
    # What `run` need not load.
    from pact_conformance.report import comparison, comparison_json, comparison_text  # noqa: PLC0415
    from pact_conformance.report.load import ReportUnreadable, read  # noqa: PLC0415
    from pact_conformance.report.text import harmless  # noqa: PLC0415

    try:
        found = comparison.compare(read(old), read(new))
    except ReportUnreadable as error:
        raise BadUsage(str(error)) from None
    if found.objections and not anyway:
        said = harmless("; ".join(found.objections))
        raise BadUsage(f"they cannot be compared: {said} (--anyway compares them)")
    if form == "json":
        click.echo(json.dumps(comparison_json.to_json(found), indent=1))
    else:
        write = comparison_text.markdown if form == "markdown" else comparison_text.text
        click.echo(write(found), nl=False)
    sys.exit(1 if found.regressed else 0)
