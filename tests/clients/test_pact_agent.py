"""A personal agent that nobody here wrote speaks both profiles of PACT with the mock Provider."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from pact_conformance.counterpart.provider.serving import RunningBrand
from tests.counterpart.agent import AUDIENCE, Agent
from tests.real.example_air.served import interpreter

from .conftest import served
from .driven import Driven, RaisedError, driven
from .user import decide

USER = "their-user"
READ, CANCEL = "orders:read", "orders:cancel"


@dataclass
class Theirs(Agent):
    """The registration of an agent whose key is its own."""

    public: dict[str, Any] = field(default_factory=dict)

    def jwks(self) -> dict[str, Any]:
        return {"keys": [self.public]}


@pytest.fixture
def theirs() -> Iterator[Driven]:
    with driven(interpreter(), Path(__file__).with_name("pact_program.py")) as running:
        yield running


@pytest.fixture
def agent(theirs: Driven) -> Theirs:
    return Theirs(issuer="https://their-agent.example/pa", public=theirs.do("key"))


@pytest.fixture
def brand(agent: Theirs) -> Iterator[RunningBrand]:
    with served(agent) as brand:
        yield brand


@pytest.fixture
def met(theirs: Driven, agent: Theirs, brand: RunningBrand) -> Driven:
    card = theirs.do("meet", card=brand.card, issuer=agent.issuer, audience=AUDIENCE)

    assert (card["profile"], card["interface"]) == ("delegated", brand.interface)
    return theirs


def say(agent: Driven, text: str, context_id: str | None = None) -> dict[str, Any]:
    told: dict[str, Any] = agent.do("send", user=USER, text=text, context_id=context_id)
    return told


def sign_in(agent: Driven, *scopes: str, approve: list[str] | None) -> None:
    decide(agent.do("sign_in", user=USER, scopes=scopes), approve)


def test_it_talks_without_delegation(met: Driven) -> None:
    first = say(met, "What are your opening hours?")
    second = say(met, "Thank you.", first["context_id"])

    assert (first["kind"], second["kind"]) == ("Reply", "Reply")
    assert second["context_id"] == first["context_id"]


def test_it_is_refused_as_it_should_be(met: Driven) -> None:
    with pytest.raises(RaisedError, match="INVALID_PARAMS"):
        say(met, "Hello", "made-up")


def test_it_acts_steps_up_and_acts_again(met: Driven, agent: Theirs) -> None:
    met.do("sign_in", user=USER, scopes=[READ, CANCEL])
    pending = met.do("poll", user=USER)
    sign_in(met, READ, CANCEL, approve=[READ])
    granted = met.do("poll", user=USER)
    read = say(met, "Where is my order?")
    asked = say(met, "Please cancel my order.", read["context_id"])
    sign_in(met, *asked["missing"], approve=[CANCEL])
    met.do("poll", user=USER)
    done = say(met, "Please cancel my order.", read["context_id"])

    assert (pending, granted) == (None, [READ])
    assert (read["kind"], read["scopes_used"]) == ("Reply", [READ])
    assert (asked["kind"], asked["missing"]) == ("StepUp", [CANCEL])
    assert (done["kind"], done["scopes_used"]) == ("Reply", [CANCEL])
    assert {claims["pa"] for claims in met.do("receipts")} == {agent.issuer}


def test_it_learns_that_the_user_refuses(met: Driven) -> None:
    sign_in(met, READ, approve=None)

    with pytest.raises(RaisedError, match="access_denied"):
        met.do("poll", user=USER)
