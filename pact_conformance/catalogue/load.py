"""Reads the catalogue from its files, which lie beside this module."""

import json
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pact_conformance import assets
from pact_conformance.catalogue.catalogue import Catalogue
from pact_conformance.catalogue.requirement import Requirement

if TYPE_CHECKING:
    from jsonschema import Draft202012Validator

FOLDER = Path(__file__).parent / "requirements"
_ROLES = ("provider", "personal-agent")
_PROFILES = ("identity", "delegated")


class CatalogueError(ValueError):
    """A file of the catalogue is not what the schema asks for. It is our fault, not a subject's."""


@cache
def load() -> Catalogue:
    """Return the catalogue that comes with the package, whose files a test has judged."""
    return read(FOLDER, judged=True)


def read(folder: Path, *, judged: bool = False) -> Catalogue:
    """Read every file of `folder`, in the order of the specification.

    Args:
        folder: of the files.
        judged: they are known to be what the schema asks for.

    Raises:
        CatalogueError: a file breaks the schema, or an id stands twice or in a foreign section.
    """
    judge = None if judged else _validator()
    files = [(path.name, _parse(path, judge)) for path in sorted(folder.glob("*.toml"))]
    found: dict[str, Requirement] = {}
    for name, document in sorted(files, key=lambda file: _place(file[1])):
        for requirement in _rows(document):
            if requirement.id in found:
                raise CatalogueError(f"{name}: the id {requirement.id} stands twice")
            if requirement.id.partition("-")[0] != requirement.section:
                raise CatalogueError(
                    f"{name}: {requirement.id} does not belong to section {requirement.section}"
                )
            found[requirement.id] = requirement
    return Catalogue(found.values())


def _validator() -> "Draft202012Validator":
    from jsonschema import Draft202012Validator  # noqa: PLC0415 - not for what has been judged

    schema = assets.folder("schemas") / "catalogue.schema.json"
    return Draft202012Validator(json.loads(schema.read_text(encoding="utf-8")))


def _parse(path: Path, judge: "Draft202012Validator | None") -> dict[str, Any]:
    document = tomllib.loads(path.read_text(encoding="utf-8"))
    found = () if judge is None else judge.iter_errors(document)
    problems = sorted(f"{path.name}: {error.json_path}: {error.message}" for error in found)
    if problems:
        raise CatalogueError("\n".join(problems))
    return document


def _place(document: Mapping[str, Any]) -> tuple[list[int], int, int]:
    """Order by section, then the Provider's side first, then Identity before Delegated."""
    section = [int(number) for number in document["section"].split(".")]
    return section, _ROLES.index(document["role"]), _PROFILES.index(document["profile"])


def _rows(document: Mapping[str, Any]) -> Iterator[Requirement]:
    about = {name: document[name] for name in ("section", "role", "profile")}
    for row in document["requirement"]:
        yield Requirement(**about, **{name: _plain(value) for name, value in row.items()})


def _plain(value: Any) -> Any:  # noqa: ANN401 - whatever TOML has; the schema has judged it
    """Texts are wrapped in the files: white space in them is one space each."""
    if isinstance(value, str):
        return " ".join(value.split())
    return tuple(value) if isinstance(value, list) else value
