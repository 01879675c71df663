import json
from pathlib import Path

import pytest

from pact_conformance.journal.exchange import Received, Sent
from pact_conformance.journal.placeholder import PA_JWT
from pact_conformance.report import exchanges
from pact_conformance.report.exchanges import pick, show
from tests.report import making


def test_only_what_is_asked_for_is_picked(tmp_path: Path) -> None:
    made = [making.exchange(f"main-{number}") for number in range(1, 30)]
    path = making.journal(tmp_path, made)

    assert pick(path, ["main-7", "main-12", "gw0-1"]) == {"main-7": made[6], "main-12": made[11]}


def test_reading_ends_with_the_last_one_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = making.journal(tmp_path, [making.exchange(f"main-{it}") for it in range(1, 30)])
    parsed: list[bytes] = []
    monkeypatch.setattr(exchanges, "_read", parsed.append)

    pick(path, ["main-7"])

    assert [json.loads(line)["id"] for line in parsed] == ["main-7"]


def test_a_missing_journal_has_no_exchanges(tmp_path: Path) -> None:
    assert pick(tmp_path / "journal.ndjson", ["main-1"]) == {}


@pytest.mark.parametrize("line", ['{"id":"main-1"}', '{"id":"main-1","at":', "\x00", ""])
def test_a_damaged_line_leaves_its_exchange_out(tmp_path: Path, line: str) -> None:
    path = making.journal(tmp_path, [making.exchange("main-2")])
    path.write_text(f"{line}\n{path.read_text()}")

    assert list(pick(path, ["main-1", "main-2"])) == ["main-2"]


def test_an_answer_is_shown_with_its_head_and_body() -> None:
    shown = show(making.exchange("main-1"))

    assert shown.outcome == "200 OK"
    assert shown.answer == ('HTTP/1.1 200\ncontent-type: application/a2a+json\n\n{"message": {}}')
    assert f"Bearer {PA_JWT}" in shown.request
    assert "'Authorization: Bearer '\"$PA_JWT\"" in shown.curl


def test_what_went_wrong_stands_in_place_of_an_answer() -> None:
    shown = show(making.unanswered("main-1"))

    assert (shown.outcome, shown.answer) == ("no answer (deadline)", "nothing in 5 s")


@pytest.mark.parametrize("status", [299, 999])
def test_a_status_without_a_name_is_shown_by_its_number(status: int) -> None:
    assert show(making.exchange("main-1", answer=Received(status, (), ""))).outcome == str(status)


def test_bodies_are_cut() -> None:
    sent = Sent("POST", "https://provider.example/", (), "q" * 9_000)

    shown = show(making.exchange("main-1", sent=sent, answer=Received(200, (), "a" * 2_001)))

    assert shown.answer.count("a") == 2_000 + "1 more characters in the journal".count("a")
    assert shown.answer.endswith("… 1 more characters in the journal")
    assert shown.request.endswith("… 7,000 more characters in the journal")
    assert shown.curl == ""


def test_a_head_is_cut_as_well() -> None:
    shown = show(making.exchange("main-1", answer=Received(200, (("x", "y" * 90_000),), "body")))

    assert len(shown.answer) < 2_200
    assert shown.answer.endswith("\n\nbody")


def test_bytes_that_are_no_text_are_marked() -> None:
    sent = Sent("POST", "https://provider.example/", (), "/w==", base64=True, truncated=True)

    request = show(making.exchange("main-1", sent=sent)).request

    assert request.endswith("(base64) /w==\n\n… the record ends here")
