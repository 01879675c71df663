import dataclasses
import json
from pathlib import Path

from pact_conformance.report import document
from tests.report import making

HOSTILE = "\x1b[31m \x9b1m \u202e \u2028 \ud800 \x00 \U000e0001 é …"


def test_text_of_a_subject_comes_back_as_it_was(tmp_path: Path) -> None:
    outcome = dataclasses.replace(making.FAILED, got=HOSTILE)

    path = document.write(making.built((outcome,)), tmp_path)

    rows = {row["id"]: row for row in json.loads(path.read_bytes())["requirements"]}
    assert rows["3.2-alg"]["checks"][0]["got"] == HOSTILE


def test_the_file_holds_nothing_that_tricks_a_terminal(tmp_path: Path) -> None:
    outcome = dataclasses.replace(making.FAILED, got=HOSTILE)

    text = document.write(making.built((outcome,)), tmp_path).read_text(encoding="utf-8")

    assert {char for char in text if not char.isprintable()} == {"\n"}
    assert "é …" in text
