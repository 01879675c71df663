"""§2.1 Agent Card: where it is, what it declares, and that anybody may read it.

That the 404 of an unknown Brand has no A2A body is a journal rule.
"""

from pact_conformance import expect
from pact_conformance.journal.answer import Answer
from pact_conformance.rig import Rig, requirement
from pact_conformance.settings import WELL_KNOWN, Settings
from pact_conformance.subject.preflight import Preflight
from pact_conformance.verdicts import Deviation, Untested
from pact_conformance.wire.card import Card, Interface
from pact_conformance.wire.schema import problems

from .conversations import Turn


@requirement("2.1-card-path")
def test_the_card_is_served_at_the_providers_path(
    pact_rig: Rig, card: Card, settings: Settings
) -> None:
    del card
    if not (settings.provider_url and settings.customer_id):
        raise Untested(
            "the Provider's base URL and the brandId are needed",
            do="set PROVIDER_URL and CUSTOMER_ID",
        )
    base = settings.provider_url.rstrip("/")
    answer = pact_rig.read_card(f"{base}/a2a/{settings.customer_id}{WELL_KNOWN}")

    expect.that(isinstance(expect.a2a_result(answer), dict), "a card", answer.text[:200])


@requirement("2.1-brand-domain")
def test_the_domain_of_the_brand_leads_to_its_card(
    pact_rig: Rig, card: Card, settings: Settings
) -> None:
    pact_rig.declared_absent("brand_domain")
    place = settings.brand_domain_card_url
    if place is None:
        raise Untested(
            "the Brand's domain is needed",
            do="set E2E_BRAND_DOMAIN, or declare absent.brand_domain with a reason",
        )
    answer = pact_rig.read_card(place)

    document = expect.a2a_result(answer)
    expect.that(isinstance(document, dict), "a card", answer.text[:200])
    found, known = Card(document, place).interface, card.interface
    assert known is not None
    expect.that(
        found is not None and _place(found) == _place(known),
        f"the card of the Brand, whose interface is {known.url}",
        "a card without an interface" if found is None else f"one whose interface is {found.url}",
    )


def _place(interface: Interface) -> tuple[str, str | None]:
    return interface.url.rstrip("/"), interface.tenant


@requirement("2.1-card-no-auth")
def test_the_card_is_served_without_authentication(pact_rig: Rig, card: Card) -> None:
    expect.a2a_result(pact_rig.read_card(card.url))


@requirement("2.1-card-any-token")
def test_a_useless_token_does_not_keep_the_card_back(pact_rig: Rig, card: Card) -> None:
    expect.a2a_result(pact_rig.read_card(card.url))

    expect.a2a_result(pact_rig.read_card(card.url, authorization="Bearer no-token-at-all"))


@requirement("2.1-card-schema")
def test_the_card_is_a_usable_card_of_a2a(card: Card) -> None:
    found = problems(card.document, "agent-card")

    expect.that(not found, "an AgentCard of A2A 1.0", "; ".join(found))


@requirement("2.1-card-description")
def test_the_card_has_a_description_and_a_version(card: Card) -> None:
    document = card.document
    assert isinstance(document, dict)
    lacking = [name for name in ("description", "version") if not document.get(name)]

    expect.that(not lacking, "description and version", f"no {' and no '.join(lacking)}")


@requirement("2.1-unknown-brand")
def test_the_card_of_an_unknown_brand_is_not_found(
    pact_rig: Rig, card: Card, preflight: Preflight
) -> None:
    if preflight.unknown_card_url is None:
        raise Untested(
            "no brandId can be seen in the card's URL", do="set E2E_UNKNOWN_BRAND to a card URL"
        )
    expect.status(pact_rig.read_card(card.url), 200)

    answer = pact_rig.read_card(preflight.unknown_card_url, operation="unknown-brand-card")

    expect.status(answer, 404)


@requirement("2.1-interface")
def test_the_card_lists_an_interface_for_http_json_1_0(card: Card) -> None:
    seen = [(it.protocol_binding, it.protocol_version) for it in card.interfaces]

    expect.that(card.interface is not None, "an entry HTTP+JSON 1.0", seen)


@requirement("2.1-interface-url")
def test_the_url_of_the_interface_serves_the_operations(opening: Turn) -> None:
    if opening.answer.status in {404, 405}:
        raise Deviation("message:send at the interface url", _status(opening.answer))


@requirement("2.1-jwt-scheme")
def test_the_card_declares_the_personal_agent_jwt(card: Card) -> None:
    expect.that(
        bool(card.jwt_schemes),
        'an httpAuthSecurityScheme with scheme "Bearer" and bearerFormat "JWT"',
        "no scheme of that shape",
    )


@requirement("2.1-jwt-scheme-case")
def test_the_scheme_is_spelt_bearer(card: Card) -> None:
    spelt = sorted(card.jwt_spellings)
    if not spelt:
        expect.absent("no scheme of the personal-agent JWT is declared")

    expect.that("Bearer" in spelt, 'scheme "Bearer"', f"scheme {spelt}")


@requirement("2.1-jwt-alone")
def test_one_security_requirement_names_the_jwt_alone(card: Card) -> None:
    if not card.jwt_schemes:
        raise Untested("no scheme of the personal-agent JWT is declared")
    expect.that(
        card.jwt_alone,
        f"a securityRequirements entry that names {' or '.join(card.jwt_schemes)} and nothing else",
        [sorted(entry) for entry in card.requirements],
    )
    expect.warn_unless(
        card.jwt_form == "list", 'the entry does not give the scheme {"list": []} (A2A does)'
    )


@requirement("2.1-card-per-brand")
def test_two_brands_have_two_cards_and_two_interfaces(card: Card, other_card: Card) -> None:
    assert card.interface is not None
    expect.that(other_card.url != card.url, "two card URLs", card.url)
    expect.that(other_card.interface is not None, "an interface of the other Brand", "none")
    assert other_card.interface is not None

    mine = (card.interface.url, card.interface.tenant)
    theirs = (other_card.interface.url, other_card.interface.tenant)
    expect.that(mine != theirs, "an interface of its own for each Brand", mine)


def _status(answer: Answer) -> str:
    return f"{answer.status} for POST message:send"
