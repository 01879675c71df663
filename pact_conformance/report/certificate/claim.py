"""What a report has to be like so that a profile can be certified by it.

Certifying and verifying ask the same, of the report alone and with the code that folded it. What is
not as it has to be is a sentence.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from pact_conformance.catalogue import Catalogue
from pact_conformance.journal.rules import ALL
from pact_conformance.report import folding, sections
from pact_conformance.report.baseline import spoken
from pact_conformance.report.document import suite
from pact_conformance.report.folding import NOT_SELECTED
from pact_conformance.report.outcome import Outcome

Document: TypeAlias = Mapping[str, Any]
Row: TypeAlias = Mapping[str, Any]

Identity: TypeAlias = tuple[str, str, str]
"""Requirement, check and case."""

PROFILES = ("identity", "delegated", "agent-identity", "agent-delegated")

_SHOWN = 3

# Results that are there only where something is amiss, so that none of them is required.
_BESIDE = frozenset({"finding", "cause"})

# What of a row is the catalogue's.
_OF_THE_CATALOGUE = ("section", "level", "role", "profile", "statement", "observed", "needs")


@dataclass(frozen=True)
class Edition:
    """What this suite asks: the requirements, and every check that decides one of them."""

    rows: Catalogue
    checks: frozenset[Identity]
    """Those of the suites; the rules are known here."""

    @property
    def required(self) -> frozenset[Identity]:
        """Every result that a whole run has."""
        return self.checks | {(rule.requirement, rule.name, "") for rule in ALL}


def role_of(profile: str) -> str:
    """Return the role that a profile of a report belongs to."""
    return "personal-agent" if profile.startswith("agent-") else "provider"


def comprised(document: Document, profile: str) -> tuple[Row, ...]:
    """Return the rows of a report that a profile rests on, and those that count for nothing."""
    names = {"identity", profile.removeprefix("agent-")}
    role = role_of(profile)
    return tuple(
        it for it in document["requirements"] if it["role"] == role and it["profile"] in names
    )


def foreign(document: Document, edition: Edition) -> str:
    """Say that a report is of another edition of the suite, which this one cannot judge."""
    theirs, ours = document["suite"], suite(edition.rows)
    if theirs == ours:
        return ""
    return (
        f"it was made by {_edition(theirs)}; this is {_edition(ours)}: install the one that made it"
    )


def _edition(made_by: Mapping[str, Any]) -> str:
    catalogue = made_by["catalogue"]
    return (
        f"{made_by['name']} {made_by['version']} with the catalogue {catalogue['version']} "
        f"({catalogue['digest'][:12]})"
    )


def refusals(document: Document, profile: str, edition: Edition) -> Iterator[str]:
    """Yield why a profile cannot be certified by a report; nothing if it can."""
    if profile not in document["profiles"]:
        judged = ", ".join(document["profiles"]) or "none"
        yield f"the report does not judge the profile {profile}; it judges {judged}"
        return
    unsaid = _unsaid(document)
    if unsaid:
        yield unsaid
        return
    yield from _of_the_run(document, profile)
    rows = comprised(document, profile)
    yield from _rows(rows, profile, edition.rows)
    yield from _checks(rows, edition.required)
    yield from _folded(document, rows, profile, edition.rows)
    verdict = document["profiles"][profile]["verdict"]
    if verdict != "conformant":
        yield f"{sections.profile(profile)} is {verdict}{_because(document['profiles'][profile])}"


def _because(profile: Mapping[str, Any]) -> str:
    failed, undecided = profile["failed"], profile["undecided"]
    if failed:
        return f": {_listed(failed)} failed"
    return (
        f": {_listed(undecided)} {'are' if undecided[1:] else 'is'} undecided" if undecided else ""
    )


def _unsaid(document: Document) -> str:
    """Say that a report does not tell its settings as a run does."""
    if "settings" not in document:
        return "the report does not tell its settings: run the suite again"
    given = document["settings"]["given"]
    absent = given.get("absent", {})
    plain = isinstance(absent, dict) and all(isinstance(it, str) for it in absent.values())
    return "" if plain and _is_setting(given) else "the report tells settings that no run has"


def _is_setting(value: object) -> bool:
    if isinstance(value, dict):
        return all(_is_setting(it) for it in value.values())
    if isinstance(value, list):
        return all(_is_setting(it) for it in value)
    return isinstance(value, str | int | float)


def _of_the_run(document: Document, profile: str) -> Iterator[str]:
    if document["partial"]:
        yield "the run was ended early: certify a whole one"
    if document["findings"] and role_of(profile) == "provider":
        yield f"the run has the finding {document['findings'][0]['id']}"
    given = document["settings"]["given"]
    if given.get("operations", "strict") != "strict":
        yield "the run was judged by --operations=lenient, which waives what §2.2 says"
    for name, reason in given.get("absent", {}).items():
        if not reason.strip():
            yield f"{name} is declared absent without a reason"


def _rows(rows: Sequence[Row], profile: str, catalogue: Catalogue) -> Iterator[str]:
    names = {"identity", profile.removeprefix("agent-")}
    role = role_of(profile)
    asked = [
        it for it in catalogue.requirements.values() if it.role == role and it.profile in names
    ]
    found = [it["id"] for it in rows]
    missing = [it.id for it in asked if it.id not in found]
    if missing:
        yield f"the report lacks {_counted(missing, 'requirement')}: {_listed(missing)}"
    twice = sorted({it for it in found if found.count(it) > 1})
    if twice:
        yield f"the report has {_listed(twice)} twice"
    for row in rows:
        stated = catalogue.requirements.get(row["id"])
        if stated is None:
            yield f"the report has {row['id']}, which is no requirement of the catalogue"
            continue
        for name in _OF_THE_CATALOGUE:
            told = tuple(row[name]) if isinstance(row[name], list) else row[name]
            if told != getattr(stated, name):
                yield f"the report gives {row['id']} another {name} than the catalogue"


def _checks(rows: Sequence[Row], required: Collection[Identity]) -> Iterator[str]:
    ids = {it["id"] for it in rows}
    asked = sorted(it for it in required if it[0] in ids)
    checks = [(row["id"], check) for row in rows for check in row["checks"]]
    found = [_identity(id_, check) for id_, check in checks if check["kind"] not in _BESIDE]
    missing = sorted(set(asked) - set(found))
    if missing:
        few = f"{len(missing)} of the {len(asked)} checks"
        yield f"the report lacks {few}: {_listed(map(_named, missing))}"
    added = sorted(set(found) - set(asked))
    if added:
        yield f"the report has what is no check of the suite: {_listed(map(_named, added))}"
    twice = (
        sorted({it for it in found if found.count(it) > 1}) if len(set(found)) < len(found) else []
    )
    if twice:
        yield f"the report has a check twice: {_listed(map(_named, twice))}"
    left_out = [
        _named(_identity(id_, check))
        for id_, check in checks
        if check["kind"] == "deselected" or check["reason"] == NOT_SELECTED
    ]
    if left_out:
        verb = "were" if left_out[1:] else "was"
        yield f"{_counted(left_out, 'check')} {verb} not selected: {_listed(left_out)}"
    faults = [_named(_identity(id_, check)) for id_, check in checks if check["error"]]
    if faults:
        yield f"the suite was at fault: {_listed(faults)}"


def _folded(
    document: Document, rows: Sequence[Row], profile: str, catalogue: Catalogue
) -> Iterator[str]:
    """Yield where a verdict does not follow from what it rests on."""
    decided = []
    for row in rows:
        requirement = catalogue.requirements.get(row["id"])
        if requirement is not None:
            outcomes = [_outcome(row, check) for check in row["checks"]]
            again = folding.decide(requirement, outcomes)
            decided.append(again)
            yield from _of_row(row, again)
    name = profile.removeprefix("agent-")
    yield from _of_profile(document, folding.profile(name, role_of(profile), decided))


def _of_row(row: Row, again: folding.Decided) -> Iterator[str]:
    verdict = again.verdict if again.counts else "not observable"
    if row["verdict"] != verdict:
        yield f"the checks of {row['id']} make it {verdict}, the report says {row['verdict']}"
    elif again.counts and again.outcomes:
        notes = [note for it in again.outcomes for note in it.notes]
        for member, value in (("reason", again.reason), ("do", again.do), ("notes", notes)):
            if row[member] != value:
                yield f"the {member} of {row['id']} does not follow from its checks"


def _of_profile(document: Document, folded: folding.Profile) -> Iterator[str]:
    said, title = document["profiles"][folded.key], sections.profile(folded.key)
    if said["verdict"] != folded.verdict:
        yield (f"its requirements make {title} {folded.verdict}, the report says {said['verdict']}")
    for member in ("counts", "failed", "undecided"):
        value = getattr(folded, member)
        if said[member] != (list(value) if isinstance(value, tuple) else dict(value)):
            yield f"the {member} of {title} does not follow from its requirements"


def _outcome(row: Row, check: Row) -> Outcome:
    fields = {name: check[name] for name in Outcome.__dataclass_fields__ if name in check}
    return Outcome.from_json({**fields, "requirements": [row["id"]]})


def _identity(id_: str, check: Row) -> Identity:
    return id_, check["name"], check["case"]


def _named(identity: Identity) -> str:
    id_, name, case = identity
    return f"“{spoken(name)}{f' [{case}]' if case else ''}” of {id_}"


def _listed(names: Iterable[str]) -> str:
    given = list(names)
    more = f" and {len(given) - _SHOWN} more" if len(given) > _SHOWN else ""
    return ", ".join(given[:_SHOWN]) + more


def _counted(names: Sequence[str], what: str) -> str:
    return f"{len(names)} {what}{'' if len(names) == 1 else 's'}"
