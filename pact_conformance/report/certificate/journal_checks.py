"""Whether a journal is that of a report: what the report says of it is seen again."""

import json
from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any, TypeAlias

from pact_conformance.journal.exchange import Exchange
from pact_conformance.journal.journal import JournalDamaged, read
from pact_conformance.report.certificate.claim import comprised, role_of
from pact_conformance.report.journal_rules import fold_journal
from pact_conformance.report.outcome import Outcome
from pact_conformance.settings import ABSENCES, Settings

Document: TypeAlias = Mapping[str, Any]

# Seconds that the clock may have been set back by while the run went on.
_CLOCK = 5.0

_SHOWN = 3


def differences(document: Document, profile: str, journal: Path) -> Iterator[str]:
    """Yield where a journal does not bear a report out, a sentence each.

    Args:
        document: the report.
        profile: that is certified.
        journal: the file, unpacked.
    """
    try:
        yield from _of_exchanges(document, profile, journal)
        yield from _of_rules(document, profile, journal)
    except (JournalDamaged, ValueError, KeyError, TypeError) as error:
        yield f"the journal cannot be read: {str(error).partition(', line ')[2] or error}"


def _of_exchanges(document: Document, profile: str, journal: Path) -> Iterator[str]:
    seen: set[str] = set()
    twice, strange, cards = 0, 0, 0
    started, finished = (
        datetime.fromisoformat(document[it]).timestamp() for it in ("started", "finished")
    )
    card = _card(document, profile)
    for exchange in read(journal):
        twice += exchange.id in seen
        seen.add(exchange.id)
        # What the agent under test sent has the time of the stage's clocks, which checks move.
        in_time = exchange.by == "agent" or started - _CLOCK <= exchange.at <= finished + _CLOCK
        strange += not in_time
        cards += _is_card(exchange, card)
    if twice:
        yield f"the journal has {_counted(twice)} twice"
    if strange:
        yield f"the journal is of another run: {strange} of its exchanges were not made during this"
    if card and not cards:
        yield f"the journal is of another subject: nobody asked for {card}"
    missing = sorted(set(_referred(document)) - seen)
    if missing:
        shown = ", ".join(missing[:_SHOWN])
        yield f"the journal lacks {_counted(len(missing))} that the report refers to: {shown}"


def _counted(number: int) -> str:
    return f"{number} exchange{'' if number == 1 else 's'}"


def _card(document: Document, profile: str) -> str:
    found = [it for it in document["subject"] if it["role"] == role_of(profile)]
    return str(found[0].get("card", "")) if found else ""


def _is_card(exchange: Exchange, card: str) -> bool:
    return exchange.operation == "card" and exchange.sent.url == card


def _referred(document: Document) -> Iterator[str]:
    for row in document["requirements"]:
        for check in row["checks"]:
            yield from check["exchanges"]


def _of_rules(document: Document, profile: str, journal: Path) -> Iterator[str]:
    """Fold the rules again, as the run did."""
    rows = comprised(document, profile)
    told = {
        (row["id"], check["name"]): check
        for row in rows
        for check in row["checks"]
        if check["kind"] == "rule"
    }
    about = {row["id"] for row in rows}
    outcomes, tally = fold_journal(journal, _settings(document), about=about, blocked=False)
    for outcome in outcomes:
        check = told.get((outcome.requirements[0], outcome.name))
        if check is not None:
            yield from _of_rule(outcome, check)
    for name, value in (("requests", tally.requests), ("turns", tally.turns)):
        if document[name] != value:
            yield f"the journal has {value} {name}, the report says {document[name]}"


def _of_rule(outcome: Outcome, check: Mapping[str, Any]) -> Iterator[str]:
    again = json.loads(json.dumps(outcome.to_json()))
    for name in ("verdict", "counts", "exchanges", "expected", "got", "reason", "do", "notes"):
        if again[name] != check[name]:
            yield (
                f"by the journal the {name} of “{outcome.name}” of {outcome.requirements[0]} is "
                f"{again[name]}, the report says {check[name]}"
            )


def _settings(document: Document) -> Settings:
    """Return those settings that rules are judged by."""
    given = document["settings"]["given"]
    absent = {it: reason for it, reason in given.get("absent", {}).items() if it in ABSENCES}
    return Settings(strict=bool(given.get("strict")), absent=absent)
