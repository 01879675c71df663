"""The wheel carries everything that a run needs, and nothing of the workshop."""

import zipfile
from pathlib import Path

import pytest

from .installed import CHECKOUT, Installed

# Where each folder of the checkout is in the wheel.
PLACES = {
    "pact_conformance": "pact_conformance",
    "suites": "pact_conformance/suites",
    "schemas": "pact_conformance/assets/schemas",
    "fixtures": "pact_conformance/assets/fixtures",
}


def expected() -> set[str]:
    return {
        f"{place}/{path.relative_to(CHECKOUT / folder).as_posix()}"
        for folder, place in PLACES.items()
        for path in (CHECKOUT / folder).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


@pytest.fixture(scope="module")
def names(wheel: Installed) -> set[str]:
    with zipfile.ZipFile(wheel.wheel) as archive:
        return {name for name in archive.namelist() if ".dist-info/" not in name}


def test_it_holds_the_package_the_suites_the_schemas_and_the_fixtures(names: set[str]) -> None:
    assert names == expected()


@pytest.mark.parametrize(
    "name",
    [
        "pact_conformance/py.typed",
        "pact_conformance/catalogue/requirements/3.2_personal_agent_jwt.toml",
        "pact_conformance/report/templates/report.html.j2",
        "pact_conformance/subject/approver/document.js",
        "pact_conformance/subject/approver/words.toml",
        "pact_conformance/templates/pact-conformance.toml.j2",
        "pact_conformance/counterpart/provider/templates/consent.html.j2",
        "pact_conformance/suites/run.ini",
        "pact_conformance/suites/hardening/test_provider_pages.py",
        "pact_conformance/catalogue/hardening/provider.toml",
        "pact_conformance/report/templates/hardening.html.j2",
        "pact_conformance/suites/provider/test_3_2_personal_agent_jwt.py",
        "pact_conformance/assets/schemas/report.schema.json",
        "pact_conformance/assets/fixtures/forgeries/alg.toml",
    ],
)
def test_it_holds(name: str, names: set[str]) -> None:
    assert name in names


def test_its_dependencies_are_those_of_a_run(wheel: Installed) -> None:
    with zipfile.ZipFile(wheel.wheel) as archive:
        (path,) = (name for name in archive.namelist() if name.endswith("/METADATA"))
        metadata = archive.read(path).decode()
    required = [line for line in metadata.splitlines() if line.startswith("Requires-Dist:")]
    always = [line for line in required if "extra ==" not in line]

    assert not [line for line in always if "hypothesis" in line or "xdist" in line]
    assert any("pytest>=9" in line for line in always)


def test_the_environment_does_not_see_the_checkout(wheel: Installed) -> None:
    found = list(Path(wheel.folder).glob("lib/python*/site-packages/pact_conformance/cli.py"))

    assert len(found) == 1
