"""The pytest plugin: its options, and the start of a run when pytest is pointed at the suites.

It is loaded in every pytest run of the environment, so it imports nothing heavy until it is meant.
"""

from typing import Any

import pytest

from pact_conformance.options import TABLE, Option


def pytest_addoption(parser: pytest.Parser) -> None:
    """Offer every setting as an option but the secret ones, which no process list should show."""
    group = parser.getgroup("pact", "PACT 1.0 conformance (pact-conformance)")
    group.addoption("--pact-config", metavar="FILE", help="settings (pact-conformance.toml)")
    for option in TABLE:
        if not option.secret:
            group.addoption(option.flag, dest=_dest(option.key), default=None, **_form(option))


def _form(option: Option) -> dict[str, Any]:
    words = option.words + (f" [{option.environment}]" if option.environment else "")
    if option.kind == "flag":
        return {"action": "store_true", "help": words}
    return {"metavar": option.kind.upper(), "help": words}


def _dest(key: str) -> str:
    return f"pact_{key}"


def pytest_configure(config: pytest.Config) -> None:
    """Open the run if the suites are targeted: in the controller, or in a worker that it started.

    Raises:
        pytest.UsageError: bad settings, in one line; nothing was sent.
    """
    from pact_conformance.session.targeting import targets_suites  # noqa: PLC0415 - not others' cost

    if config.option.help or config.option.version or not targets_suites(config):
        return
    _refuse_lost_configuration(config)
    from pact_conformance.session import start  # noqa: PLC0415 - likewise

    options = {option.key: getattr(config.option, _dest(option.key), None) for option in TABLE}
    start.configure(config, options)


def _refuse_lost_configuration(config: pytest.Config) -> None:
    """Say so when pytest took the value of one of our options for a path to collect.

    It looks for its configuration before it knows the options of plugins, and finds none, or
    somebody else's, where `--pact-report DIR` names a folder elsewhere; everything below would be
    collected then.

    Raises:
        pytest.UsageError: that is the case.
    """
    given = config.invocation_params.args
    separate = [it for it in given if it.startswith("--pact-") and "=" not in it]
    found = config.inipath is not None and (
        config.option.inifilename is not None
        or config.invocation_params.dir.is_relative_to(config.inipath.parent)
    )
    if not found and config.args_source.name != "ARGS" and separate:
        raise pytest.UsageError(
            f"pytest lost its configuration: join {separate[0]} and its value with ="
        )
