"""What the verbs of the OAuth endpoints take, what they refuse, and that they say no secret."""

import pytest

from pact_conformance import expect
from pact_conformance.verdicts import Deviation, Inconclusive
from pact_conformance.wire.errors import envelope
from tests.subject.answers import answer

DEVICE: dict[str, object] = {
    "device_code": "dc_9f3c",
    "user_code": "WDJB-MJHT",
    "verification_uri": "https://brand.example/login",
    "verification_uri_complete": "https://brand.example/login?user_code=WDJB-MJHT",
    "expires_in": 600,
}
TOKEN: dict[str, object] = {"access_token": "e.f.g", "token_type": "Bearer"}


def without(value: dict[str, object], name: str) -> dict[str, object]:
    return {key: held for key, held in value.items() if key != name}


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (400, {"error": "invalid_scope"}),
        (400, {"error": "invalid_scope", "error_description": None, "detail": [1]}),
        (400, {"error": "invalid_client"}),
        (401, {"error": "invalid_client"}),
    ],
)
def test_an_oauth_error_is_400_or_invalid_client_with_401(status: int, body: object) -> None:
    code = expect.oauth_error(answer(status, body), "invalid_scope", "invalid_client")

    assert code in {"invalid_scope", "invalid_client"}


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (200, {"error": "invalid_scope"}),
        (401, {"error": "invalid_scope"}),
        (403, {"error": "invalid_scope"}),
        (422, {"error": "invalid_scope"}),
        (500, {"error": "invalid_scope"}),
        (400, {"error": "invalid_grant"}),
        (400, {"error": ""}),
        (400, {"error": "invalid scope\n"}),
        (400, {"error": None}),
        (400, {"error": {"code": "invalid_scope"}}),
        (400, envelope("INVALID_PARAMS", "no")),
        (400, ["invalid_scope"]),
        (400, b"error=invalid_scope"),
        (400, b""),
        (200, DEVICE),
    ],
)
def test_anything_else_is_none(status: int, body: object) -> None:
    with pytest.raises(Deviation):
        expect.oauth_error(answer(status, body), "invalid_scope")


def test_without_codes_any_error_will_do() -> None:
    assert expect.oauth_error(answer(400, {"error": "of_its_own"})) == "of_its_own"


def test_a_refusal_is_401_or_an_error() -> None:
    expect.oauth_refusal(answer(401))
    expect.oauth_refusal(answer(400, {"error": "invalid_grant"}))

    for status, body in [
        (200, TOKEN),
        (403, {}),
        (400, envelope("INVALID_PARAMS", "no")),
        (404, {}),
    ]:
        with pytest.raises(Deviation):
            expect.oauth_refusal(answer(status, body))


@pytest.mark.parametrize("status", [429, 502, 503, 504])
def test_a_limit_and_a_gateway_settle_nothing(status: int) -> None:
    for verb in (expect.oauth_error, expect.oauth_refusal, expect.device_response):
        with pytest.raises(Inconclusive):
            verb(answer(status, b"<html>"))


def test_a_device_response_is_read() -> None:
    codes = expect.device_response(answer(200, {**DEVICE, "interval": 7.5}))

    assert (codes.device_code, codes.user_code) == ("dc_9f3c", "WDJB-MJHT")
    assert codes.verification_uri == DEVICE["verification_uri"]
    assert codes.link == DEVICE["verification_uri_complete"]
    assert (codes.expires_in, codes.interval) == (600, 7.5)


@pytest.mark.parametrize("body", [DEVICE, {**DEVICE, "interval": None}])
def test_an_interval_left_out_is_five(body: dict[str, object]) -> None:
    assert expect.device_response(answer(200, body)).interval == 5


def test_the_complete_link_is_judged_by_its_own_requirement() -> None:
    assert (
        expect.device_response(answer(200, without(DEVICE, "verification_uri_complete"))).link
        is None
    )


@pytest.mark.parametrize(
    "body",
    [
        *(without(DEVICE, it) for it in ("device_code", "user_code", "verification_uri")),
        without(DEVICE, "expires_in"),
        {**DEVICE, "expires_in": "600"},
        {**DEVICE, "expires_in": 0},
        {**DEVICE, "interval": "5"},
        {**DEVICE, "user_code": 12345678},
        [DEVICE],
    ],
)
def test_a_device_response_that_lacks_something_is_none(body: object) -> None:
    with pytest.raises(Deviation):
        expect.device_response(answer(200, body))


@pytest.mark.parametrize("kind", ["Bearer", "bearer", "BEARER"])
def test_a_token_response_is_read(kind: str) -> None:
    body = {**TOKEN, "token_type": kind, "refresh_token": "rt", "expires_in": 3600, "scope": "b a"}
    token = expect.token_response(answer(200, body))

    assert (token.access_token, token.refresh_token) == ("e.f.g", "rt")
    assert token.expires_in == 3600
    assert token.scopes == frozenset({"a", "b"})


@pytest.mark.parametrize(
    "more",
    [{}, {"refresh_token": None, "expires_in": None, "scope": None}, {"scope": ["a"]}],
)
def test_what_a_token_response_may_lack_is_none(more: dict[str, object]) -> None:
    token = expect.token_response(answer(200, {**TOKEN, **more}))

    assert (token.refresh_token, token.expires_in, token.scopes) == (None, None, None)


@pytest.mark.parametrize(
    "body",
    [
        without(TOKEN, "access_token"),
        without(TOKEN, "token_type"),
        {**TOKEN, "access_token": ""},
        {**TOKEN, "token_type": "mac"},
        {**TOKEN, "token_type": 1},
        {"data": TOKEN},
        {"error": "authorization_pending"},
    ],
)
def test_a_token_response_without_a_bearer_token_is_none(body: object) -> None:
    with pytest.raises(Deviation):
        expect.token_response(answer(200, body))


def test_a_secret_of_the_wrong_form_is_not_quoted() -> None:
    """A part of a secret is known by no mask."""
    for name in ("device_code", "user_code", "verification_uri", "verification_uri_complete"):
        with pytest.raises(Deviation) as ended:
            expect.device_response(answer(200, {**DEVICE, name: ["s3cr3t:" * 20]}))
        assert "s3cr3t" not in ended.value.got

    with pytest.raises(Deviation) as ended:
        expect.token_response(answer(200, {**TOKEN, "access_token": {"value": "s3cr3t:" * 20}}))
    assert "s3cr3t" not in ended.value.got


def test_what_was_read_shows_no_secret() -> None:
    shown = repr(expect.device_response(answer(200, DEVICE)))
    shown += repr(expect.token_response(answer(200, {**TOKEN, "refresh_token": "rt_1"})))

    for secret in ("dc_9f3c", "WDJB", "e.f.g", "rt_1"):
        assert secret not in shown
