"""Libraries that know OAuth and nothing of PACT get delegation tokens from the mock Provider."""

import uuid
from typing import Any

import httpx
import pytest

from pact_conformance.counterpart.provider.serving import RunningBrand
from tests.counterpart.agent import Agent

from .driven import Driven, RaisedError
from .user import decide

BOTH = "orders:read orders:cancel"


class Device:
    """A personal agent whose device flow is a library's."""

    def __init__(self, client: Driven, agent: Agent, card: dict[str, Any]) -> None:
        self._client = client
        self._agent = agent
        scheme = card["securitySchemes"]["userDelegation"]["oauth2SecurityScheme"]
        self._urls = scheme["flows"]["deviceCode"]
        self.interface = card["supportedInterfaces"][0]["url"]
        self.metadata = client.do("metadata", url=scheme["oauth2MetadataUrl"])

    def _do(self, name: str, **arguments: object) -> dict[str, Any]:
        ours = {"token": self._agent.token("oauth-user"), "client_id": self._agent.issuer}
        returned: dict[str, Any] = self._client.do(name, **{**ours, **arguments})
        return returned

    def begin(self, scope: str = BOTH, **otherwise: object) -> dict[str, Any]:
        url = self._urls["deviceAuthorizationUrl"]
        return self._do("begin", url=url, scope=scope, **otherwise)

    def redeem(self, device_code: str, **otherwise: object) -> dict[str, Any]:
        name = "redeem_with_oauthlib" if "scope" in otherwise else "redeem"
        url = self._urls["tokenUrl"]
        return self._do(name, url=url, device_code=device_code, **otherwise)

    def refresh(self, refresh_token: str) -> dict[str, Any]:
        return self._do("refresh", url=self._urls["tokenUrl"], refresh_token=refresh_token)

    def refused(self, device_code: str, **otherwise: object) -> str:
        with pytest.raises(RaisedError) as caught:
            self.redeem(device_code, **otherwise)
        return str(caught.value)

    def say(self, text: str, delegation: str) -> dict[str, Any]:
        (answer,) = self._client.do(
            "send",
            interface=self.interface,
            token=self._agent.token("oauth-user"),
            message_id=uuid.uuid4().hex,
            text=text,
            delegation=delegation,
        )
        told: dict[str, Any] = answer
        return told


@pytest.fixture
def device(client: Driven, agent: Agent, brand: RunningBrand) -> Device:
    return Device(client, agent, client.do("card", interface=brand.interface))


def test_the_metadata_are_an_authorization_servers(device: Device, brand: RunningBrand) -> None:
    assert device.metadata["issuer"].startswith(brand.interface)


def test_a_flow_begins(device: Device) -> None:
    flow = device.begin()

    assert flow["status"] == 200
    assert flow["user_code"] in flow["verification_uri_complete"]


@pytest.mark.parametrize(
    ("otherwise", "error"),
    [({"scope": "orders:burn"}, "invalid_scope"), ({"client_id": "https://x.example"}, None)],
)
def test_a_flow_that_must_not_begin_does_not(
    device: Device, otherwise: dict[str, str], error: str | None
) -> None:
    answer = device.begin(**otherwise)

    assert answer["status"] == 400
    assert error in (answer["error"], None)


@pytest.mark.parametrize("library", ["authlib", "oauthlib"])
def test_each_library_sees_a_flow_through(device: Device, library: str) -> None:
    by = {"scope": BOTH} if library == "oauthlib" else {}
    flow = device.begin()
    pending = device.refused(flow["device_code"], **by)
    decide(flow["verification_uri_complete"], BOTH.split())
    token = device.redeem(flow["device_code"], **by)

    assert "authorization_pending" in pending
    assert token["token_type"] == "Bearer"
    assert set(token["scope"].split()) == set(BOTH.split())
    assert "invalid_grant" in device.refused(flow["device_code"], **by)


def test_what_the_user_refuses_is_denied(device: Device) -> None:
    flow = device.begin("addresses:change")
    decide(flow["verification_uri_complete"], None, username="omar")

    assert "access_denied" in device.refused(flow["device_code"])


def test_a_library_learns_that_less_was_granted(device: Device) -> None:
    flow = device.begin()
    decide(flow["verification_uri_complete"], ["orders:read"], username="omar")
    warning = device.refused(flow["device_code"], scope=BOTH)

    assert warning.startswith("Warning: Scope has changed from")
    assert warning.endswith('to "orders:read".')


def test_tokens_and_receipts_verify_with_the_published_keys(
    client: Driven, agent: Agent, device: Device
) -> None:
    flow = device.begin()
    decide(flow["verification_uri_complete"], BOTH.split())
    first = device.redeem(flow["device_code"])
    second = device.refresh(first["refresh_token"])
    jwks = httpx.get(device.metadata["jwks_uri"], trust_env=False).json()

    for token in (first["access_token"], second["access_token"]):
        reply = device.say("Where is my order?", token)["message"]
        receipt = reply["metadata"]["pact.receipt"]
        verified = client.do("verify", jwks=jwks, token=token, receipt=receipt["jws"])
        claims = verified["token"]
        assert verified["receipt"] == receipt["claims"]
        assert claims["iss"] == device.metadata["issuer"]
        assert claims["aud"] == receipt["claims"]["brand"] == device.interface
        assert claims["client_id"] == receipt["claims"]["pa"] == agent.issuer
        assert claims["grant_id"] == receipt["claims"]["grantId"]
        assert claims["sub"] == receipt["claims"]["user"] == "jane-4471"


def test_the_sdk_reads_a_step_up_as_a_task_that_waits_for_authorization(device: Device) -> None:
    flow = device.begin("orders:read")
    decide(flow["verification_uri_complete"], ["orders:read"], username="omar")
    token = device.redeem(flow["device_code"])["access_token"]
    task = device.say("Please cancel my order.", token)["task"]

    assert task["status"]["state"] == "TASK_STATE_AUTH_REQUIRED"
    assert task["metadata"]["pact.missingScopes"] == ["orders:cancel"]
    assert httpx.get(task["metadata"]["pact.verificationUriComplete"]).status_code == 200
