"""`certify`: a vendor's signed bundle, made of the report of a run."""

import json
import os
import sys
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pact_conformance.commands.usage import BadUsage

if TYPE_CHECKING:
    from pact_conformance.report.certificate.keys import Vendor

_DETAILS: Mapping[str, str] = {
    "vendor": "who certifies",
    "product": "what is certified",
    "version": "its version",
    "website": "where the vendor is found, an http(s) URL",
    "contact": "whom to ask, for instance an address",
}


def _takes_details(command: Callable[..., None]) -> Callable[..., None]:
    for name, words in reversed(list(_DETAILS.items())):
        command = click.option(f"--{name}", metavar="TEXT", help=words)(command)
    return command


@click.command()
@click.argument("report", type=click.Path(path_type=Path), default="reports")
@_takes_details
@click.option(
    "--profile",
    type=click.Choice(["identity", "delegated", "agent-identity", "agent-delegated"]),
    help="what is certified, as the report calls it",
)
@click.option("--key", type=click.Path(path_type=Path), help="the vendor's private key, a JWK")
@click.option("--new-key", is_flag=True, help="make that key, if there is none yet")
@click.option("--output", type=click.Path(path_type=Path), help="the bundle to write, a .zip")
@click.option("--force", is_flag=True, help="replace a bundle that is there")
def certify(
    report: Path,
    profile: str | None,
    key: Path | None,
    output: Path | None,
    *,
    new_key: bool,
    force: bool,
    **details: str | None,
) -> None:
    """Write a signed bundle that others can verify, from the REPORT of a run.

    REPORT is a report.json or its folder; its journal lies beside it. It has to be of a whole run
    that found the profile conformant. Nothing secret goes into the bundle, and the private key
    stays where it is.

    Exit code 0: the bundle is written; 1: the report does not allow it, a line for each reason; 4:
    a detail, the key or the report is missing.
    """
    # What `run` need not load.
    from pact_conformance.commands.edition import edition  # noqa: PLC0415
    from pact_conformance.report.certificate import keys, making, statement  # noqa: PLC0415
    from pact_conformance.report.load import ReportUnreadable  # noqa: PLC0415

    given = {**details, "profile": profile, "key": key}
    lacking = [f"--{name}" for name, value in given.items() if value is None]
    if lacking or profile is None or key is None:
        raise BadUsage(f"certify takes {', '.join(lacking)} as well; --help explains each")
    try:
        who = statement.Details(**{name: str(details[name]) for name in _DETAILS})
        vendor = _key(key, make=new_key)
        files = making.certify(report, profile, who, vendor, edition(), certified=_now())
    except making.Refused as error:
        _refuse(error.reasons)
    except (ReportUnreadable, statement.BadDetail, keys.BadKey) as error:
        raise BadUsage(str(error)) from None
    except OSError as error:
        raise BadUsage(f"{error.filename} cannot be read: {error.strerror}") from None
    _bundle(files, output, keys.thumbprint(vendor.public), force=force)


def _bundle(files: Mapping[str, bytes], output: Path | None, signer: str, *, force: bool) -> None:
    # What `run` need not load.
    from pact_conformance.report.certificate import making, packing, statement  # noqa: PLC0415

    stated = json.loads(files[making.STATEMENT])
    path = output or Path(statement.file_name(stated))
    _write(path, packing.pack(files), force=force)
    click.echo(stated["claim"])
    click.echo(f"\nwrote {path}, signed by the key {signer}")
    click.echo(f"verify it with: pact-conformance verify {path}")


def _key(path: Path, *, make: bool) -> "Vendor":
    from pact_conformance.report.certificate import keys  # noqa: PLC0415 - what `run` need not load

    if make and not path.exists():
        public = keys.make(path)
        click.echo(f"made a key: keep {path} to yourself, and publish {public}")
    vendor = keys.load(path)
    if os.name == "posix" and path.stat().st_mode & 0o077:
        click.echo(f"others can read {path}: chmod 600 {path}", err=True)
    return vendor


def _now() -> str:
    """Return the time; SOURCE_DATE_EPOCH sets it, for those who want the same bytes again."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH", "")
    now = datetime.fromtimestamp(int(epoch), UTC) if epoch.isdecimal() else datetime.now(UTC)
    return now.isoformat(timespec="milliseconds")


def _refuse(reasons: tuple[str, ...]) -> None:
    from pact_conformance.report.text import harmless  # noqa: PLC0415 - what `run` need not load

    for reason in reasons:
        click.echo(f"not certified: {harmless(reason)}")
    sys.exit(1)


def _write(path: Path, data: bytes, *, force: bool) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("wb" if force else "xb") as file:
            file.write(data)
    except FileExistsError:
        raise BadUsage(f"{path} is there already; --force replaces it") from None
    except OSError as error:
        raise BadUsage(f"{path} cannot be written: {error.strerror or error}") from None
