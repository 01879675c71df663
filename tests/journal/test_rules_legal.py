"""No rule blames a legal answer, however unlike the mock's it is."""

import pytest

from pact_conformance.journal.exchange import Exchange
from pact_conformance.wire.errors import A2A_MAPPING, MAPPING, envelope
from pact_conformance.wire.media_types import A2A_JSON, EVENT_STREAM, JSON

from .exchanges import (
    BAD_DELEGATION,
    CHALLENGE,
    FRAMEWORK,
    GOOGLE,
    HELLO,
    HTML,
    INTERNAL,
    INVALID_PARAMS,
    NOT_FOUND,
    OAUTH_ERROR,
    POLL_FORM,
    REPLY,
    SSE,
    STEP_UP,
    blamed,
    delegated,
    detail,
    error,
    exchange,
    oauth,
)

LEGAL: dict[str, Exchange] = {
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
    **{
        f"oauth-{code}": oauth(400, {"error": code}, sent=POLL_FORM)
        for code in (
            "authorization_pending",
            "slow_down",
            "access_denied",
            "expired_token",
            "invalid_grant",
            "invalid_scope",
            "invalid_request",
            "unsupported_grant_type",
            "unauthorized_client",
        )
    },
    "oauth-device": oauth(200, {"device_code": "x", "user_code": "y"}),
    "oauth-device-as-text": oauth(200, '{"device_code": "x"}', media_type="text/plain"),
    "oauth-token-response": oauth(200, {"access_token": "x", "token_type": "Bearer"}),
    "oauth-client-without-challenge": oauth(401, OAUTH_ERROR),
    "oauth-client-with-basic": oauth(401, OAUTH_ERROR, ("WWW-Authenticate", "Basic")),
    "oauth-nobody": oauth(401, FRAMEWORK, CHALLENGE, credentials="none"),
    "oauth-404": oauth(404, FRAMEWORK),
    "oauth-404-html": oauth(404, HTML, media_type="text/html"),
    "oauth-405": oauth(405, FRAMEWORK, ("Allow", "POST")),
    "oauth-403": oauth(403, {"error": "access_denied"}),
    "oauth-415": oauth(415, HTML, sent="{}", sent_headers=(("Content-Type", JSON),)),
    "oauth-422": oauth(422, FRAMEWORK),
    "oauth-slow-down-429": oauth(429, {"error": "slow_down"}, sent=POLL_FORM),
    "oauth-429": oauth(429, HTML, ("Retry-After", "5"), media_type="text/html"),
    "oauth-500-on-a-good-form": oauth(500, {"error": "server_error"}),
    "oauth-500-on-a-good-poll": oauth(500, HTML, sent=POLL_FORM),
    **{f"oauth-{it}": oauth(it, HTML, media_type="text/html") for it in (502, 503, 504)},
    "oauth-503": oauth(503, {"error": "temporarily_unavailable"}),
    "oauth-caused": oauth(500, HTML, sent="", caused=True),
    # under a delegation token (§5.5)
    "delegated-reply": delegated("message:send", 200, REPLY, sent=HELLO),
    "delegated-step-up": delegated("message:send", 200, STEP_UP, sent=HELLO),
    "delegated-fails": delegated("message:send", 500, INTERNAL, sent=HELLO),
    "delegated-refused": delegated("message:send", 400, INVALID_PARAMS, sent=HELLO),
    "delegated-429": delegated("message:send", 429, "", ("Retry-After", "3"), sent=HELLO),
    "delegated-list": delegated("tasks", 200, {"tasks": []}, sent=None),
    "delegated-task": delegated("tasks/{id}", 404, NOT_FOUND, sent=None),
    "delegated-step-up-task": delegated("tasks/{id}", 200, STEP_UP["task"], sent=None),
    **{
        f"delegation-{worth}-{kind}": delegated(
            "message:send", 401, body, BAD_DELEGATION, delegation=worth, sent=HELLO, media_type=JSON
        )
        for worth in ("good", "forged", "other")
        for kind, body in {
            "empty": "",
            "html": HTML,
            "framework": FRAMEWORK,
            "oauth": {"error": "invalid_token"},
            "message": {"message": "Unauthorized"},
        }.items()
    },
    "delegation-with-more-parameters": delegated(
        "message:send",
        401,
        "",
        ("WWW-Authenticate", 'Bearer realm="a2a", error="invalid_token", error_description="old"'),
        delegation="forged",
    ),
    # whether it is §5.5's challenge is for its check
    "delegation-without-challenge": delegated("message:send", 401, delegation="forged"),
    "delegation-plain-challenge": delegated("message:send", 401, "", CHALLENGE, delegation="other"),
    "delegation-403": delegated("message:send", 403, HTML, delegation="forged"),
    "delegation-400": delegated("message:send", 400, OAUTH_ERROR, delegation="other"),
    "delegation-served": delegated("message:send", 200, REPLY, delegation="other", sent=HELLO),
    # both tokens bad: the plain challenge, or one with its error, which its check warns of
    "both-bad": delegated(
        "message:send", 401, "", CHALLENGE, credentials="forged", delegation="forged"
    ),
    "both-bad-error": delegated(
        "message:send", 401, "", BAD_DELEGATION, credentials="forged", delegation="forged"
    ),
    # the User's browser at the Brand and on the Provider's pages is nobody's API
    **{
        f"approver-{status}": exchange("other", status, body, credentials="none")
        for status, body in {
            200: HTML,
            303: "",
            400: INVALID_PARAMS,
            401: INVALID_PARAMS,
            404: NOT_FOUND,
            405: INVALID_PARAMS,
            429: INVALID_PARAMS,
            500: HTML,
            503: GOOGLE,
        }.items()
    },
    # the public documents, with a token or without
    **{
        f"{document}-{status}-{worth}": exchange(
            document, status, INVALID_PARAMS, credentials=worth
        )
        for document in ("metadata", "jwks")
        for status in (200, 401, 404, 405, 429, 500, 503)
        for worth in ("none", "good")
    },
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
