"""Verbs for `GET tasks` (§2.2)."""

from typing import Any

from pact_conformance.expect.answers import a2a_result, describe
from pact_conformance.journal.answer import Answer
from pact_conformance.verdicts import Deviation


def empty_task_list(answer: Answer) -> dict[str, Any]:
    """Demand 200 with a ListTasksResponse that lists nothing, and return it."""
    body = a2a_result(answer)
    if not isinstance(body, dict) or body.get("tasks") != []:
        raise Deviation("an empty ListTasksResponse", describe(answer))
    return body
