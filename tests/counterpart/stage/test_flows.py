"""Device flows, tokens and receipts on the stage."""

from typing import Any

import httpx
import pytest

from pact_conformance.subject.stage import Scene
from pact_conformance.tokens import delegation
from tests.counterpart.delegating import Page, claims
from tests.counterpart.stage.acting import CANCEL, READ, Acting


def refresh(acts: Acting, scene: Scene, token: str) -> dict[str, Any]:
    answer = acts.form(f"{scene.issuer}/token", grant_type="refresh_token", refresh_token=token)
    told: dict[str, Any] = answer.json()
    return told


def test_the_user_approves_after_some_polls(acts: Acting) -> None:
    scene = acts.stage.open(approve={"auto": [READ], "afterPolls": 2})
    codes = acts.begin(scene, READ, CANCEL)
    told = []
    for _ in range(3):
        told.append(acts.poll(scene, codes))
        scene.pass_time(codes["interval"])

    assert [it.get("error") for it in told] == ["authorization_pending"] * 2 + [None]
    assert told[2]["scope"] == READ
    assert claims(told[2]["access_token"])["sub"] == "jane-4471"


def test_the_user_refuses(acts: Acting) -> None:
    scene = acts.stage.open(approve={"deny": True})

    assert acts.token(scene) == {
        "error": "access_denied",
        "error_description": "The user has refused",
    }


def test_the_user_does_nothing_until_told_to(acts: Acting) -> None:
    scene = acts.stage.open()
    codes = acts.begin(scene, READ)
    before = acts.poll(scene, codes)
    scene.decide(codes["user_code"], [READ])

    assert before["error"] == "authorization_pending"
    assert acts.poll(scene, codes)["scope"] == READ


def test_a_code_expires(acts: Acting) -> None:
    scene = acts.stage.open(deviceCodeSeconds=2)
    codes = acts.begin(scene)
    scene.pass_time(3)

    assert codes["expires_in"] == 2
    assert acts.poll(scene, codes)["error"] == "expired_token"


@pytest.mark.parametrize(("interval", "named"), [(7, 7), (None, None), (0, 0)])
def test_the_interval_is_that_of_the_script(
    acts: Acting, interval: int | None, named: int | None
) -> None:
    codes = acts.begin(acts.stage.open(interval=interval))

    assert codes.get("interval") == named
    assert ("interval" in codes) is (interval is not None)


def test_the_link_has_a_query_of_the_script(acts: Acting) -> None:
    query = "campaign=%E2%98%95%20%26%2B%3D&x=%252F"
    scene = acts.stage.open(verificationQuery=query)
    link = acts.begin(scene)["verification_uri_complete"]
    page = acts.client.get(link)

    assert link.endswith(query)
    assert page.status_code == 200
    assert scene.seen("login")[0].url == link


@pytest.mark.parametrize("script", [{}, {"interfacePath": "/deep/down/17"}])
def test_the_user_signs_in_by_browser(acts: Acting, script: dict[str, Any]) -> None:
    scene = acts.stage.open(**script)
    codes = acts.begin(scene, READ, CANCEL)
    with httpx.Client(follow_redirects=True, trust_env=False) as browser:
        page = Page.of(browser.get(codes["verification_uri_complete"]))
        for fields in (
            {"username": "omar", "password": "omar-secret"},
            {},
            {"scope": CANCEL, "decision": "approve"},
        ):
            assert page.action is not None
            page = Page.of(browser.post(page.action, data={**page.fields, **fields}))

    told = acts.poll(scene, codes)
    assert page.name == "done"
    assert told["scope"] == CANCEL
    assert claims(told["access_token"])["sub"] == "omar-1208"
    assert {it.operation for it in scene.seen()} == {
        "device_authorization",
        "login",
        "page",
        "token",
    }


