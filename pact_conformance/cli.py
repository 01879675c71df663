"""The command line: `pact-conformance`."""

import os
import sys
from collections.abc import Sequence

import click

from pact_conformance.assets import folder
from pact_conformance.options import TABLE


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="pact-conformance")
def main() -> None:
    """Decide whether a Provider or a personal agent conforms to PACT 1.0."""


@main.command(
    context_settings={"ignore_unknown_options": True, "allow_extra_args": True},
    short_help="Run the suite.",
)
@click.argument("pytest_arguments", nargs=-1, type=click.UNPROCESSED)
def run(pytest_arguments: tuple[str, ...]) -> None:
    """Run the suite; without a subject, against the built-in mock Provider.

    Takes every setting as an option, for instance --provider URL, --profile identity or --report
    DIR, and hands everything else to pytest: -k, -m, -n, --junitxml …
    """
    command = [sys.executable, "-m", "pytest", *run_arguments(pytest_arguments)]
    environment = {key: value for key, value in os.environ.items() if key != "PYTEST_ADDOPTS"}
    os.execve(sys.executable, command, environment)  # noqa: S606 - our own interpreter, no shell


def run_arguments(given: Sequence[str]) -> list[str]:
    """Return pytest's arguments for a run that the user's own pytest settings do not touch.

    `--provider` and its like become `--pact-provider`; the suites' own configuration file takes the
    place of the user's, and no conftest outside of the suites is read.
    """
    suites = folder("suites")
    flags = {option.flag.replace("--pact-", "--"): option.flag for option in TABLE}
    flags["--config"] = "--pact-config"
    translated = []
    for argument in given:
        name, equals, value = argument.partition("=")
        translated.append(flags.get(name, name) + equals + value)
    return [
        f"--config-file={suites / 'run.ini'}",
        f"--confcutdir={suites}",
        f"--rootdir={suites}",
        "-p",
        "no:cacheprovider",
        str(suites),
        *translated,
    ]


@main.command()
@click.argument("requirement_id", required=False)
def requirements(requirement_id: str | None) -> None:
    """List what PACT requires; with an id, explain one statement."""
    from pact_conformance import catalogue  # noqa: PLC0415 - what `run` need not load

    rows = catalogue.load()
    if requirement_id is None:
        click.echo_via_pager(catalogue.listing(rows.requirements.values()))
        return
    try:
        click.echo(catalogue.explanation(rows[requirement_id]))
    except catalogue.UnknownRequirement as error:
        raise _bad(str(error)) from None


def _bad(message: str) -> click.ClickException:
    """Return an error of the tester's: one line, exit code 4."""
    return BadUsage(message)


class BadUsage(click.ClickException):
    """Something the tester can correct."""

    exit_code = 4


@main.group()
def serve() -> None:
    """Serve a built-in counterpart to develop against."""


@serve.command("provider")
@click.option("--listen", default="127.0.0.1:8750", show_default=True, metavar="HOST:PORT")
@click.option("--public-url", metavar="URL", help="how others reach it, behind a tunnel or proxy")
@click.option(
    "--register",
    "registrations",
    multiple=True,
    metavar="ISSUER=JWKS_URI",
    help="a personal agent of your own that it should know; may be given several times",
)
@click.option("--flaw", "flaws", multiple=True, metavar="NAME", help="a deliberate deviation")
@click.option("--variant", "variants", multiple=True, metavar="NAME", help="a legal variant")
def serve_provider(
    listen: str,
    public_url: str | None,
    registrations: tuple[str, ...],
    flaws: tuple[str, ...],
    variants: tuple[str, ...],
) -> None:
    """Serve the mock Provider and say how to point the suite or a personal agent at it."""
    from pact_conformance import serving  # noqa: PLC0415 - what `run` need not load

    try:
        serving.provider(
            listen=listen,
            public_url=public_url,
            registrations=registrations,
            flaws=flaws,
            variants=variants,
        )
    except (ValueError, KeyError, OSError) as error:
        raise _bad(str(error)) from None
