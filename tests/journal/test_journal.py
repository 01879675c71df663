"""The journal keeps one exchange a line, from any number of processes."""

import json
import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from pact_conformance.journal.exchange import OPERATIONS, Exchange, Failure, Received, Sent
from pact_conformance.journal.journal import Journal, JournalDamaged, JournalUnwritable, read
from pact_conformance.wire.schema import problems

EXCHANGE = Exchange(
    id="gw0-17",
    at=1.5,
    elapsed=0.25,
    operation="tasks/{id}:cancel",
    purpose="",
    sent=Sent("POST", "http://h/", (("A", "1"), ("A", "2")), "{}"),
    answer=Received(200, (("Content-Type", "text/html"),), "<p>"),
    failure=None,
)
FAILED = replace(EXCHANGE, answer=None, failure=Failure("closed", "closed"))


@pytest.mark.parametrize("exchange", [EXCHANGE, FAILED])
def test_what_is_recorded_is_read(journal: Journal, exchange: Exchange) -> None:
    journal.record(exchange)

    assert list(read(journal.path)) == [exchange]


@pytest.mark.parametrize("exchange", [EXCHANGE, FAILED])
def test_a_line_follows_the_published_schema(journal: Journal, exchange: Exchange) -> None:
    assert exchange.answer is None or exchange.answer.json is not None  # caches; never recorded
    journal.record(exchange)

    assert problems(json.loads(journal.path.read_text()), "journal") == []


def test_the_schema_knows_every_operation() -> None:
    told = [problems(replace(EXCHANGE, operation=it).to_json(), "journal") for it in OPERATIONS]  # type: ignore[arg-type]

    assert [it for it in told if any("operation" in line for line in it)] == []


def test_control_characters_reach_no_terminal(journal: Journal) -> None:
    nasty = "\x1b[2J\x00\x9b\N{RIGHT-TO-LEFT OVERRIDE}\N{LINE SEPARATOR}\ud800"
    journal.record(replace(EXCHANGE, purpose=nasty))

    assert journal.path.read_bytes().rstrip(b"\n").decode("ascii").isprintable()
    assert [it.purpose for it in read(journal.path)] == [nasty]


@pytest.mark.parametrize("torn", [b'{"id": "gw0-18", "at', b"{", b"\xff"])
def test_a_torn_last_line_is_skipped(journal: Journal, torn: bytes) -> None:
    journal.record(EXCHANGE)
    with journal.path.open("ab") as file:
        file.write(torn)

    assert list(read(journal.path)) == [EXCHANGE]


@pytest.mark.parametrize("damage", [b"{}", b"[]", b"null", b"{", b"\xff", b'{"sent": 1}'])
def test_a_damaged_line_is_named(journal: Journal, damage: bytes) -> None:
    journal.record(EXCHANGE)
    with journal.path.open("ab") as file:
        file.write(damage + b"\n")

    with pytest.raises(JournalDamaged, match="line 2"):
        list(read(journal.path))


def test_ids_name_the_worker(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "deeper" / "j.ndjson", worker="gw3")

    assert [journal.next_id(), journal.next_id()] == ["gw3-1", "gw3-2"]
    journal.close()


def test_writers_do_not_disturb_each_other(tmp_path: Path) -> None:
    path = tmp_path / "j.ndjson"
    journals = [Journal(path, worker=f"gw{number}") for number in range(4)]
    long = replace(EXCHANGE, purpose="x" * 20_000)

    def write(journal: Journal) -> None:
        for _ in range(50):
            journal.record(replace(long, id=journal.next_id()))

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(write, journals))

    assert len({exchange.id for exchange in read(path)}) == 200
    for journal in journals:
        journal.close()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_is_named() -> None:
    journal = Journal(Path("/dev/full"))

    with pytest.raises(JournalUnwritable, match="No space left"):
        journal.record(EXCHANGE)
    journal.close()


def test_a_line_that_was_written_in_part_is_named(
    journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "write", lambda _file, data: len(data) - 1)

    with pytest.raises(JournalUnwritable, match="part of a line"):
        journal.record(EXCHANGE)


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    with pytest.raises(JournalUnwritable, match="cannot be written"):
        Journal(tmp_path / "file" / "j.ndjson")
