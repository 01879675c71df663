"""Flaws of §5.5: step-up, and the task that asks for it."""

from collections.abc import Callable
from typing import Any

from pact_conformance.counterpart.flaws.registry import flaw
from pact_conformance.counterpart.flaws.under_delegation import change_step_up
from pact_conformance.counterpart.provider.brand_agent import Reply, Turn
from pact_conformance.counterpart.provider.conversations import Conversation
from pact_conformance.counterpart.provider.delegation import acting
from pact_conformance.counterpart.provider.delegation.step_up import StepUp
from pact_conformance.counterpart.provider.provider import Provider
from pact_conformance.counterpart.provider.refusals import (
    A2ARefusal,
    BadDelegation,
    Refusal,
    invalid,
)
from pact_conformance.counterpart.substitution import Document

_LINK = "pact.verificationUriComplete"
_SCOPES = "pact.missingScopes"


# No task, or another


def _refuse(provider: Provider, refusal: Callable[[], Refusal]) -> None:
    """Refuse a turn that lacks a scope; as with every refusal, nothing is stored."""
    agent = provider.brand_agent

    async def brand_agent(turn: Turn) -> Reply:
        reply = await agent(turn)
        if reply.missing_scopes:
            raise refusal()
        return reply

    provider.brand_agent = brand_agent


@flaw("5.5-step-up")
def takes_a_token_that_lacks_a_scope_for_bad(provider: Provider) -> None:
    """A turn that needs a further scope gets 401 with invalid_token."""
    _refuse(provider, lambda: BadDelegation("scope"))


@flaw("5.5-step-up")
def does_not_support_what_lacks_a_scope(provider: Provider) -> None:
    """A turn that needs a further scope gets UNSUPPORTED_OPERATION."""
    _refuse(provider, lambda: A2ARefusal("UNSUPPORTED_OPERATION", "insufficient_scope"))


@flaw("5.5-step-up")
def takes_what_lacks_a_scope_for_invalid(provider: Provider) -> None:
    """A turn that needs a further scope gets INVALID_PARAMS."""
    _refuse(provider, lambda: invalid("insufficient_scope"))


@flaw("5.5-step-up")
def breaks_down_where_a_scope_is_missing(provider: Provider) -> None:
    """A turn that needs a further scope gets INTERNAL."""
    _refuse(provider, lambda: A2ARefusal("INTERNAL", "The tool may not be called"))


def _change_task(provider: Provider, change: Callable[[Document], object]) -> None:
    change_step_up(provider, lambda answer: change(answer["task"]) and None)


def _state(provider: Provider, state: str | None) -> None:
    if state is None:
        del provider.delegation.task_status["state"]
    else:
        provider.delegation.task_status["state"] = lambda _provider, _step_up: state


@flaw("5.5-step-up")
def fails_a_task_that_lacks_a_scope(provider: Provider) -> None:
    """A turn that needs a further scope gets a failed task."""
    _state(provider, "TASK_STATE_FAILED")


@flaw("5.5-step-up")
def rejects_a_task_that_lacks_a_scope(provider: Provider) -> None:
    """A turn that needs a further scope gets a rejected task."""
    _state(provider, "TASK_STATE_REJECTED")


@flaw("5.5-step-up")
def asks_for_input_where_a_scope_is_missing(provider: Provider) -> None:
    """A turn that needs a further scope gets a task in TASK_STATE_INPUT_REQUIRED."""
    _state(provider, "TASK_STATE_INPUT_REQUIRED")


@flaw("5.5-step-up")
def writes_the_state_like_a2a_0_3(provider: Provider) -> None:
    """The state of a step-up is written auth-required, as in A2A 0.3."""
    _state(provider, "auth-required")


@flaw("5.5-step-up")
def leaves_the_state_out(provider: Provider) -> None:
    """The task of a step-up has no state."""
    _state(provider, None)


@flaw("5.5-step-up")
def gives_a_step_up_no_id(provider: Provider) -> None:
    """The task of a step-up has no id."""
    del provider.delegation.task["id"]


@flaw("5.5-step-up")
def gives_a_step_up_a_number_for_an_id(provider: Provider) -> None:
    """The id of a step-up is a number."""
    provider.delegation.task["id"] = lambda _provider, step_up: len(step_up.id)


@flaw("5.5-step-up")
def answers_a_step_up_without_its_wrapper(provider: Provider) -> None:
    """The task of a step-up is the whole answer."""
    change_step_up(provider, lambda answer: answer["task"])


@flaw("5.5-step-up")
def answers_with_a_message_beside_the_step_up(provider: Provider) -> None:
    """A step-up comes with a Message beside the task."""
    original = provider.delegation.conclude

    def conclude(*arguments: Any) -> Any:  # noqa: ANN401 - handed on as they are
        answer: Any = original(*arguments)
        return {**arguments[-1], **answer} if "task" in answer else answer

    provider.delegation.conclude = conclude


# What the task says


def _metadata(provider: Provider, name: str, member: Callable[[Provider, StepUp], object]) -> None:
    provider.delegation.task_metadata[name] = member


@flaw("5.5-step-up-scopes")
def names_tools_for_scopes(provider: Provider) -> None:
    """The missing scopes are named by the tools that need them."""
    _metadata(
        provider, _SCOPES, lambda _provider, it: [acting.TOOLS[scope] for scope in it.missing]
    )


@flaw("5.5-step-up-scopes")
def describes_the_missing_scopes(provider: Provider) -> None:
    """The missing scopes are named by their descriptions."""

    def described(provider: Provider, step_up: StepUp) -> object:
        scopes = provider.brands[step_up.brand_id].scopes
        return [scopes[scope] for scope in step_up.missing]

    _metadata(provider, _SCOPES, described)


