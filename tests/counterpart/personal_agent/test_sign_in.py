"""The device flow of the mock personal agent (§5.1 to §5.3)."""

import pytest

from pact_conformance.counterpart.personal_agent.transport import Answer
from tests.counterpart.personal_agent.brand import (
    LINK,
    OAUTH,
    Brand,
    answer,
    card,
    device,
    lost,
    oauth_error,
    token,
)


def polls(brand: Brand) -> list[float]:
    """Return the times of the polls since the beginning of the flow."""
    times = zip(brand.requests, brand.times, strict=True)
    found = [at for request, at in times if request.url in (f"{OAUTH}/begin", f"{OAUTH}/swap")]
    return [at - found[0] for at in found[1:]]


def test_the_requests_are_forms_with_the_agents_token(brand: Brand) -> None:
    brand.sign_in("cancel")
    brand.go_on()

    assert brand.forms("begin") == [{"client_id": brand.adapter.issuer, "scope": "cancel"}]
    grant_type = "urn:ietf:params:oauth:grant-type:device_code"
    expected = {"grant_type": grant_type, "device_code": "dc", "client_id": brand.adapter.issuer}
    assert brand.forms("swap") == [expected]
    for request in brand.seen("begin") + brand.seen("swap"):
        headers = dict(request.headers)
        assert headers["Authorization"].startswith("Bearer ")
        assert headers["Content-Type"] == "application/x-www-form-urlencoded"
        assert headers["A2A-Version"] == "1.0"


def test_the_link_is_shown_as_it_is_and_never_opened(brand: Brand) -> None:
    asked = brand.sign_in("read")
    brand.go_on()

    assert asked["needsSignIn"] == {"link": LINK, "scopes": ["read"]}
    assert all("login" not in it.url for it in brand.requests)


@pytest.mark.parametrize("link", [None, 7, "", "javascript:alert(1)", "//[", "/login", "https:"])
def test_without_a_link_there_is_no_sign_in(brand: Brand, link: object) -> None:
    brand.script("begin", device(verification_uri_complete=link))

    assert "gaveUp" in brand.sign_in("read")


def test_a_code_that_no_form_can_hold_ends_the_flow(brand: Brand) -> None:
    brand.script("begin", device(device_code="\ud800"))
    brand.sign_in("read")

    assert "cannot be sent back" in brand.go_on()["gaveUp"]["reason"]


def test_only_scopes_of_the_card_are_requested(brand: Brand) -> None:
    brand.sign_in("openid", "cancel", "read", "elsewhere")

    assert brand.forms("begin")[0]["scope"] == "read cancel"
    assert "gaveUp" in brand.sign_in("openid")


def test_the_users_words_choose_scopes_where_none_are_given(brand: Brand) -> None:
    brand.say("Where are my ORDERS?")
    brand.sign_in()
    brand.say("Hm.")
    brand.sign_in()

    assert [it["scope"] for it in brand.forms("begin")] == ["read", "read cancel"]


def test_a_brand_without_an_offer_is_not_asked(brand: Brand) -> None:
    brand.card = card(securitySchemes={"a": card()["securitySchemes"]["odd"]})
    brand.connect()

    assert "does not offer" in brand.sign_in("read")["gaveUp"]["reason"]
    assert "gaveUp" in brand.go_on()
    assert "reply" in brand.say()
    assert not brand.seen("begin")


def test_endpoints_that_the_card_leaves_out_are_those_of_the_metadata(brand: Brand) -> None:
    offer = brand.card["securitySchemes"]["consent"]["oauth2SecurityScheme"]["flows"]["deviceCode"]
    offer["deviceAuthorizationUrl"], offer["tokenUrl"] = "", ""
    brand.connect()
    named = {"device_authorization_endpoint": f"{OAUTH}/begin", "token_endpoint": f"{OAUTH}/swap"}
    brand.script("metadata", *[answer(named)] * 2)

    assert "needsSignIn" in brand.sign_in("read")
    assert "reply" in brand.go_on()


