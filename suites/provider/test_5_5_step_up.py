"""§5.5 Step-up: the task that asks for a missing scope, and how the conversation goes on."""

from typing import Any

from pact_conformance import expect
from pact_conformance.delegation import Delegation
from pact_conformance.expect.answers import describe
from pact_conformance.grants import Tried
from pact_conformance.journal.answer import Answer
from pact_conformance.rig import requirement
from pact_conformance.subject.approver import Done, ErrorPage
from pact_conformance.verdicts import Deviation, NotApplicable, Untested
from pact_conformance.wire.schema import problems

from .acting import receipt_of
from .authorizing import Part
from .conversations import Turn
from .stepping_up import WEB, Cancelled, LookedUp, Resolved, step_up_of, task_of

UNROUTED = (404, 405)

# What somebody else than the Provider may have answered.
GATEWAY = (429, 502, 503, 504)


@requirement("5.5-step-up")
def test_a_turn_that_lacks_a_scope_gets_a_task_that_asks_for_it(
    acting: Turn, stepped_up: Tried[Turn]
) -> None:
    acting.must_be_served()
    turn = stepped_up.had()
    expect.served(turn.answer)
    expect.reply_or_task(turn.answer)
    if task_of(turn) is None:
        step_up_of(turn)

    expect.step_up(turn.answer)


@requirement("5.5-step-up-scopes")
def test_the_task_names_the_missing_scopes(
    delegation: Delegation, part: Tried[Part], stepped_up: Tried[Turn]
) -> None:
    missing = step_up_of(stepped_up.had()).scopes
    listed, had = set(delegation.server.delegation.scopes), part.had().narrow.scopes

    expect.that(
        bool(missing) and set(missing) <= listed - had,
        "pact.missingScopes with ids of the card that the token lacks",
        ", ".join(missing) or "none",
    )


@requirement("5.5-step-up-link")
def test_the_task_has_a_new_link_that_works(
    delegation: Delegation, part: Tried[Part], stepped_up: Tried[Turn], step_up_link: Tried[Done]
) -> None:
    link = step_up_of(stepped_up.had()).link
    first = part.had().narrow.flow.text("verification_uri_complete")
    expect.that(bool(link), "pact.verificationUriComplete in the task's metadata", "none")
    expect.that(link.startswith(WEB), "a URL that a browser can open", "something else")
    expect.that(link != first, "a new link", "that of the first flow")

    wanted, problem = "a page of the login or the consent behind the link", step_up_link.problem
    if isinstance(problem, ErrorPage) and problem.status not in GATEWAY:
        raise Deviation(wanted, problem.reason)
    done = step_up_link.had()
    opened = done.login is not None or done.consent is not None or done.decided == "skipped"
    if not opened and not delegation.approver.sees_pages:
        raise Untested(
            f"the approver {delegation.approver.name} does not say what is behind the link",
            do="set E2E_APPROVER to form or browser, or let yours answer with `login` or `consent`",
        )
    expect.that(
        opened,
        wanted,
        done.final.text[:120] if done.final is not None else "nothing of the kind",
    )


@requirement("5.5-step-up-context")
def test_the_conversation_stays_open(stepped_up: Tried[Turn], after_step_up: Tried[Turn]) -> None:
    context_id = step_up_of(stepped_up.had()).context_id
    expect.that(bool(context_id), "a contextId of the task", "none")
    body = expect.reply_or_task(after_step_up.had().answer)

    held = body.get("message") or body.get("task") or {}
    expect.that(
        held.get("contextId") == context_id, f"the contextId {context_id}", held.get("contextId")
    )


@requirement("5.5-step-up-message")
def test_the_task_explains_itself(stepped_up: Tried[Turn]) -> None:
    status: Any = step_up_of(stepped_up.had()).task.get("status")
    message = status.get("message") if isinstance(status, dict) else None
    expect.that(isinstance(message, dict), "a Message in status.message", message)

    found = problems(message, "message")
    expect.that(not found, "a Message of A2A 1.0 in status.message", "; ".join(found))
    assert isinstance(message, dict)
    expect.that(message.get("role") == "ROLE_AGENT", "role ROLE_AGENT", message.get("role"))


@requirement("5.5-step-up-resolved")
def test_the_message_is_served_once_the_scope_is_granted(resolved: Tried[Resolved]) -> None:
    found = resolved.had()
    if found.grant.answer.status != 200 or not found.grant.scopes:
        raise Untested("the missing scopes were not granted", do="see 5.3-token")

    expect.reply(found.turn.answer)
    receipt_of(found.turn)
    if found.second_step_up:
        expect.note("the token for the missing scopes lacks the earlier ones: both were asked for")
    if found.grant.done.login is None:
        expect.note("the login was skipped, as the User's session was still alive")


@requirement("5.5-step-up-lookup")
def test_its_user_finds_the_task_or_none(
    stepped_up: Tried[Turn], looked_up: Tried[LookedUp], cancelled: Tried[Cancelled]
) -> None:
    step_up = step_up_of(stepped_up.had())
    answers = (
        (looked_up.had().owner, ("TASK_NOT_FOUND",)),
        (cancelled.had().owner, ("TASK_NOT_FOUND", "TASK_NOT_CANCELABLE")),
    )
    if all(_is_unrouted(answer) for answer, _ in answers):
        raise NotApplicable("tasks can be neither looked up nor cancelled here, which §2.2 judges")
    for answer, reasons in answers:
        if answer.status == 200:
            task = expect.a2a_result(answer)
            found = task.get("id") if isinstance(task, dict) else None
            expect.that(found == step_up.id, f"the task {step_up.id}", describe(answer))
        else:
            _not_found(answer, *reasons)


def _not_found(answer: Answer, *reasons: str) -> None:
    """Demand an A2A error; whether the operation is there at all is judged in §2.2."""
    if not _is_unrouted(answer):
        expect.a2a_error(answer, *reasons)


def _is_unrouted(answer: Answer) -> bool:
    return answer.status in UNROUTED and answer.error is None


@requirement("5.5-step-up-foreign")
def test_nobody_else_finds_the_task(
    stepped_up: Tried[Turn], looked_up: Tried[LookedUp], cancelled: Tried[Cancelled]
) -> None:
    step_up_of(stepped_up.had())
    found = looked_up.had()

    _not_found(found.prying, "TASK_NOT_FOUND")
    _not_found(cancelled.had().prying, "TASK_NOT_FOUND")
    if found.prying_lists.status not in UNROUTED:
        expect.empty_task_list(found.prying_lists)
