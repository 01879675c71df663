"""Which requests a Provider has a reason to refuse, as far as the request itself shows.

What this module calls good may still be refused for what only the Provider knows (an unknown
contextId): then a 5xx is for the check that sent it, since it could as well be the Brand's agent
that failed, which §6 allows (INTERNAL).
"""

from urllib.parse import parse_qs, urlsplit

from pact_conformance.journal.exchange import Exchange, Sent
from pact_conformance.journal.json_value import Json, read_json
from pact_conformance.journal.rules.kinds import OPERATIONS_OF_SUBJECT, is_known
from pact_conformance.wire.media_types import A2A_JSON, FORM, JSON, essence
from pact_conformance.wire.oauth import DEVICE_CODE_GRANT, REFRESH_TOKEN_GRANT
from pact_conformance.wire.text import is_blank

_OTHER_KINDS = frozenset({"raw", "url", "data"})


def is_refusal_due(exchange: Exchange) -> bool:
    """Say whether the request shows by itself that it must be refused, or may only be served."""
    if exchange.answer is None or exchange.caused:
        return False
    if exchange.operation == "card":
        return exchange.credentials != "none"
    if exchange.operation not in OPERATIONS_OF_SUBJECT:
        return False
    return not (is_known(exchange) and _may_be_good(exchange))


def _may_be_good(exchange: Exchange) -> bool:
    sent = exchange.sent
    if exchange.delegation == "forged":
        return False
    match exchange.operation:
        case "message:send" | "message:stream":
            return _has_usual_headers(sent) and _is_good_message(sent)
        case "tasks":
            return _is_good_list(sent)
        case "oauth":
            return _is_good_form(sent)
        case _:
            return exchange.operation == "extended-card"  # it may be declared


def _has_usual_headers(sent: Sent) -> bool:
    version_is_usual = sent.header("a2a-version") in {None, "1.0"}
    return version_is_usual and essence(sent.header("content-type")) in {"", JSON, A2A_JSON}


def _is_good_message(sent: Sent) -> bool:
    """Say whether a body follows §4.1."""
    request = read_json("" if sent.base64 or sent.truncated else sent.body or "")
    message = request.get("message") if isinstance(request, dict) else None
    if not isinstance(message, dict) or message.get("role") != "ROLE_USER":
        return False
    message_id, parts = message.get("messageId"), message.get("parts")
    if not isinstance(message_id, str) or not message_id or "taskId" in message:
        return False
    return isinstance(parts, list) and bool(parts) and all(map(_is_text, parts))


def _is_text(part: Json) -> bool:
    text = part.get("text") if isinstance(part, dict) else None
    return isinstance(text, str) and not is_blank(text) and not (_OTHER_KINDS & part.keys())


def _is_good_form(sent: Sent) -> bool:
    """Say whether a body may be the form of a device authorization or a token request (§5.3).

    Whether codes, scopes and client are right only the Provider knows.
    """
    if essence(sent.header("content-type")) != FORM or sent.base64 or not sent.body:
        return False
    grant_types = parse_qs(sent.body, keep_blank_values=True).get("grant_type", [])
    return grant_types in ([], [DEVICE_CODE_GRANT], [REFRESH_TOKEN_GRANT])


def _is_good_list(sent: Sent) -> bool:
    sizes = parse_qs(urlsplit(sent.url).query, keep_blank_values=True).get("pageSize", ["50"])
    return all(size.isascii() and size.isdigit() and 1 <= int(size[:4]) <= 100 for size in sizes)