def test_tokens_have_claims_and_a_length_of_the_script(acts: Acting) -> None:
    scene = acts.stage.open(
        approve={"auto": "all"},
        tokenClaims={"https://odd.example/claim": {"a": [None, 1]}},
        tokenPadding=3000,
        tokenSeconds=60,
    )
    told = acts.token(scene)
    read = delegation.read(told["access_token"])

    assert len(told["access_token"]) > 4000
    assert read.claims["https://odd.example/claim"] == {"a": [None, 1]}
    assert told["expires_in"] == 60
    assert acts.say(scene, delegation=told["access_token"]).status_code == 200


def test_a_brand_gives_no_refresh_token(acts: Acting) -> None:
    scene = acts.stage.open(approve={"auto": "all"}, refresh=False)

    assert "refresh_token" not in acts.token(scene)


def test_refresh_tokens_rotate(acts: Acting) -> None:
    scene = acts.stage.open(approve={"auto": "all"})
    first = acts.token(scene)["refresh_token"]
    second = refresh(acts, scene, first)["refresh_token"]

    assert second != first
    assert refresh(acts, scene, first)["error"] == "invalid_grant"


def test_refresh_tokens_stay(acts: Acting) -> None:
    scene = acts.stage.open(approve={"auto": "all"}, rotate=False)
    first = acts.token(scene)["refresh_token"]
    told = [refresh(acts, scene, first) for _ in range(2)]

    assert all("access_token" in it and "refresh_token" not in it for it in told)


def test_a_grant_is_revoked(acts: Acting) -> None:
    scene = acts.stage.open(approve={"auto": "all"})
    token = acts.token(scene)["access_token"]
    scene.revoke(claims(token)["grant_id"])
    answer = acts.say(scene, delegation=token)

    assert answer.headers["www-authenticate"] == 'Bearer realm="a2a", error="invalid_token"'


def test_a_brand_offers_no_delegation(acts: Acting) -> None:
    scene = acts.stage.open(delegates=False)

    assert list(acts.card(scene)["securitySchemes"]) == ["paJwt"]
    assert acts.form(f"{scene.issuer}/token").status_code == 404


def verified(acts: Acting, scene: Scene, receipt: dict[str, Any]) -> bool:
    keys = acts.client.get(f"{scene.issuer}/jwks.json").json()
    try:
        return bool(delegation.verify(receipt["jws"], keys) == receipt["claims"])
    except ValueError:
        return False


@pytest.mark.parametrize("fault", ["signature", "foreign-key", "claims"])
def test_a_receipt_does_not_verify(acts: Acting, fault: str) -> None:
    scene = acts.stage.open(approve={"auto": "all"}, receipts={"of": 2, "fault": fault})
    token = acts.token(scene)["access_token"]
    found = [acts.say(scene, delegation=token).json() for _ in range(3)]
    receipts = [it["message"]["metadata"]["pact.receipt"] for it in found]

    assert [verified(acts, scene, it) for it in receipts] == [True, False, True]


@pytest.mark.parametrize(
    ("fault", "claim"),
    [("grant", "grantId"), ("brand", "brand"), ("scopes", "scopesUsed"), ("user", "user")],
)
def test_a_signed_receipt_is_about_something_else(acts: Acting, fault: str, claim: str) -> None:
    scene = acts.stage.open(approve={"auto": "all"}, receipts=[{"of": 1, "fault": fault}])
    token = acts.token(scene)["access_token"]
    wrong, right = (
        acts.say(scene, delegation=token).json()["message"]["metadata"]["pact.receipt"]
        for _ in range(2)
    )

    assert verified(acts, scene, wrong)
    assert wrong["claims"][claim] != right["claims"][claim]


def test_a_receipt_is_missing(acts: Acting) -> None:
    scene = acts.stage.open(approve={"auto": "all"}, receipts={"fault": "missing"})
    token = acts.token(scene)["access_token"]

    assert "metadata" not in acts.say(scene, delegation=token).json()["message"]
