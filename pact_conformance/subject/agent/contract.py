"""The adapter contract, version 1: what an agent is asked, and how its answers are read.

`schemas/agent-request.schema.json` and `schemas/agent-answer.schema.json` describe both; what an
operation's answer must hold is said here, where it can be said better than a schema says it.
"""

import json
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from pact_conformance.subject.agent.results import (
    Broke,
    GaveUp,
    Held,
    KeptReceipt,
    NeedsSignIn,
    Refused,
    Reply,
    Result,
)
from pact_conformance.subject.agent.way import GUIDE, shown
from pact_conformance.wire.schema import problems

VERSION = 1

ANSWER = "agent-answer"

DO = f"correct the adapter; {GUIDE} says what it answers"

_TURN = ("reply", "needsSignIn", "gaveUp")

MEMBERS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "hello": ("operations",),
        "connect": ("brand", "gaveUp"),
        "say": _TURN,
        "sign_in": _TURN,
        "go_on": _TURN,
        "holds": ("scopes",),
        "rotate_key": (),
        "forget": (),
        "restart": (),
        "pass_time": (),
    }
)
"""Each operation with the members of which its answer holds exactly one; none: any object."""

OPERATIONS = tuple(MEMBERS)

ASKED = tuple(it for it in OPERATIONS if it not in {"hello", "pass_time"})
"""Those that an adapter is asked for by a scenario: the others are how to know them, and ours."""

DEFAULT = frozenset({"connect", "say"})
"""What an agent offers that does not say what it offers."""


def looks_like_answer(told: Mapping[str, Any]) -> bool:
    """Say whether an object is meant as an answer, and is not something that was logged."""
    known = {"error", "id", *(name for names in MEMBERS.values() for name in names)}
    return not told or not known.isdisjoint(told)


def judge(operation: str, told: object) -> dict[str, Any]:
    """Return the answer to a call, if it is one.

    Raises:
        Refused: it says that it cannot.
        Broke: it is none.
    """
    if not isinstance(told, dict):
        raise Broke(f"the answer to {operation} is no JSON object: {shown(repr(told))}", do=DO)
    _see_that_it_is_json(operation, told)
    if told.get("error") is not None:
        raise Refused(f"the agent answers {operation} with an error: {_said(told['error'])}")
    members = MEMBERS[operation]
    held = [name for name in members if told.get(name) is not None]
    if members and len(held) != 1:
        named = members[0] if len(members) == 1 else f"exactly one of {', '.join(members)}"
        has = ", ".join(map(str, told)) or "nothing"
        raise Broke(
            f"the answer to {operation} must hold {named}; holds {shown(has)}",
            do=DO,
        )
    found = problems(told, ANSWER)
    if found:
        raise Broke(f"the answer to {operation} is none: {found[0]}", do=DO)
    return told


def _see_that_it_is_json(operation: str, told: object) -> None:
    """See that an answer can be written down: from Python anything comes."""
    try:
        json.dumps(told, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise Broke(f"the answer to {operation} has half a character in it", do=DO) from None
    except (TypeError, ValueError, RecursionError) as error:
        raise Broke(f"the answer to {operation} is no JSON: {shown(str(error))}", do=DO) from None


def turn(told: Mapping[str, Any]) -> Result:
    """Return how a turn ended, by a good answer."""
    conversation = told.get("conversation")
    if told.get("reply") is not None:
        return Reply(told["reply"]["text"], conversation)
    if told.get("needsSignIn") is not None:
        asked = told["needsSignIn"]
        scopes = asked.get("scopes")
        return NeedsSignIn(asked["link"], None if scopes is None else tuple(scopes), conversation)
    return gave_up(told)


def gave_up(told: Mapping[str, Any]) -> GaveUp:
    """Return why the agent gave up, by a good answer."""
    reason = told["gaveUp"]
    reason = reason.get("reason", "") if isinstance(reason, dict) else reason
    return GaveUp(reason, told.get("conversation"))


def held(told: Mapping[str, Any]) -> Held:
    """Return what is held, by a good answer."""
    receipts = told.get("receipts")
    return Held(
        tuple(told["scopes"]),
        None
        if receipts is None
        else tuple(KeptReceipt(it["jws"], it.get("verified")) for it in receipts),
    )


def _said(error: object) -> str:
    return shown(error if isinstance(error, str) else repr(error))
