"""A plugin of pytest that writes down what every collected check cites."""

import json
import os
from collections.abc import Iterable
from pathlib import Path

import pytest

# Where to: the plugin has no other way to be told.
TARGET = "PACT_TESTS_COLLECTED"


def pytest_collection_finish(session: pytest.Session) -> None:
    checks = [{"name": item.nodeid, "cites": list(_cites(item))} for item in session.items]
    Path(os.environ[TARGET]).write_text(json.dumps(checks), encoding="utf-8")


def _cites(item: pytest.Item) -> Iterable[str]:
    for marker in item.iter_markers("requirement"):
        yield from marker.args
