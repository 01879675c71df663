"""The command line: `pact-conformance`."""

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from pact_conformance.assets import folder
from pact_conformance.commands.certify import certify
from pact_conformance.commands.compare import compare
from pact_conformance.commands.history import history
from pact_conformance.commands.keep import keep
from pact_conformance.commands.usage import BadUsage
from pact_conformance.commands.verify import verify
from pact_conformance.matrix.command import matrix
from pact_conformance.options import BY_KEY, TABLE


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="pact-conformance")
def main() -> None:
    """Decide whether a Provider or a personal agent conforms to PACT 1.0."""


main.add_command(matrix)


@main.command(
    context_settings={"ignore_unknown_options": True, "allow_extra_args": True},
    short_help="Run the suite.",
)
@click.argument("pytest_arguments", nargs=-1, type=click.UNPROCESSED)
def run(pytest_arguments: tuple[str, ...]) -> None:
    """Run the suite; without a subject, against both built-in counterparts.

    Takes every setting as an option, for instance --provider URL, --profile identity or --report
    DIR, and hands everything else to pytest: -k, -m, -n, --junitxml …

    Exit code 0: nothing failed; 1: a requirement failed or is inconclusive; 2: interrupted; 3: a
    fault of the suite; 4: a bad setting, nothing was sent; 5: nothing was selected.
    """
    # -P: nothing in the working folder takes the place of a module.
    command = [sys.executable, "-P", "-m", "pytest", *run_arguments(pytest_arguments)]
    environment = {key: value for key, value in os.environ.items() if key not in _PYTESTS}
    os.execve(sys.executable, command, environment)  # noqa: S606 - our own interpreter, no shell


# What a user's shell may tell pytest about other tests than these.
_PYTESTS = frozenset({"PYTEST_ADDOPTS", "PYTEST_PLUGINS", "PYTEST_DISABLE_PLUGIN_AUTOLOAD"})


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
@click.option("--force", is_flag=True, help="replace a file that is there")
@click.argument("path", type=click.Path(path_type=Path), default="pact-conformance.toml")
def init(path: Path, *, force: bool) -> None:
    """Write a settings file with every key explained and none set."""
    from pact_conformance import settings_file  # noqa: PLC0415 - what `run` need not load

    try:
        settings_file.write(path, force=force)
    except FileExistsError:
        raise _bad(f"{path} is there already; --force replaces it") from None
    except OSError as error:
        raise _bad(f"cannot write {path}: {error.strerror}") from None
    click.echo(
        f"wrote {path}; set what differs, then `pact-conformance doctor` says what is missing"
    )


