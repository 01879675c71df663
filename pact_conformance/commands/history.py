"""`history`: how a subject went, over a folder of reports."""

from pathlib import Path

import click

from pact_conformance.commands.usage import BadUsage


@click.command()
@click.argument("folder", type=click.Path(path_type=Path, exists=True, file_okay=False))
def history(folder: Path) -> None:
    """Write FOLDER/history.html: a plot over all the reports in FOLDER and below.

    Keep the report of each run in a folder of its own, for instance one named by the date.
    """
    # What `run` need not load.
    from pact_conformance.report import history as gathering  # noqa: PLC0415
    from pact_conformance.report import history_page  # noqa: PLC0415
    from pact_conformance.report.load import ReportUnreadable  # noqa: PLC0415
    from pact_conformance.report.text import harmless  # noqa: PLC0415

    try:
        found = gathering.gather(folder)
        click.echo(f"wrote {history_page.write(found, folder)}")
    except ReportUnreadable as error:
        raise BadUsage(harmless(str(error))) from None
    except OSError as error:
        raise BadUsage(f"{folder} cannot be written: {error.strerror or error}") from None
    for line in found.unreadable:
        click.echo(f"not read: {harmless(line)}")
