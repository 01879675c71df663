"""The authentication probe: a request that is refused only after authentication, never a turn.

A forged token that is accepted must not buy a model call, and a Provider without `GET tasks`
answers 404 with any token; so the run picks, once, the first request that tells a good token from
none.
"""

from collections.abc import Callable, Mapping
from typing import Any

from pact_conformance.journal.answer import Answer
from pact_conformance.subject.operations import LIST
from pact_conformance.subject.provider import GOOD, Credential, Provider, encode

Headers = Mapping[str, str | None]
Send = Callable[[Provider, Credential, str | None, Headers, bool], Answer]


def _blank_text(
    provider: Provider,
    token: Credential,
    user: str | None,
    headers: Headers,
    free: bool,  # noqa: FBT001 - private
) -> Answer:
    return provider.send(" ", token=token, user=user, headers=headers, turn=False, free=free)


def _list_tasks(
    provider: Provider,
    token: Credential,
    user: str | None,
    headers: Headers,
    _free: bool,  # noqa: FBT001 - private
) -> Answer:
    return provider.call(LIST, token=token, user=user, headers=headers)


def _wrong_shape(
    provider: Provider,
    token: Credential,
    user: str | None,
    headers: Headers,
    free: bool,  # noqa: FBT001 - private
) -> Answer:
    content = encode({"message": {}, **provider.tenant})
    return provider.send(
        content=content, token=token, user=user, headers=headers, turn=False, free=free
    )


PROBES: Mapping[str, Send] = {
    "blank-text": _blank_text,
    "list-tasks": _list_tasks,
    "wrong-shape": _wrong_shape,
}


def tells_apart(name: str, without: Answer, good: Answer) -> bool:
    """Say whether the probe `name` works here: 401 without a token, refused otherwise with one."""
    if without.status != 401:
        return False
    if name == "list-tasks" and good.status == 200:
        return not _is_turn(good)
    return good.error is not None and good.status not in {401, 429} and good.status < 500


def bought_a_turn(answer: Answer) -> bool:
    """Say whether the Brand's agent answered: a Message or a Task came back."""
    return answer.status == 200 and _is_turn(answer)


def _is_turn(answer: Answer) -> bool:
    body: Any = answer.json
    return isinstance(body, dict) and ("message" in body or "task" in body)


def probe(
    provider: Provider,
    name: str,
    *,
    token: Credential = GOOD,
    user: str | None = None,
    headers: Headers | None = None,
    free: bool = True,
) -> Answer:
    """Send the probe `name` with a token.

    It is `free` once it was seen to be refused with a good one: no turn is kept for it.
    """
    return PROBES[name](provider, token, user, headers or {}, free)
