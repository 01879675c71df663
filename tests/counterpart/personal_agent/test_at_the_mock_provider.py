"""The mock personal agent at the mock Provider: both profiles, each step for real."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from pact_conformance.counterpart.provider.configuration import ProviderConfig
from tests.counterpart.personal_agent.scene import (
    AUDIENCE,
    CANCEL,
    CHANGE,
    JANE,
    OMAR,
    READ,
    Scene,
    decide,
    scene,
)


@pytest.fixture(scope="module")
def there() -> Iterator[Scene]:
    first, second = ProviderConfig().brands
    brands = (first, replace(second, device_code_seconds=30.0))
    with scene(ProviderConfig(brands=brands)) as opened:
        yield opened


def user(name: str) -> dict[str, str]:
    """A User of one test's own."""
    return {**JANE, "id": name}


def test_a_turn_is_relayed_and_the_conversation_goes_on(there: Scene) -> None:
    brand = there.connect()

    first = there.say(brand, "repeat What is the order number?")
    second = there.say(brand, "A-88213", conversation=first["conversation"])

    assert "What is the order number?" in first["reply"]["text"]
    assert second["conversation"] == first["conversation"]


def test_the_card_is_found_by_the_domain_of_the_brand(there: Scene) -> None:
    domain = there.provider.brand_domain
    assert domain is not None

    for given in (domain, domain.removeprefix("http://")):
        answer = there.adapter.connect({"domain": given, "audience": AUDIENCE})
        assert there.say(answer["brand"])["reply"]["text"]


def test_an_unknown_brand_is_told(there: Scene) -> None:
    answer = there.adapter.connect({"card": there.provider.unknown_card, "audience": AUDIENCE})

    assert "404" in answer["gaveUp"]["reason"]


def test_a_closed_conversation_begins_anew(there: Scene) -> None:
    brand = there.connect()
    closed = there.say(brand, "goodbye")

    answer = there.say(brand, "Hello again", conversation=closed["conversation"])

    assert answer["reply"]["text"]


def test_a_sign_in_leads_to_delegated_turns_with_receipts(there: Scene) -> None:
    brand, jane = there.connect(), user("signs-in")

    asked = there.sign_in(brand, READ, user=jane)
    decide(asked["needsSignIn"]["link"])
    done = there.go_on(brand, jane)
    answer = there.say(brand, "Where is my order?", jane)

    assert READ in done["reply"]["text"]
    assert answer["reply"]["text"]
    held = there.holds(brand, jane)
    assert held["scopes"] == [READ]
    assert [it["verified"] for it in held["receipts"]] == [True]


def test_a_step_up_is_approved_and_the_message_sent_again(there: Scene) -> None:
    brand, jane = there.connect(), user("steps-up")
    decide(there.sign_in(brand, READ, user=jane)["needsSignIn"]["link"])
    there.go_on(brand, jane)
    before = there.say(brand, "Hello", jane)

    stepped = there.say(brand, "Please cancel my order", jane, before["conversation"])
    assert stepped["needsSignIn"]["scopes"] == [CANCEL, READ]
    decide(stepped["needsSignIn"]["link"])
    answer = there.go_on(brand, jane)

    assert answer["reply"]["text"]
    assert answer["conversation"] == before["conversation"]
    held = there.holds(brand, jane)
    assert set(held["scopes"]) == {READ, CANCEL}
    assert [it["verified"] for it in held["receipts"]] == [True, True]


def test_what_the_user_unticks_is_not_taken_for_granted(there: Scene) -> None:
    brand, jane = there.connect(), user("narrows")
    link = there.sign_in(brand, READ, CANCEL, user=jane)["needsSignIn"]["link"]
    decide(link, READ, username="omar")

    there.go_on(brand, jane)

    assert there.holds(brand, jane)["scopes"] == [READ]


def test_a_refusal_ends_the_sign_in_and_turns_go_on(there: Scene) -> None:
    brand, jane = there.connect(), user("refuses")
    decide(there.sign_in(brand, CHANGE, user=jane)["needsSignIn"]["link"], deny=True)

    assert "refused" in there.go_on(brand, jane)["gaveUp"]["reason"]
    assert there.say(brand, "Hello", jane)["reply"]["text"]


def test_nobody_signs_in(there: Scene) -> None:
    brand, jane = there.connect(1), user("leaves")
    there.sign_in(brand, READ, user=jane)

    assert "nobody" in there.go_on(brand, jane)["gaveUp"]["reason"]


def test_an_expired_token_is_refreshed(there: Scene) -> None:
    brand, jane = there.connect(), user("returns")
    decide(there.sign_in(brand, READ, user=jane)["needsSignIn"]["link"])
    there.go_on(brand, jane)
    there.adapter.agent.sleep(there.adapter._relation({"brand": brand, "user": jane}), 4000)

    assert there.say(brand, "Where is my order?", jane)["reply"]["text"]
    assert [it["verified"] for it in there.holds(brand, jane)["receipts"]] == [True]


def test_a_revoked_grant_leads_to_a_new_sign_in(there: Scene) -> None:
    brand, jane = there.connect(), user("revokes")
    decide(there.sign_in(brand, READ, user=jane)["needsSignIn"]["link"])
    there.go_on(brand, jane)
    relation = there.adapter._relation({"brand": brand, "user": jane})
    agent = there.adapter.agent
    grant = agent.delegation.held(agent, relation)
    assert grant is not None
    grant_id = agent.delegation.token_claims(grant.access_token)["grant_id"]
    there.control("revoke_grant", grantId=grant_id)

    asked = there.say(brand, "Where is my order?", jane)
    decide(asked["needsSignIn"]["link"])

    assert there.go_on(brand, jane)["reply"]["text"]


def test_a_rate_limit_is_waited_for(there: Scene) -> None:
    brand = there.connect()
    interface = there.provider.brands[0].interface
    there.control("rate_limit", interface=interface, issuer=there.adapter.issuer, seconds=60)

    assert there.say(brand, "Hello", OMAR)["reply"]["text"]


def test_a_rotated_key_signs_at_once(there: Scene) -> None:
    brand = there.connect(1)
    there.say(brand)

    there.adapter.rotate_key({})

    assert there.say(brand)["reply"]["text"]
    assert len(there.adapter.published()["keys"]) == 2


def test_a_restart_keeps_what_the_agent_knows(there: Scene) -> None:
    brand = there.connect()
    first = there.say(brand, "Hello", OMAR)

    there.adapter.restart({})

    assert there.say(brand, "Hello", OMAR, first["conversation"])["reply"]["text"]


def test_an_agent_with_an_rsa_key_is_let_in() -> None:
    with scene(alg="RS256") as there:
        assert there.say(there.connect())["reply"]["text"]
