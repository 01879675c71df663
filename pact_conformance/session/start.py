"""Starting a run: settings first, so that a bad one costs nothing, then the parts of the plugin."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from pact_conformance.rig import Rig
from pact_conformance.session.checks_plugin import Checks
from pact_conformance.session.collection import declare_markers
from pact_conformance.session.controller import Controller
from pact_conformance.session.embedded import supplied
from pact_conformance.session.opening import JOURNAL
from pact_conformance.settings import BadSetting, Settings, load
from pact_conformance.subject.plan import Plan


def configure(config: pytest.Config, options: Mapping[str, Any]) -> None:
    """Register what this process needs.

    Raises:
        pytest.UsageError: bad settings, in one line.
    """
    declare_markers(config)
    file = config.getoption("--pact-config")
    try:
        settings = load(options, file=None if file is None else Path(file))
    except BadSetting as error:
        raise pytest.UsageError(str(error)) from None
    worker = getattr(config, "workerinput", None)
    if worker is not None:
        rig = _rig_of_worker(settings, worker, config.invocation_params.dir)
        config.pluginmanager.register(Checks(config, rig), "pact_checks")
        return
    controller = Controller(config, settings)
    config.pluginmanager.register(Opening(config, controller), "pact_opening")
    config.pluginmanager.register(controller, "pact_controller")


def warm_up() -> None:
    """Load and compile what every run uses, for processes that fork off runs."""
    from pact_conformance.catalogue import load as load_catalogue  # noqa: PLC0415 - one use
    from pact_conformance.tokens.forgeries import load as load_forgeries  # noqa: PLC0415 - one use

    load_catalogue()
    load_forgeries()


class Opening:
    """Opens the run when the session starts, before xdist starts its workers."""

    def __init__(self, config: pytest.Config, controller: Controller) -> None:
        self.config = config
        self.controller = controller

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionstart(self) -> None:
        """Start the counterparts and look at the subject, unless only a listing is wanted."""
        if self.config.option.collectonly:
            self.config.pluginmanager.register(Listing(), "pact_listing")
            return
        rig = self.controller.open()
        self.config.pluginmanager.register(Checks(self.config, rig), "pact_checks")


class Listing:
    """Under `--collect-only` checks are read and selectable, and nothing is sent."""

    def pytest_itemcollected(self, item: pytest.Item) -> None:
        """Read what the check cites."""
        from pact_conformance.session.collection import cite  # noqa: PLC0415 - one use

        list(cite([item]))


def _rig_of_worker(settings: Settings, worker: Mapping[str, Any], folder: Path) -> Rig:
    plan = Plan.from_text(worker["pact_plan"])
    journal = Path(worker.get("pact_reports", folder / settings.report)) / JOURNAL
    return Rig(supplied(settings, plan.settings), plan, journal, worker=str(worker["workerid"]))
