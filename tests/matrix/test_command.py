"""`pact-conformance matrix`: what it says while it runs, and of a choice that cannot be."""

import io
from pathlib import Path

import pytest
from click.testing import CliRunner

from pact_conformance.cli import main
from pact_conformance.matrix.running import Choice, chosen
from pact_conformance.matrix.telling import Telling


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_name_that_nobody_has_is_one_line_and_4(tmp_path: Path) -> None:
    ran = CliRunner().invoke(main, ["matrix", "no-such-flaw", f"--reports={tmp_path / 'matrix'}"])

    assert ran.exit_code == 4
    assert ran.output == (
        "Error: there is no flaw and no variant called 'no-such-flaw' "
        "(`pact-conformance flaws` lists them)\n"
    )
    assert not (tmp_path / "matrix").exists()


def test_a_folder_that_cannot_be_is_one_line_and_4(tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    ran = CliRunner().invoke(
        main, ["matrix", "honest", f"--reports={tmp_path / 'file' / 'deeper'}"]
    )

    assert ran.exit_code == 4
    assert len(ran.output.splitlines()) == 1


def test_pairs_are_drawn_of_those_that_are_named_or_of_everybody() -> None:
    named, told = chosen(Choice(names=("pages-by-20", "accepts-alg-none"), pairs=9))
    drawn, _ = chosen(Choice(names=("honest",), role="provider", pairs=9))

    (pair,) = (it for it in named if it.kind == "pair")
    assert set(pair.parts) == {"pages-by-20", "accepts-alg-none"}
    assert "; 1 pair of flaws by section" in told
    assert [it.kind for it in drawn] == ["honest"] + ["pair"] * 9
    assert all(it.sections for it in drawn if it.kind == "pair")


def test_where_nobody_looks_only_what_matters_is_told() -> None:
    stream = io.StringIO()
    telling = Telling(stream, 2)

    telling.step()
    telling.say("flaw it: missed 2.2-send")
    telling.step()
    telling.close()

    assert stream.getvalue() == "flaw it: missed 2.2-send\n"


@pytest.mark.parametrize(
    ("ended", "line"),
    [
        (0, "0 of 1,200 subjects, 1:15 min"),
        (400, "400 of 1,200 subjects, 1:15 min, about 2:30 min to go"),
    ],
)
def test_a_terminal_shows_how_far_it_is(ended: int, line: str) -> None:
    times = iter([0.0, *([75.0] * 1000)])
    stream = Terminal()
    telling = Telling(stream, 1200, clock=lambda: next(times))

    for _ in range(ended):
        telling.step()
    telling.say("a line of its own")
    shown = stream.getvalue().split("\n")
    telling.close()

    assert shown[-2].endswith("\r\x1b[Ka line of its own")
    assert shown[-1] == line
    assert stream.getvalue().endswith("\r\x1b[K")
