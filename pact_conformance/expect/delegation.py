"""Verbs for messages under a delegation token: refusal, step-up and receipt (§5.5, §5.6)."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from pact_conformance.expect.answers import settled, unauthorized
from pact_conformance.expect.messages import reply, reply_or_task
from pact_conformance.journal.answer import Answer
from pact_conformance.journal.challenges import Challenge, MalformedChallenge, read_challenges
from pact_conformance.verdicts import Deviation

AUTH_REQUIRED = "TASK_STATE_AUTH_REQUIRED"
RECEIPT = "pact.receipt"
MISSING_SCOPES = "pact.missingScopes"
STEP_UP_LINK = "pact.verificationUriComplete"

_CHALLENGE = 'WWW-Authenticate: Bearer realm="a2a", error="invalid_token"'


@dataclass(frozen=True)
class StepUp:
    """A task that asks for scopes (§5.5). What it lacks is empty, for other checks to judge."""

    task: Mapping[str, Any] = field(repr=False, hash=False)
    scopes: tuple[str, ...]
    """`pact.missingScopes`; empty where it is no array of texts."""
    link: str = field(repr=False)
    """`pact.verificationUriComplete`."""
    context_id: str

    @property
    def id(self) -> str:
        """The task's id."""
        return str(self.task["id"])


@dataclass(frozen=True)
class Receipt:
    """What a reply under delegation carries in its metadata (§5.6); nothing is verified."""

    jws: str = field(repr=False)
    claims: Mapping[str, Any] = field(hash=False)


def bad_delegation(answer: Answer) -> None:
    """Demand the refusal of a bad delegation token: 401 with the challenge of §5.5.

    Parameters may come in any order, and more of them, and further challenges. That its body is
    none of A2A's is a journal rule.
    """
    unauthorized(answer)
    if not any(map(_is_of_bad_delegation, _challenges(answer))):
        got = answer.headers.get_list("www-authenticate")
        raise Deviation(_CHALLENGE, ", ".join(got) or "a 401 without WWW-Authenticate")


def step_up(answer: Answer) -> StepUp:
    """Demand a task in TASK_STATE_AUTH_REQUIRED with an id, and return what it asks for."""
    body = reply_or_task(answer)
    found = _step_up(body)
    if found is None:
        raise Deviation(f"a task in {AUTH_REQUIRED}", _kind(body))
    return found


def stepped_up(answer: Answer) -> StepUp | None:
    """Return the step-up that an answer is, None where it is something else."""
    body = answer.json
    return _step_up(body) if answer.status == 200 and isinstance(body, dict) else None


def receipt(answer: Answer) -> Receipt:
    """Demand a Message whose metadata has a receipt with `jws` and `claims`, and return it."""
    found = _member(reply(answer).get("metadata"), RECEIPT)
    if found is None:
        raise Deviation(f"{RECEIPT} in the metadata of the Message", "a Message without it")
    jws, claims = _member(found, "jws"), _member(found, "claims")
    if not isinstance(jws, str) or not isinstance(claims, dict):
        got = f"an object of {', '.join(sorted(found)) or 'nothing'}"
        raise Deviation(
            f"{RECEIPT} with a text `jws` and an object `claims`",
            got if isinstance(found, dict) else f"{RECEIPT} that is no object",
        )
    return Receipt(jws, claims)


def no_receipt(answer: Answer) -> None:
    """Demand that no receipt is anywhere in the answer, neither in a Message nor in a Task."""
    settled(answer)
    if has_receipt(answer):
        raise Deviation(f"an answer without {RECEIPT}", f"{answer.status} with a receipt")


def has_receipt(answer: Answer) -> bool:
    """Say whether a receipt is anywhere in the answer."""
    return any(found is not None for found in _receipts(answer.json))


def _is_of_bad_delegation(challenge: Challenge) -> bool:
    named = challenge.get("realm") == "a2a" and challenge.get("error") == "invalid_token"
    return named and challenge.scheme.lower() == "bearer"


def _challenges(answer: Answer) -> tuple[Challenge, ...]:
    try:
        return read_challenges(", ".join(answer.headers.get_list("www-authenticate")))
    except MalformedChallenge as error:
        raise Deviation(_CHALLENGE, f"a challenge against RFC 9110 §11: {error}") from error


def _step_up(body: Mapping[str, Any]) -> StepUp | None:
    task = body.get("task")
    if _member(_member(task, "status"), "state") != AUTH_REQUIRED:
        return None
    if not isinstance(task, dict) or not isinstance(task.get("id"), str) or not task["id"]:
        return None
    scopes = _member(task.get("metadata"), MISSING_SCOPES)
    is_list = isinstance(scopes, list) and all(isinstance(it, str) for it in scopes)
    return StepUp(
        task,
        scopes=tuple(scopes) if is_list else (),
        link=_text(_member(task.get("metadata"), STEP_UP_LINK)),
        context_id=_text(task.get("contextId")),
    )


def _kind(body: Mapping[str, Any]) -> str:
    task = body.get("task")
    if not isinstance(task, dict):
        return "a Message" if "message" in body else "a task that is no object"
    state = _member(task.get("status"), "state")
    return "a task without an id" if state == AUTH_REQUIRED else f"a task in {state}"


def _receipts(value: object) -> Iterator[object]:
    if isinstance(value, dict):
        if RECEIPT in value:
            yield value[RECEIPT]
        for member in value.values():
            yield from _receipts(member)
    elif isinstance(value, list):
        for item in value:
            yield from _receipts(item)


def _member(value: object, name: str) -> Any:  # noqa: ANN401 - whatever the subject wrote there
    return value.get(name) if isinstance(value, dict) else None


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
