"""Changes of what a device flow is answered with: the codes, the polls, the token (§5.3, §5.4)."""

from typing import Any

from pact_conformance.fuzz.hostile_answers.draft import Answered, Draft
from pact_conformance.fuzz.hostile_answers.entering import (
    kind,
    more,
    odd,
    otherwise_written,
    typed,
    valued,
    without,
)
from pact_conformance.fuzz.hostile_answers.making import READ
from pact_conformance.fuzz.hostile_answers.writing import Raw, Twice
from pact_conformance.fuzz.kind import Kind, OneOf

_LINK, _FORM, _PENDING = "5.3-agent-shows-link", "5.3-agent-form", "5.3-agent-pending"
_SCOPE, _UNCHANGED = "5.3-agent-reads-scope", "5.4-agent-token-unchanged"

_DEVICE = (
    "device_code",
    "user_code",
    "verification_uri",
    "verification_uri_complete",
    "expires_in",
    "interval",
)

# All printable ASCII: what a form has to escape among it.
_CODES = (
    "a+b/c=d&e%20f;g?h#i",
    "100%",
    "~._-",
    "a b c d e f",
    "'\"<>`{|}\\^[]@!$()*,:",
    f"dc_{'x' * 2000}",
)
# What is put behind the link, which nobody may change.
_LINKS = (
    "&a=1&a=2",
    "&q=%E2%98%95+%26%20%2B",
    "&return_to=https%3A%2F%2Fshop.example%2F%3Fa%3D1%26b%3D%2520",
    "#at-the-till",
    "&no=&x=1%252F",
    f"&long={'x' * 1500}",
    "&empty",
    "&semicolon;colon:comma,",
)
_OTHER_LINKS = (
    "javascript:alert(document.cookie)",
    "JavaScript:alert(1)//https://shop.example/",
    "data:text/html,<script>alert(1)</script>",
    "file:///etc/passwd",
    "vbscript:x",
    "ftp://shop.example/",
    "/login",
    "//shop.example/login",
    "shop.example/login",
    "https:",
    "http://[::1",
    "x",
)
_INTERVALS: dict[str, Any] = {
    "0": 0, "-5": -5, "0.001": 0.001, "1.5": 1.5, "the text 1": "1", "the text x": "x",
    "null": None, "true": True, "an array": [1], "1e1": Raw("1e1"), "1.0": Raw("1.0"),
}  # fmt: skip
_LONG_INTERVALS: dict[str, Any] = {
    "an hour": 3600, "ten years": 315_360_000, "30 digits": 10**30, "beyond all": Raw("1e999"),
}  # fmt: skip
_LIFETIMES: dict[str, Any] = {
    "10^12": 10**12, "2^31": 2**31, "2^63": 2**63, "30 digits": 10**30, "beyond all": Raw("1e999"),
    "the text 600": "600", "600.5": 600.5, "null": None, "true": True, "6e2": Raw("6e2"),
}  # fmt: skip


def _link(draft: Draft, more_of_it: str) -> None:
    draft.device.document["verification_uri_complete"] += more_of_it


def _status(answer: str) -> Any:  # noqa: ANN401 - an Apply
    def apply(draft: Draft, status: int) -> None:
        draft.answered(answer).status = status

    return apply


def _twice(answer: str, first: object) -> Any:  # noqa: ANN401 - an Apply
    def apply(draft: Draft, name: str) -> None:
        document = draft.answered(answer).document
        document[name] = Twice(first, document[name])

    return apply


def _headers(answer: str) -> Any:  # noqa: ANN401 - an Apply
    def apply(draft: Draft, name: str) -> None:
        draft.answered(answer).headers[name] = HEADERS[name]

    return apply


HEADERS = {
    "X-Request-Id": "7",
    "Set-Cookie": "session=abc; Path=/; HttpOnly",
    "Link": '</elsewhere/next>; rel="next"',
    "Refresh": "0; url=/elsewhere/refresh",
    "Location": "/elsewhere/location",
    "WWW-Authenticate": 'Bearer realm="a2a", error="invalid_token"',
    "Deprecation": "@1700000000",
    "Content-Language": "tlh",
    "Vary": "*",
    "Age": "99999999999",
    "X-Long": "x" * 3000,
}
"""What an answer with status 200 may have besides, and nobody need look at."""


