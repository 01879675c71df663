"""What Allure is told of an outcome: plain data, so that nothing here needs Allure."""

from collections.abc import Iterator, Mapping
from hashlib import sha256
from types import MappingProxyType
from typing import TypedDict

from pact_conformance.catalogue import Requirement
from pact_conformance.report import sections
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


def status(outcome: Outcome) -> str:
    """Return Allure's status; *broken* is its word for what could not be told."""
    return STATUSES[outcome.verdict]


def details(outcome: Outcome) -> Details:
    """Return what was expected and got, or why nothing was judged, harmless for any reader."""
    difference = f"expected {outcome.expected}; got {outcome.got}" if outcome.expected else ""
    said = [it for it in (difference, *outcome.warnings, outcome.reason) if it]
    then = [outcome.do] if outcome.do else []
    exchanges = [f"exchanges: {', '.join(outcome.exchanges)}"] if outcome.exchanges else []
    return {
        "message": harmless("\n".join(said) or outcome.verdict),
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
