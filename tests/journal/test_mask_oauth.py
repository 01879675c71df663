"""What OAuth gives is masked wherever it stands: codes, tokens, links, receipts (§5.3 to §5.6)."""

import json
from base64 import urlsafe_b64encode
from collections.abc import Callable
from urllib.parse import quote

import pytest

from pact_conformance.journal.mask import Mask
from pact_conformance.journal.placeholder import JWS, VERIFICATION_LINK, placeholder
from pact_conformance.journal.recording import recorded
from tests.journal.test_mask import JWT, asked, incoming, texts_of

BRAND = "01JD4M7Q2ZC8T5V9X3B6N1K0WA"
INTERFACE = f"https://provider.example/a2a/{BRAND}"
CODE = "WDJB-MJHT"
DEVICE_CODE = "dc_9f3c77aa10"
USER_CODE = placeholder("user_code")


def _inner(link: str) -> str:
    return f"https://b.example/login?return_to={quote(link, safe='')}"


LINKS: dict[str, Callable[[str], str]] = {
    "query": lambda code: f"https://b.example/login?user_code={code}",
    "other-name": lambda code: f"https://b.example/login?c={code}&lang=en",
    "unnamed": lambda code: f"https://b.example/login?{code}",
    "path": lambda code: f"https://b.example/device/{code}",
    "path-slash": lambda code: f"https://b.example/device/{code}/",
    "fragment": lambda code: f"https://b.example/device#{code}",
    "fragment-parameter": lambda code: f"https://b.example/device#code={code}",
    "inner-query": lambda code: _inner(f"{INTERFACE}/device?user_code={code}"),
    "inner-other-name": lambda code: _inner(f"{INTERFACE}/device?c={code}"),
    "inner-path": lambda code: _inner(f"{INTERFACE}/device/{code}"),
    "inner-relative": lambda code: _inner(f"/a2a/{BRAND}/device?c={code}"),
    "twice-inside": lambda code: _inner(_inner(f"{INTERFACE}/device?c={code}")),
    "thrice-encoded": lambda code: _inner(quote(quote(f"{INTERFACE}/d?c={code}", safe=""))),
    "encoded-hyphen": lambda code: f"https://b.example/d?c={code.replace('-', '%2D')}",
    "encoded-twice": lambda code: f"https://b.example/d?c={code.replace('-', '%252d')}",
}

every_link = pytest.mark.parametrize("link", [it(CODE) for it in LINKS.values()], ids=list(LINKS))


def device_response(link: str, code: str = CODE) -> str:
    return json.dumps(
        {
            "device_code": DEVICE_CODE,
            "user_code": code,
            "verification_uri": link,
            "verification_uri_complete": link,
            "expires_in": 600,
        }
    )


def step_up(link: str) -> str:
    task = {
        "id": "t-1",
        "contextId": "f0c12e6b-231e",
        "status": {"state": "TASK_STATE_AUTH_REQUIRED"},
        "metadata": {"pact.missingScopes": ["a"], "pact.verificationUriComplete": link},
    }
    return json.dumps({"task": task})


def written(mask: Mask, body: str = "", url: str = f"{INTERFACE}/message:send") -> str:
    exchange = recorded(asked(url), incoming(body.encode()), 0.1, mask)
    return "\n".join(texts_of(exchange))


def holds(text: str, code: str = CODE) -> bool:
    """Say whether the code can be read in a text."""
    bare = text.lower().replace("%2d", "-").replace("%252d", "-").replace(" ", "-")
    groups = code.lower().split("-")
    return "-".join(groups) in bare or "".join(groups) in bare


@every_link
@pytest.mark.parametrize("slashes", ["/", "\\/"])
def test_a_device_response_is_written_without_codes(link: str, slashes: str) -> None:
    text = written(Mask(), device_response(link).replace("/", slashes))

    assert not holds(text)
    assert DEVICE_CODE not in text
    assert "b.example" in text
    assert json.loads(text.splitlines()[-1])["expires_in"] == 600


@every_link
def test_a_step_up_is_written_without_its_code(link: str) -> None:
    text = written(Mask(), step_up(link))

    assert not holds(text)
    assert f"https://b.example/{VERIFICATION_LINK}" in text
    assert "f0c12e6b-231e" in text
    assert BRAND in text


@every_link
@pytest.mark.parametrize("given", [device_response, step_up])
def test_a_code_is_known_wherever_it_comes_again(link: str, given: Callable[[str], str]) -> None:
    mask = Mask()
    written(mask, given(link))

    for again in (CODE, "WDJBMJHT", "wdjb-mjht", "wdjbmjht", "WDJB MJHT", "wdjb%20mjht", link):
        text = written(mask, f"<p>Your code: {again}</p>", url=f"https://b.example/x/{again}")
        assert not holds(text), again
    for other in LINKS.values():
        assert not holds(written(mask, json.dumps({"next": other(CODE)})))


