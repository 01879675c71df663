"""Each flaw and each variant of the mock personal agent does something otherwise than without."""

import pytest

from pact_conformance.catalogue import load
from pact_conformance.counterpart import flaws, variants
from pact_conformance.counterpart.flaws import Flaw
from pact_conformance.counterpart.variants import Variant
from tests.counterpart.personal_agent.traces import traced

FLAWS = list(flaws.of("personal-agent").values())
# What is seen of these on the wire alone, other tests see.
ON_THE_WIRE = {"keeps-its-connections", "sends-its-requests-in-chunks"}
VARIANTS = [it for name, it in variants.of("personal-agent").items() if name not in ON_THE_WIRE]

# Where the keys are is not the agent's own doing, and a document that nobody has to publish is only
# noted where something is amiss with it.
NOT_SHOWN = {"3.1-agent-jwks-https", "3.1-agent-oidc-discovery"}


@pytest.fixture(scope="module")
def honest() -> list[str]:
    return traced()


def test_the_honest_agent_does_the_same_twice(honest: list[str]) -> None:
    assert traced() == honest


@pytest.mark.parametrize("flaw", FLAWS, ids=lambda flaw: flaw.name)
def test_a_flaw_shows(flaw: Flaw, honest: list[str]) -> None:
    assert traced(flaws=[flaw.name]) != honest


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.name)
def test_a_variant_shows(variant: Variant, honest: list[str]) -> None:
    assert traced(variants=[variant.name]) != honest


def test_every_requirement_of_a_personal_agent_is_broken_by_a_flaw() -> None:
    broken = {identifier for flaw in FLAWS for identifier in flaw.breaks}
    stated = load().of(role="personal-agent")

    assert {it.id for it in stated if it.observed != "not"} - broken == NOT_SHOWN


def test_a_flaw_of_an_agent_is_none_of_a_provider() -> None:
    with pytest.raises(KeyError, match="no flaw called 'does-not-slow-down'"):
        flaws.named("does-not-slow-down")
    with pytest.raises(KeyError, match="no variant called 'polls-slowly'"):
        variants.named("polls-slowly")
