"""Legal step-ups (§5.5)."""

from typing import Any

from starlette.responses import RedirectResponse, Response

from pact_conformance.counterpart.provider.brand_agent import Reply, Turn
from pact_conformance.counterpart.provider.call import Call
from pact_conformance.counterpart.provider.conversations import Conversation
from pact_conformance.counterpart.provider.delegation import receipts
from pact_conformance.counterpart.provider.delegation.step_up import StepUp
from pact_conformance.counterpart.provider.operations import Operation
from pact_conformance.counterpart.provider.provider import Provider
from pact_conformance.counterpart.provider.refusals import (
    A2ARefusal,
)
from pact_conformance.counterpart.substitution import Document
from pact_conformance.counterpart.variants.registry import variant


@variant()
def forgets_step_up_tasks(provider: Provider) -> None:
    """A step-up task is ephemeral: nobody finds or lists it."""

    def find_task(*_arguments: Any) -> StepUp:  # noqa: ANN401 - whatever is asked
        raise A2ARefusal("TASK_NOT_FOUND", "There is no such task")

    provider.find_task = find_task
    provider.own_tasks = lambda _provider, _call: []


@variant()
def lists_no_step_up_tasks(provider: Provider) -> None:
    """A step-up task is found by its id, but in no list."""
    provider.own_tasks = lambda _provider, _call: []


@variant()
def cancels_no_step_up_task(provider: Provider) -> None:
    """A step-up task cannot be cancelled."""

    async def handle(provider: Provider, call: Call) -> Response:
        provider.find_task(provider, call)
        raise A2ARefusal("TASK_NOT_CANCELABLE", "The task waits for you")

    provider.operations.handle("cancel", handle)


@variant("5.5-step-up-message")
def leaves_out_the_id_of_the_status_message(provider: Provider) -> None:
    """The message in the status of a step-up has no messageId, as in the example of §5.5."""
    message = provider.delegation.task_status["message"]

    def without_id(provider: Provider, step_up: StepUp) -> object:
        found: Any = message(provider, step_up)
        return {name: found[name] for name in ("role", "parts")}

    provider.delegation.task_status["message"] = without_id


@variant("5.5-step-up-message")
def leaves_out_the_status_message(provider: Provider) -> None:
    """The status of a step-up has no message."""
    del provider.delegation.task_status["message"]


@variant()
def leaves_out_the_time_of_the_status(provider: Provider) -> None:
    """The status of a step-up has no timestamp."""
    del provider.delegation.task_status["timestamp"]


@variant()
def adds_members_to_step_up_tasks(provider: Provider) -> None:
    """A step-up task has artifacts, a history, further metadata and members nobody knows."""
    delegation = provider.delegation
    more: Document = {"artifacts": [], "history": [], "x-more": None}
    delegation.task.update({name: lambda *_, value=value: value for name, value in more.items()})
    delegation.task_metadata["provider.note"] = lambda _provider, _step_up: {"n": 1}
    delegation.task_metadata["pact.userCode"] = lambda _provider, it: it.code.user_code


@variant()
def mints_odd_task_ids(provider: Provider) -> None:
    """The id of a step-up task has dots, dashes and underscores, and is long."""
    mint = provider.delegation.mint_task_id
    provider.delegation.mint_task_id = lambda: f"task_{mint()}.{'x' * 60}~-"


@variant()
def gives_a_receipt_for_a_step_up(provider: Provider) -> None:
    """A step-up task has a receipt in its metadata."""
    conclude = provider.delegation.conclude

    def concluded(
        provider: Provider, conversation: Conversation, turn: Turn, reply: Reply, answer: object
    ) -> object:
        found: Any = conclude(provider, conversation, turn, reply, answer)
        if "task" in found:
            assert turn.authority is not None
            now = provider.clock.now(turn.brand_id)
            served = receipts.Served(turn.brand_id, turn, turn.authority, reply, now)
            receipt = provider.delegation.receipt(provider, served)
            found["task"]["metadata"]["pact.receipt"] = receipt
        return found

    provider.delegation.conclude = concluded


@variant()
def asks_for_more_than_the_message_needs(provider: Provider) -> None:
    """A step-up asks for every scope of the card that the token lacks."""

    def missing(turn: Turn, needed: tuple[str, ...]) -> tuple[str, ...]:
        held = () if turn.authority is None else turn.authority.scopes
        if set(needed) <= set(held):
            return ()
        return tuple(it for it in provider.brands[turn.brand_id].scopes if it not in held)

    provider.delegation.missing = missing


@variant()
def needs_an_earlier_scope_too(provider: Provider) -> None:
    """To cancel an order it has to be looked up, which takes a scope of its own."""
    needs = provider.delegation.needs

    def needed(provider: Provider, turn: Turn) -> tuple[str, ...]:
        found = needs(provider, turn)
        if "orders:cancel" not in found:
            return found
        return tuple(dict.fromkeys(("orders:read", *found)))

    provider.delegation.needs = needed


@variant()
def leads_a_step_up_to_the_provider_first(provider: Provider) -> None:
    """Links lead to the Provider, which redirects to the Brand's login."""
    delegation = provider.delegation
    login_link = delegation.login_link

    def link(provider: Provider, brand_id: str, user_code: str | None = None) -> str:
        query = "" if user_code is None else f"?user_code={user_code}"
        return f"{delegation.issuer(provider, brand_id)}/start{query}"

    async def start(provider: Provider, call: Call) -> Response:
        assert call.brand is not None
        code = call.request.query_params.get("user_code")
        return RedirectResponse(login_link(provider, call.brand.id, code), 303)

    delegation.routes.add(
        Operation("start", "GET", "/oauth/start", start, public=True, is_a2a=False)
    )
    take = provider.login.take

    async def take_login(*arguments: Any) -> Response:  # noqa: ANN401 - handed on as they are
        delegation.login_link = login_link
        try:
            return await take(*arguments)
        finally:
            delegation.login_link = link

    delegation.login_link = link
    provider.login.take = take_login
