"""Finds the data that stands beside the code: suites, schemas and fixtures.

A checkout and an editable install keep them next to the package; the wheel carries them inside it.
"""

from functools import cache
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


@cache
def folder(name: str) -> Path:
    """Return the folder `name`: `suites`, `schemas` or `fixtures`.

    Raises:
        FileNotFoundError: the installation is incomplete; the message says where we looked.
    """
    carried = _PACKAGE / "suites" if name == "suites" else _PACKAGE / "assets" / name
    beside = _PACKAGE.parent / name
    for candidate in (carried, beside):
        if candidate.is_dir():
            return candidate
    raise FileNotFoundError(
        f"pact-conformance is installed without its {name}: neither {carried} nor {beside} exists; "
        "install it again"
    )
