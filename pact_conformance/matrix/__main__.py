"""`python -m pact_conformance.matrix`: run flaws and variants against the whole suite."""

import json
import time
from pathlib import Path

import click

from pact_conformance.matrix.forked import run_all
from pact_conformance.matrix.judged import judge, subjects


@click.command()
@click.argument("names", nargs=-1)
@click.option("--reports", type=click.Path(path_type=Path), default=Path("reports/matrix"))
@click.option("--at-once", default=2, show_default=True, help="runs at the same time")
def main(names: tuple[str, ...], reports: Path, at_once: int) -> None:
    """Run every flaw and variant, or those named; write what came of each to matrix.json."""
    started, rows = time.monotonic(), []
    for ran in run_all(subjects(names), reports, at_once=at_once):
        judged = judge(ran)
        rows.append(judged.to_json())
        if judged.problem:
            click.echo(f"{judged.kind} {judged.name}: {judged.problem}")
    reports.mkdir(parents=True, exist_ok=True)
    (reports / "matrix.json").write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
    wrong = sum(1 for row in rows if row["problem"])
    took = time.monotonic() - started
    click.echo(f"{len(rows)} subjects, {wrong} not as declared, in {took:.0f} s")
    raise SystemExit(1 if wrong else 0)


if __name__ == "__main__":
    main()
