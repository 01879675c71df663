"""Each deviation is blamed by the one rule that names it."""

import pytest

from pact_conformance.journal.exchange import Exchange
from pact_conformance.wire.errors import envelope
from pact_conformance.wire.media_types import EVENT_STREAM, JSON

from .exchanges import (
    BAD_DELEGATION,
    CHALLENGE,
    DELEGATION,
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
    STEP_UP,
    blamed,
    delegated,
    detail,
    error,
    exchange,
    oauth,
    unauthorized,
)


def failed(rule: str) -> dict[str, str]:
    return {rule: "failed"}


DEVIATIONS: dict[str, tuple[Exchange, dict[str, str]]] = {
    # §2
    "json-reply": (
        exchange("message:send", 200, REPLY, media_type=JSON),
        failed("2-response-media-type"),
    ),
    "untyped-reply": (
        exchange("message:send", 200, '{"message": {}}'),
        failed("2-response-media-type"),
    ),
    "json-error": (
        exchange("tasks/{id}", 404, NOT_FOUND, media_type=JSON),
        failed("2-response-media-type"),
    ),
    "reply-as-stream": (
        exchange("message:send", 200, "{}", media_type=EVENT_STREAM),
        failed("2-response-media-type"),
    ),
    "long-json-reply": (
        exchange("tasks", 200, "{", media_type=JSON, truncated=True),
        failed("2-response-media-type"),
    ),
    "stream-as-text": (
        exchange("message:stream", 200, SSE, media_type="text/plain"),
        failed("2-response-media-type"),
    ),
    # §6
    "bad-input-with-a-reason-of-a2a-and-500": (
        exchange("message:send", 500, envelope("VERSION_NOT_SUPPORTED", "no", http=500)),
        failed("6-table"),
    ),
    # §2.1, §2.2
    "unknown-card-envelope": (
        exchange("unknown-brand-card", 404, NOT_FOUND),
        failed("2.1-unknown-brand-no-a2a-body"),
    ),
    "unmatched-envelope": (
        exchange("unmatched", 404, NOT_FOUND),
        failed("2.2-unmatched-no-a2a-body"),
    ),
    "unknown-brand-envelope": (
        exchange("unknown-brand", 404, NOT_FOUND),
        failed("2.2-unmatched-no-a2a-body"),
    ),
    "wrong-method-envelope": (
        exchange("unmatched", 405, INVALID_PARAMS),
        failed("6-405-no-envelope"),
    ),
    "operation-405-envelope": (exchange("tasks", 405, INVALID_PARAMS), failed("6-405-no-envelope")),
    # §3.4
    "401-envelope": (
        unauthorized('Bearer realm="a2a"', body=INVALID_PARAMS),
        failed("3.4-no-a2a-body"),
    ),
    "401-google": (unauthorized('Bearer realm="a2a"', body=GOOGLE), failed("3.4-no-a2a-body")),
    "401-card": (exchange("card", 401, INVALID_PARAMS), failed("3.4-no-a2a-body")),
    "401-extra": (
        unauthorized('Bearer realm="a2a", error="x"'),
        {"3.4-no-extra-parameters": "warned"},
    ),
    "401-delegated": (unauthorized('Bearer realm="a2a", error="x"', *DELEGATION), {}),
    "401-delegated-realm": (unauthorized('Bearer realm="b"', *DELEGATION), {}),
    "401-delegated-bad-jwt": (
        delegated("message:send", 401, credentials="forged", delegation="good"),
        failed("3.4-challenge"),
    ),
    "401-oauth-good": (exchange("oauth", 401, OAUTH_ERROR, media_type=JSON), {}),
    "401-oauth": (
        exchange("oauth", 401, OAUTH_ERROR, media_type=JSON, credentials="none"),
        failed("3.4-challenge"),
    ),
    "401-unmatched": (exchange("unmatched", 401), failed("3.4-challenge")),
    # §5.5
    **{
        f"401-delegation-{worth}-{kind}": (
            delegated("message:send", 401, body, BAD_DELEGATION, delegation=worth),
            failed("5.5-no-a2a-body"),
        )
        for worth in ("good", "forged", "other")
        for kind, body in {"envelope": INVALID_PARAMS, "google": GOOGLE, "reply": REPLY}.items()
    },
    "401-both-bad-envelope": (
        delegated("message:send", 401, INVALID_PARAMS, CHALLENGE, credentials="forged"),
        failed("5.5-no-a2a-body"),
    ),
    "401-delegated-list": (
        delegated("tasks", 401, INVALID_PARAMS, BAD_DELEGATION, sent=None),
        failed("5.5-no-a2a-body"),
    ),
    "403-delegated": (
        delegated("message:send", 403, {"error": "insufficient_scope"}, sent=HELLO),
        failed("6-envelope"),
    ),
    "json-step-up": (
        delegated("message:send", 200, STEP_UP, sent=HELLO, media_type=JSON),
        failed("2-response-media-type"),
    ),
    "500-forged-delegation": (
        delegated("message:send", 500, HTML, sent=HELLO, delegation="forged"),
        failed("6-client-errors"),
    ),
    "503-delegated": (
        delegated("message:send", 503, HTML, sent=HELLO),
        {"6-gateway": "warned"},
    ),
    "429-delegated-envelope": (
        delegated("message:send", 429, INVALID_PARAMS, ("Retry-After", "1"), sent=HELLO),
        failed("6-429-no-envelope"),
    ),
    # §6: OAuth
    **{
        f"oauth-envelope-{status}": (
            oauth(status, INVALID_PARAMS, CHALLENGE, ("Retry-After", "1")),
            failed("6-oauth-no-envelope"),
        )
        for status in (200, 400, 401, 403, 404, 405, 422, 429, 500, 503)
    },
    "oauth-envelope-nobody": (
        oauth(401, INVALID_PARAMS, CHALLENGE, credentials="none"),
        failed("6-oauth-no-envelope"),
    ),
    "oauth-result": (oauth(200, STEP_UP), failed("6-oauth-no-envelope")),
    "oauth-500-grant-type": (
        oauth(500, HTML, sent="grant_type=password&username=x"),
        failed("6-client-errors"),
    ),
    "oauth-500-json": (
        oauth(500, HTML, sent="{}", sent_headers=(("Content-Type", JSON),)),
        failed("6-client-errors"),
    ),
    "oauth-500-empty": (oauth(500, HTML, sent=""), failed("6-client-errors")),
    "oauth-500-bad-token": (
        oauth(500, HTML, credentials="forged"),
        failed("6-client-errors"),
    ),
    "oauth-429-silent": (oauth(429, HTML), failed("6-429-retry-after")),
    # §6: no envelope
    **{
        f"{status}-{kind}": (
            exchange("message:send", status, body, media_type=JSON),
            failed("6-envelope"),
        )
        for status in (400, 403, 409, 422)
        for kind, body in {
            "empty": "",
            "html": HTML,
            "framework": FRAMEWORK,
            "problem": {"type": "x", "title": "y"},
            "json-rpc": {"jsonrpc": "2.0", "error": {"code": -32602, "message": "x"}},
            "oauth": {"error": "invalid_request"},
            "list": [],
        }.items()
    },
    "500-bare-on-good-message": (
        exchange("message:send", 500, HTML, sent=HELLO),
        failed("6-envelope"),
    ),
    "500-bare-caused": (exchange("message:send", 500, HTML, caused=True), failed("6-envelope")),
    "501-bare": (exchange("message:stream", 501, HTML), failed("6-envelope")),
    # §6: the envelope's members
    "no-message": (exchange("message:send", 400, error(message=None)), failed("6-envelope")),
    "no-status": (exchange("message:send", 400, error(status=None)), failed("6-envelope")),
    "no-details": (exchange("message:send", 400, error(details=None)), failed("6-envelope")),
    "empty-details": (exchange("message:send", 400, error(details=[])), failed("6-envelope")),
    "text-in-details": (exchange("message:send", 400, error(details=["x"])), failed("6-envelope")),
    "no-type": (exchange("message:send", 400, detail(**{"@type": None})), failed("6-envelope")),
    "later-detail-without-type": (
        exchange("message:send", 400, error(details=[*INVALID_PARAMS["error"]["details"], {}])),
        failed("6-envelope"),
    ),
    "no-code": (exchange("message:send", 400, error(code=None)), failed("6-code")),
    "text-code": (exchange("message:send", 400, error(code="400")), failed("6-code")),
    "grpc-code": (exchange("message:send", 400, error(code=3)), failed("6-code")),
    "boolean-code": (exchange("message:send", 400, error(code=True)), failed("6-code")),
    "status-200": (exchange("message:send", 200, INVALID_PARAMS), failed("6-code")),
    "other-http": (exchange("message:send", 422, INVALID_PARAMS), failed("6-code")),
    "no-reason": (exchange("message:send", 400, detail(reason=None)), failed("6-reason-first")),
    "no-domain": (exchange("message:send", 400, detail(domain=None)), failed("6-reason-first")),
    "own-domain": (
        exchange("message:send", 400, detail(domain="provider.com")),
        failed("6-reason-first"),
    ),
    "other-type": (
        exchange("message:send", 400, detail(**{"@type": "x"})),
        failed("6-reason-first"),
    ),
    "reason-second": (
        exchange(
            "message:send",
            400,
            error(details=[{"@type": "BadRequest"}, *INVALID_PARAMS["error"]["details"]]),
        ),
        failed("6-reason-first"),
    ),
    "other-status": (
        exchange("message:send", 400, error(status="FAILED_PRECONDITION")),
        failed("6-table"),
    ),
    "other-pair": (exchange("message:send", 422, error(code=422)), failed("6-table")),
    "gateway-pair": (exchange("message:send", 503, error(code=503)), failed("6-table")),
    "415": (
        exchange("message:send", 415, envelope("CONTENT_TYPE_NOT_SUPPORTED", "m", http=415)),
        failed("6-table"),
    ),
    "501-envelope": (
        exchange("message:stream", 501, envelope("UNSUPPORTED_OPERATION", "m", http=501)),
        failed("6-table"),
    ),
    # §6: faults of the server
    "500-bare": (exchange("message:send", 500, HTML), failed("6-client-errors")),
    "500-envelope": (exchange("tasks/{id}", 500, INTERNAL), failed("6-client-errors")),
    "500-bad-token": (
        exchange("message:send", 500, HTML, sent=HELLO, credentials="forged"),
        failed("6-client-errors"),
    ),
    "500-unmatched": (exchange("unmatched", 500, HTML), failed("6-client-errors")),
    "500-unknown-brand": (exchange("unknown-brand", 500, HTML), failed("6-client-errors")),
    "500-page-size": (
        exchange("tasks", 500, INTERNAL, url="https://p/tasks?pageSize=abc"),
        failed("6-client-errors"),
    ),
    "500-card-bad-token": (
        exchange("card", 500, HTML, credentials="forged"),
        failed("6-client-errors"),
    ),
    "500-version": (
        exchange("message:send", 500, HTML, sent=HELLO, sent_headers=(("A2A-Version", "9.9"),)),
        failed("6-client-errors"),
    ),
    **{
        f"{status}-bare": (exchange("message:send", status, HTML), {"6-gateway": "warned"})
        for status in (502, 503, 504, 520)
    },
    "503-google": (exchange("message:send", 503, GOOGLE), {"6-gateway": "warned"}),
    # §6: limits
    "429-envelope": (
        exchange("message:send", 429, INVALID_PARAMS, ("Retry-After", "1")),
        failed("6-429-no-envelope"),
    ),
    "429-silent": (exchange("message:send", 429), failed("6-429-retry-after")),
    "429-fraction": (
        exchange("tasks", 429, "", ("Retry-After", "1.5")),
        failed("6-429-retry-after"),
    ),
    "429-word": (exchange("tasks", 429, "", ("Retry-After", "soon")), failed("6-429-retry-after")),
    "429-iso": (
        exchange("tasks", 429, "", ("Retry-After", "2027-01-01T00:00:00Z")),
        failed("6-429-retry-after"),
    ),
    "429-unknown": (exchange("tasks", 429, credentials="forged"), {"6-429-retry-after": "warned"}),
}


@pytest.mark.parametrize("name", DEVIATIONS)
def test_a_deviation_is_blamed_by_the_rule_that_names_it(name: str) -> None:
    one, expected = DEVIATIONS[name]

    assert blamed(one) == expected


@pytest.mark.parametrize(
    "value",
    [
        None,
        "",
        "Bearer",
        "Bearer a2a",
        'Bearer realm="A2A"',
        'Bearer realm=""',
        'Bearer error="invalid_token"',
        'Bearer realm="a2a',
        'Bearer realm="a2a" charset="x"',
        'Bearer realm="a2a", realm="a2a"',
        'Basic realm="a2a"',
        'DPoP algs="ES256"',
        'realm="a2a"',
        "Bearer: realm=a2a",
    ],
)
def test_a_401_without_the_challenge_is_blamed_once(value: str | None) -> None:
    lines = [] if value is None else [("WWW-Authenticate", value)]

    assert set(blamed(exchange("message:send", 401, "", *lines))) - {"3.4-no-extra-parameters"} == {
        "3.4-challenge"
    }
