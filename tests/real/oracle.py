"""The verdicts that a fair suite reaches on a subject, found by hand, and a report beside them."""

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
VERDICTS = ("passed", "failed", "warned", "untested", "not applicable", "not observable")
UNDECIDED = {"untested", "not observable"}


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


@dataclass(frozen=True)
class Oracle:
    """What is expected of a subject, in the files `expected*.toml` of its folder."""

    role: str
    folder: str

    def of(self, profile: str) -> Mapping[str, Expected]:
        """The lines for what a profile has beside the others."""
        name = "expected.toml" if profile == "identity" else f"expected_{profile}.toml"
        return expectations(HERE / self.folder / name)

    def differences(self, document: Mapping[str, Any]) -> list[str]:
        """Say how a report differs from it."""
        rows = {it["id"]: it for it in document["requirements"] if it["role"] == self.role}
        lines = {**self.of("identity"), **self.of("delegated")}
        ids = [*lines, *(id_ for id_ in rows if id_ not in lines)]
        return [said for id_ in ids if (said := _difference(rows.get(id_), lines.get(id_)))]


EXAMPLE_AIR = Oracle("provider", "example_air")
PACT_PERSONAL_AGENT = Oracle("personal-agent", "pact_personal_agent")


def expectations(path: Path) -> Mapping[str, Expected]:
    """Read one file.

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


def _difference(row: Mapping[str, Any] | None, line: Expected | None) -> str | None:
    if line is None:
        if row is None or row["verdict"] in UNDECIDED:
            return None
        told = "\n".join(_told(row))
        return f"{row['id']}: {row['verdict']}, but expected*.toml has no line\n{told}"
    got = "not in the report" if row is None else row["verdict"]
    if got == line.verdict:
        return None
    said = [f"{line.id}: expected {line.verdict}, got {got}", f"    why     {line.why.strip()}"]
    said += [f"    deviates {case}" for case in line.deviating]
    said += [f"    doubt   {line.doubt.strip()}"] if line.doubt else []
    return "\n".join([*said, *_told(row)])


def _told(row: Mapping[str, Any] | None) -> Iterator[str]:
    """Give what the report says of a requirement's checks, one line each."""
    if row is None:
        return
    if row.get("reason"):
        yield f"    report  {row['reason']}"
    for check in row["checks"]:
        name = f"{check['name']}[{check['case']}]" if check.get("case") else check["name"]
        told_by = f"{check.get('expected') or ''} / {check.get('got') or ''}"
        yield f"    check   {check['verdict']:9} {name}: {told_by}"
