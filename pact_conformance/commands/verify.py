"""`verify`: a vendor's signed bundle, examined by whoever it is shown to."""

import sys
from collections.abc import Iterable
from pathlib import Path

import click

from pact_conformance.commands.usage import BadUsage


@click.command()
@click.argument("bundle", type=click.Path(path_type=Path))
@click.option(
    "--key", help="the vendor's key as you know it: its thumbprint, or a file with its JWK"
)
def verify(bundle: Path, key: str | None) -> None:
    """Examine a BUNDLE of `certify`, or the folder that it was unpacked into, without a network.

    The signature, every digest, that each required check is there with its verdict, that verdicts
    follow from the checks and from the journal, that nothing was added or left out.

    Exit code 0: verified; 1: not, a line for each reason; 4: there is no bundle, or this edition of
    the suite cannot judge it.
    """
    # What `run` need not load.
    from pact_conformance.commands.edition import edition  # noqa: PLC0415
    from pact_conformance.report.certificate import keys, packing, verifying  # noqa: PLC0415

    if not bundle.exists():
        raise BadUsage(f"there is no {bundle}")
    try:
        expected = keys.expected(key) if key is not None else ""
        files = packing.unpack(bundle)
    except keys.BadKey as error:
        raise BadUsage(f"--key: {error}") from None
    except packing.BadBundle as error:
        _say("not verified", [str(error)])
        sys.exit(1)
    found = verifying.verify(files, edition(), expected=expected)
    if found.problems:
        _say("not verified", found.problems)
        sys.exit(1)
    if found.foreign:
        raise BadUsage(f"it is signed and whole, but cannot be judged here: {found.foreign}")
    assert found.statement is not None
    whose = (
        "as expected"
        if expected
        else f"compare it with what {found.statement['vendor']} publishes, or give that by --key"
    )
    _say("verified", [found.statement["claim"]])
    _say("signed", [f"by the key {found.signer}: {whose}"])


def _say(head: str, lines: Iterable[str]) -> None:
    from pact_conformance.report.text import harmless  # noqa: PLC0415 - what `run` need not load

    for line in lines:
        click.echo(f"{head}: {harmless(line)}")
