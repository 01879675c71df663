import pytest

from pact_conformance.catalogue import load
from pact_conformance.counterpart import flaws
from tests.counterpart.probes import Pieces, difference

# That each flaw shows, and what it trips, is the matrix's to prove: at each change of all of them.

# No flaw can show what nobody sees (§3.3), nor what is planned for later.
NOT_SHOWN = {"3.3-sub-proves-no-account", "3.3-verified-in-conversation", "3.4-before-brand"}


def test_the_honest_provider_shows_the_same_twice(honest: Pieces) -> None:
    assert difference(lambda _: None, honest) is None


def test_every_id_that_a_flaw_breaks_is_in_the_catalogue() -> None:
    broken = {identifier for flaw in flaws.ALL.values() for identifier in flaw.breaks}

    assert broken <= load().requirements.keys()


def test_every_requirement_of_a_provider_is_broken_by_a_flaw() -> None:
    broken = {identifier for flaw in flaws.of("provider").values() for identifier in flaw.breaks}
    stated = load().of(role="provider", profile="identity")
    unbroken = {it.id for it in stated if not it.planned} - broken

    assert unbroken == NOT_SHOWN


def test_every_flaw_says_what_it_does_and_breaks() -> None:
    for flaw in flaws.ALL.values():
        assert flaw.breaks, flaw.name
        assert flaw.description.endswith("."), flaw.name


def test_an_unknown_name_is_an_error() -> None:
    with pytest.raises(KeyError, match="no flaw called 'x'"):
        flaws.named("x")
