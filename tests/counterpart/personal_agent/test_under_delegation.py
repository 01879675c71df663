"""Sending with a delegation token, renewing it, and step-up (§5.4, §5.5)."""

import pytest

from tests.counterpart.personal_agent.brand import (
    JANE,
    OMAR,
    Brand,
    answer,
    card,
    device,
    invalid_token,
    lost,
    oauth_error,
    reply,
    step_up,
    token,
)


def test_the_token_goes_out_as_it_came(brand: Brand) -> None:
    odd = "ey.J~+/=" * 400
    brand.granted(access_token=odd)

    brand.say()

    assert brand.delegations() == [f"Bearer {odd}"]
    assert dict(brand.seen("send")[0].headers)["Authorization"] != f"Bearer {odd}"


def test_the_token_is_its_brands_and_its_users(brand: Brand) -> None:
    brand.granted()
    brand.say(user=OMAR)
    brand.connect("https://elsewhere.example/card")
    brand.say(user=JANE)

    assert brand.delegations() == [None, None]
    assert brand.holds(OMAR)["scopes"] == []


def test_a_brand_that_has_withdrawn_its_offer_gets_no_token(brand: Brand) -> None:
    brand.granted()
    brand.card = card(securitySchemes={"a": card()["securitySchemes"]["odd"]})
    brand.connect()

    assert "reply" in brand.say()
    assert brand.delegations() == [None]


def test_a_token_is_refreshed_before_it_ends_by_the_last_refresh_token(brand: Brand) -> None:
    brand.granted(refresh_token="rt-1", expires_in=100)
    brand.script("swap", token("dt-2", refresh_token="rt-2", expires_in=100, scope=None))
    brand.script("swap", token("dt-3", refresh_token=None, expires_in=100))
    brand.script("swap", token("dt-4"))
    for seconds in (0, 90, 200, 200):
        brand.pass_time(seconds)
        assert "reply" in brand.say()

    assert brand.delegations() == [f"Bearer dt-{n}" for n in (1, 2, 3, 4)]
    _, *refreshes = brand.forms("swap")
    assert [it["refresh_token"] for it in refreshes] == ["rt-1", "rt-2", "rt-2"]
    assert {it["grant_type"] for it in refreshes} == {"refresh_token"}
    assert {it["client_id"] for it in refreshes} == {brand.adapter.issuer}
    assert brand.holds()["scopes"] == ["read"]


def test_a_token_without_an_end_is_sent_as_long_as_it_is_taken(brand: Brand) -> None:
    brand.granted(expires_in=None)
    brand.pass_time(1e6)

    assert "reply" in brand.say()
    assert brand.delegations() == ["Bearer dt-1"]


@pytest.mark.parametrize("refresh_token", ["rt-1", None])
def test_where_nothing_can_be_renewed_the_user_is_asked(
    brand: Brand, refresh_token: str | None
) -> None:
    brand.granted(refresh_token=refresh_token)
    brand.pass_time(4000)
    brand.script("swap", *[oauth_error("invalid_grant")] * (refresh_token is not None))

    assert brand.say("Now")["needsSignIn"]["scopes"] == ["read"]
    assert not brand.messages()
    assert "reply" in brand.go_on()
    assert brand.messages()[0]["parts"] == [{"text": "Now"}]


def test_a_refresh_that_fails_by_chance_loses_nothing(brand: Brand) -> None:
    brand.granted(expires_in=100)
    brand.pass_time(80)
    brand.script("swap", lost(), lost())

    assert "reply" in brand.say()
    brand.pass_time(100)
    assert "gaveUp" in brand.say()
    assert "reply" in brand.say()
    assert brand.delegations() == ["Bearer dt-1", "Bearer dt-1"]


def test_a_refused_token_is_renewed_and_the_message_sent_again(brand: Brand) -> None:
    brand.granted()
    brand.script("send", invalid_token())
    brand.script("swap", token("dt-2"))

    assert "reply" in brand.say()
    assert brand.delegations() == ["Bearer dt-1", "Bearer dt-2"]


def test_what_is_refused_after_that_is_asked_for_anew(brand: Brand) -> None:
    brand.granted()
    brand.script("send", *[invalid_token()] * 2)

    assert "needsSignIn" in brand.say()
    assert len(brand.messages()) == 2
    assert brand.holds()["scopes"] == []
    assert "reply" in brand.go_on()


