"""The files of this checkout, as the tests of its shape look at them."""

from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[2]
PACKAGE = CHECKOUT / "pact_conformance"
SUITES = CHECKOUT / "suites"


def modules(*folders: Path) -> list[Path]:
    """Every Python file of these folders, by name."""
    return sorted(path for folder in folders for path in folder.rglob("*.py"))


def named(path: Path) -> str:
    """A path as people write it: from the checkout on."""
    return path.relative_to(CHECKOUT).as_posix()


def text(name: str) -> str:
    """What a file of the checkout says."""
    return (CHECKOUT / name).read_text(encoding="utf-8")
