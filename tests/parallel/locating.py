"""A plugin that notes which process ran which check, in `where.json` beside the report."""

import json
from pathlib import Path

import pytest

WHERE: dict[str, str] = {}


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    node = getattr(report, "node", None)
    if node is not None:
        WHERE[report.nodeid] = node.gateway.id


def pytest_unconfigure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):
        (Path(config.option.pact_report) / "where.json").write_text(json.dumps(WHERE))
