"""Starting a run: settings first, so that a bad one costs nothing, then the parts of the plugin."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from pact_conformance.rig import Rig
from pact_conformance.session.checks_plugin import Checks, Part
from pact_conformance.session.collection import declare_markers
from pact_conformance.session.controller import Controller
from pact_conformance.session.folder import JOURNAL
from pact_conformance.session.workers import handed
from pact_conformance.settings import BadSetting, load


def configure(config: pytest.Config, options: Mapping[str, Any]) -> None:
    """Register what this process needs.

    Raises:
        pytest.UsageError: bad settings, in one line.
    """
    declare_markers(config)
    given = handed(config)
    if given is not None:
        journal = Path(given.folder) / JOURNAL
        rig = Rig(given.settings, given.plan, journal, worker=given.worker, shared=True)
        part: Part = "replacing" if given.replaces else "sharing"
        config.pluginmanager.register(Checks(config, rig, given.tell, part), "pact_checks")
        return
    file = config.getoption("--pact-config")
    try:
        settings = load(options, file=None if file is None else Path(file))
    except BadSetting as error:
        raise pytest.UsageError(str(error)) from None
    if settings.provider is None and settings.agent is not None:
        raise pytest.UsageError(
            "E2E_AGENT is set and E2E_PROVIDER is not, but this version has no checks of personal "
            "agents yet: set E2E_PROVIDER"
        )
    controller = Controller(config, settings)
    config.pluginmanager.register(Opening(config, controller), "pact_opening")
    config.pluginmanager.register(controller, "pact_controller")


def warm_up() -> None:
    """Load and compile what every run uses, for processes that fork off runs."""
    from pact_conformance.catalogue import load as load_catalogue  # noqa: PLC0415 - one use
    from pact_conformance.session.embedded import Embedded  # noqa: PLC0415 - one use
    from pact_conformance.tokens import forgeries  # noqa: PLC0415 - one use
    from pact_conformance.tokens.caller import Caller  # noqa: PLC0415 - one use
    from pact_conformance.tokens.keys import keys_from_json  # noqa: PLC0415 - one use

    load_catalogue()
    embedded = Embedded()
    for name in ("primary", "other", "disabled"):
        keys_from_json(embedded.registration(name).keys)
    primary = embedded.registration("primary")
    caller = Caller(primary.issuer, primary.audience, keys_from_json(primary.keys))
    for forgery in forgeries.load():
        if not forgery.lacks(caller):
            forgeries.forge(forgery, caller)


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
        checks = Checks(self.config, rig, self.controller.collected, "alone")
        self.config.pluginmanager.register(checks, "pact_checks")


class Listing:
    """Under `--collect-only` checks are read and selectable, and nothing is sent."""

    def pytest_itemcollected(self, item: pytest.Item) -> None:
        """Read what the check cites."""
        from pact_conformance.session.collection import cite  # noqa: PLC0415 - one use

        list(cite([item]))
