"""What the approver lacks is seen before a run."""

from pathlib import Path

import pytest

from pact_conformance.doctor.parts import _approver
from pact_conformance.subject.approver import chromium
from pact_conformance.subject.approver.readiness import lacking

from .playing import settings


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A PATH with nothing on it."""
    monkeypatch.setenv("PATH", str(tmp_path))
    return tmp_path


def test_no_browser_is_told_with_what_to_install(bare: Path) -> None:
    del bare

    assert lacking(settings("browser")) == (
        "E2E_APPROVER=browser: there is no Chromium on the PATH: install chromium, or set "
        "approver_fields.browser to where it is"
    )


def test_no_playwright_is_told_with_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chromium, "find_spec", lambda _: None)

    assert lacking(settings("browser")) == (
        "E2E_APPROVER=browser: the package playwright is not installed: "
        "pip install 'pact-conformance[browser]'"
    )


def test_a_browser_that_the_tester_names(bare: Path) -> None:
    named = bare / "my-chromium"
    assert "there is no" in str(lacking(settings("browser", fields={"browser": str(named)})))

    named.touch(mode=0o755)

    assert lacking(settings("browser", fields={"browser": str(named)})) is None


def test_a_command_that_is_not_there(bare: Path) -> None:
    assert lacking(settings("cmd:approve --now")) == "E2E_APPROVER: there is no command approve"

    (bare / "approve").touch(mode=0o755)

    assert lacking(settings("cmd:approve --now")) is None


@pytest.mark.parametrize("name", ["form", "manual", "https://approver.example"])
def test_others_need_nothing(bare: Path, name: str) -> None:
    del bare

    assert lacking(settings(name)) is None


@pytest.mark.parametrize(
    ("name", "state"), [("form", "ready"), ("manual", "ready"), ("cmd:gone", "blocked")]
)
def test_the_doctor_says_whether_it_is_ready(bare: Path, name: str, state: str) -> None:
    del bare

    part = _approver(settings(name))

    assert (part.name, part.state) == ("approver", state)
