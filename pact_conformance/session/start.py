"""Starting a process of a run: a worker with what it was handed, or the one that controls."""

import gc
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from pact_conformance.rig import Rig
from pact_conformance.session.checks_plugin import Checks, Part
from pact_conformance.session.collection import declare_markers
from pact_conformance.session.folder import JOURNAL
from pact_conformance.session.workers import handed

# So many objects have to come before garbage is looked for; by default it is 700.
_FEWER_SEARCHES = 10_000


def configure(config: pytest.Config, options: Mapping[str, Any]) -> None:
    """Register what this process needs.

    Raises:
        pytest.UsageError: bad settings, in one line.
    """
    # Garbage in cycles is rare here, and each search for it looks through what imports have made.
    gc.set_threshold(_FEWER_SEARCHES)
    declare_markers(config)
    # Nothing of allure-pytest's own: session.allure tells why, and what takes its place.
    config.pluginmanager.set_blocked("allure_listener")
    given = handed(config)
    if given is not None:
        journal = Path(given.folder) / JOURNAL
        rig = Rig(given.settings, given.plan, journal, worker=given.worker, shared=True)
        part: Part = "replacing" if given.replaces else "sharing"
        checks = Checks(config, rig, given.tell, part, given.baseline)
        config.pluginmanager.register(checks, "pact_checks")
        given.tell_waits()
        return
    # Not a worker's cost: the counterparts with all their flaws, and the report.
    from pact_conformance.session.beginning import begin  # noqa: PLC0415

    begin(config, options)


def warm_up() -> None:
    """Load and compile what every run uses, for processes that fork off runs."""
    for late in ("report.html", "session.beginning", "counterpart.provider.stage.serving"):
        import_module(f"pact_conformance.{late}")
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
