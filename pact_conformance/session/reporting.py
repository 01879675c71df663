"""Findings and journal rules as test reports, as if a check had found them."""

from collections.abc import Callable
from typing import Any, Literal

import pytest

from pact_conformance.report.outcome import Outcome
from pact_conformance.session.checks import PYTEST_OUTCOME
from pact_conformance.subject.findings import Finding


def of_finding(finding: Finding) -> Outcome:
    """Return a finding of the preflight as an outcome."""
    return Outcome(
        name=finding.id.replace("-", "_"),
        case="",
        requirements=(finding.requirement,),
        verdict=finding.verdict,
        expected=finding.expected,
        got=finding.got,
        do=finding.do,
        exchanges=finding.exchanges,
        kind="finding",
    )


def report(config: pytest.Config, outcome: Outcome, told: Callable[[Outcome], str]) -> None:
    """Send one outcome through pytest's hooks, so that every reporter of the user's has it.

    Args:
        config: of the run.
        outcome: of a finding or a rule.
        told: returns the text of a failure.
    """
    longrepr: Any = None
    result = PYTEST_OUTCOME[outcome.verdict]
    if result == "skipped":
        longrepr = ("journal", 0, f"{outcome.verdict}: {outcome.reason}")
    elif result == "failed":
        longrepr = told(outcome)
    node = f"{outcome.kind}::{outcome.name}"
    send(config, node, result, longrepr=longrepr, said=properties(outcome), outcome=outcome)


def send(
    config: pytest.Config,
    node: str,
    result: Literal["passed", "failed", "skipped"],
    *,
    longrepr: Any,  # noqa: ANN401 - as pytest has it
    said: list[tuple[str, object]],
    outcome: Outcome | None = None,
) -> None:
    """Send a result through pytest's hooks.

    Args:
        config: of the run.
        node: the id of the result.
        result: pytest's word for it.
        longrepr: what pytest tells of it.
        said: the properties.
        outcome: that it stands for, if it does.
    """
    location = (node, None, node.rpartition("::")[2])
    decisive = pytest.TestReport(
        nodeid=node,
        location=location,
        keywords={},
        outcome=result,
        longrepr=longrepr,
        when="call",
        user_properties=said,
    )
    if outcome is not None:
        decisive.pact = outcome.to_json()  # type: ignore[attr-defined]
        excuse(decisive, outcome)
    hook = config.hook
    hook.pytest_runtest_logstart(nodeid=node, location=location)
    teardown = _quiet(node, location, "teardown")
    teardown.user_properties = said  # where JUnit's writer looks for them
    for phase in (_quiet(node, location, "setup"), decisive, teardown):
        hook.pytest_runtest_logreport(report=phase)
    hook.pytest_runtest_logfinish(nodeid=node, location=location)


def properties(outcome: Outcome) -> list[tuple[str, object]]:
    """Return what a reporter shows of an outcome besides pytest's own."""
    cited: list[tuple[str, object]] = [("requirement", it) for it in outcome.requirements]
    cited += [("advice", outcome.advice)] if outcome.advice else []
    known: list[tuple[str, object]] = [("known", outcome.known)] if outcome.known else []
    return [*cited, ("verdict", outcome.verdict), *known]


def excuse(report: pytest.TestReport, outcome: Outcome) -> None:
    """Have pytest, and all who listen to it, take a known failure for an expected one."""
    if outcome.known:
        report.outcome = "skipped"
        report.wasxfail = outcome.known


def _quiet(
    node: str, location: tuple[str, int | None, str], when: Literal["setup", "teardown"]
) -> pytest.TestReport:
    return pytest.TestReport(
        nodeid=node, location=location, keywords={}, outcome="passed", longrepr=None, when=when
    )
