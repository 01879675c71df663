import base64
import json
import time
from typing import Any

import httpx
import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from jwt.algorithms import ECAlgorithm

from pact_conformance.counterpart.provider.serving import RunningProvider
from tests.counterpart.agent import Agent, FromNow, message

NOW = int(time.time())


def status(client: httpx.Client, brand: str, token: str, scheme: str = "Bearer") -> int:
    answer = client.get(f"{brand}/tasks", headers={"Authorization": f"{scheme} {token}"})
    if answer.status_code == 401:
        assert answer.headers.get_list("www-authenticate") == ['Bearer realm="a2a"']
        assert answer.content == b""
    return answer.status_code


@pytest.mark.parametrize("alg", ["ES256", "RS256"])
def test_a_good_token_is_accepted(client: httpx.Client, brand: str, agent: Agent, alg: str) -> None:
    assert status(client, brand, agent.token(alg=alg)) == 200
    assert status(client, brand, agent.token(alg=alg), scheme="bEARER") == 200


@pytest.mark.parametrize(
    "changed",
    [
        {"jti": None},
        {"more": {"a": [1]}},
        {"iat": FromNow(-180), "exp": FromNow(120)},
        {"iat": FromNow(20), "exp": FromNow(100)},
        {"iat": FromNow(-60), "exp": FromNow(-5)},
        {"nbf": FromNow(-1)},
        {"header": {"typ": "JWT", "x": 1}},
        {"header": {"kid": None}},
    ],
)
def test_what_the_section_leaves_open_is_accepted(
    client: httpx.Client, brand: str, agent: Agent, changed: dict[str, Any]
) -> None:
    assert status(client, brand, agent.token(**changed)) == 200


@pytest.mark.parametrize(
    "changed",
    [
        {"iss": None},
        {"iss": "https://agent.example/"},
        {"iss": ["https://agent.example"]},
        {"sub": None},
        {"sub": ""},
        {"sub": " \u2003"},
        {"sub": 7},
        {"aud": None},
        {"aud": "aud-of-the-test"},
        {"aud": ["aud-of-the-tests"]},
        {"iat": None},
        {"iat": str(NOW)},
        {"iat": float(NOW)},
        {"iat": FromNow(60), "exp": FromNow(120)},
        {"exp": None},
        {"exp": str(NOW + 60)},
        {"exp": True},
        {"iat": FromNow(0), "exp": FromNow(301)},
        {"iat": FromNow(-120), "exp": FromNow(-40)},
        {"iat": FromNow(10), "exp": FromNow(10)},
        {"nbf": FromNow(100)},
        {"nbf": "soon"},
        {"alg": "ES256K"},
        {"alg": "RS512"},
        {"alg": "PS256"},
        {"header": {"crit": ["exp"]}},
        {"header": {"kid": "unknown"}},
        {"header": {"kid": 7}},
        {"header": {"alg": "es256"}},
        {"header": {"alg": None}},
        {"header": {"kid": "r1"}},
    ],
)
def test_what_breaks_the_table_is_refused(
    client: httpx.Client, brand: str, agent: Agent, changed: dict[str, Any]
) -> None:
    if changed.get("alg") == "ES256K":
        changed = {**changed, "key": ec.generate_private_key(ec.SECP256K1())}

    assert status(client, brand, agent.token(**changed)) == 401


def test_an_embedded_key_is_not_looked_at(client: httpx.Client, brand: str, agent: Agent) -> None:
    other = Agent()
    jwk = other.jwks()["keys"][0]

    assert status(client, brand, other.token(header={"jwk": jwk})) == 401
    assert status(client, brand, agent.token(header={"jwk": jwk})) == 200


def respelt(token: str) -> dict[str, str]:
    header, claims, signature = token.split(".")
    alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    stray = alphabet[alphabet.index(signature[-1]) + 1]
    return {
        "padded": f"{header}.{claims}.{signature}==",
        "stray bits": f"{header}.{claims}.{signature[:-1]}{stray}",
        "fourth segment": f"{token}.",
        "two segments": f"{header}.{claims}",
        "no signature": f"{header}.{claims}.",
        "white space": f"{header}. {claims}.{signature}",
        "not base64": f"{header}.{claims}!.{signature}",
        "flattened": json.dumps({"protected": header, "payload": claims, "signature": signature}),
    }


@pytest.mark.parametrize("spelling", respelt("a.b.Q"))
def test_another_spelling_of_a_good_token_is_refused(
    client: httpx.Client, brand: str, agent: Agent, spelling: str
) -> None:
    assert status(client, brand, respelt(agent.token())[spelling]) == 401


@pytest.mark.parametrize("more", ['"sub":"other"', '"x":NaN', '"x":' + "[" * 5000])
def test_claims_that_are_no_strict_json_are_refused(
    client: httpx.Client, brand: str, agent: Agent, more: str
) -> None:
    algorithm = agent.ec_key
    text = json.dumps(agent.claims())[:-1] + f",{more}}}"
    header = base64.urlsafe_b64encode(b'{"alg":"ES256","kid":"e1"}').rstrip(b"=")
    signed = header + b"." + base64.urlsafe_b64encode(text.encode()).rstrip(b"=")
    signature = ECAlgorithm(ECAlgorithm.SHA256).sign(signed, algorithm)
    token = signed + b"." + base64.urlsafe_b64encode(signature).rstrip(b"=")

    assert status(client, brand, token.decode()) == 401


@pytest.mark.parametrize(
    "header",
    ["", "Bearer", "Basic YTpi", "Bearer a b", "Bearer a, Bearer b", "Token {token}"],
)
def test_what_is_no_bearer_token_is_refused(
    client: httpx.Client, brand: str, agent: Agent, header: str
) -> None:
    value = header.format(token=agent.token())

    assert client.get(f"{brand}/tasks", headers={"Authorization": value}).status_code == 401


def test_two_authorization_headers_are_refused(
    client: httpx.Client, brand: str, agent: Agent
) -> None:
    value = f"Bearer {agent.token()}"
    answer = client.get(
        f"{brand}/tasks", headers=[("Authorization", value), ("Authorization", value)]
    )

    assert answer.status_code == 401


def test_the_caller_is_known_before_the_body_is_read(client: httpx.Client, brand: str) -> None:
    answer = client.post(f"{brand}/message:send", content=b"{")

    assert answer.status_code == 401


def test_one_token_is_good_for_every_brand(
    running: RunningProvider, client: httpx.Client, agent: Agent
) -> None:
    token = agent.token()

    assert [status(client, it.interface, token) for it in running.brands] == [200, 200]


def test_a_long_body_is_refused(client: httpx.Client, brand: str, agent: Agent) -> None:
    body = message("x" * (1 << 20))
    answer = client.post(f"{brand}/message:send", json=body, headers=agent.bearer())

    assert answer.json()["error"]["details"][0]["reason"] == "INVALID_PARAMS"
