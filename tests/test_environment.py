"""An environment is made once for its pins, and says clearly when it cannot be made."""

from pathlib import Path

import pytest

from tests import environment
from tests.environment import EnvironmentUnavailableError


@pytest.fixture
def requirements(tmp_path: Path) -> Path:
    file = tmp_path / "somebody" / "requirements.txt"
    file.parent.mkdir()
    file.write_text("")
    return file


def test_an_environment_that_stands_is_used_again(
    tmp_path: Path, requirements: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = environment.python(tmp_path / "venv", requirements)
    monkeypatch.setattr(environment, "_make", None)

    assert environment.python(tmp_path / "venv", requirements) == first


def test_what_cannot_be_installed_is_told_clearly(tmp_path: Path, requirements: Path) -> None:
    requirements.write_text(f"{tmp_path}/no-such.whl\n")

    with pytest.raises(
        EnvironmentUnavailableError, match=r"for somebody: installing requirements\.txt failed"
    ):
        environment.python(tmp_path / "venv", requirements)
