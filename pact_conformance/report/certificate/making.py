"""`certify`: from the report of a run to a signed bundle."""

import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeAlias

from pact_conformance.catalogue import Catalogue
from pact_conformance.report import html, junit, load
from pact_conformance.report.certificate import (
    journal_checks,
    manifest,
    reproducing,
    signature,
    statement,
)
from pact_conformance.report.certificate.claim import Edition, foreign, refusals
from pact_conformance.report.certificate.keys import Vendor, thumbprint
from pact_conformance.report.certificate.packing import Files, compress

Document: TypeAlias = Mapping[str, Any]

JOURNAL = "journal.ndjson"
STATEMENT = manifest.STATEMENT


class Refused(Exception):  # noqa: N818 - it says what happened
    """The report does not allow it; `reasons` are sentences."""

    def __init__(self, reasons: tuple[str, ...]) -> None:
        super().__init__("; ".join(reasons))
        self.reasons = reasons


def certify(
    report: Path,
    profile: str,
    details: statement.Details,
    vendor: Vendor,
    edition: Edition,
    *,
    certified: str,
) -> Files:
    """Return the files of a bundle.

    Args:
        report: `report.json` or its folder; the journal lies beside it.
        profile: that is to be certified, as the report calls it.
        details: of the vendor.
        vendor: its key.
        edition: of this suite.
        certified: the time, as reports have it.

    Raises:
        Refused: the report does not show that the profile is conformant.
        ReportUnreadable: there is no report.
        OSError: the journal cannot be read.
    """
    document = load.read(report)
    file = report / load.NAME if report.is_dir() else report
    journal = file.with_name(JOURNAL)
    _refuse(document, profile, edition, journal)
    stated = statement.make(document, profile, details, certified)
    exchanges = journal.read_bytes()
    files = {
        manifest.STATEMENT: manifest.to_bytes(stated),
        manifest.REPORT: file.read_bytes(),
        manifest.JOURNAL: compress(exchanges),
        **derived(document, stated, exchanges, thumbprint(vendor.public), edition.rows),
    }
    listed = manifest.make(files, document["suite"])
    signed = signature.sign(listed, vendor)
    return {**files, manifest.MANIFEST: listed, manifest.SIGNATURE: signed}


def _refuse(document: Document, profile: str, edition: Edition, journal: Path) -> None:
    other = foreign(document, edition)
    if other:
        raise Refused((f"{other}, or run the suite again",))
    reasons = tuple(refusals(document, profile, edition))
    if not reasons:
        reasons = tuple(journal_checks.differences(document, profile, journal))
    if reasons:
        raise Refused(reasons)


def derived(
    document: Document,
    stated: Mapping[str, Any],
    exchanges: bytes,
    signer: str,
    catalogue: Catalogue,
) -> dict[str, bytes]:
    """Return the files that follow from the others, so that a verifier can make them again.

    Args:
        document: the report.
        stated: the statement.
        exchanges: the journal.
        signer: the thumbprint of the vendor's key.
        catalogue: the requirements.
    """
    with tempfile.TemporaryDirectory() as folder:
        # Pictures of the vendor's login are left out: the page shows those beside the journal.
        journal = Path(folder) / JOURNAL
        journal.write_bytes(exchanges)
        page = html.render(document, journal, catalogue)
    texts = {
        manifest.PAGE: page,
        manifest.JUNIT: junit.render(dict(document)),
        manifest.SETTINGS: reproducing.settings(document),
        manifest.README: reproducing.readme(stated, document, signer),
    }
    return {name: text.encode() for name, text in texts.items()}
