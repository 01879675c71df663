"""No rule blames a legal answer, however unlike the mock's it is."""

import pytest

from pact_conformance.wire.errors import A2A_MAPPING, MAPPING, envelope
from pact_conformance.wire.media_types import A2A_JSON, EVENT_STREAM, JSON

from .exchanges import (
    CHALLENGE,
    FRAMEWORK,
    GOOGLE,
    HELLO,
    HTML,
    INTERNAL,
    INVALID_PARAMS,
    NOT_FOUND,
    OAUTH_ERROR,
    REPLY,
    SSE,
    blamed,
    detail,
    error,
    exchange,
)

LEGAL = {
    # results
    "reply": exchange("message:send", 200, REPLY, sent=HELLO),
    "type-with-charset": exchange(
        "message:send", 200, REPLY, media_type=f"{A2A_JSON}; charset=utf-8"
    ),
    "type-in-capitals": exchange("message:send", 200, REPLY, media_type="Application/A2A+JSON"),
    "long-reply": exchange("message:send", 200, "{", media_type=A2A_JSON, truncated=True),
    "empty-list": exchange(
        "tasks", 200, {"tasks": [], "nextPageToken": "", "pageSize": 50, "totalSize": 0}
    ),
    "stream": exchange("message:stream", 200, SSE, media_type=EVENT_STREAM),
    "stream-cut": exchange(
        "tasks/{id}:subscribe", 200, SSE, media_type=EVENT_STREAM, truncated=True
    ),
    "deleted": exchange("push-config", 204, method="DELETE"),
    "deleted-200": exchange("push-config", 200, method="DELETE"),
    "extended-card": exchange("extended-card", 200, {"supportedInterfaces": []}),
    "redirect": exchange("message:send", 307, "", ("Location", "/x")),
    "card": exchange("card", 200, {"supportedInterfaces": []}, media_type=JSON, credentials="none"),
    "card-as-text": exchange("card", 200, "{}", media_type="text/plain", credentials="none"),
    "jwks": exchange("jwks", 200, {"keys": []}, media_type=JSON),
    "metadata": exchange("metadata", 200, {"issuer": "x"}, media_type=JSON),
    "device-response": exchange("oauth", 200, {"device_code": "x"}, media_type=JSON),
    "brand-login": exchange("other", 500, HTML),
    # errors of operations
    **{
        f"error-{reason}": exchange("message:send", pair.http, envelope(reason, "m"), sent=HELLO)
        for reason, pair in {**MAPPING, **A2A_MAPPING}.items()
    },
    "further-details": exchange(
        "message:send",
        400,
        error(details=[*INVALID_PARAMS["error"]["details"], {"@type": "BadRequest", "x": 1}]),
    ),
    "metadata-in-detail": exchange("message:send", 400, detail(metadata={"field": "x"})),
    "message-empty": exchange("message:send", 400, error(message="")),
    "envelope-404": exchange("tasks/{id}", 404, NOT_FOUND),
    # operations that are not there: for their own checks (fairness 17)
    "bare-404": exchange("tasks/{id}", 404),
    "html-404": exchange("tasks/{id}", 404, HTML, media_type="text/html"),
    "framework-404": exchange("tasks", 404, {"detail": "Not Found"}, media_type=JSON),
    "bare-405": exchange("push-config", 405, "", ("Allow", "GET")),
    "framework-405": exchange("message:stream", 405, {"detail": "no"}, media_type=JSON),
    # before the operation: HTTP itself, limits, gateways
    **{
        f"http-{status}": exchange("message:send", status, HTML, media_type="text/html")
        for status in (406, 408, 411, 413, 414, 415, 417, 421, 431, 451)
    },
    "google-408": exchange("message:send", 408, GOOGLE, media_type=JSON),
    "429-html": exchange("message:send", 429, HTML, ("Retry-After", "30"), media_type="text/html"),
    "429-json": exchange("oauth", 429, {"error": "slow_down"}, ("Retry-After", "0")),
    "429-date": exchange("tasks", 429, "", ("retry-after", "Fri, 31 Dec 2027 23:59:59 GMT")),
    "429-card": exchange("card", 429, credentials="none"),
    "caused-503": exchange("message:send", 503, HTML, caused=True),
    "caused-500": exchange("message:send", 500, INTERNAL, caused=True),
    "agent-fails": exchange("message:send", 500, INTERNAL, sent=HELLO),
    "list-fails": exchange("tasks", 500, INTERNAL, url="https://p/tasks?pageSize=100", sent=None),
    "bad-token-bare-400": exchange("message:send", 400, HTML, credentials="forged"),
    "no-token-403": exchange("message:send", 403, HTML, credentials="none"),
    # routes and Brands that are not there
    "unmatched-404": exchange("unmatched", 404),
    "unmatched-html": exchange("unmatched", 404, HTML),
    "unmatched-message": exchange("unmatched", 404, {"message": "Not Found"}, media_type=JSON),
    "unmatched-problem": exchange("unmatched", 404, {"type": "x", "title": "y", "status": 404}),
    "wrong-method": exchange("unmatched", 405, FRAMEWORK, media_type=JSON),
    "unknown-brand": exchange("unknown-brand", 404, FRAMEWORK, media_type=JSON),
    "unknown-brand-401": exchange("unknown-brand", 401, "", CHALLENGE, credentials="none"),
    "unknown-card": exchange("unknown-brand-card", 404, HTML, credentials="none"),
    "unknown-card-other-status": exchange("unknown-brand-card", 400, NOT_FOUND, credentials="none"),
    # OAuth (RFC 6749 §5.2)
    "oauth-400": exchange("oauth", 400, {"error": "authorization_pending"}, media_type=JSON),
    "oauth-client": exchange("oauth", 401, OAUTH_ERROR, media_type=JSON),
    "oauth-token": exchange("oauth", 401, OAUTH_ERROR, CHALLENGE, credentials="forged"),
}


@pytest.mark.parametrize("name", LEGAL)
def test_a_legal_answer_is_left_alone(name: str) -> None:
    assert blamed(LEGAL[name]) == {}


@pytest.mark.parametrize(
    "headers",
    [
        ('Bearer realm="a2a"',),
        ("Bearer realm=a2a",),
        ('bearer Realm = "a2a"',),
        ('BEARER  realm="a\\2a"',),
        ('Bearer realm="a2a",',),
        (', Bearer realm="a2a"',),
        ('DPoP algs="ES256", Bearer realm="a2a"',),
        ('Bearer realm="a2a", Basic realm="staff"',),
        ("Negotiate abc==", 'Bearer realm="a2a"'),
        ('Bearer realm="other"', 'Bearer realm="a2a"'),
    ],
)
@pytest.mark.parametrize("body", ["", HTML, FRAMEWORK, OAUTH_ERROR, {"message": "Unauthorized"}])
def test_a_challenge_may_be_written_in_any_way_of_http(
    headers: tuple[str, ...], body: object
) -> None:
    lines = [("www-authenticate", it) for it in headers]

    assert blamed(exchange("message:send", 401, body, *lines, media_type=JSON)) == {}
