"""A plugin that runs the checks in another order: `-p tests.parallel.shuffling --shuffled SEED`."""

import random

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--shuffled", type=int)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    random.Random(config.getoption("--shuffled")).shuffle(items)
