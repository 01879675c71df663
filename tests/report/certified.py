"""A small edition of the suite, a run of it, and bundles of that run: whole, or altered."""

import json
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.asymmetric import ec

from pact_conformance.catalogue.catalogue import Catalogue
from pact_conformance.journal.exchange import Received, Sent
from pact_conformance.report import document, folding
from pact_conformance.report.certificate import keys, making, manifest, signature
from pact_conformance.report.certificate.claim import Edition
from pact_conformance.report.certificate.packing import compress
from pact_conformance.report.certificate.statement import Details
from pact_conformance.report.certificate.verifying import Verified, verify
from pact_conformance.report.journal_rules import fold_journal
from pact_conformance.report.outcome import Outcome
from pact_conformance.settings import Settings
from pact_conformance.tokens.keys import SigningKey
from tests.report import making as reports
from tests.report.making import CARD, STARTED

Document = dict[str, Any]
Files = dict[str, bytes]

IDENTITY = ("2-https", "3.2-alg", "3.2-exp-expired", "3.3-sub-proves-no-account", "3.4-challenge")
LIMITED = "6-429-no-envelope"
DELEGATED = "5.1-scheme"
ROWS = Catalogue([reports.CATALOGUE[id_] for id_ in (*IDENTITY, DELEGATED, LIMITED)])

ABSENT = {"rate_limits": "the gateway of the test deployment limits nobody"}
GIVEN = {"provider": CARD, "absent": ABSENT, "prompts": {"": "When are you open?"}}
WITHHELD = ["private_jwk", "headers.X-Gateway"]

CHECKS = (
    Outcome(
        "the_interface_is_reached_over_https",
        "",
        ("2-https",),
        "not applicable",
        reason="the interface is on a private test host",
    ),
    Outcome("a_forged_token_is_refused", "alg-none", ("3.2-alg",), "passed", exchanges=("main-2",)),
    Outcome("a_forged_token_is_refused", "alg-hs256", ("3.2-alg",), "passed"),
    Outcome("an_expired_token_is_refused", "", ("3.2-exp-expired",), "passed"),
    Outcome("the_card_declares_a_device_code_flow", "", (DELEGATED,), "passed"),
)
EDITION = Edition(
    ROWS, frozenset((id_, it.name, it.case) for it in CHECKS for id_ in it.requirements)
)
DETAILS = Details(
    "ACME & Söhne", "Shop <Agent>", "4.2", "https://acme.example", "pact@acme.example"
)
CERTIFIED = "2026-11-30T12:00:00.000+00:00"

REFUSED = Received(
    401, (("www-authenticate", 'Bearer realm="a2a"'), ("content-type", "text/plain")), ""
)


def exchanges() -> list[Any]:
    """What the run sent: it read the card, and a forged token was refused."""
    card = reports.exchange(
        "main-1",
        operation="card",
        sent=Sent("GET", CARD, (), None),
        answer=Received(200, (("content-type", "application/json"),), "{}"),
        credentials="none",
    )
    return [card, reports.exchange("main-2", answer=REFUSED)]


def run(
    folder: Path,
    outcomes: tuple[Outcome, ...] = CHECKS,
    *,
    subject: dict[str, Any] | None = None,
    **members: Any,  # noqa: ANN401 - any member of the report
) -> Path:
    """Write what a run leaves behind, and return its folder."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "journal.ndjson"
    path.unlink(missing_ok=True)
    reports.journal(folder, exchanges())
    about = set(ROWS.requirements)
    rules, tally = fold_journal(path, Settings(absent=ABSENT), about=about, blocked=False)
    decided = folding.fold(ROWS, (*outcomes, *rules), role="provider")
    ran = document.Run(
        started=STARTED,
        finished=STARTED + 1.5,
        partial=False,
        subjects=(subject or {"role": "provider", "card": CARD, "built_in": False},),
        requests=tally.requests,
        turns=tally.turns,
        settings={"given": GIVEN, "withheld": WITHHELD},
    )
    profiles = [folding.profile(it, "provider", decided) for it in ("identity", "delegated")]
    document.write(document.build(ROWS, ran, decided, profiles) | members, folder)
    return folder


@cache
def vendor(name: str = "vendor") -> keys.Vendor:
    """A key; another name is another key."""
    made = SigningKey.generate(keys.ALG, kid=name)
    assert isinstance(made.private, ec.EllipticCurvePrivateKey)
    return keys.Vendor(made.private, keys.public_part(made.public_jwk()))


THUMBPRINT = keys.thumbprint(vendor().public)


def certify(folder: Path, profile: str = "identity", certified: str = CERTIFIED) -> Files:
    """Certify the run in a folder."""
    return dict(making.certify(folder, profile, DETAILS, vendor(), EDITION, certified=certified))


def signed_again(files: Files, by: keys.Vendor | None = None) -> Files:
    """The files with a manifest and a signature of their own, as the vendor could make them."""
    content = {it: data for it, data in files.items() if it in manifest.CONTENT}
    listed = manifest.make(content, json.loads(files[manifest.MANIFEST])["suite"])
    signed = signature.sign(listed, by or vendor())
    return {**content, manifest.MANIFEST: listed, manifest.SIGNATURE: signed}


def with_report(files: Files, change: Callable[[Document], object]) -> Files:
    """The files with a changed report, and what is derived from it made anew."""
    told = json.loads(files[manifest.REPORT])
    change(told)
    return files | {manifest.REPORT: json.dumps(told, ensure_ascii=False).encode()}


def with_journal(files: Files, lines: list[str]) -> Files:
    """The files with another journal."""
    return files | {manifest.JOURNAL: compress("".join(f"{it}\n" for it in lines).encode())}


def verified(files: Mapping[str, bytes], expected: str = "") -> Verified:
    """What becomes of the files."""
    return verify(files, EDITION, expected=expected)
