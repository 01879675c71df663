"""What the report of a long run costs: its memory, and how large its files become."""

import json
import resource
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, replace
from pathlib import Path

from pact_conformance.catalogue import load
from pact_conformance.journal.exchange import Received, Sent
from pact_conformance.report import document, folding, html, junit, markdown
from pact_conformance.report.journal_rules import fold_journal
from pact_conformance.report.outcome import Outcome
from pact_conformance.settings import Settings
from tests.report import making

EXCHANGES = 100_000
MOST_MEGABYTES = 150


@dataclass(frozen=True)
class Cost:
    """What a report took."""

    megabytes: float
    """The most memory that the process had, interpreter and libraries included."""
    seconds: float
    page_kilobytes: float
    exchanges: int = EXCHANGES

    @property
    def line(self) -> str:
        """A row of the table of docs/performance.md."""
        figures = f"{self.megabytes:.0f} | {self.seconds:.1f} | {self.page_kilobytes:.0f}"
        return f"| {self.exchanges:,} | {figures} |"


def measure() -> Cost:
    """Write the report of a long run in a process of its own, and return what that took."""
    with tempfile.TemporaryDirectory() as folder:
        _journal(Path(folder))
        ended = subprocess.run(
            [sys.executable, "-m", "tests.benchmark.reports", folder],
            capture_output=True,
            check=True,
            text=True,
        )
        return Cost(**json.loads(ended.stdout))


def _journal(folder: Path) -> None:
    body = '{"message": {"messageId": "m-%d", "contextId": "c-%d", "parts": [{"text": "%s"}]}}'
    url = "https://provider.example/a2a/brand/message:send"
    headers = (("content-type", "application/a2a+json"),)
    making.journal(
        folder,
        (
            making.exchange(
                f"main-{number}",
                sent=Sent("POST", url, (), '{"message": {}}'),
                answer=Received(200, headers, body % (number, number, "x" * 400)),
                credentials="good",
                turn=number % 2 == 0,
            )
            for number in range(EXCHANGES)
        ),
    )


def _write(folder: Path) -> Cost:
    """Write everything that a run writes at its end, for a subject that fails every requirement."""
    begun = time.perf_counter()
    rows = load()
    rules, tally = fold_journal(
        folder / "journal.ndjson", Settings(), about=frozenset(rows.requirements), blocked=False
    )
    outcomes: list[Outcome] = [*rules]
    each = EXCHANGES // len(rows.requirements)
    for place, row in enumerate(rows.requirements.values()):
        ids = tuple(f"main-{it}" for it in range(place * each, (place + 1) * each))
        outcomes.append(replace(making.FAILED, requirements=(row.id,), exchanges=ids))
    decided = folding.fold(rows, outcomes, role="provider")
    run = document.Run(
        started=making.STARTED,
        finished=making.STARTED + 600,
        partial=False,
        subjects=({"role": "provider", "card": making.CARD},),
        requests=tally.requests,
        turns=tally.turns,
        latency=tally.latency.to_json(),
    )
    profiles = [folding.profile("identity", "provider", decided)]
    built = document.build(rows, run, decided, profiles)
    document.write(built, folder)
    page = html.write(built, folder, rows)
    junit.render(built)
    markdown.summary(built)
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return Cost(most, time.perf_counter() - begun, page.stat().st_size / 1024)


if __name__ == "__main__":
    sys.stdout.write(json.dumps(vars(_write(Path(sys.argv[1])))))
