"""Exchanges as tests of rules need them: an answer to something asked with a good token."""

import json
from typing import Any

from pact_conformance.journal.exchange import (
    Credentials,
    Exchange,
    Header,
    Operation,
    Received,
    Sent,
)
from pact_conformance.journal.rules import ALL, fold_all
from pact_conformance.wire.errors import envelope
from pact_conformance.wire.media_types import A2A_JSON, JSON

HELLO = '{"message": {"messageId": "m-1", "role": "ROLE_USER", "parts": [{"text": "Hello"}]}}'
BLANK = HELLO.replace("Hello", " ")
REPLY = {
    "message": {
        "messageId": "r-1",
        "contextId": "c-1",
        "role": "ROLE_AGENT",
        "parts": [{"text": "Hi"}],
    }
}
NOT_FOUND = envelope("TASK_NOT_FOUND", "no such task")
HTML = "<html>Oops</html>"
CHALLENGE = ("WWW-Authenticate", 'Bearer realm="a2a"')
INVALID_PARAMS = envelope("INVALID_PARAMS", "no")
INTERNAL = envelope("INTERNAL", "sorry")
DELEGATION = (("X-A2A-User-Delegation", "Bearer x"),)
OAUTH_ERROR = {"error": "invalid_client"}
FRAMEWORK = {"detail": "Not authenticated"}
GOOGLE = {"error": {"code": 503, "status": "UNAVAILABLE", "message": "try again"}}
FORM_TYPE = (("Content-Type", "application/x-www-form-urlencoded"),)
DEVICE_FORM = "client_id=https%3A%2F%2Fpa&scope=orders%3Aread"
POLL_FORM = (
    "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Adevice_code&device_code=x&client_id=y"
)
STEP_UP = {
    "task": {
        "id": "t-1",
        "contextId": "c-1",
        "status": {"state": "TASK_STATE_AUTH_REQUIRED"},
        "metadata": {"pact.missingScopes": ["a"], "pact.verificationUriComplete": "https://b/"},
    }
}
SSE = "data: {}\n\n"


def exchange(
    operation: Operation,
    status: int,
    body: object = "",
    *headers: Header,
    media_type: str | None = None,
    method: str = "POST",
    url: str = "https://p/a2a/b/x",
    sent: str | None = BLANK,
    sent_headers: tuple[Header, ...] = (),
    credentials: Credentials = "good",
    delegation: Credentials = "none",
    caused: bool = False,
    truncated: bool = False,
) -> Exchange:
    """Return an exchange; a body that is no text is JSON, of A2A's type unless told otherwise."""
    text = body if isinstance(body, str) else json.dumps(body)
    default = None if isinstance(body, str) else A2A_JSON
    types = [("Content-Type", it) for it in [media_type or default] if it]
    return Exchange(
        id="main-1",
        at=0.0,
        elapsed=0.1,
        operation=operation,
        purpose="",
        sent=Sent(method, url, sent_headers, sent),
        answer=Received(status, (*headers, *types), text, truncated=truncated),
        failure=None,
        credentials=credentials,
        delegation=delegation,
        caused=caused,
    )


def unauthorized(value: str, *sent: tuple[str, str], body: object = "") -> Exchange:
    return exchange("message:send", 401, body, ("WWW-Authenticate", value), sent_headers=sent)


BAD_DELEGATION = ("WWW-Authenticate", 'Bearer realm="a2a", error="invalid_token"')


def delegated(
    operation: Operation,
    status: int,
    body: object = "",
    *headers: Header,
    delegation: Credentials = "good",
    **parts: Any,  # noqa: ANN401 - forwarded
) -> Exchange:
    """Return an exchange with a delegation token beside the personal agent's."""
    return exchange(
        operation, status, body, *headers, sent_headers=DELEGATION, delegation=delegation, **parts
    )


def oauth(status: int, body: object = "", *headers: Header, **parts: Any) -> Exchange:  # noqa: ANN401
    """Return an exchange with an OAuth endpoint: a form was sent, JSON came."""
    sent = {"sent": DEVICE_FORM, "sent_headers": FORM_TYPE, "media_type": JSON, **parts}
    return exchange("oauth", status, body, *headers, **sent)


def blamed(one: Exchange) -> dict[str, str]:
    outcomes = fold_all(ALL, [one])
    return {
        it.rule.requirement: it.verdict for it in outcomes if it.verdict in {"failed", "warned"}
    }


def noted(one: Exchange) -> dict[str, str]:
    return {
        outcome.rule.requirement: cause.finding.got
        for outcome in fold_all(ALL, [one])
        for cause in outcome.causes
        if cause.finding.verdict == "note"
    }


def error(**changes: object) -> dict[str, Any]:
    """Return an INVALID_PARAMS envelope with members changed; None takes one out."""
    body = envelope("INVALID_PARAMS", "no")
    body["error"].update(changes)
    body["error"] = {name: value for name, value in body["error"].items() if value is not None}
    return body


def detail(**changes: object) -> dict[str, Any]:
    """Return an INVALID_PARAMS envelope with members of its one detail changed."""
    first = {**INVALID_PARAMS["error"]["details"][0], **changes}
    return error(details=[{name: value for name, value in first.items() if value is not None}])
