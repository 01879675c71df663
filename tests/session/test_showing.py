"""The curl line of a failure is there wherever its exchange was made, and however long ago."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from pact_conformance.journal.exchange import Sent
from pact_conformance.report.outcome import Outcome
from pact_conformance.session.showing import failure
from tests.plugin.suite import run
from tests.report.making import CATALOGUE, FAILED, RULE, exchange, journal
from tests.session.subjects import brand, mock_behind, settings
from tests.subject.servers import Reply, Request

HELD = [exchange(f"gw1-{n}", sent=Sent("GET", f"https://p.example/{n}", (), None)) for n in (1, 2)]


def told(folder: Path, outcome: Outcome, recent: Sequence[int] = ()) -> str:
    """The text of a failure where the journal holds two exchanges, and memory these of them."""
    held: Any = SimpleNamespace(
        journal=SimpleNamespace(
            path=journal(folder, HELD), recent={HELD[n].id: HELD[n] for n in recent}
        )
    )
    return failure(held, outcome, CATALOGUE[outcome.requirements[0]])


@pytest.mark.parametrize("recent", [(), (0,), (0, 1)])
def test_the_last_exchange_of_a_check_is_shown(tmp_path: Path, recent: Sequence[int]) -> None:
    text = told(tmp_path, replace(FAILED, exchanges=("gw1-1", "gw1-2")), recent)

    assert text.count("  again  ") == 1
    assert text.endswith("https://p.example/2")


def test_one_sample_of_a_rule_is_shown(tmp_path: Path) -> None:
    text = told(tmp_path, replace(RULE, exchanges=("gw1-1", "gw1-2")))

    assert text.endswith("https://p.example/1")


def test_an_exchange_that_nobody_has_is_left_out(tmp_path: Path) -> None:
    assert "  again  " not in told(tmp_path, replace(FAILED, exchanges=("gw1-9",)))
    assert "  again  " not in told(tmp_path, replace(FAILED, exchanges=()))


def test_a_check_of_the_card_shows_where_the_card_came_from(tmp_path: Path) -> None:
    ended = run("-k2.1-jwt-scheme", "--pact-mock-flaws=declares-an-api-key", folder=tmp_path)

    assert "card.json" in ended.output.partition("  again  ")[2].splitlines()[0]
    assert "$PA_JWT" not in ended.output


def test_it_is_told_once_how_to_sign_for_the_lines(tmp_path: Path) -> None:
    def served(_: Request, reply: Reply) -> Reply:
        return replace(reply, status=403) if reply.status == 401 else reply

    with mock_behind(served) as server:
        ended = run("-k3.4", folder=tmp_path, environment=settings(brand(server)))

    assert "  again  " in ended.output
    assert ended.output.count("export PA_JWT=$(pact-conformance token)") == 1
