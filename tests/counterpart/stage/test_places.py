"""Cards, interfaces and OAuth endpoints are wherever a script has them."""

from urllib.parse import urlsplit

import pytest

from tests.counterpart.stage.acting import DEVICE_CODE, Acting


def test_a_brand_without_a_script_is_an_honest_one(acts: Acting) -> None:
    scene = acts.stage.open()
    card = acts.card(scene)
    reply = acts.say(scene)

    assert card["supportedInterfaces"][0]["url"] == scene.interface
    assert "userDelegation" in card["securitySchemes"]
    assert reply.status_code == 200
    assert [it.operation for it in scene.seen()] == ["card", "message:send"]


def test_a_card_has_any_path_and_no_other(acts: Acting) -> None:
    scene = acts.stage.open(cardPath="/registry/of%20brands/42.json")
    found = acts.client.get(scene.card)
    usual = acts.client.get(f"{scene.interface}/.well-known/agent-card.json")

    assert scene.card == f"{acts.running.base}/registry/of%20brands/42.json"
    assert (found.status_code, usual.status_code) == (200, 404)
    assert [it.operation for it in scene.seen()] == ["card", "unmatched"]
    assert acts.say(scene).status_code == 200


@pytest.mark.parametrize("path", ["/a/very/deep/path", "/with/a/slash/at/the/end/", "/caf%C3%A9"])
def test_an_interface_has_any_path(acts: Acting, path: str) -> None:
    scene = acts.stage.open(interfacePath=path)
    reply = acts.say(scene)

    assert acts.card(scene)["supportedInterfaces"][0]["url"] == acts.running.base + path
    assert reply.status_code == 200
    assert scene.seen("message:send")[0].url.endswith("/message:send")


def test_an_interface_elsewhere_is_not_where_interfaces_are(acts: Acting) -> None:
    scene = acts.stage.open(interfacePath="/elsewhere/than/usual")
    usual = f"{acts.running.base}/a2a/{scene.brand_id}/message:send"

    assert acts.say(scene, url=usual).status_code == 404
    assert [(it.operation, it.url) for it in scene.seen()] == [("unmatched", usual)]


def test_an_interface_is_on_the_other_host(acts: Acting) -> None:
    scene = acts.stage.open(interfaceHost="other", approve={"auto": "all"})
    base = urlsplit(acts.running.base)
    wrong = scene.interface.replace(urlsplit(scene.interface).netloc, base.netloc)

    assert urlsplit(scene.card).hostname == "127.0.0.1"
    assert urlsplit(scene.interface).hostname == "localhost"
    assert acts.say(scene).status_code == 200
    assert acts.say(scene, url=f"{wrong}/message:send").status_code == 404
    assert [it.operation for it in scene.seen()] == ["message:send", "unmatched"]
    assert acts.token(scene)["token_type"] == "Bearer"


def test_oauth_endpoints_follow_no_pattern(acts: Acting) -> None:
    endpoints = {
        "device_authorization": "/start/here",
        "token": "/x/17",
        "metadata": "/about",
        "jwks": "/public/keys",
        "host": "other",
    }
    scene = acts.stage.open(endpoints=endpoints, approve={"auto": "all"})
    scheme = acts.card(scene)["securitySchemes"]["userDelegation"]["oauth2SecurityScheme"]
    flow = scheme["flows"]["deviceCode"]
    metadata = acts.client.get(scheme["oauth2MetadataUrl"]).json()
    codes = acts.form(flow["deviceAuthorizationUrl"], scope="orders:read").json()
    sent = {"grant_type": DEVICE_CODE, "device_code": codes["device_code"]}

    assert flow["tokenUrl"] == f"{acts.running.other}/x/17" == metadata["token_endpoint"]
    assert acts.client.get(metadata["jwks_uri"]).json()["keys"]
    assert acts.form(f"{scene.issuer}/token", **sent).status_code == 404
    assert acts.form(flow["tokenUrl"], **sent).json()["token_type"] == "Bearer"
    assert [it.operation for it in scene.seen()] == [
        "card",
        "metadata",
        "device_authorization",
        "jwks",
        "unmatched",
        "token",
    ]


def test_a_domain_serves_the_card(acts: Acting) -> None:
    scene = acts.stage.open(domain={"serves": True})
    found = acts.client.get(f"{scene.domain}/.well-known/agent-card.json")

    assert found.json()["supportedInterfaces"][0]["url"] == scene.interface
    assert [it.operation for it in scene.seen()] == ["domain"]


@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_a_domain_redirects_to_the_card(acts: Acting, status: int) -> None:
    scene = acts.stage.open(domain={"redirect": status}, cardPath=f"/card/{status}")
    found = acts.client.get(f"{scene.domain}/.well-known/agent-card.json")

    assert (found.status_code, found.headers["location"]) == (status, scene.card)
    assert acts.client.get(scene.card).status_code == 200


def test_a_place_belongs_to_one_brand(acts: Acting) -> None:
    acts.stage.open(cardPath="/only/once")

    with pytest.raises(ValueError, match="path"):
        acts.stage.open(cardPath="/only/once")


def test_requests_to_no_place_are_seen(acts: Acting) -> None:
    scene = acts.stage.open(cardPath="/shop/7/card.json", interfacePath="/somewhere/7")
    for path in ("/shop/7/message:send", f"/x/{scene.brand_id}", "/a2a/NOBODY/tasks", "/favicon"):
        acts.client.get(acts.running.base + path)
    last = acts.stage.everything()[-4:]

    assert [it.operation for it in scene.seen()] == ["unmatched", "unmatched"]
    assert [(it.operation, it.brand) for it in last[2:]] == [
        ("other-brand", None),
        ("unmatched", None),
    ]
