"""The exchanges that a page shows: picked out of the journal and cut to what people read."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path

from pact_conformance.journal.curl import curl
from pact_conformance.journal.exchange import Exchange, Header

LONGEST_BODY = 2_000
LONGEST_CURL = 4_000

# The journal writes an exchange's id first, so a line that is not wanted need not be parsed.
_ID = re.compile(rb'\{\s*"id":\s*"([A-Za-z0-9_]+-[0-9]+)"')

# What the journal has in place of a body that is nobody's business.
_NOT_KEPT = re.compile(r"\(\d+ bytes, not kept\)")

_CREDENTIALS: Mapping[str, str] = {
    "good": "good token",
    "none": "no token",
    "forged": "forged token",
    "other": "somebody else's token",
}

_OF_THE_AGENT: Mapping[str, str] = {
    "good": "from the agent, its token is good",
    "none": "from the agent, no token",
    "forged": "from the agent, its token is refused",
}


@dataclass(frozen=True)
class Shown:
    """One exchange as a page shows it; every text of it may be hostile."""

    id: str
    method: str
    url: str
    operation: str
    called: str
    """What it was for, in a word or a few."""
    purpose: str
    outcome: str
    """`401 Unauthorized`, or what went wrong."""
    milliseconds: int
    credentials: str
    """Whose request it was, in words."""
    token: str
    request: str
    answer: str
    curl: str
    """Empty where it would be too long to paste."""
    case: str = ""
    """Of which case of a check it is, where it stands among those of others."""


def pick(journal: Path, ids: Iterable[str]) -> Mapping[str, Exchange]:
    """Return the exchanges with these ids, in one pass that holds no more than them."""
    return {exchange.id: exchange for exchange in found(journal, ids)}


def found(journal: Path, ids: Iterable[str]) -> Iterator[Exchange]:
    """Yield the exchanges with these ids, in the order of the journal.

    A journal that is missing, or a line that cannot be read, leaves its exchanges out: the verdicts
    stand in the report, the exchanges only explain them.
    """
    wanted = {it.encode() for it in ids}
    if not wanted or not journal.is_file():
        return
    with journal.open("rb") as lines:
        for line in lines:
            match = _ID.match(line)
            if match is None or match[1] not in wanted:
                continue
            wanted.discard(match[1])
            exchange = _read(line)
            if exchange is not None:
                yield exchange
            if not wanted:
                break


def _read(line: bytes) -> Exchange | None:
    try:
        return Exchange.from_json(json.loads(line))
    except ValueError:
        return None


def show(exchange: Exchange) -> Shown:
    """Return an exchange for people, its bodies cut."""
    return Shown(
        id=exchange.id,
        method=exchange.sent.method,
        url=exchange.sent.url,
        operation=exchange.operation,
        called=_called(exchange),
        purpose=exchange.purpose,
        outcome=_outcome(exchange),
        milliseconds=round(exchange.elapsed * 1000),
        credentials=_worth(exchange),
        token=exchange.token or "",
        request=_request(exchange),
        answer=_answer(exchange),
        curl=command(exchange),
    )


def command(exchange: Exchange) -> str:
    """Return the curl line that repeats an exchange.

    Empty where nobody can repeat it, for the agent sent it or its body is not kept, and where it
    would be too long to paste.
    """
    sent = exchange.sent
    if exchange.by != "suite" or sent.truncated or _NOT_KEPT.fullmatch(sent.body or ""):
        return ""
    line = curl(exchange)
    return line if len(line) <= LONGEST_CURL else ""


def _called(exchange: Exchange) -> str:
    if exchange.operation == "other":
        return exchange.purpose or "other"
    if exchange.operation == "oauth":
        return f"oauth {exchange.sent.url.partition('?')[0].rpartition('/')[2]}".rstrip()
    return exchange.operation


def _worth(exchange: Exchange) -> str:
    """Say whose request it was; of pages, and of an adapter, there is nothing to say."""
    if exchange.operation == "other" and exchange.credentials == "none":
        return ""
    worth = _CREDENTIALS if exchange.by == "suite" else _OF_THE_AGENT
    return worth.get(exchange.credentials, exchange.credentials)


def _outcome(exchange: Exchange) -> str:
    if exchange.answer is None:
        kind = exchange.failure.kind if exchange.failure else "unknown"
        return f"no answer ({kind})"
    status = exchange.answer.status
    try:
        return f"{status} {HTTPStatus(status).phrase}"
    except ValueError:
        return str(status)


def _request(exchange: Exchange) -> str:
    sent = exchange.sent
    body = sent.body
    if body is None:
        body = ""
    elif sent.base64:
        body = f"(base64) {body}"
    return _message(f"{sent.method} {sent.url}", sent.headers, body, truncated=sent.truncated)


def _answer(exchange: Exchange) -> str:
    answer = exchange.answer
    if answer is None:
        return exchange.failure.message if exchange.failure else ""
    first = f"{answer.http_version} {answer.status}"
    return _message(first, answer.headers, answer.body, truncated=answer.truncated)


def _message(first: str, headers: tuple[Header, ...], body: str, *, truncated: bool) -> str:
    head = "\n".join([first, *(f"{name}: {value}" for name, value in headers)])
    parts = [_cut(head)]
    if body:
        parts.append(_cut(body))
    if truncated:
        parts.append("… the record ends here")
    return "\n\n".join(parts)


def _cut(text: str) -> str:
    more = len(text) - LONGEST_BODY
    if more <= 0:
        return text
    return f"{text[:LONGEST_BODY]}\n… {more:,} more characters in the journal"
