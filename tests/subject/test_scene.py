"""What a check looks at on the stage is what it cites."""

from types import SimpleNamespace
from typing import Any

from pact_conformance.subject.stage import Scene
from pact_conformance.verdicts import notebook

OPENED = {"brandId": "b", "card": "", "interface": "", "issuer": "", "domain": None, "since": 0}


def scene() -> Scene:
    """A Brand at which three requests have arrived."""
    arrived = tuple(
        SimpleNamespace(exchange_id=f"stage-{number}", operation=operation)
        for number, operation in enumerate(["card", "token", "token"])
    )
    sightings = SimpleNamespace(of=lambda _: arrived, until=lambda *_: arrived)
    stage: Any = SimpleNamespace(sightings=sightings)
    return Scene(stage, OPENED)


def test_a_check_cites_the_requests_that_it_looks_at_and_no_others() -> None:
    with notebook() as book:
        scene().seen("token")

    assert book.exchanges == ["stage-1", "stage-2"]


def test_so_it_does_those_that_it_waits_for() -> None:
    with notebook() as book:
        scene().wait_for("card", 1, seconds=0)

    assert book.exchanges == ["stage-0"]