def test_a_revoked_grant_is_asked_for_anew(brand: Brand) -> None:
    brand.granted()
    brand.script("send", invalid_token())
    brand.script("swap", oauth_error("invalid_grant"))

    assert "needsSignIn" in brand.say()
    assert brand.delegations() == ["Bearer dt-1"]


@pytest.mark.parametrize(
    "challenge",
    [
        'Bearer realm="a2a"',
        'Bearer realm="error=invalid_token"',
        'Digest error="invalid_token", Bearer realm="a2a"',
        'Bearer realm="a, error=invalid_token"',
        "",
    ],
)
def test_a_plain_401_leaves_the_grant_alone(brand: Brand, challenge: str) -> None:
    brand.granted()
    brand.script("send", answer(None, 401, www_authenticate=challenge))

    assert "gaveUp" in brand.say()
    assert "reply" in brand.say()
    assert brand.delegations() == ["Bearer dt-1"] * 2


@pytest.mark.parametrize(
    "challenge",
    ["bearer error=invalid_token", 'Basic realm="x", Bearer realm="a2a" , error = "invalid_token"'],
)
def test_the_challenge_of_a_bad_token_is_read_in_every_form(brand: Brand, challenge: str) -> None:
    brand.granted()
    brand.script("send", answer(None, 401, www_authenticate=challenge))
    brand.script("swap", token("dt-2"))

    assert "reply" in brand.say()
    assert brand.delegations() == ["Bearer dt-1", "Bearer dt-2"]


def test_a_step_up_is_signed_in_for_and_the_message_sent_anew(brand: Brand) -> None:
    brand.granted("read")
    first = brand.say()
    brand.script("send", step_up("cancel"))
    asked = brand.say("Cancel it", first["conversation"])

    assert asked["needsSignIn"]["scopes"] == ["cancel", "read"]
    assert asked["conversation"] == first["conversation"]
    brand.script("swap", token("dt-2", scope="cancel read"))
    assert brand.go_on() == {"reply": {"text": "Sure."}, "conversation": first["conversation"]}
    _, stepped, again = brand.messages()
    assert again["contextId"] == stepped["contextId"] == "ctx-1"
    assert again["parts"] == stepped["parts"]
    assert again["messageId"] != stepped["messageId"]
    assert "taskId" not in again
    assert brand.delegations()[-1] == "Bearer dt-2"
    assert not [it for it in brand.requests if "tasks" in it.url]


def test_a_step_up_without_any_grant_is_one_too(brand: Brand) -> None:
    brand.script("send", step_up("cancel", context_id="ctx-7"))

    assert brand.say()["needsSignIn"]["scopes"] == ["cancel"]
    brand.script("swap", token(scope="cancel"))
    assert "reply" in brand.go_on()
    assert brand.messages()[1]["contextId"] == "ctx-7"


def test_a_step_up_that_the_user_does_not_approve_is_told(brand: Brand) -> None:
    brand.script("send", step_up("cancel"))
    brand.say()
    brand.script("swap", token(scope="read"))

    assert "cancel" in brand.go_on()["gaveUp"]["reason"]
    assert len(brand.messages()) == 1
    assert brand.holds()["scopes"] == ["read"]


def test_a_step_up_for_what_is_granted_does_not_go_round(brand: Brand) -> None:
    brand.granted("read")
    brand.script("send", step_up("read"))

    assert "gaveUp" in brand.say()
    assert len(brand.seen("begin")) == 1


@pytest.mark.parametrize("missing", [(), ("elsewhere",), ("openid", "")])
def test_a_step_up_for_nothing_on_the_card_is_given_up(
    brand: Brand, missing: tuple[str, ...]
) -> None:
    brand.script("send", step_up(*missing))

    assert "gaveUp" in brand.say()
    assert not brand.seen("begin")


def test_a_user_who_goes_on_talking_does_not_lose_what_waits(brand: Brand) -> None:
    brand.script("send", step_up("cancel"), reply("Fine."))
    first = brand.say("Cancel it")
    brand.say("Hm", first["conversation"])
    brand.script("swap", token(scope="cancel"))

    assert "reply" in brand.go_on()
    assert brand.messages()[-1]["parts"] == [{"text": "Cancel it"}]


def test_a_new_sign_in_takes_the_place_of_the_old_one(brand: Brand) -> None:
    brand.sign_in("read")
    brand.script("begin", device(device_code="dc-2"))
    brand.sign_in("cancel")
    brand.go_on()

    assert [it["device_code"] for it in brand.forms("swap")] == ["dc-2"]
