import json
from pathlib import Path

import pytest

from pact_conformance.report import document, load
from pact_conformance.wire.schema import problems
from tests.report import making

# What version 2 tells of every run, and a report of version 1 need not.
NEW: dict[str, object] = {"turn_ledger": [], "logins": 0, "pictures": [], "latency": []}


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
        (b'{"schema": "https://pact-conformance.dev/schemas/report/3"}', "this suite reads"),
        (b'{"schema": 3}', "this suite reads"),
        (b'{"schema": []}', "this suite reads"),
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


def test_a_report_of_the_version_before_is_read_as_one_of_this(tmp_path: Path) -> None:
    built = making.as_read(making.built())
    older = {name: it for name, it in built.items() if name not in NEW}
    older["schema"] = built["schema"].removesuffix("2") + "1"
    (tmp_path / "report.json").write_text(json.dumps(older))

    read = load.read(tmp_path)

    assert problems(read, "report") == []
    assert read == built | NEW


def test_a_broken_report_of_the_version_before_is_told_by_its_own_schema(tmp_path: Path) -> None:
    older = making.as_read(making.built()) | {"turns": -1}
    older["schema"] = older["schema"].removesuffix("2") + "1"
    (tmp_path / "report.json").write_text(json.dumps(older))

    with pytest.raises(load.ReportUnreadable, match="turns"):
        load.read(tmp_path)
