"""Writes an exchange as a curl command that repeats it."""

import base64
import re
import shlex

from pact_conformance.journal.exchange import Exchange, Header, Sent
from pact_conformance.journal.placeholder import DELEGATION_TOKEN, PA_JWT

_ADDED_BY_CURL = frozenset({"host", "content-length", "accept", "user-agent"})
_VARIABLES = {PA_JWT: "$PA_JWT", DELEGATION_TOKEN: "$DELEGATION_TOKEN"}
_PLACEHOLDER = re.compile("|".join(_VARIABLES))
# A NUL ends an argument, and a byte order mark gets lost on the way from a page to the shell.
_NO_ARGUMENT = ("\0", "\ufeff")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\\']")


def curl(exchange: Exchange) -> str:
    """Return one line for a POSIX-like shell (bash, zsh) with `$PA_JWT` in place of the token."""
    sent = exchange.sent
    words = ["curl --include --globoff --path-as-is --http1.1"]
    if sent.method == "HEAD":
        words.append("--head")  # asked for by --request curl would wait for a body
    elif sent.method != "GET" or sent.body is not None:
        words.append(f"--request {_quote(sent.method)}")
    words.append(_quote(sent.url))
    words += [f"--header {_quote(_line(header))}" for header in _headers(exchange)]
    if sent.body is None:
        return " ".join(words)
    piped = _piped(sent)
    if piped is not None:
        words.append("--data-binary @-")
        return f"base64 --decode <<< {_quote(piped)} | {' '.join(words)}"
    words.append(f"--data-raw {_quote(sent.body)}")
    return " ".join(words)


def _piped(sent: Sent) -> str | None:
    """Return a body in base64 where no argument of a command can hold it."""
    if sent.base64 or sent.body is None:
        return sent.body
    if any(it in sent.body for it in _NO_ARGUMENT):
        return base64.b64encode(sent.body.encode()).decode("ascii")
    return None


def _headers(exchange: Exchange) -> list[Header]:
    sent = exchange.sent
    headers = [it for it in sent.headers if it[0].lower() not in _ADDED_BY_CURL]
    if sent.body is not None and sent.header("content-type") is None:
        headers.append(("Content-Type", ""))
    return headers


def _line(header: Header) -> str:
    name, value = header
    # without a value curl takes out a header of its own; with a semicolon it sends an empty one
    if value:
        return f"{name}: {value}"
    return f"{name}:" if name == "Content-Type" else f"{name};"


def _quote(text: str) -> str:
    """Quote for the shell; variables stay outside of the quotes so that the shell fills them in."""
    pieces = _PLACEHOLDER.split(text)
    variables = [f'"{_VARIABLES[it]}"' for it in _PLACEHOLDER.findall(text)]
    quoted = [_quote_plain(piece) for piece in pieces]
    woven = [quoted[0]]
    for variable, piece in zip(variables, quoted[1:], strict=True):
        woven += [variable, piece if piece != "''" else ""]
    return "".join(woven)


def _quote_plain(text: str) -> str:
    if not _CONTROL.search(text.replace("'", "").replace("\\", "")):
        return shlex.quote(text)
    return f"$'{_CONTROL.sub(lambda match: _escape(match[0]), text)}'"


def _escape(character: str) -> str:
    if character in "\\'":
        return f"\\{character}"
    code = ord(character)
    return f"\\x{code:02x}" if code < 0x80 else f"\\u{code:04x}"
