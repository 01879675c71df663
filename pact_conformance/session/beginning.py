"""Where a run is controlled it begins with its settings: a bad one costs nothing."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from pact_conformance.catalogue import load as load_catalogue
from pact_conformance.session import calling, fuzz_settings, selecting
from pact_conformance.session.checks_plugin import Checks
from pact_conformance.session.collection import cite
from pact_conformance.session.controller import Controller
from pact_conformance.session.folder import JOURNAL
from pact_conformance.session.known_failures import known_failures
from pact_conformance.session.summing_up import SummingUp
from pact_conformance.settings import BadSetting, load
from pact_conformance.subject.approver.manual import Person

# What a run registers before it is opened, each under its name.
REGISTERED = ("pact_opening", "pact_controller", "pact_summing_up")


def begin(config: pytest.Config, options: Mapping[str, Any]) -> None:
    """Register the parts that control a run.

    Raises:
        pytest.UsageError: bad settings, in one line.
    """
    file = config.getoption("--pact-config")
    try:
        settings = load(options, file=None if file is None else Path(file))
    except BadSetting as error:
        raise pytest.UsageError(str(error)) from None
    fuzz_settings.validate(settings)
    person = calling.call(config, settings)
    known = known_failures(settings, config.invocation_params.dir, load_catalogue())
    controller = Controller(config, settings, known)
    summary = settings.summary and config.invocation_params.dir / settings.summary
    summing_up = SummingUp(lambda: controller.built, controller.folder, summary)
    parts = (Opening(config, controller, person), controller, summing_up)
    for part, name in zip(parts, REGISTERED, strict=True):
        config.pluginmanager.register(part, name)
    if getattr(config.option, "allure_report_dir", None):
        from pact_conformance.session.allure import Results  # noqa: PLC0415 - needs Allure

        results = Results(controller.record.rows, controller.folder / JOURNAL)
        config.pluginmanager.register(results, "pact_allure")


class Opening:
    """Opens the run when the session starts, before xdist starts its workers."""

    def __init__(
        self, config: pytest.Config, controller: Controller, person: Person | None = None
    ) -> None:
        self.config = config
        self.controller = controller
        self.person = person

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionstart(self) -> None:
        """Start the counterparts and look at the subject, unless only a listing is wanted.

        Raises:
            pytest.UsageError: a selection that pytest will not understand; nothing was sent.
        """
        selecting.validate(self.config)
        if self.config.option.collectonly:
            self.config.pluginmanager.register(Listing(), "pact_listing")
            return
        rig = self.controller.open(self.person)
        baseline = self.controller.known.baseline
        checks = Checks(self.config, rig, self.controller.collected, "alone", baseline)
        self.config.pluginmanager.register(checks, "pact_checks")


class Listing:
    """Under `--collect-only` checks are read and selectable, and nothing is sent."""

    def pytest_itemcollected(self, item: pytest.Item) -> None:
        """Read what the check cites."""
        list(cite([item]))
