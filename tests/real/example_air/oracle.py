"""The verdicts that a fair suite reaches on Example Air, found by hand (`expected*.toml`)."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

IDENTITY = Path(__file__).with_name("expected.toml")
DELEGATED = Path(__file__).with_name("expected_delegated.toml")
VERDICTS = ("passed", "failed", "warned", "untested", "not applicable", "not observable")


@dataclass(frozen=True)
class Expected:
    """One line of the oracle.

    `deviating` tells in words which cases deviate, `doubt` where another verdict can be defended.
    """

    id: str
    verdict: str
    why: str
    deviating: tuple[str, ...] = field(default=())
    doubt: str = ""


def expectations(path: Path = IDENTITY) -> Mapping[str, Expected]:
    """Read the oracle of one profile.

    Raises:
        ValueError: an id stands twice, or a verdict is none.
    """
    found: dict[str, Expected] = {}
    for row in tomllib.loads(path.read_text(encoding="utf-8"))["requirement"]:
        line = Expected(**{**row, "deviating": tuple(row.get("deviating", ()))})
        if line.id in found:
            raise ValueError(f"{path.name} holds {line.id} twice")
        if line.verdict not in VERDICTS:
            raise ValueError(f"{path.name}: {line.id} has the verdict {line.verdict!r}")
        found[line.id] = line
    return found
