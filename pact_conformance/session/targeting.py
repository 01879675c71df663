"""Whether a pytest run is one of ours: the plugin is idle in everybody else's."""

from pathlib import Path

import pytest

from pact_conformance.assets import folder

PACKAGE_SUITES = "pact_conformance.suites"


def targets_suites(config: pytest.Config) -> bool:
    """Say whether what pytest was pointed at holds the suites or lies in them.

    A folder above an installed copy (a project with its virtual environment in it) is not meant;
    one above a checkout's suites is.
    """
    try:
        suites = folder("suites")
    except FileNotFoundError:
        return False
    return any(_meets(config, argument, suites) for argument in config.args)


def _meets(config: pytest.Config, argument: str, suites: Path) -> bool:
    name = argument.partition("::")[0]
    if config.option.pyargs and name.startswith(PACKAGE_SUITES):
        return True
    path = (config.invocation_params.dir / name).resolve()
    if path.is_relative_to(suites):
        return True
    return suites.is_relative_to(path) and "site-packages" not in suites.parts
