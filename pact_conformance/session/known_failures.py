"""The baseline of a run: read before anything is sent, settled when everything is decided."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from pact_conformance.catalogue import Catalogue
from pact_conformance.report.baseline import WRONG, Baseline, Known, Standing
from pact_conformance.report.outcome import Outcome
from pact_conformance.session import reporting
from pact_conformance.settings import Settings


@dataclass
class KnownFailures:
    """What the controller knows of the tester's baseline; without one it knows nothing."""

    baseline: Baseline = field(default_factory=Baseline)
    path: Path | None = None
    standings: tuple[Standing, ...] = ()
    rewritten: str = ""
    """What was done to the file; empty if nothing."""

    @property
    def wrong(self) -> tuple[Standing, ...]:
        """The entries that fail the run until they are taken out."""
        return tuple(it for it in self.standings if it.state in WRONG)

    def settle(
        self, outcomes: Sequence[Outcome], *, about: Collection[str], whole: bool, renew: bool
    ) -> None:
        """See what became of each entry, and rewrite the file if the tester asked for that.

        Args:
            outcomes: of the run.
            about: the ids of the requirements that were judged.
            whole: the run has come to its end.
            renew: nothing keeps the file from being rewritten.

        Raises:
            OSError: it cannot be written.
        """
        if self.path is None:
            return
        self.standings = self.baseline.standings(outcomes, about=about, whole=whole)
        if not (self.baseline.renewed and renew):
            return
        gone = [it.entry for it in self.wrong if it.state != "expired"]
        fresh = self.baseline.fresh(outcomes)
        self._rewrite(gone, fresh)
        left = [it for it in self.standings if it.entry not in gone]
        self.standings = (*left, *(Standing(it, "known") for it in fresh))

    def _rewrite(self, gone: Sequence[Known], fresh: Sequence[Known]) -> None:
        from pact_conformance.report import baseline_file  # noqa: PLC0415 - few runs write one

        assert self.path is not None
        baseline_file.rewrite(self.path, gone=gone, fresh=fresh)
        kept = len(self.standings) - len(gone)
        self.rewritten = f"{len(fresh)} added, {len(gone)} taken out, {kept} kept"

    def report(self, config: pytest.Config) -> None:
        """Send each entry that fails the run through pytest's hooks, as a failure of its own."""
        for standing in self.wrong:
            case = f"[{standing.entry.case}]" if standing.entry.case else ""
            node = f"baseline::{standing.entry.requirement}::{standing.entry.check}{case}"
            reporting.send(
                config,
                node,
                "failed",
                longrepr=f"{standing.said} of {self.path}",
                said=[("requirement", standing.entry.requirement)],
            )

    def told(self) -> Iterator[tuple[str, str]]:
        """Yield a label and a text for each line of the summary."""
        for standing in self.wrong:
            yield "baseline", f"{standing.said} of {self.path}"
        if self.rewritten:
            yield "baseline", f"{self.path} is rewritten: {self.rewritten}"

    def to_json(self) -> list[dict[str, Any]] | None:
        """Return what the report holds; None without a baseline."""
        return None if self.path is None else [it.to_json() for it in self.standings]


def known_failures(settings: Settings, folder: Path, rows: Catalogue) -> KnownFailures:
    """Read the baseline that the settings name, below the folder that pytest was started in.

    Raises:
        pytest.UsageError: it cannot be used.
    """
    if settings.baseline is None:
        if settings.update_baseline:
            raise pytest.UsageError(
                "--pact-update-baseline: --pact-baseline=FILE says which file to rewrite"
            )
        return KnownFailures()
    from pact_conformance.report import baseline_file  # noqa: PLC0415 - few runs read one

    path = folder / settings.baseline
    entries: tuple[Known, ...] = ()
    try:
        if path.exists() or not settings.update_baseline:
            entries = baseline_file.read(path, rows)
    except baseline_file.BadBaseline as error:
        raise pytest.UsageError(f"--pact-baseline: {error}") from None
    today = datetime.now(UTC).date()
    return KnownFailures(Baseline(entries, today, renewed=settings.update_baseline), path)
