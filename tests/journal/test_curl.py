"""A curl line repeats the exchange when a shell runs it."""

import base64
import os
import shutil
import subprocess
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pact_conformance.journal.curl import curl
from pact_conformance.journal.exchange import Exchange, Header, Sent
from pact_conformance.journal.placeholder import DELEGATION_TOKEN, PA_JWT

from .raw_server import OK, RawServer, Talk

EXCHANGE = Exchange(
    id="main-1",
    at=0.0,
    elapsed=0.0,
    operation="message:send",
    purpose="",
    sent=Sent("GET", "https://h/", (), None),
    answer=None,
    failure=None,
)
START = "curl --include --globoff --path-as-is --http1.1"
BASH = shutil.which("bash")


def line(
    *headers: Header, method: str = "POST", url: str = "https://h/", body: str | None = None
) -> str:
    return curl(replace(EXCHANGE, sent=Sent(method, url, headers, body)))


def test_a_plain_get_is_a_plain_line() -> None:
    assert line(("Host", "h"), ("Accept", "*/*"), method="GET") == f"{START} https://h/"


def test_what_head_asks_for_is_no_body_to_wait_for() -> None:
    assert line(method="HEAD") == f"{START} --head https://h/"


def test_the_token_is_a_variable_of_the_shell() -> None:
    told = line(("Authorization", f"Bearer {PA_JWT}"), ("X", f"{DELEGATION_TOKEN}; $HOME"))

    assert """--header 'Authorization: Bearer '"$PA_JWT" """ in told
    assert """--header 'X: '"$DELEGATION_TOKEN"'; $HOME'""" in told


@pytest.mark.parametrize("character", ["\n", "\r", "\x1b", "\x00", "\x9b", "\N{LINE SEPARATOR}"])
def test_control_characters_are_escaped(character: str) -> None:
    assert line(body=f"it's {character}\\").isprintable()


printable = st.characters(codec="utf-8", exclude_characters="\x00\ufeff")


@pytest.mark.skipif(BASH is None, reason="needs bash")
@settings(max_examples=30, deadline=None)
@given(body=st.text(printable, min_size=1))
def test_the_shell_hands_the_body_on_unchanged(body: str) -> None:
    told = line(body=body).replace(START, "printf '%s\\0'")
    assert BASH is not None
    env = {"LC_ALL": "C.UTF-8"}
    words = subprocess.run([BASH, "-c", told], env=env, capture_output=True, check=True).stdout

    assert words.split(b"\0")[-2] == body.encode()


@pytest.mark.skipif(BASH is None or shutil.which("curl") is None, reason="needs bash and curl")
@pytest.mark.parametrize(
    ("headers", "body", "is_base64"),
    [
        pytest.param(
            (("Content-Type", "a/b"), ("X", "1"), ("X", "2")), '{"a": "it\'s"}', False, id="text"
        ),
        pytest.param((), "no content type", False, id="no-content-type"),
        pytest.param((("X-Empty", ""),), "\xff", True, id="bytes"),
        pytest.param((("Content-Type", "a/b"),), "a\x00b", False, id="nul"),
        pytest.param((("Content-Type", "a/b"),), "\ufeff{\u2028\x85}", False, id="mark"),
    ],
)
def test_curl_sends_what_was_sent(
    headers: tuple[Header, ...], body: str, *, is_base64: bool
) -> None:
    said: list[bytes] = []

    def conversation(talk: Talk) -> None:
        said.append(talk.request())
        talk.send(OK)

    raw = body.encode("latin-1" if is_base64 else "utf-8")
    text = base64.b64encode(raw).decode() if is_base64 else body
    with RawServer(conversation) as server:
        sent = Sent("POST", f"{server.url}/[a]/../b", headers, text, base64=is_base64)
        told = [str(BASH), "-c", curl(replace(EXCHANGE, sent=sent))]
        subprocess.run(told, check=True, env={"LC_ALL": "C.UTF-8", "PATH": os.environ["PATH"]})

    head, _, got = said[0].partition(b"\r\n\r\n")
    skipped = (b"host:", b"user-agent:", b"accept:", b"content-length:")
    first, *rest = [it for it in head.split(b"\r\n") if not it.lower().startswith(skipped)]
    assert first == b"POST /[a]/../b HTTP/1.1"
    assert [it.strip() for it in rest] == [
        f"{name}: {value}".strip().encode() for name, value in headers
    ]
    assert got == raw
