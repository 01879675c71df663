"""Step-up: a task in place of a reply, where a turn needs a scope that its token lacks (§5.5)."""

import uuid
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pact_conformance.counterpart.provider.brand_agent import Reply, Turn
from pact_conformance.counterpart.provider.conversations import Conversation, Owner
from pact_conformance.counterpart.provider.delegation.codes import DeviceCode
from pact_conformance.counterpart.provider.delegation.receipts import timestamp

if TYPE_CHECKING:
    from pact_conformance.counterpart.provider.provider import Provider


@dataclass
class StepUp:
    """A turn that waits for the User to approve more."""

    id: str
    owner: Owner
    """Whose task it is: to everybody else it does not exist."""
    context_id: str
    brand_id: str
    missing: tuple[str, ...]
    code: DeviceCode
    """The codes behind its link. Nobody polls for them; what the User approves there spares the
    next flow its consent."""
    text: str
    message_id: str
    now: float
    state: str = "TASK_STATE_AUTH_REQUIRED"


TaskMember = Callable[["Provider", StepUp], object]


class StepUps:
    """The step-up tasks of a Provider."""

    def __init__(self) -> None:
        self._by_id: dict[str, StepUp] = {}

    def add(self, step_up: StepUp) -> None:
        """Keep a task."""
        self._by_id[step_up.id] = step_up

    def get(self, task_id: str) -> StepUp | None:
        """Return a task by its id, whoever's it is."""
        return self._by_id.get(task_id)

    def all(self) -> list[StepUp]:
        """Return all tasks, the latest first."""
        return list(reversed(self._by_id.values()))


def mint_task_id() -> str:
    """Return a new id of a task."""
    return f"t-{uuid.uuid4()}"


def begin_step_up(
    provider: "Provider", conversation: Conversation, turn: Turn, reply: Reply
) -> StepUp:
    """Return the step-up of a turn, with codes of its own for what is missing."""
    now = provider.clock.now(turn.brand_id)
    brand = provider.brands[turn.brand_id]
    step_up = StepUp(
        id=provider.delegation.mint_task_id(),
        owner=conversation.owner,
        context_id=conversation.id,
        brand_id=turn.brand_id,
        missing=reply.missing_scopes,
        code=provider.delegation.codes.issue(brand, turn.user.issuer, reply.missing_scopes, now),
        text=reply.text,
        message_id=reply.id,
        now=now,
    )
    provider.delegation.step_ups.add(step_up)
    return step_up


def step_up_task(provider: "Provider", step_up: StepUp) -> dict[str, Any]:
    """Return a step-up as an A2A Task."""
    return {name: member(provider, step_up) for name, member in provider.delegation.task.items()}


def task_members() -> dict[str, TaskMember]:
    """Return the members of the task (§5.5), each by itself."""
    return {
        "id": lambda _provider, step_up: step_up.id,
        "contextId": lambda _provider, step_up: step_up.context_id,
        "status": lambda provider, step_up: {
            name: member(provider, step_up)
            for name, member in provider.delegation.task_status.items()
        },
        "metadata": lambda provider, step_up: {
            name: member(provider, step_up)
            for name, member in provider.delegation.task_metadata.items()
        },
    }


def task_status() -> dict[str, TaskMember]:
    """Return the members of its status, each by itself."""
    return {
        "state": lambda _provider, step_up: step_up.state,
        "message": lambda _provider, step_up: {
            "messageId": step_up.message_id,
            "contextId": step_up.context_id,
            "taskId": step_up.id,
            "role": "ROLE_AGENT",
            "parts": [{"text": step_up.text}],
        },
        "timestamp": lambda _provider, step_up: timestamp(step_up.now),
    }


def task_metadata() -> dict[str, TaskMember]:
    """Return the members of its metadata, each by itself."""
    return {
        "pact.missingScopes": lambda _provider, step_up: list(step_up.missing),
        "pact.verificationUriComplete": lambda provider, step_up: provider.delegation.login_link(
            provider, step_up.brand_id, step_up.code.user_code
        ),
    }
