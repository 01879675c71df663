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
from pact_conformance.session.display import Display
from pact_conformance.session.failures import Failures
from pact_conformance.session.folder import JOURNAL
from pact_conformance.session.known_failures import known_failures
from pact_conformance.session.summing_up import SummingUp
from pact_conformance.session.telling import Telling, writer
from pact_conformance.session.terminal import Terminal, screen_of
from pact_conformance.session.writing import Lines
from pact_conformance.settings import BadSetting, load
from pact_conformance.subject.approver.manual import Person

# What a run registers before it is opened, each under its name.
REGISTERED = (
    "pact_opening",
    "pact_controller",
    "pact_summing_up",
    "pact_telling",
    "pact_failures",
)


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
    for part, name in zip(_parts(config, controller, person), REGISTERED, strict=True):
        config.pluginmanager.register(part, name)
    if getattr(config.option, "allure_report_dir", None):
        from pact_conformance.session.allure import Results  # noqa: PLC0415 - needs Allure

        results = Results(controller.record.rows, controller.folder / JOURNAL)
        config.pluginmanager.register(results, "pact_allure")


def _parts(
    config: pytest.Config, controller: Controller, person: Terminal | None
) -> tuple[object, ...]:
    """Return what is registered, in the order of its names."""
    screen = screen_of(config)
    display = Display(screen, is_busy=lambda: person is not None and person.asking)
    controller.elsewhere = None if screen is None else display.state.elsewhere
    lines = Lines(writer(config))
    failures = Failures(config, lines)
    named = controller.settings.summary
    summary = None if named is None else config.invocation_params.dir / named
    return (
        Opening(config, controller, display, person),
        controller,
        SummingUp(lambda: controller.built, controller.folder, summary),
        Telling(config, controller, display, failures, lines),
        failures,
    )


class Opening:
    """Opens the run when the session starts, before xdist starts its workers."""

    def __init__(
        self,
        config: pytest.Config,
        controller: Controller,
        display: Display,
        person: Person | None = None,
    ) -> None:
        self.config = config
        self.controller = controller
        self.display = display
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
        self.display.state.section = "looking at what is under test"
        self.display.open()
        try:
            rig = self.controller.open(self.person)
        finally:
            self.display.close()
        baseline = self.controller.known.baseline
        checks = Checks(self.config, rig, self.controller.collected, "alone", baseline)
        self.config.pluginmanager.register(checks, "pact_checks")


class Listing:
    """Under `--collect-only` checks are read and selectable, and nothing is sent."""

    def pytest_itemcollected(self, item: pytest.Item) -> None:
        """Read what the check cites."""
        list(cite([item]))