DEVICE: tuple[Kind[Draft], ...] = (
    more("device", "device", ("",), "the device authorization response"),
    otherwise_written("device", "device", "the device authorization response", _PENDING),
    typed("device", "device", "the device authorization response",
          ("application/json;charset=UTF-8", "Application/JSON"), "accepted", _PENDING),
    kind("device-header", "the device authorization response has a header `{0}`", "accepted",
         _PENDING, _headers("device"), "device.header", takes=[OneOf(tuple(HEADERS))]),
    valued("device", "device-code", "the `device_code` is `{0}`", "accepted", _FORM, "device",
           "device_code", _CODES),
    kind("device-link", "`verification_uri_complete` has `{0}` behind it", "accepted", _LINK,
         _link, "device.document", takes=[OneOf(_LINKS)]),
    valued("device", "device-link-other", "`verification_uri_complete` is `{0}`",
           "warn-if-accepted", _LINK, "device", "verification_uri_complete", _OTHER_LINKS),
    valued("device", "device-user-code", "the `user_code` is `{0}`", "accepted", _LINK, "device",
           "user_code", ("12345678", "a-b-c-d-e-f", "BDFG HJKL", "x" * 64)),
    valued("device", "device-interval", "the `interval` is {0}", "accepted", _PENDING, "device",
           "interval", {"2": 2, "4": 4}),
    without("device", "device-no-interval", "device", ("interval",),
            "the device authorization response", "accepted", _PENDING),
    valued("device", "device-interval-odd", "the `interval` is {0}", "either", _PENDING, "device",
           "interval", _INTERVALS),
    valued("device", "device-interval-long", "the `interval` is {0}", "either", _PENDING, "device",
           "interval", _LONG_INTERVALS, needs=["virtual-time"]),
    valued("device", "device-lifetime", "the `expires_in` of the device code is {0}", "either",
           _PENDING, "device", "expires_in", _LIFETIMES),
    without("device", "device-without", "device", _DEVICE[:-1],
            "the device authorization response", "either", _LINK),
    kind("device-twice", "the device authorization response has `{0}` twice", "either", _PENDING,
         _twice("device", "x"), "device.document", takes=[OneOf(_DEVICE)]),
    odd("device", "device", ("", *_DEVICE[:-1]), "the device authorization response", _LINK),
    kind("device-status", "the device authorization response comes with status {0}", "either",
         _PENDING, _status("device"), "device.status",
         takes=[OneOf((201, 202, 400, 401, 403, 404, 429, 500, 503))]),
    typed("device", "device", "the device authorization response",
          ("application/a2a+json", "text/plain", "text/html", "", "x"), "either", _PENDING,
          id_="device-type-other"),
)  # fmt: skip

_TOKEN = ("token_type", "access_token", "refresh_token", "expires_in", "scope")

# Beside "authorization_pending", in the answer to a poll.
_BESIDE: dict[str, dict[str, Any]] = {
    "nothing": {},
    "a description": {"error_description": "The User has not decided yet: access_denied? No."},
    "a link": {"error_uri": "https://docs.example/pending"},
    "an interval": {"interval": 1},
    "a member that nobody knows": {"x-queue": {"place": 7}},
}
_POLL_ERRORS = ("authorization_pending", "slow_down")
_ODD_POLLS: dict[str, Any] = {
    "null": None,
    "a text": "authorization_pending",
    "an array": ["authorization_pending"],
    "an empty object": {},
    "an error that is null": {"error": None},
    "an error that is an array": {"error": ["authorization_pending"]},
    "an error that is an object": {"error": {"code": "authorization_pending"}},
    "an error in other letters": {"error": "AUTHORIZATION_PENDING"},
    "an error with a blank": {"error": "authorization_pending "},
    "an error of A2A": {"error": {"code": 400, "status": "INVALID_ARGUMENT", "details": []}},
    "an error that nobody knows": {"error": "come_back_tomorrow"},
    "an error that is a number": {"error": 7},
}
_TOKEN_LIFETIMES: dict[str, Any] = {
    "0": 0, "-1": -1, "the text 3600": "3600", "the text x": "x", "3600.5": 3600.5, "null": None,
    "true": True, "10^12": 10**12, "2^63": 2**63, "30 digits": 10**30, "beyond all": Raw("1e999"),
    "an array": [3600],
}  # fmt: skip
_TOKENS = {
    "a text of 40 letters": "o" * 40,
    "base64 with padding": f"{'b' * 40}+/==",
    "a UUID": "f0c12e6b-231e-4d92-a610-2518a0f27d20",
    "three segments that are no JWT": f"{'a' * 20}.{'b' * 20}.{'c' * 20}",
    "a JWT of nobody's alg": f"eyJhbGciOiJub25lIn0.{'e30' * 1}.{'x' * 12}",
    "a text of 4,000 characters": "x" * 4000,
    "all that a header takes": "abc123-._~+/" * 3,
}
_UNSENDABLE = {
    "a text with a blank": "not one token",
    "a text with a line": f"{'t' * 20}\r\nX-Evil: 1",
    "a text with NUL": f"{'t' * 20}\u0000",
    "a text in another script": "ﺪﻋﻢ" * 6,
    "a text with Bearer": f"Bearer {'t' * 20}",
}
_GRANTED = {
    "more than was asked for": f"{READ} orders:cancel refunds:issue",
    "with two blanks": f" {READ}  orders:cancel ",
    "one id twice": f"{READ} {READ}",
    "another id": "refunds:issue",
    "empty": "",
    "with a tab": f"{READ}\torders:cancel",
    "in capitals": READ.upper(),
}