@flaw("5.5-step-up-scopes")
def names_every_scope_as_missing(provider: Provider) -> None:
    """All scopes of the Brand are named as missing."""
    _metadata(provider, _SCOPES, lambda provider, it: list(provider.brands[it.brand_id].scopes))


@flaw("5.5-step-up-scopes")
def names_no_scope_as_missing(provider: Provider) -> None:
    """The list of missing scopes is empty."""
    _metadata(provider, _SCOPES, lambda _provider, _step_up: [])


@flaw("5.5-step-up-scopes")
def names_missing_scopes_in_a_text(provider: Provider) -> None:
    """The missing scopes are a text with spaces, as in OAuth."""
    _metadata(provider, _SCOPES, lambda _provider, step_up: " ".join(step_up.missing))


@flaw("5.5-step-up-scopes")
def calls_missing_scopes_otherwise(provider: Provider) -> None:
    """The missing scopes stand in the metadata as missingScopes, without the prefix."""
    provider.delegation.task_metadata["missingScopes"] = provider.delegation.task_metadata.pop(
        _SCOPES
    )


@flaw("5.5-step-up-link", "5.5-step-up-scopes")
def puts_what_is_asked_for_into_the_status(provider: Provider) -> None:
    """Scopes and link stand in the metadata of the status message, not in the task's."""

    def change(task: Document) -> None:
        task["status"]["message"]["metadata"] = task.pop("metadata")

    _change_task(provider, change)


@flaw("5.5-step-up-link")
def gives_a_step_up_no_link(provider: Provider) -> None:
    """The task of a step-up has no link."""
    del provider.delegation.task_metadata[_LINK]


@flaw("5.5-step-up-link")
def links_a_step_up_to_no_url(provider: Provider) -> None:
    """The link of a step-up is the user code alone."""
    _metadata(provider, _LINK, lambda _provider, step_up: step_up.code.user_code)


@flaw("5.5-step-up-link")
def gives_the_link_of_the_first_flow_again(provider: Provider) -> None:
    """The link of a step-up is that of the flow from which the token came."""
    codes = provider.delegation.codes
    approved: dict[str, str] = {}
    grant = provider.delegation.consent.grant

    def remember(provider: Provider, session: Any, code: Any, scopes: Any) -> Any:  # noqa: ANN401
        made = grant(provider, session, code, scopes)
        approved[made.id] = code.user_code
        return made

    begin = provider.delegation.begin_step_up

    def begin_step_up(
        provider: Provider, conversation: Conversation, turn: Turn, reply: Reply
    ) -> StepUp:
        step_up = begin(provider, conversation, turn, reply)
        assert turn.authority is not None
        first = codes.by_user_code(approved.get(turn.authority.grant_id, ""))
        step_up.code = first or step_up.code
        return step_up

    provider.delegation.consent.grant = remember
    provider.delegation.begin_step_up = begin_step_up


@flaw("5.5-step-up-link")
def links_a_step_up_to_a_code_that_is_none(provider: Provider) -> None:
    """The link of a step-up carries a user code that was never given out."""
    _metadata(
        provider,
        _LINK,
        lambda provider, it: provider.delegation.login_link(provider, it.brand_id, "BBBB-BBBB"),
    )


@flaw("5.5-step-up-link")
def links_a_step_up_to_a_page_that_is_none(provider: Provider) -> None:
    """The link of a step-up leads to a page that is not there."""
    _metadata(provider, _LINK, lambda provider, _step_up: f"{provider.base}/step-up")


@flaw("5.5-step-up-link")
def expires_a_step_up_at_once(provider: Provider) -> None:
    """The code behind the link of a step-up has expired when it is given out."""
    begin = provider.delegation.begin_step_up

    def begin_step_up(*arguments: Any) -> StepUp:  # noqa: ANN401 - handed on as they are
        step_up = begin(*arguments)
        step_up.code.expires_at = 0
        return step_up

    provider.delegation.begin_step_up = begin_step_up


@flaw("5.5-step-up-message")
def explains_a_step_up_in_no_word(provider: Provider) -> None:
    """The task of a step-up has no message."""
    del provider.delegation.task_status["message"]


@flaw("5.5-step-up-message")
def explains_a_step_up_in_its_history(provider: Provider) -> None:
    """The message of a step-up stands in the task's history alone."""

    def change(task: Document) -> None:
        task["history"] = [task["status"].pop("message")]

    _change_task(provider, change)


def _change_message(provider: Provider, change: Callable[[Document], object]) -> None:
    original = provider.delegation.task_status["message"]

    def message(provider: Provider, step_up: StepUp) -> object:
        said: Any = original(provider, step_up)
        return change(said) or said

    provider.delegation.task_status["message"] = message


@flaw("5.5-step-up-message")
def explains_a_step_up_without_message_id(provider: Provider) -> None:
    """The message of a step-up has no messageId."""
    _change_message(provider, lambda said: said.pop("messageId") and None)


@flaw("5.5-step-up-message")
def explains_a_step_up_as_the_user(provider: Provider) -> None:
    """The message of a step-up has ROLE_USER."""
    _change_message(provider, lambda said: said.update(role="ROLE_USER"))


@flaw("5.5-step-up-message")
def explains_a_step_up_in_a_text(provider: Provider) -> None:
    """The message of a step-up is a text, not a Message."""
    _change_message(provider, lambda said: said["parts"][0]["text"])
