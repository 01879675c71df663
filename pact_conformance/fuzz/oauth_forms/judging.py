"""What an answer of an OAuth endpoint shows, and whether it is due (RFC 6749 §5, RFC 8628)."""

from typing import Any

from pact_conformance import expect
from pact_conformance.expect.answers import describe
from pact_conformance.fuzz.family import Fate, Trial
from pact_conformance.fuzz.kind import Due
from pact_conformance.fuzz.oauth_forms.draft import RESULT, Draft
from pact_conformance.journal.answer import Answer
from pact_conformance.verdicts import Deviation
from pact_conformance.wire.errors import is_a2a_body

# What a server in front of the Provider answers where it does not get a request through.
_OF_A_GATEWAY = frozenset({429, 502, 503, 504, *range(520, 531)})
# What it answers by itself where it does not like a request.
_OF_A_SERVER = frozenset({101, 408, 411, 413, 414, 417, 421, 425, 426, 431, 451, 510, 511})
# What a reader of forms answers to a type that it does not like.
_OF_A_READER = frozenset({400, 415})
# And what it, or HTTP itself, answers to what is odd for them.
_OF_HTTP = frozenset({400, 401, 403, 404, 405, 406, 415, 501, 505, *range(300, 309)})


def judged(answer: Answer, draft: Draft, due: Due, said: str) -> Trial:
    """Return what came of a request, judged by what is due to it."""
    if answer.status in _OF_A_GATEWAY and not is_a2a_body(answer.json):
        return Trial("undecided", exchange=answer.exchange_id)
    code = code_of(answer)
    if code is None:
        return _bare(answer, draft, due, said)
    if draft.of_http and due == "refused":
        due = "either"  # what should be refused may not have been read at all
    if code == "slow_down" and code not in draft.accepted:
        # Who polls with codes that nobody issued may be kept from guessing (RFC 8628 §5.2).
        return Trial("undecided", exchange=answer.exchange_id)
    is_read = code in draft.accepted
    fate: Fate = "accepted" if is_read else "refused"
    expected = _expected(code, draft, due)
    got = "" if not expected else _got(answer, code)
    shows = bool(draft.accepted) and not expected
    warning = _warning(due, said, is_read=is_read) if shows else ""
    return Trial(fate, expected, got, warning, answer.exchange_id)


def began(answer: Answer) -> bool:
    """Say whether a device flow began."""
    body: Any = answer.json
    return answer.status == 200 and isinstance(body, dict) and "device_code" in body


def code_of(answer: Answer) -> str | None:
    """Return the OAuth error's code, `RESULT` for codes and tokens, and None for anything else."""
    body: Any = answer.json
    if answer.status == 200 and isinstance(body, dict):
        return RESULT if {"device_code", "access_token"} & body.keys() else None
    try:
        return expect.oauth_error(answer)
    except Deviation:
        return None


def _expected(code: str, draft: Draft, due: Due) -> str:
    """Say what was due where this code was not; empty where it was."""
    if code == RESULT and not _may_begin(draft, due):
        codes = " or ".join(sorted(draft.refusals or ()))
        return f"the OAuth error {codes}, and nothing else" if codes else "an OAuth error"
    if due == "accepted" and draft.accepted and code not in draft.accepted:
        return f"the OAuth error {' or '.join(sorted(draft.accepted))}"
    if due != "refused":
        return ""
    if draft.refusals is not None and code not in draft.refusals:
        return f"the OAuth error {' or '.join(sorted(draft.refusals))}"
    reads_it = code in draft.accepted and (draft.refusals is None or code not in draft.refusals)
    return f"an OAuth error other than {code}" if reads_it else ""


def _may_begin(draft: Draft, due: Due) -> bool:
    """Say whether a device flow may begin: where a scope may have got lost, all may be meant."""
    return draft.endpoint == "device" and due not in {"refused", "accepted"}


def _warning(due: Due, said: str, *, is_read: bool) -> str:
    if due == "warn-if-accepted" and is_read:
        return f"accepted: {said}"
    if due == "warn-if-refused" and not is_read:
        return f"refused: {said}"
    return ""


def _bare(answer: Answer, draft: Draft, due: Due, said: str) -> Trial:
    """Judge what has not OAuth's form: a server's answer, or one that should have it."""
    status = answer.status
    is_free = status in draft.bare | _OF_A_SERVER or (draft.of_http and status in _OF_HTTP)
    is_free = is_free or (due == "refused" and status == 401)
    is_asked = draft.of_http and draft.method in {"OPTIONS", "HEAD", "GET"} and status < 500
    if (is_free or is_asked) and not is_a2a_body(answer.json):
        fate: Fate = "refused" if 400 <= status < 500 else "undecided"
        return Trial(fate, exchange=answer.exchange_id)
    if due == "warn-if-refused" and status in _OF_A_READER and not is_a2a_body(answer.json):
        warning = _warning(due, said, is_read=False)
        return Trial("refused", warning=warning, exchange=answer.exchange_id)
    expected = "an OAuth error with 400, or 401 with invalid_client"
    if due == "accepted" and draft.accepted:
        expected = f"the OAuth error {' or '.join(sorted(draft.accepted))} with 400"
    return Trial("undecided", expected, describe(answer), exchange=answer.exchange_id)


def _got(answer: Answer, code: str) -> str:
    """Say what came, without what is secret in it."""
    if code == RESULT:
        return f"{answer.status} with codes or a token"
    return f"{answer.status} with the OAuth error {code}"