def _poll(draft: Draft, error: str, beside: str) -> None:
    draft.pending = [Answered({"error": error, **_BESIDE[beside]}, status=400)]


def _poll_status(draft: Draft, error: str, status: int) -> None:
    draft.pending = [Answered({"error": error}, status=status)]


def _poll_type(draft: Draft, content_type: str) -> None:
    error = {"error": "authorization_pending"}
    draft.pending = [Answered(error, content_type=content_type, status=400)]


def _odd_poll(draft: Draft, which: str, status: int) -> None:
    draft.pending = [Answered(_ODD_POLLS[which], status=status)]


def _lost_poll(draft: Draft, how: str) -> None:
    ways = {
        "503": Answered({}, status=503),
        "500 with a page": Answered(Raw("<html>"), "text/html", status=500),
        "429": Answered({}, status=429, headers={"Retry-After": "1"}),
        "502 without a body": Answered(Raw(""), "text/html", status=502),
        "no answer": Answered({}, close=True),
    }
    draft.pending = [ways[how]]


TOKENS: tuple[Kind[Draft], ...] = (
    more("token", "token", ("",), "the token response"),
    otherwise_written("token", "token", "the token response", _PENDING),
    typed("token", "token", "the token response",
          ("application/json;charset=UTF-8", "Application/JSON"), "accepted", _PENDING),
    kind("token-header", "the token response has a header `{0}`", "accepted", _PENDING,
         _headers("token"), "token.header", takes=[OneOf(tuple(HEADERS))]),
    kind("poll-pending", "a poll gets `{0}`, and beside it {1}", "accepted", _PENDING, _poll,
         "token.poll", takes=[OneOf(_POLL_ERRORS), OneOf(tuple(_BESIDE))]),
    kind("poll-type", "the Content-Type of `authorization_pending` is `{0}`", "accepted", _PENDING,
         _poll_type, "token.poll",
         takes=[OneOf(("application/json;charset=UTF-8", "Application/JSON"))]),
    valued("token", "token-type-case", "the `token_type` is `{0}`", "accepted", _PENDING, "token",
           "token_type", ("bearer", "BEARER")),
    without("token", "token-without", "token", ("expires_in", "refresh_token"),
            "the token response", "accepted", _PENDING),
    # It has to be a JWT (§5.4), so who looks into it may do without one that is none.
    valued("token", "token-text", "the `access_token` is {0}", "warn-if-refused", _UNCHANGED,
           "token", "access_token", _TOKENS),
    valued("token", "token-type-other", "the `token_type` is `{0}`", "warn-if-accepted", _PENDING,
           "token", "token_type", ("mac", "DPoP", "N_A", "PoP", "")),
    valued("token", "token-lifetime", "the `expires_in` of the token is {0}", "either", _PENDING,
           "token", "expires_in", _TOKEN_LIFETIMES),
    valued("token", "token-unsendable", "the `access_token` is {0}", "either", _UNCHANGED, "token",
           "access_token", _UNSENDABLE),
    valued("token", "token-scope", "the granted `scope` is {0}", "either", _SCOPE, "token",
           "scope", _GRANTED),
    without("token", "token-without-more", "token", ("scope", "token_type", "access_token"),
            "the token response", "either", _SCOPE),
    valued("token", "token-error", "the token response has an `error` as well: `{0}`", "either",
           _PENDING, "token", "error", ("access_denied", "", "x")),
    kind("token-twice", "the token response has `{0}` twice", "either", _PENDING,
         _twice("token", "x"), "token.document", takes=[OneOf(_TOKEN)]),
    odd("token", "token", ("", *_TOKEN), "the token response", _SCOPE),
    kind("poll-status", "a poll gets `{0}` with status {1}", "either", _PENDING, _poll_status,
         "token.poll", takes=[OneOf(_POLL_ERRORS), OneOf((200, 401, 403, 428, 500))]),
    kind("poll-odd", "a poll gets {0} with status {1}", "either", _PENDING, _odd_poll,
         "token.poll", takes=[OneOf(tuple(_ODD_POLLS)), OneOf((400, 200, 500))]),
    kind("poll-lost", "a poll gets {0}", "either", _PENDING, _lost_poll, "token.poll",
         takes=[OneOf(("503", "500 with a page", "429", "502 without a body", "no answer"))]),
    kind("token-status", "the token response comes with status {0}", "either", _PENDING,
         _status("token"), "token.status",
         takes=[OneOf((201, 202, 400, 401, 403, 404, 429, 500, 503))]),
    typed("token", "token", "the token response",
          ("application/a2a+json", "text/plain", "text/html", "", "x"), "either", _PENDING,
          id_="token-type-of-body"),
)  # fmt: skip
