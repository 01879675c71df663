"""A plugin with which a worker dies: `-p tests.parallel.dying --dies-in PART-OF-A-NODE-ID`."""

import os

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--dies-in", default="nothing")


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_call(item: pytest.Item) -> None:
    if item.config.getoption("--dies-in") in item.nodeid and hasattr(item.config, "workerinput"):
        os._exit(9)
