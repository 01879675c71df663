"""`http(s)://…`: the agent is a service of the tester's, which is POSTed the contract's objects."""

import json
from http import HTTPStatus
from typing import Any

from pact_conformance.journal.client import NoAnswer, RecordingClient
from pact_conformance.subject.agent import contract
from pact_conformance.subject.agent.results import Broke, Refused
from pact_conformance.subject.agent.way import GUIDE, LONGEST, Asked, Limit, shown

_DO = f"see that what E2E_AGENT names is running; {GUIDE} says what it is sent"

# By the kind of failure.
_DO_ABOUT = {
    "closed": "see its log: an exception in the adapter ends a connection without an answer",
    "deadline": f"let it give up in time, or set E2E_TEST_TIMEOUT_MS higher ({GUIDE})",
}

_ALIVE = 5.0

# Nobody listens there, or whoever did has gone meanwhile.
_GONE = frozenset({"connect", "closed"})


class HttpWay:
    """POSTs each call; the journal keeps that it did, not what."""

    name = "http"
    concurrent = True
    patience = None
    lost = 0
    offered = contract.DEFAULT | {"hello"}

    def __init__(self, url: str, client: RecordingClient) -> None:
        self._url = url
        self._client = client

    @property
    def alive(self) -> bool:
        """Whether anything answers there."""
        asked = {"version": contract.VERSION, "id": 0, "operation": "hello"}
        try:
            self.ask(asked, Limit(_ALIVE))
        except Refused:
            return True
        except Broke as error:
            return not error.crashed
        return True

    def ask(self, asked: Asked, limit: Limit) -> Any:  # noqa: ANN401 - whatever it answers
        """POST it (see `Way.ask`)."""
        operation = asked["operation"]
        try:
            answer = self._client.exchange(
                "POST",
                self._url,
                operation="other",
                headers=[("Content-Type", "application/json"), ("Accept", "application/json")],
                content=json.dumps(asked).encode(),
                purpose=f"the agent is asked to {operation}",
                deadline=limit.need(),
                private=True,
            )
        except NoAnswer as error:
            raise Broke(
                f"the agent did not answer {operation}: {error}",
                do=_DO_ABOUT.get(error.failure.kind, _DO),
                crashed=error.failure.kind in _GONE,
                late=error.failure.kind == "deadline",
            ) from error
        if answer.status != 200:
            said = shown(answer.text)
            raise Refused(
                f"the agent answered {operation} with {answer.status}{said and f': {said}'}",
                do=_DO,
                crashed=answer.status >= HTTPStatus.INTERNAL_SERVER_ERROR,
            )
        if len(answer.body) > LONGEST:
            raise Broke(f"the answer to {operation} has more than {LONGEST >> 20} MiB", do=_DO)
        return self._read(answer.text, asked)

    def _read(self, text: str, asked: Asked) -> Any:  # noqa: ANN401 - whatever it answers
        operation = asked["operation"]
        try:
            told = json.loads(text)
        except (ValueError, RecursionError):
            said = f": {shown(text)!r}" if text.strip() else ", but empty"
            raise Broke(f"the answer to {operation} is no JSON{said}", do=contract.DO) from None
        if not isinstance(told, dict):
            return told
        if told.setdefault("id", asked["id"]) != asked["id"]:
            raise Broke(
                f"the answer to {operation} has the id {told['id']!r}, the request {asked['id']}",
                do=contract.DO,
            )
        return told

    def close(self) -> None:
        """End nothing: the service is the tester's."""
