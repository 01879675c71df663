"""Finding a Brand's card (§2.1), and the URL of a Brand that nobody has."""

import re
import secrets
import string
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from urllib.parse import urljoin, urlsplit

from pact_conformance.journal.answer import Answer
from pact_conformance.journal.client import NoAnswer, RecordingClient
from pact_conformance.journal.exchange import Failure, Operation
from pact_conformance.subject.rate_limit import Patience
from pact_conformance.wire.card import Card

# How many redirects from a Brand's domain to the Provider's card are followed.
HOPS = 5

_BRAND_ID = re.compile(r"(?P<before>/a2a/)(?P<brand>[^/]+)(?P<after>/|$)")
_CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


@dataclass(frozen=True)
class Found:
    """What came of looking for a card: the card, or the last answer and why it is none."""

    card: Card | None
    answer: Answer | None
    url: str
    problem: str = ""
    exchanges: tuple[str, ...] = ()
    failure: Failure | None = None
    """Why no answer came, where none did."""
    served_at: str = ""
    """The URL that served the card, after redirects."""


def fetch(
    client: RecordingClient,
    url: str,
    *,
    operation: Operation = "card",
    headers: Sequence[tuple[str, str]] = (),
    patience: Patience | None = None,
    purpose: str = "read the Agent Card",
) -> list[Answer]:
    """GET a document that anybody may, following redirects and waiting out rate limits.

    The last answer is the end's. A card is read without credentials (§2.1): `headers` are for a
    check of just that, and only the first hop gets them.

    Raises:
        NoAnswer: a hop did not answer.
    """
    answers: list[Answer] = []
    for _ in range(HOPS + 1):
        ask = partial(
            client.exchange,
            "GET",
            url,
            operation=operation,
            headers=headers,
            purpose=purpose,
        )
        answer = ask() if patience is None else patience.answer(ask)
        answers.append(answer)
        headers = ()
        target = answer.headers.get("location")
        if answer.status not in {301, 302, 303, 307, 308} or not target:
            break
        try:
            url = urljoin(url, target)
        except ValueError:  # no URL: the redirect itself is the answer
            break
    return answers


def find(
    client: RecordingClient,
    urls: Sequence[str],
    patience: Patience | None = None,
    *,
    headers: Sequence[tuple[str, str]] = (),
) -> Found:
    """Try the places where a card may be, and return the first card or what the first one said."""
    first: Found | None = None
    for url in urls:
        found = _look(client, url, patience, headers)
        if found.card is not None:
            return found
        first = first or found
    if first is None:
        raise ValueError("no place to look for a card")
    return first


def _look(
    client: RecordingClient,
    url: str,
    patience: Patience | None,
    headers: Sequence[tuple[str, str]],
) -> Found:
    try:
        answers = fetch(client, url, patience=patience, headers=headers)
    except NoAnswer as error:
        return Found(
            None, None, url, str(error), exchanges=(error.exchange_id,), failure=error.failure
        )
    last = answers[-1]
    served_at = url
    for hop in answers[:-1]:
        served_at = urljoin(served_at, hop.headers["location"])
    ids = tuple(answer.exchange_id for answer in answers)
    if last.status != 200:
        return Found(None, last, url, f"it answered {last.status}", ids)
    if not isinstance(last.json, dict):
        kind = last.headers.get("content-type", "no media type")
        return Found(None, last, url, f"it answered 200 with no JSON object ({kind})", ids)
    return Found(Card(last.json, url), last, url, exchanges=ids, served_at=served_at)


def unknown_brand(url: str) -> str | None:
    """Return `url` with a brandId that nobody has; None where no brandId can be seen.

    The new id has the form of the old one, so that a Provider's router treats it the same.
    """
    path = urlsplit(url).path
    seen = _BRAND_ID.search(path)
    if seen is None:
        return None
    other = f"{seen['before']}{_like(seen['brand'])}{seen['after']}"
    return url.replace(path, path[: seen.start()] + other + path[seen.end() :], 1)


def _like(brand: str) -> str:
    """Make up an id of the same form: a UUID, a ULID, digits, or a name."""
    if re.fullmatch(r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}", brand):
        return str(uuid.uuid4())
    if re.fullmatch(rf"[{_CROCKFORD}]{{26}}", brand):
        return brand[:2] + "".join(secrets.choice(_CROCKFORD) for _ in range(24))
    if brand.isdigit():
        return "9" + "".join(secrets.choice(string.digits) for _ in range(len(brand) + 3))
    return f"nobody-{secrets.token_hex(6)}"