@every_link
def test_what_is_no_code_stays_readable(link: str) -> None:
    mask = Mask()
    written(mask, step_up(link))

    plain = f"GET {INTERFACE}/tasks in context f0c12e6b-231e of b.example login device"
    assert mask.apply(plain) == plain


@pytest.mark.parametrize(
    "code", ["WDJB-MJHT", "wdjb-mjht", "bdfghjkl", "BDFGHJKL", "483-129-555", "a7K-9xQ", "WD.JB.MJ"]
)
def test_codes_of_every_kind_are_known_by_value(code: str) -> None:
    mask = Mask()
    written(mask, device_response("https://b.example/login", code))

    for again in (code, code.lower(), code.upper(), code.replace("-", "").replace(".", "")):
        assert again not in written(mask, f"your code is {again}.")


def test_a_short_code_is_masked_behind_its_name_alone() -> None:
    mask = Mask()

    assert "AB12" not in written(mask, device_response("https://b.example/login", "AB12"))
    assert mask.apply("AB12") == "AB12"


def test_the_form_that_redeems_holds_no_code() -> None:
    mask = Mask()
    form = f"grant_type=urn%3Aietf%3Aparams&device_code={DEVICE_CODE}&client_id=https%3A%2F%2Fpa"
    text = recorded(asked(body=form.encode()), incoming(), 0.1, mask).sent.body

    assert text == form.replace(DEVICE_CODE, placeholder("device_code"))
    assert (
        mask.apply(f"no such code: {DEVICE_CODE}") == f"no such code: {placeholder('device_code')}"
    )


@pytest.mark.parametrize("token", [JWT, "opaque+token/with=signs", "00112233445566778899"])
def test_a_token_response_is_written_without_its_tokens(token: str) -> None:
    mask = Mask()
    refresh = "rt_4471aabbcc"
    body = json.dumps(
        {"token_type": "Bearer", "access_token": token, "refresh_token": refresh, "scope": "a b"}
    )

    text = written(mask, body)

    assert token not in text
    assert refresh not in text
    assert "Bearer" in text
    assert '"scope": "a b"' in text
    for secret in (token, refresh):
        assert secret not in mask.apply(f"got {secret} / {quote(secret, safe='')}")
        assert quote(secret, safe="") not in mask.apply(f"got {quote(secret, safe='')}")


@pytest.mark.parametrize(
    "header", [b'{"alg":"ES256"}', b'{ "alg": "ES256" }', b'{"kid":"1","alg":1}']
)
def test_a_receipt_is_written_without_its_jws(header: bytes) -> None:
    first = urlsafe_b64encode(header).rstrip(b"=").decode()
    jws = f"{first}.{first}.c2lnbmF0dXJl"
    receipt = {"jws": jws, "claims": {"grantId": "g-1", "ts": "2026-09-30T12:00:00Z"}}
    body = json.dumps({"message": {"metadata": {"pact.receipt": receipt}}})

    text = written(Mask(), body)

    assert first not in text
    assert JWS in text
    assert '"grantId": "g-1"' in text


@pytest.mark.parametrize(
    ("member", "origin"),
    [
        ("https://b.example/login?x=abcdef1", "https://b.example/"),
        ("https://b.example:8443?x=abcdef1", "https://b.example:8443"),
        ("http://[::1]:80/abcdef1", "http://[::1]:80/"),
        ("HTTPS://B.example/abcdef1", "HTTPS://B.example/"),
        ("https://jane:pw@b.example/abcdef1", ""),
        ("app-link:abcdef1", ""),
        ("/login/abcdef1", ""),
        ("abcdef1", ""),
    ],
)
def test_a_link_keeps_its_origin_at_most(member: str, origin: str) -> None:
    masked = json.loads(Mask().apply(json.dumps({"verification_uri_complete": member})))

    assert masked["verification_uri_complete"] == f"{origin}{VERIFICATION_LINK}"


def test_masking_twice_changes_nothing_more() -> None:
    mask = Mask()
    once = mask.apply(device_response(_inner(f"{INTERFACE}/device?c={CODE}")))

    assert mask.apply(once) == once
    assert json.loads(once)["user_code"] == USER_CODE


@pytest.mark.parametrize(
    "link", ["http://[", "", "%", "?", "#", "https://b/%ff?%ff=%ff#%ff", "a" * 9]
)
def test_no_link_is_too_odd(link: str) -> None:
    Mask().apply(json.dumps({"pact.verificationUriComplete": link}))


def test_words_in_an_error_are_no_codes() -> None:
    mask = Mask()
    mask.apply('{"user_code": "required", "device_code": "missing"}')

    assert mask.apply("device_code is required, missing") == "device_code is required, missing"
