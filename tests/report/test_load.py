import json
from pathlib import Path

import pytest

from pact_conformance.report import document, load
from tests.report import making


def test_a_written_report_is_read_by_its_path_or_folder(tmp_path: Path) -> None:
    built = making.built(findings=(making.FINDING,))
    path = document.write(built, tmp_path)

    assert load.read(path) == making.as_read(built)
    assert load.read(tmp_path) == making.as_read(built)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "is not JSON"),
        (b'{"schema": ', "is not JSON"),
        (b"\xff\xfe", "is not JSON"),
        (b"[" * 100_000, "is not JSON"),
        (b"[]", "names no schema"),
        (b"{}", "names no schema"),
        (b'{"schema": "https://pact-conformance.dev/schemas/report/2"}', "this suite reads"),
        (b'{"schema": 3}', "this suite reads"),
    ],
)
def test_what_is_no_report_is_refused_in_words(tmp_path: Path, content: bytes, words: str) -> None:
    path = tmp_path / "report.json"
    path.write_bytes(content)

    with pytest.raises(load.ReportUnreadable, match=words) as raised:
        load.read(path)

    assert str(path) in str(raised.value)


def test_a_missing_report_is_told_from_a_bad_one(tmp_path: Path) -> None:
    with pytest.raises(load.ReportUnreadable, match="run the suite first"):
        load.read(tmp_path)


def test_a_broken_report_names_the_members(tmp_path: Path) -> None:
    built = making.as_read(making.built())
    built["turns"] = "many"
    for row in built["requirements"]:
        row["verdict"] = "fine"
    (tmp_path / "report.json").write_text(json.dumps(built))

    with pytest.raises(load.ReportUnreadable) as raised:
        load.read(tmp_path)

    assert "requirements[0].verdict" in str(raised.value)
    assert " more" in str(raised.value)
