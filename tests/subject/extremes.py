"""Providers with which nothing can be tested, and the finding that each comes to."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tests.subject.servers import Answer, Reply, Request, challenge, json_reply, with_card


def accepting(request: Request) -> Reply:
    """Take every token and none, and say hello."""
    if request.path.endswith("/tasks"):
        return json_reply({"tasks": [], "totalSize": 0, "pageSize": 50, "nextPageToken": ""})
    return json_reply(
        {
            "message": {
                "messageId": "m",
                "contextId": "c",
                "role": "ROLE_AGENT",
                "parts": [{"text": "Hello."}],
            }
        }
    )


def a2a_alone(document: dict[str, Any]) -> None:
    """Make a card one of A2A that asks for a key, and knows nothing of PACT."""
    key = {"apiKeySecurityScheme": {"location": "header", "name": "X-API-Key"}}
    document["securitySchemes"] = {"key": key}
    document["securityRequirements"] = [{"schemes": {"key": {"list": []}}}]


FRIENDLY = with_card(accepting)
HTML = Reply(200, b"<!doctype html><title>Welcome</title>", {"Content-Type": "text/html"})
LIMITED = Reply(429, b"slow down", {"Retry-After": "120"})


@dataclass(frozen=True)
class Extreme:
    """How it answers; the finding, its verdict, and what `got` and `do` say."""

    answer: Answer
    finding: str
    verdict: str
    got: str
    do: str


def failing_with_a_token(request: Request) -> Reply:
    """Refuse as it should, and fail as soon as a token is to be verified."""
    return Reply(500, b"oops") if "Authorization" in request.headers else challenge()


EXTREMES: Mapping[str, Extreme] = {
    "nothing-authenticates": Extreme(
        with_card(lambda _: challenge()),
        "nothing-authenticates",
        "inconclusive",
        "401 every time, with and without a token",
        "'https://agent.tests.example', PA_AUDIENCE 'aud-of-the-tests', and kid 'k-es256'",
    ),
    "empty-objects": Extreme(
        lambda _: json_reply({}),
        "card-unreadable",
        "inconclusive",
        "it answered 200 with a JSON object that has nothing of an Agent Card",
        "point E2E_PROVIDER at the Brand's card",
    ),
    "plain-web-server": Extreme(
        lambda _: HTML,
        "card-unreadable",
        "inconclusive",
        "it answered 200 with no JSON object (text/html)",
        "point E2E_PROVIDER at the Brand's card",
    ),
    "nothing-is-there": Extreme(
        lambda _: Reply(404, b"not found"),
        "card-unreadable",
        "inconclusive",
        "it answered 404",
        "point E2E_PROVIDER at the Brand's card",
    ),
    "card-behind-a-password": Extreme(
        lambda _: challenge(),
        "card-unreadable",
        "inconclusive",
        "it answered 401",
        "serve the card without asking for credentials",
    ),
    "card-for-agents-alone": Extreme(
        lambda it: FRIENDLY(it) if "Authorization" in it.headers else challenge(),
        "card-asks-for-a-token",
        "failed",
        "it answered 401; with a token of the registered personal agent the card came",
        "serve the card to anybody",
    ),
    "everybody-is-let-in": Extreme(
        with_card(accepting),
        "nobody-is-refused",
        "failed",
        "200 every time, with and without a token",
        "verify the personal-agent JWT before anything else",
    ),
    "a2a-without-pact": Extreme(
        with_card(accepting, a2a_alone),
        "nobody-is-refused",
        "failed",
        "200 every time, with and without a token; and the card declares no scheme of the",
        "see that E2E_PROVIDER is a Brand of a PACT Provider: what speaks A2A alone has no PACT",
    ),
    "a2a-with-keys-of-its-own": Extreme(
        with_card(lambda _: challenge(), a2a_alone),
        "nothing-authenticates",
        "inconclusive",
        "and the card declares no scheme of the personal-agent JWT",
        "see that E2E_PROVIDER is a Brand of a PACT Provider: what speaks A2A alone has no PACT",
    ),
    "fails-whatever-is-asked": Extreme(
        lambda _: Reply(500, b"oops"),
        "card-unreadable",
        "inconclusive",
        "it answered 500",
        "look into the Provider's log",
    ),
    "refused-with-403": Extreme(
        with_card(lambda _: Reply(403, b"forbidden")),
        "nobody-gets-401",
        "failed",
        "403 every time, with and without a token",
        "with 401 and the challenge of §3.4",
    ),
    "drips": Extreme(
        lambda _: Reply(200, drip=True),
        "provider-unreachable",
        "inconclusive",
        "did not complete its answer in time",
        "raise E2E_TEST_TIMEOUT_MS",
    ),
    "drips-behind-the-card": Extreme(
        with_card(lambda _: Reply(200, drip=True)),
        "provider-unreachable",
        "inconclusive",
        "did not complete its answer in time",
        "raise E2E_TEST_TIMEOUT_MS",
    ),
    "rate-limited": Extreme(
        lambda _: LIMITED,
        "rate-limited",
        "inconclusive",
        "it answered 429, and Retry-After: 120",
        "raise --pact-max-wait",
    ),
    "rate-limited-behind-the-card": Extreme(
        with_card(lambda _: LIMITED),
        "rate-limited",
        "inconclusive",
        "429 every time, with and without a token, and Retry-After: 120",
        "raise --pact-max-wait",
    ),
    "failing": Extreme(
        with_card(lambda _: Reply(500, b"oops")),
        "provider-fails",
        "inconclusive",
        "500 every time, with and without a token",
        "look into the Provider's log",
    ),
    "failing-with-a-token": Extreme(
        with_card(failing_with_a_token),
        "provider-fails",
        "inconclusive",
        "blank-text: 401 without a token, 500 with a good one",
        "see that it can fetch the registered jwksUri",
    ),
    "interface-elsewhere": Extreme(
        with_card(lambda _: Reply(404, b"not found")),
        "interface-not-served",
        "failed",
        "404 every time, with and without a token",
        "correct the interface URL on the card",
    ),
    "serves-nothing-but-errors": Extreme(
        with_card(lambda it: challenge() if "Authorization" not in it.headers else Reply(400, b"")),
        "no-probe",
        "inconclusive",
        "blank-text: 401 without a token, 400 with a good one",
        "with the A2A error of §6",
    ),
}