@pytest.mark.parametrize(
    ("given", "expected"), [(7, 7), (None, 5), ("9", 5), (-1, 5), (0, 1), (True, 5), (2.5, 2.5)]
)
def test_polls_keep_the_interval(brand: Brand, given: object, expected: float) -> None:
    brand.script("begin", device(interval=given))
    brand.script("swap", *[oauth_error("authorization_pending")] * 2)
    brand.sign_in("read")

    assert "reply" in brand.go_on()
    assert polls(brand) == pytest.approx([expected, 2 * expected, 3 * expected], abs=0.5)


def test_each_slow_down_adds_five_seconds_for_good(brand: Brand) -> None:
    script = ("slow_down", "authorization_pending", "slow_down", "authorization_pending")
    brand.script("swap", *map(oauth_error, script))
    brand.sign_in("read")

    assert "reply" in brand.go_on()
    assert polls(brand) == pytest.approx([5, 15, 25, 40, 55], abs=0.5)


@pytest.mark.parametrize("code", ["access_denied", "expired_token", "invalid_grant", "made_up"])
def test_any_other_error_ends_the_flow(brand: Brand, code: str) -> None:
    brand.script("swap", oauth_error("authorization_pending"), oauth_error(code))
    brand.sign_in("read")

    assert code in brand.go_on()["gaveUp"]["reason"]
    assert "gaveUp" in brand.go_on()
    assert len(brand.seen("swap")) == 2
    assert "reply" in brand.say()
    assert brand.delegations() == [None]


@pytest.mark.parametrize("lifetime", [60, 1e9, None, "long"])
def test_polling_ends_with_the_code(brand: Brand, lifetime: object) -> None:
    brand.script("begin", device(expires_in=lifetime))
    brand.script("swap", *[oauth_error("authorization_pending")] * 2000)
    brand.sign_in("read")

    assert "nobody" in brand.go_on()["gaveUp"]["reason"]
    assert max(polls(brand)) < (60 if lifetime == 60 else 3600)


def test_lost_polls_become_rarer_and_come_to_an_end(brand: Brand) -> None:
    brand.script("swap", *[lost()] * 9)
    brand.sign_in("read")

    assert "gaveUp" in brand.go_on()
    assert polls(brand) == pytest.approx([5, 15, 35], abs=0.5)


@pytest.mark.parametrize(
    "answered",
    [
        answer(None, 401, www_authenticate='Bearer realm="a2a"'),
        answer("<html>", 500, content_type="text/html"),
        answer("[]", 200),
        answer({"access_token": "x"}, 200),
        token("with space"),
        token("lines\r\nX-Other: 1"),
        token("ünsendable"),
        token(token_type="mac"),
        answer({"error": ["slow_down"]}, 400),
    ],
)
def test_nonsense_ends_the_flow(brand: Brand, answered: Answer) -> None:
    brand.script("swap", answered)
    brand.sign_in("read")

    assert brand.go_on()["gaveUp"]["reason"]
    assert len(brand.seen("swap")) == 1
    assert brand.holds()["scopes"] == []


@pytest.mark.parametrize(
    ("scope", "expected"), [("read", ["read"]), ("", []), (None, ["read", "cancel"])]
)
def test_the_granted_scopes_are_those_of_the_response(
    brand: Brand, scope: str | None, expected: list[str]
) -> None:
    brand.script("swap", token(scope=scope))
    brand.sign_in("read", "cancel")
    brand.go_on()

    assert brand.holds()["scopes"] == expected


def test_a_refused_request_is_told(brand: Brand) -> None:
    brand.script("begin", oauth_error("invalid_scope"))

    assert "invalid_scope" in brand.sign_in("read")["gaveUp"]["reason"]


def test_a_limit_is_waited_for_at_the_endpoints_too(brand: Brand) -> None:
    brand.script("begin", answer(None, 429, retry_after="20"))

    assert "needsSignIn" in brand.sign_in("read")
    assert sum(brand.waits) == pytest.approx(20, abs=0.5)
