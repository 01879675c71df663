"""A report as results for Allure, one file for each check: made of `report.json` and the journal.

A run writes its own with `--alluredir`; this makes them of a report that lies on disk, and needs
nothing of Allure's.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any
from uuid import NAMESPACE_URL, uuid5

from pact_conformance.catalogue import Requirement
from pact_conformance.journal.exchange import Exchange
from pact_conformance.report import allure, exchanges
from pact_conformance.report.cited import Cited, Document, Row, cited
from pact_conformance.report.text import harmless
from pact_conformance.report.writing import write_whole

_MEMBERS = ("id", "section", "level", "role", "profile", "statement", "observed")


def write(document: Document, journal: Path, folder: Path) -> int:
    """Write the results into a folder, and return how many there are.

    The same report gives the same names, so that writing again replaces.

    Args:
        document: the report.
        journal: where its exchanges are.
        folder: Allure's folder of results; it is made if it is not there.

    Raises:
        OSError: the folder cannot be written.
    """
    checks = cited(document)
    wanted = {it for each in checks for it in allure.attached(each.outcome)}
    picked = exchanges.pick(journal, wanted)
    for each in checks:
        uuid = _uuid(document, each)
        result = _result(document, each, uuid)
        result["attachments"] = list(_attachments(each, picked, folder, uuid))
        write_whole(folder / f"{uuid}-result.json", json.dumps(result, indent=1) + "\n")
    return len(checks)


def _uuid(document: Document, each: Cited) -> str:
    identity = "\n".join((document["started"], each.rows[0]["id"], each.check["kind"], each.title))
    return str(uuid5(NAMESPACE_URL, identity))


def _result(document: Document, each: Cited, uuid: str) -> dict[str, Any]:
    outcome = each.outcome
    rows = [_requirement(row) for row in each.rows]
    start = round(datetime.fromisoformat(document["started"]).timestamp() * 1000)
    return {
        "uuid": uuid,
        "name": harmless(each.title),
        "fullName": f"{rows[0].id}: {harmless(each.title)}",
        "historyId": allure.history_id(outcome, rows[0]),
        "testCaseId": allure.history_id(replace(outcome, case=""), rows[0]),
        "titlePath": [it["value"] for it in allure.labels(outcome, rows[0])[:3]],
        "parameters": [{"name": "case", "value": outcome.case}] if outcome.case else [],
        "description": allure.description(rows),
        "status": allure.status(outcome),
        "statusDetails": {**allure.details(outcome), "known": bool(outcome.known)},
        "stage": "finished",
        "labels": [*allure.placed(outcome, rows), {"name": "framework", "value": "pytest"}],
        # A report knows how long a check took, and not when it began.
        "start": start,
        "stop": start + round(outcome.seconds * 1000),
    }


def _requirement(row: Row) -> Requirement:
    return Requirement(**{name: row[name] for name in _MEMBERS})


def _attachments(
    each: Cited, picked: Mapping[str, Exchange], folder: Path, uuid: str
) -> Iterator[dict[str, str]]:
    for id_ in allure.attached(each.outcome):
        if id_ in picked:
            title, text = allure.attachment(exchanges.show(picked[id_]))
            name = f"{uuid}-{id_}-attachment.txt"
            write_whole(folder / name, text)
            yield {"name": title, "source": name, "type": "text/plain"}
