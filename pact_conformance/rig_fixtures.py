"""The parts of the rig as pytest fixtures.

The suites' conftest takes them from here, so that they leak into nobody else's tests.
"""

from typing import TYPE_CHECKING

import pytest

from pact_conformance.delegation import Delegation
from pact_conformance.gate import Gate
from pact_conformance.rig import RIG, Rig
from pact_conformance.settings import Settings
from pact_conformance.subject.preflight import Preflight
from pact_conformance.subject.provider import Provider
from pact_conformance.subject.stage import Stage
from pact_conformance.tokens.caller import Caller
from pact_conformance.verdicts import open_notebook
from pact_conformance.wire.card import Card

if TYPE_CHECKING:
    from pact_conformance.subject.agent import AgentUnderTest


@pytest.fixture
def pact_rig(request: pytest.FixtureRequest) -> Rig:
    """Everything below."""
    return request.config.stash[RIG]


@pytest.fixture
def settings(pact_rig: Rig) -> Settings:
    """What the tester set."""
    return pact_rig.settings


@pytest.fixture
def preflight(pact_rig: Rig) -> Preflight:
    """What was seen of the subject before the first check."""
    return pact_rig.preflight


@pytest.fixture
def card(pact_rig: Rig) -> Card:
    """The card of the Brand under test, and in the notebook the exchange that it came in."""
    open_notebook().exchanges.extend(pact_rig.preflight.exchanges)
    return pact_rig.card


@pytest.fixture
def other_card(pact_rig: Rig) -> Card:
    """The card of a second Brand."""
    return pact_rig.other_card


@pytest.fixture
def provider(pact_rig: Rig) -> Provider:
    """The Provider under test, behind authentication."""
    return pact_rig.provider


@pytest.fixture
def stage(pact_rig: Rig) -> Stage:
    """The stage on which the personal agent under test acts."""
    return pact_rig.stage


@pytest.fixture
def agent(pact_rig: Rig) -> "AgentUnderTest":
    """The personal agent under test."""
    return pact_rig.agent


@pytest.fixture
def delegation(pact_rig: Rig) -> Delegation:
    """Delegated authority at the Brand under test."""
    return pact_rig.delegation


@pytest.fixture
def gate(pact_rig: Rig) -> Gate:
    """The authentication gate with its probe."""
    return pact_rig.gate


@pytest.fixture
def caller(pact_rig: Rig) -> Caller:
    """The registered personal agent that the suite plays."""
    return pact_rig.caller


@pytest.fixture
def other_caller(pact_rig: Rig) -> Caller:
    """A second registered personal agent."""
    return pact_rig.other_caller
