"""`verify`: whether a bundle is what its vendor signed, and follows from what is in it. Offline."""

import json
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from pact_conformance.report import load
from pact_conformance.report.certificate import journal_checks, manifest, signature, statement
from pact_conformance.report.certificate.claim import Edition, foreign, refusals
from pact_conformance.report.certificate.making import JOURNAL, derived
from pact_conformance.report.certificate.packing import BadBundle, Files, expand
from pact_conformance.wire.schema import problems

Document: TypeAlias = Mapping[str, Any]


@dataclass(frozen=True)
class Verified:
    """What became of a bundle."""

    problems: tuple[str, ...]
    """What is amiss, a sentence each; empty if nothing is."""
    foreign: str = ""
    """Why this edition of the suite cannot judge it, if it cannot."""
    signer: str = ""
    """The thumbprint of the key that signed; empty if no signature holds."""
    statement: Mapping[str, Any] | None = None


def verify(files: Files, edition: Edition, *, expected: str = "") -> Verified:
    """Verify a bundle.

    Args:
        files: its content.
        edition: of this suite.
        expected: the thumbprint of the vendor's key; empty if the verifier knows none.
    """
    found = list(_of_the_files(files))
    signer, said = _signer(files)
    found += said
    if signer and expected and signer != expected:
        found.append(f"it was signed by the key {signer}, and not by {expected}")
    held = _Held(files)
    found += held.problems
    other = "" if held.report is None else foreign(held.report, edition)
    if not other:
        found += held.judged(edition, signer, untouched=not found)
    return Verified(tuple(dict.fromkeys(found)), other, signer, held.statement)


def _of_the_files(files: Files) -> Iterator[str]:
    listed = manifest.read(files.get(manifest.MANIFEST, b""))
    if listed is not None:
        yield from manifest.differences(files, listed)
        return
    if manifest.MANIFEST in files:
        yield f"{manifest.MANIFEST} is no manifest, or has been written anew"
    else:
        yield f"{manifest.MANIFEST} is missing"


def _signer(files: Files) -> tuple[str, list[str]]:
    if manifest.SIGNATURE not in files:
        return "", [f"{manifest.SIGNATURE} is missing: nobody has signed it"]
    try:
        signed = signature.verify(files[manifest.SIGNATURE])
    except signature.BadSignature as error:
        return "", [str(error)]
    if signed.payload != files.get(manifest.MANIFEST):
        return "", [f"{manifest.MANIFEST} is not what was signed"]
    return signed.thumbprint, []


class _Held:
    """What the files of a bundle hold, as far as they can be read."""

    def __init__(self, files: Files) -> None:
        self._files = files
        self.problems: list[str] = []
        self.report = self._report()
        self.statement = self._statement()
        self.journal = self._journal()

    def judged(self, edition: Edition, signer: str, *, untouched: bool) -> Iterator[str]:
        """Yield where one file does not follow from another.

        Args:
            edition: of this suite.
            signer: the thumbprint of who signed.
            untouched: nothing was amiss so far; else what is derived need not be made again.
        """
        if self.report is None or self.statement is None:
            return
        profile = self.statement["profile"]
        of_the_report = list(refusals(self.report, profile, edition))
        yield from of_the_report
        if of_the_report:
            return
        stated = list(self._stated(self.report, self.statement))
        yield from stated
        if self.journal is None:
            return
        borne_out = list(self._borne_out(self.report, profile, self.journal))
        yield from borne_out
        if untouched and not stated and not borne_out:
            made = derived(self.report, self.statement, self.journal, signer, edition.rows)
            for name, content in made.items():
                if self._files[name] != content:
                    yield f"{name} does not say what {manifest.REPORT} says"

    def _stated(self, report: Document, said: Mapping[str, Any]) -> Iterator[str]:
        """Yield where the statement says otherwise than the report."""
        try:
            details = statement.details_of(said)
        except statement.BadDetail as error:
            yield f"{manifest.STATEMENT} is none: {error}"
            return
        again = statement.make(report, said["profile"], details, said["certified"])
        for name in [*again, *(it for it in said if it not in again)]:
            if said.get(name) != again.get(name):
                yield f"the {name} of {manifest.STATEMENT} does not follow from {manifest.REPORT}"

    def _borne_out(self, report: Document, profile: str, journal: bytes) -> Iterator[str]:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / JOURNAL
            path.write_bytes(journal)
            yield from journal_checks.differences(report, profile, path)

    def _report(self) -> dict[str, Any] | None:
        data = self._files.get(manifest.REPORT)
        if data is None:
            return None
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / load.NAME
            path.write_bytes(data)
            try:
                return load.read(path)
            except load.ReportUnreadable as error:
                said = " ".join(str(error).replace(str(path), manifest.REPORT).split())
                self.problems.append(said)
                return None

    def _statement(self) -> dict[str, Any] | None:
        data = self._files.get(manifest.STATEMENT)
        if data is None:
            return None
        try:
            said = json.loads(data)
        except (ValueError, RecursionError):
            said = None
        wrong = problems(said, "statement")
        if wrong:
            self.problems.append(f"{manifest.STATEMENT} is none: {wrong[0]}")
            return None
        return dict(said)

    def _journal(self) -> bytes | None:
        data = self._files.get(manifest.JOURNAL)
        if data is None:
            return None
        try:
            return expand(data)
        except BadBundle as error:
            self.problems.append(str(error))
            return None