def _takes_settings(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command every setting as an option, but the secret ones."""
    for option in reversed(TABLE):
        if option.secret:
            continue
        words = option.words + (f" [{option.environment}]" if option.environment else "")
        flag: dict[str, Any] = {"is_flag": True, "default": None} if option.kind == "flag" else {}
        spelt = (option.flag.replace("--pact-", "--"), option.flag)
        command = click.option(*spelt, option.key, help=words, **flag)(command)
    spelt = ("--config", "--pact-config")
    kind = click.Path(path_type=Path)
    return click.option(*spelt, "config", type=kind, help="settings")(command)


@main.command()
@click.option("--sign-in", is_flag=True, help="have the User sign in and approve a scope, once")
@_takes_settings
def doctor(
    sign_in: bool,  # noqa: FBT001 - as click gives it
    config: Path | None,
    **options: Any,  # noqa: ANN401 - as the shell gives them
) -> None:
    """Try each part of the settings, sending no turn, and say what a run will cost.

    Nobody signs in, unless --sign-in asks for it.

    Exit code 0: ready; 1: something that is set does not work; 4: bad settings.
    """
    import pytest  # noqa: PLC0415 - what the other commands need not load

    from pact_conformance import doctor as doctoring  # noqa: PLC0415 - likewise
    from pact_conformance.settings import BadSetting, load  # noqa: PLC0415 - likewise

    given = _given(options)
    flags = ["" if value is True else f"={value}" for value in given.values()]
    arguments = [BY_KEY[key].flag + value for key, value in zip(given, flags, strict=True)]
    arguments += [] if config is None else [f"--pact-config={config}"]
    try:
        settings = load(given, file=config)
        arguments = run_arguments(arguments)
        examination = doctoring.examine(settings, arguments, signs_in=sign_in)
    except (BadSetting, pytest.UsageError) as error:
        raise _bad(str(error)) from None
    for line in examination.told():
        click.echo(line)
    sys.exit(0 if examination.ready else 1)


def _given(options: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in options.items() if value is not None}


@main.command()
@_takes_settings
@click.option("--sub", metavar="SUB", help="the User to speak for; by default one made up")
@click.option("--alg", type=click.Choice(["ES256", "RS256"]), help="by default that of the key")
def token(
    config: Path | None,
    sub: str | None,
    alg: str | None,
    **options: Any,  # noqa: ANN401 - as the shell gives them
) -> None:
    """Print a fresh personal-agent JWT (§3.2) and nothing else; it is good for two minutes.

    With --example, the forged token that an example of the fuzzing is.

    It is for the curl lines of a report: export PA_JWT=$(pact-conformance token)
    """
    from pact_conformance.commands import signing  # noqa: PLC0415 - what `run` need not load
    from pact_conformance.settings import BadSetting, load  # noqa: PLC0415 - likewise

    try:
        click.echo(signing.token(load(_given(options), file=config), sub=sub, alg=alg).text)
    except (BadSetting, signing.CannotSign) as error:
        raise _bad(str(error)) from None


@main.command()
@click.argument("requirement_id", metavar="[ID|SECTION]", required=False)
def requirements(requirement_id: str | None) -> None:
    """List what PACT requires; with an id, explain one statement.

    A section, or how several ids begin, lists those. `hardening` lists advice, which is none.
    """
    from pact_conformance import catalogue  # noqa: PLC0415 - what `run` need not load
    from pact_conformance.commands import advising  # noqa: PLC0415 - likewise

    if requirement_id is not None and requirement_id.startswith(advising.BEGINS):
        try:
            click.echo(advising.told(requirement_id))
        except LookupError as error:
            raise _bad(str(error)) from None
        return
    rows = catalogue.load()
    if requirement_id is None:
        click.echo_via_pager(catalogue.listing(rows.requirements.values()))
        return
    several = rows.beginning(requirement_id)
    if several and requirement_id not in rows.requirements:
        click.echo(catalogue.listing(several))
        return
    try:
        click.echo(catalogue.explanation(rows[requirement_id]))
    except catalogue.UnknownRequirement as error:
        raise _bad(str(error)) from None


# Of a flaw that breaks most of PACT.
_IDS_SHOWN = 6


@main.command()
@click.option("--variants", "legal", is_flag=True, help="the legal but unusual ways instead")
@click.option("--role", type=click.Choice(["provider", "personal-agent"]), help="those of one mock")
@click.argument("section", required=False)
def flaws(section: str | None, *, legal: bool, role: str | None) -> None:
    """List how a mock can break PACT, one rule at a time (--mock-flaws, --agent-flaws).

    First the mock Provider, then the mock personal agent: each with the requirements that it
    breaks, or that may warn of a variant. With SECTION, or how the ids of requirements begin, those
    that concern it. `hardening` lists those that break nothing and leave advice, `fuzzing` those
    that no check names and examples find (--fuzz).
    """
    from pact_conformance import catalogue  # noqa: PLC0415 - what `run` need not load
    from pact_conformance.counterpart import (  # noqa: PLC0415 - likewise
        advice_flaws,
        subtle_flaws,
        variants,
    )
    from pact_conformance.counterpart import flaws as all_flaws  # noqa: PLC0415 - likewise

    entered = variants.ALL.values() if legal else all_flaws.ALL.values()
    advises = section is not None and section.startswith("hardening")
    if advises and not legal:
        entered = advice_flaws.ALL.values()
    if section == "fuzzing" and not legal:
        entered, section = subtle_flaws.ALL.values(), None
    rows = [
        (it.name, it.breaks if isinstance(it, all_flaws.Flaw) else it.warns, it.description)
        for it in entered
        if role in {None, it.role}
    ]
    if section is not None:
        meant = {row.id for row in catalogue.load().beginning(section)}
        rows = [
            row
            for row in rows
            if row[1] & meant or (advises and any(it.startswith(section) for it in row[1]))
        ]
    if not rows:
        raise _bad(f"there is no {'variant' if legal else 'flaw'} that concerns {section}")
    for name, concerned, sentence in rows:
        shown = sorted(concerned)[:_IDS_SHOWN]
        shown += [f"and {len(concerned) - _IDS_SHOWN} more"] if concerned - set(shown) else []
        ids = f"  [{', '.join(shown)}]" if shown else ""
        click.echo(f"{name}{ids}\n    {' '.join(sentence.split())}")


@main.command()
@click.argument("path", type=click.Path(path_type=Path), default="reports")
@click.option(
    "--as",
    "form",
    default="markdown",
    show_default=True,
    metavar="FORM",
    help="markdown, html, junit, allure, annotations (GitHub's) or badges (SVG and shields.io)",
)
@click.option(
    "--output",
    type=click.Path(path_type=Path),
    help="the file, or for allure and badges the folder; by default html, allure and badges go "
    "beside the report, and the others to the standard output",
)
def report(path: Path, *, form: str, output: Path | None) -> None:
    """Make a summary, a page or files for other programs of a report.json.

    PATH is a report.json or its folder. Nothing is sent anywhere, and no verdict changes.
    """
    from pact_conformance.report import formats, load  # noqa: PLC0415 - what `run` need not load

    if form not in formats.FORMATS:
        raise _bad(f"--as {form}: there are {', '.join(formats.FORMATS)}")
    folder = path if path.is_dir() else path.parent
    try:
        click.echo(formats.write(load.read(path), folder, form, output), nl=False)
    except load.ReportUnreadable as error:
        raise _bad(str(error)) from None
    except OSError as error:
        raise _bad(f"cannot write {output or folder}: {error.strerror or error}") from None


def _bad(message: str) -> click.ClickException:
    """Return an error of the tester's: one line, exit code 4."""
    return BadUsage(message)


for each in (compare, history, certify, verify, keep):
    main.add_command(each)


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
@click.option(
    "--scope",
    "scopes",
    multiple=True,
    metavar="ID=DESCRIPTION",
    help="what its Brands' agents may do on an account, in place of the built-in scopes",
)
@click.option(
    "--account",
    "accounts",
    multiple=True,
    metavar="NAME:PASSWORD:USER",
    help="who signs in at its Brands, and as which user, in place of the built-in accounts",
)
@click.option("--flaw", "flaws", multiple=True, metavar="NAME", help="a deliberate deviation")
@click.option("--variant", "variants", multiple=True, metavar="NAME", help="a legal variant")
def serve_provider(
    *,
    listen: str,
    public_url: str | None,
    registrations: tuple[str, ...],
    scopes: tuple[str, ...],
    accounts: tuple[str, ...],
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
            scopes=scopes,
            accounts=accounts,
            flaws=flaws,
            variants=variants,
        )
    except OSError as error:
        raise _bad(f"cannot listen on {listen}: {error.strerror or error}") from None
    except (ValueError, KeyError) as error:
        raise _bad(str(error.args[0])) from None


@serve.command("agent")
@click.option("--listen", default="127.0.0.1:8760", show_default=True, metavar="HOST:PORT")
@click.option("--public-url", metavar="URL", help="how a Provider reaches it, behind a tunnel")
@click.option("--issuer", metavar="URL", help="by default where it serves its keys")
@click.option("--alg", type=click.Choice(["ES256", "RS256"]), default="ES256", show_default=True)
@click.option(
    "--ca-file", type=click.Path(path_type=Path, exists=True), help="certificates to trust besides"
)
@click.option("--flaw", "flaws", multiple=True, metavar="NAME", help="a deliberate deviation")
@click.option("--variant", "variants", multiple=True, metavar="NAME", help="a legal variant")
def serve_agent(*, listen: str, **options: Any) -> None:  # noqa: ANN401 - as the shell gives them
    """Serve the mock personal agent, which says to your Provider what it is told to."""
    from pact_conformance import serving  # noqa: PLC0415 - what `run` need not load

    try:
        serving.agent(listen=listen, **options)
    except OSError as error:
        raise _bad(f"cannot listen on {listen}: {error.strerror or error}") from None
    except (ValueError, KeyError) as error:
        raise _bad(str(error.args[0])) from None
