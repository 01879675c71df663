"""The JSON that other programs play the User by: what they are asked, and what they tell of it.

`schemas/approver-request.schema.json` and `schemas/approver-answer.schema.json` describe both.
"""

import json
from collections.abc import Sequence
from typing import Any

from pact_conformance.file_tables import Account
from pact_conformance.subject.approver.boxes import scope_of
from pact_conformance.subject.approver.errand import Box, Decided, Done, Errand, Page
from pact_conformance.subject.approver.shown import Field
from pact_conformance.verdicts import Inconclusive
from pact_conformance.wire.schema import problems

VERSION = 1

ANSWER = "approver-answer"

CORRECT = "correct the approver; docs/approver.md says what it answers with"


def asked(errand: Errand, accounts: Sequence[Account], seconds: float) -> dict[str, Any]:
    """Return what another program is asked to do, within so many seconds."""
    account: dict[str, Any] = {"number": errand.account + 1}
    if errand.account < len(accounts):
        given = accounts[errand.account]
        account |= {"username": given.username, "password": given.password.get_secret_value()}
    return {
        "version": VERSION,
        "link": errand.link,
        "userCode": errand.user_code,
        "brand": errand.brand,
        "account": account,
        "scopes": [{"id": it, "description": text} for it, text in errand.scopes.items()],
        "approve": None if errand.approve is None else sorted(errand.approve),
        "deny": errand.deny,
        "session": errand.session,
        "lookOnly": errand.look_only,
        "seconds": round(seconds, 1),
    }


def done(errand: Errand, answer: str) -> Done:
    """Return what came of an errand by what another program tells.

    Raises:
        Inconclusive: it says that it could not, or what it says is no answer to what was asked.
    """
    told = _read(answer)
    found = problems(told, ANSWER)
    if found:
        raise Inconclusive(f"the approver's answer is none: {found[0]}", do=CORRECT)
    if "error" in told:
        raise Inconclusive(f"the approver says: {told['error'].strip()}")
    decided: Decided = told["decided"]
    wanted = _wanted(errand)
    if decided not in wanted:
        raise Inconclusive(
            f"the approver was asked for {wanted[0]!r} and says {decided!r}", do=CORRECT
        )
    login = Page("", "") if told.get("login") else None
    return Done(decided, login, _consent(errand, told), None, None, told.get("said", ""))


def _read(answer: str) -> Any:  # noqa: ANN401 - whatever the program wrote
    """Return the JSON value of an answer: all of it, or its last line after what it logged."""
    lines = answer.strip().splitlines()
    for text in (answer, lines[-1] if lines else ""):
        try:
            return json.loads(text)
        except ValueError:
            continue
    said = " ".join(answer.split())
    if not said:
        raise Inconclusive("the approver answered nothing", do=CORRECT)
    raise Inconclusive(f"the approver's answer is no JSON: {said[:200]!r}", do=CORRECT)


def _wanted(errand: Errand) -> tuple[Decided, ...]:
    """Return what may have been decided, what was asked for first."""
    if errand.look_only:
        return "not asked", "skipped"
    if errand.deny:
        return "denied", "skipped"
    if not errand.approved:  # a page may let nobody approve nothing
        return "approved", "skipped", "not asked", "denied"
    return "approved", "skipped"


def _consent(errand: Errand, told: dict[str, Any]) -> Page | None:
    shown = told.get("consent")
    if shown is None:
        return None
    boxes = tuple(_box(errand, it) for it in shown.get("boxes", []))
    return Page(shown.get("url", ""), " ".join(shown["text"].split()), boxes)


def _box(errand: Errand, told: dict[str, Any]) -> Box:
    label = " ".join(told["label"].split())
    scope = told.get("scope")
    if "scope" not in told:
        scope = scope_of(Field(0, None, "checkbox", label=label), errand.scopes)
    known = scope if scope in errand.scopes else None
    return Box("", scope or "", label, told.get("checked", False), known)
