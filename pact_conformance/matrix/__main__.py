"""`python -m pact_conformance.matrix`: run flaws and variants against the whole suite."""

import json
import time
from dataclasses import replace
from pathlib import Path

import click

from pact_conformance.matrix.forked import Ran, run_all
from pact_conformance.matrix.judged import Judged, again, judge
from pact_conformance.matrix.rotation import chosen
from pact_conformance.matrix.subjects import Subject, subjects


@click.command()
@click.argument("names", nargs=-1)
@click.option("--reports", type=click.Path(path_type=Path), default=Path("reports/matrix"))
@click.option(
    "--at-once", default=3, show_default=True, help="runs at the same time: each waits now and then"
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
    help="under --by-section, one variant in so many is run, others at each commit",
)
@click.option(
    "--role",
    type=click.Choice(["provider", "personal-agent"]),
    help="flaws and variants of one mock alone; the honest ones are run in any case",
)
def main(
    names: tuple[str, ...],
    reports: Path,
    at_once: int,
    *,
    whole: bool,
    rotate: int,
    share: int,
    role: str | None,
) -> None:
    """Run every flaw and variant, or those named; write what came of each to matrix.json."""
    started = time.monotonic()
    rows: list[Judged] = []
    try:
        everybody = [it for it in subjects(names) if it.kind == "honest" or role in {None, it.role}]
    except LookupError as error:
        raise click.UsageError(str(error)) from None
    if not whole:
        everybody, told = chosen(everybody, rotate, share=share)
        click.echo(told)

    def ended(ran: Ran) -> Subject | None:
        if again(ran):
            click.echo(f"{ran.subject.name}: once more, whole")
            return replace(ran.subject, sections=None)
        judged = judge(ran)
        rows.append(judged)
        if judged.problem:
            click.echo(f"{judged.kind} {judged.name}: {judged.problem}")
        return None

    run_all(everybody, reports, at_once=at_once, ended=ended)
    reports.mkdir(parents=True, exist_ok=True)
    written = json.dumps([row.to_json() for row in rows], indent=1)
    (reports / "matrix.json").write_text(written + "\n", encoding="utf-8")
    wrong = sum(1 for row in rows if row.problem)
    took = time.monotonic() - started
    used = sum(row.seconds for row in rows)
    click.echo(
        f"{len(rows)} subjects, {wrong} not as declared, in {took:.0f} s, {used:.0f} s of CPU"
    )
    raise SystemExit(1 if wrong else 0)


if __name__ == "__main__":
    main()
