"""What Allure is told of an outcome: plain data, so that nothing here needs Allure."""

from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from types import MappingProxyType
from typing import TypedDict

from pact_conformance.catalogue import Requirement
from pact_conformance.report import sections
from pact_conformance.report.exchanges import Shown
from pact_conformance.report.outcome import Outcome
from pact_conformance.report.text import harmless

SEVERITIES: Mapping[str, str] = MappingProxyType(
    {"MUST": "critical", "SHOULD": "normal", "MAY": "minor"}
)
STATUSES: Mapping[str, str] = MappingProxyType(
    {
        "passed": "passed",
        "warned": "passed",
        "failed": "failed",
        "inconclusive": "broken",
        "untested": "skipped",
        "not applicable": "skipped",
    }
)

# Allure's tree of suites is that of files; ours is where the statements stand.
_SUITES: Mapping[str, str] = MappingProxyType(
    {"epic": "parentSuite", "feature": "suite", "story": "subSuite"}
)

# The last exchanges of a check are those that decided it; the report has all.
MOST_EXCHANGES = 5


class Label(TypedDict):
    """A label as Allure's results hold it."""

    name: str
    value: str


class Details(TypedDict):
    """What Allure shows of a test that did not pass."""

    message: str
    trace: str


def labels(outcome: Outcome, requirement: Requirement) -> list[Label]:
    """Return where a result stands in Allure's trees and what it can be filtered by.

    A check that cites several requirements is labelled for each; the caller leaves out repetitions.
    """
    return [{"name": name, "value": value} for name, value in _labels(outcome, requirement)]


def placed(outcome: Outcome, requirements: Sequence[Requirement]) -> list[Label]:
    """Return the labels of a result that decides these, each once, its place among suites too."""
    found = [it for requirement in requirements for it in labels(outcome, requirement)]
    first = labels(outcome, requirements[0])
    found += [
        {"name": _SUITES[it["name"]], "value": it["value"]} for it in first if it["name"] in _SUITES
    ]
    pairs = dict.fromkeys((it["name"], it["value"]) for it in found)
    return [{"name": name, "value": value} for name, value in pairs]


def description(requirements: Sequence[Requirement]) -> str:
    """Return the statements that a result decides."""
    return "\n\n".join(f"§{it.section} ({it.level}): {it.statement}" for it in requirements)


def attached(outcome: Outcome) -> tuple[str, ...]:
    """Return the ids of the exchanges that go with a result."""
    return outcome.exchanges[-MOST_EXCHANGES:]


def attachment(shown: Shown) -> tuple[str, str]:
    """Return an exchange's title and text, harmless for any reader."""
    parts = {
        "for": shown.purpose,
        "with": ": ".join(it for it in (shown.credentials, shown.token) if it),
        "request": shown.request,
        "answer": shown.answer or shown.outcome,
        "again": shown.curl,
    }
    title = f"{shown.id}: {shown.method} {shown.called} → {shown.outcome}"
    said = "\n\n".join(f"{label}\n{text}" for label, text in parts.items() if text)
    return harmless(title), harmless(said)


def status(outcome: Outcome) -> str:
    """Return Allure's status; *broken* is its word for what could not be told."""
    return STATUSES[outcome.verdict]


def details(outcome: Outcome) -> Details:
    """Return what was expected and got, or why nothing was judged, harmless for any reader."""
    difference = f"expected {outcome.expected}; got {outcome.got}" if outcome.expected else ""
    said = [it for it in (difference, *outcome.warnings, outcome.reason) if it]
    then = [outcome.do] if outcome.do else []
    exchanges = [f"exchanges: {', '.join(outcome.exchanges)}"] if outcome.exchanges else []
    message = "\n".join(said)
    # Allure has fewer statuses than there are verdicts, and sorts by how a message begins.
    return {
        "message": harmless(f"{outcome.verdict}: {message}" if message else outcome.verdict),
        "trace": harmless("\n".join([*then, *exchanges])),
    }


def history_id(outcome: Outcome, requirement: Requirement) -> str:
    """Return what Allure follows a result over runs by; the same in a checkout and a wheel."""
    identity = f"{requirement.id}\n{outcome.name}\n{outcome.case}"
    return sha256(identity.encode()).hexdigest()


def _labels(outcome: Outcome, requirement: Requirement) -> Iterator[tuple[str, str]]:
    profile, role = sections.profile(requirement.profile), sections.role(requirement.role)
    yield "epic", f"{profile} · {role}"
    yield "feature", sections.title(requirement.section)
    yield "story", requirement.id
    yield "severity", SEVERITIES[requirement.level]
    for tag in (requirement.level, f"§{requirement.section}", outcome.verdict, outcome.kind):
        yield "tag", tag
