"""Every check of the suites, collected without a run: no setting, no plugin and no network."""

import contextlib
import io
from collections.abc import Iterator
from functools import cache

import pytest

from pact_conformance.assets import folder
from pact_conformance.session.collection import cite, declare_markers
from pact_conformance.session.roster import Entry, roster


class _Listing:
    def __init__(self) -> None:
        self.checks: tuple[Entry, ...] = ()

    def pytest_configure(self, config: pytest.Config) -> None:
        declare_markers(config)

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        self.checks = roster(list(cite(items)), ()).selected


@cache
def checks_of_the_suites() -> frozenset[tuple[str, str, str]]:
    """Return requirement, check and case of every result that the suites' checks have in a run.

    Raises:
        RuntimeError: they cannot be collected: a fault of this suite.
    """
    listing = _Listing()
    with _quietly(), pytest.MonkeyPatch.context() as shell:
        # A user's shell may tell pytest about other tests than these.
        for name in ("PYTEST_ADDOPTS", "PYTEST_PLUGINS"):
            shell.delenv(name, raising=False)
        code = pytest.main(_arguments(), plugins=[listing])
    if code != pytest.ExitCode.OK or not listing.checks:
        raise RuntimeError("the suites cannot be collected")
    return frozenset(
        (id_, it.name, it.case) for it in listing.checks if not it.fuzzes for id_ in it.requirements
    )


@contextlib.contextmanager
def _quietly() -> Iterator[None]:
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        yield


def _arguments() -> list[str]:
    suites = folder("suites")
    return [
        f"--config-file={suites / 'run.ini'}",
        f"--confcutdir={suites}",
        f"--rootdir={suites}",
        "-pno:cacheprovider",
        "-pno:pact_conformance",
        "--collect-only",
        "-q",
        str(suites),
    ]
