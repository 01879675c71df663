"""The subject runs here, untouched: it serves its card and answers a signed message."""

import uuid
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from .example_air.agents import Agent
from .example_air.served import Served, served

AGENT = Agent("https://pa.example.com")
AUDIENCE = "an opaque audience"


@pytest.fixture(scope="module")
def subject(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    log = tmp_path_factory.mktemp("example-air") / "stderr.txt"
    with served([AGENT], log=log, audience=AUDIENCE) as running:
        yield running


def message(text: str = "hello") -> dict[str, object]:
    return {
        "message": {"messageId": uuid.uuid4().hex, "role": "ROLE_USER", "parts": [{"text": text}]}
    }


def send(subject: Served, token: str | None, body: dict[str, object]) -> httpx.Response:
    headers = {} if token is None else {"Authorization": f"Bearer {token}"}
    return httpx.post(f"{subject.interface}/message:send", json=body, headers=headers)


def test_the_card_names_the_interface_it_is_served_under(subject: Served) -> None:
    answer = httpx.get(subject.card)

    assert answer.status_code == 200
    assert answer.json()["supportedInterfaces"][0]["url"] == subject.interface
    assert subject.interface.startswith(subject.base)


@pytest.mark.parametrize("alg", ["ES256", "RS256"])
def test_a_signed_message_is_answered(subject: Served, alg: str) -> None:
    answer = send(subject, AGENT.token(subject.audience, alg=alg), message())

    assert subject.audience == AUDIENCE
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "application/a2a+json"
    assert answer.json()["message"]["role"] == "ROLE_AGENT"


def test_a_message_without_a_token_is_refused(subject: Served) -> None:
    answer = send(subject, None, message())

    assert answer.status_code == 401
    assert answer.headers["www-authenticate"] == 'Bearer realm="a2a"'


def test_an_agent_that_is_not_registered_is_refused(subject: Served) -> None:
    stranger = Agent("https://stranger.example.com")

    assert send(subject, stranger.token(subject.audience), message()).status_code == 401


def flow(subject: Served) -> dict[str, str]:
    form = {"client_id": AGENT.issuer, "scope": "bookings:read bookings:change"}
    headers = {"Authorization": f"Bearer {AGENT.token(subject.audience)}"}
    answer = httpx.post(
        f"{subject.interface}/oauth/device_authorization", data=form, headers=headers
    )
    codes: dict[str, str] = answer.json()
    return codes


def poll(subject: Served, device_code: str) -> dict[str, str]:
    form = {
        "grant_type": "urn:ietf:params:oauth:grant-type:device_code",
        "device_code": device_code,
        "client_id": AGENT.issuer,
    }
    headers = {"Authorization": f"Bearer {AGENT.token(subject.audience)}"}
    answer = httpx.post(f"{subject.interface}/oauth/token", data=form, headers=headers)
    told: dict[str, str] = answer.json()
    return told


def approve(subject: Served, code: str, **otherwise: object) -> httpx.Response:
    errand = {  # as schemas/approver-request.schema.json has it
        "version": 1,
        "link": f"https://air.example/login?return_to=consent&user_code={code}",
        "userCode": code,
        "brand": "Example Air Support",
        "account": {"number": 1, "username": "jane", "password": "jane-secret"},
        "scopes": [],
        "approve": None,
        "deny": False,
        "session": "kept",
        "lookOnly": False,
        "seconds": 10,
        **otherwise,
    }
    return httpx.post(subject.approver, json=errand)


def hook(subject: Served, name: str, **about: object) -> httpx.Response:
    asked = {"hook": name, "interface": subject.interface, **about}
    return httpx.post(subject.hooks, json=asked)


def test_who_approves_grants_what_is_asked(subject: Served) -> None:
    codes = flow(subject)

    assert approve(subject, codes["user_code"]).json() == {"decided": "approved"}
    assert poll(subject, codes["device_code"])["scope"] == "bookings:read bookings:change"


def test_who_approves_a_part_grants_that_part(subject: Served) -> None:
    codes = flow(subject)
    approve(subject, codes["user_code"], approve=["bookings:change"])

    assert poll(subject, codes["device_code"])["scope"] == "bookings:change"


@pytest.mark.parametrize("otherwise", [{"deny": True}, {"approve": []}])
def test_who_refuses_or_approves_nothing_grants_nothing(
    subject: Served, otherwise: dict[str, object]
) -> None:
    codes = flow(subject)
    decided = approve(subject, codes["user_code"], **otherwise).json()["decided"]

    assert decided == ("denied" if "deny" in otherwise else "approved")
    assert poll(subject, codes["device_code"]) == {"error": "access_denied"}


def test_who_only_looks_decides_nothing(subject: Served) -> None:
    codes = flow(subject)

    for code in (codes["user_code"], ""):
        assert approve(subject, code, lookOnly=True).json() == {"decided": "not asked"}
    assert poll(subject, codes["device_code"]) == {"error": "authorization_pending"}


@pytest.mark.parametrize(
    ("otherwise", "error"),
    [
        ({"userCode": "0000-0000"}, "no flow waits under the code '0000-0000'"),
        ({"account": {"username": "jane", "password": "another"}}, "the login is refused"),
        ({"account": {"username": "nobody", "password": ""}}, "the login is refused"),
    ],
)
def test_what_cannot_be_approved_is_an_error(
    subject: Served, otherwise: dict[str, object], error: str
) -> None:
    answer = approve(subject, flow(subject)["user_code"], **otherwise)

    assert answer.json() == {"error": error}


def test_the_clock_moves_there_and_back(subject: Served) -> None:
    token = AGENT.token(subject.audience)
    statuses = []
    for seconds in (3600, -3600):
        assert hook(subject, "advance_clock", seconds=seconds).status_code == 204
        statuses.append(send(subject, token, message()).status_code)

    assert statuses == [401, 200]


def test_a_code_outlives_its_time(subject: Served) -> None:
    codes = flow(subject)

    assert hook(subject, "expire_code", userCode=codes["user_code"]).status_code == 204
    assert poll(subject, codes["device_code"]) == {"error": "authorization_pending"}


def test_a_hook_for_what_the_subject_lacks_fails(subject: Served) -> None:
    answer = hook(subject, "revoke_grant", grantId="a2agrant_0")

    assert (answer.status_code, answer.text) == (501, "the subject has no revoke_grant\n")


def test_the_process_ends_with_its_standard_input(tmp_path: Path) -> None:
    with served([AGENT], log=tmp_path / "stderr.txt") as running:
        assert httpx.get(running.card).status_code == 200

    with pytest.raises(httpx.ConnectError):
        httpx.get(running.card)
