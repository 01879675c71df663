"""Legal ways to get, keep and use delegated authority (§5)."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any
from urllib.parse import quote

from pact_conformance.counterpart.personal_agent import documents
from pact_conformance.counterpart.personal_agent.delegation.oauth import OAuthError
from pact_conformance.counterpart.personal_agent.failure import Failure
from pact_conformance.counterpart.personal_agent.messages import Draft
from pact_conformance.counterpart.personal_agent.personal_agent import PersonalAgent
from pact_conformance.counterpart.personal_agent.results import NeedsSignIn, Reply
from pact_conformance.counterpart.personal_agent.store import (
    Grant,
    KeptReceipt,
    Relation,
    SignIn,
    Waiting,
)
from pact_conformance.counterpart.personal_agent.transport import Request
from pact_conformance.counterpart.personal_agent.turns import Said, Turn
from pact_conformance.counterpart.variants.registry import agent_variant


@agent_variant()
def reads_the_metadata_first(agent: PersonalAgent) -> None:
    """Before each device flow the metadata behind the card is read."""
    begin = agent.delegation.begin

    def read(agent: PersonalAgent, relation: Relation, scopes: tuple[str, ...]) -> SignIn:
        agent.delegation.metadata(agent, relation)
        return begin(agent, relation, scopes)

    agent.delegation.begin = read


@agent_variant()
def reads_documents_with_its_jwt(agent: PersonalAgent) -> None:
    """Metadata and key sets are asked for with the JWT at once."""
    exchange = agent.exchange

    def signed(agent: PersonalAgent, relation: Relation, make: Any) -> Any:  # noqa: ANN401
        def made() -> Request:
            request: Request = make()
            if request.method != "GET" or "Authorization" in dict(request.headers):
                return request
            bearer = ("Authorization", f"Bearer {agent.mint_token(agent, relation)}")
            return replace(request, headers=(*request.headers, bearer))

        return exchange(agent, relation, made)

    agent.exchange = signed


@agent_variant()
def asks_for_one_scope_at_a_time(agent: PersonalAgent) -> None:
    """A step-up asks for the missing scopes alone, not for those that are granted already."""
    agent.delegation.wanted_scopes = _without_the_granted(agent)


@agent_variant()
def asks_for_every_scope_of_the_card(agent: PersonalAgent) -> None:
    """Every sign-in asks for all scopes of the card, in the order of the alphabet."""
    agent.delegation.wanted_scopes = lambda agent, relation, asked: tuple(
        sorted({*agent.delegation.descriptions(agent, relation)}, reverse=asked is None)
    )


@agent_variant()
def polls_slowly(agent: PersonalAgent) -> None:
    """Polls are three seconds further apart than the interval."""
    interval = agent.delegation.interval
    agent.delegation.interval = lambda answer: interval(answer) + 3.0


@agent_variant()
def polls_at_once(agent: PersonalAgent) -> None:
    """The first poll comes without a pause."""
    read_sign_in = agent.delegation.read_sign_in

    def at_once(*about: Any) -> SignIn:  # noqa: ANN401 - handed on as they are
        sign_in = read_sign_in(*about)
        sign_in.next_poll -= sign_in.interval
        return sign_in

    agent.delegation.read_sign_in = at_once  # type: ignore[assignment]


@agent_variant()
def doubles_the_interval_when_told_to_slow_down(agent: PersonalAgent) -> None:
    """After `slow_down` the interval is ten seconds longer."""
    slow_down = agent.delegation.poll_reactions["slow_down"]

    def slower(agent: PersonalAgent, relation: Relation, sign_in: SignIn) -> None:
        slow_down(agent, relation, sign_in)
        slow_down(agent, relation, sign_in)

    agent.delegation.poll_reactions["slow_down"] = slower


@agent_variant()
def begins_a_flow_when_a_link_has_expired(agent: PersonalAgent) -> None:
    """Where a link is no longer good the User gets another one."""
    go_on = agent.delegation.go_on

    def again(agent: PersonalAgent, relation: Relation, sign_in: SignIn) -> Said:
        try:
            return go_on(agent, relation, sign_in)
        except Failure as failure:
            if "link" not in failure.reason or sign_in.waiting is None:
                raise
            return agent.delegation.ask(agent, relation, sign_in.scopes, sign_in.waiting)

    agent.delegation.go_on = again


@agent_variant()
def refreshes_when_a_token_has_expired(agent: PersonalAgent) -> None:
    """A delegation token is refreshed when it has expired, and not earlier."""
    agent.delegation.is_due = lambda agent, relation, grant: agent.delegation.is_over(
        agent, relation, grant
    )


@agent_variant()
def refreshes_when_a_token_was_refused(agent: PersonalAgent) -> None:
    """A delegation token is sent until it is refused, and refreshed then."""
    agent.delegation.is_due = lambda *_: False


@agent_variant()
def refreshes_after_half_of_the_time(agent: PersonalAgent) -> None:
    """A delegation token is refreshed when half of its life is over."""

    def half(agent: PersonalAgent, relation: Relation, grant: Grant) -> bool:
        if grant.expires_at is None or grant.lifetime is None:
            return False
        return agent.now(relation) >= grant.expires_at - grant.lifetime / 2

    agent.delegation.is_due = half


@agent_variant("5.4-agent-refresh")
def asks_again_in_place_of_a_refresh(agent: PersonalAgent) -> None:
    """When a delegation token has expired the User signs in again."""

    def refused(*_about: object) -> Grant:
        raise OAuthError("invalid_grant")

    agent.delegation.refresh = refused  # type: ignore[assignment]


@agent_variant()
def goes_on_without_a_grant_that_was_refused(agent: PersonalAgent) -> None:
    """A message whose delegation token was refused is sent again with the JWT alone."""

    def without(agent: PersonalAgent, turn: Turn, draft: Draft) -> Said:
        agent.delegation.drop(agent, turn.relation)
        plain = replace(draft, grant=None)
        return agent.react(agent, turn, plain, agent.deliver(agent, plain))

    agent.delegation.renew_refused = without


@agent_variant()
def hands_a_step_up_to_its_caller(agent: PersonalAgent) -> None:
    """A step-up is shown with the Brand's own link, if any, and its caller begins the sign-in."""
    step_up = agent.delegation.step_up

    def surfaced(
        agent: PersonalAgent, turn: Turn, draft: Draft, task: Mapping[str, Any]
    ) -> NeedsSignIn:
        link = documents.text(task, "metadata", "pact.verificationUriComplete")
        if link is None:
            return step_up(agent, turn, draft, task)
        missing = agent.delegation.missing_scopes(task)
        return NeedsSignIn(link, missing, turn.conversation.handle)

    agent.delegation.step_up = surfaced


@agent_variant()
def leaves_it_to_its_caller_to_say_it_again(agent: PersonalAgent) -> None:
    """After an approved step-up the caller is told, and says again what needed it."""

    def thanked(agent: PersonalAgent, relation: Relation, waiting: Waiting) -> Said:
        del agent, relation
        return Reply("Thank you for signing in.", waiting.conversation.handle)

    agent.resend = thanked


@agent_variant()
def looks_at_the_task_of_a_step_up(agent: PersonalAgent) -> None:
    """The task of a step-up is looked up, and whatever comes makes no difference."""
    step_up = agent.delegation.step_up

    def looked(
        agent: PersonalAgent, turn: Turn, draft: Draft, task: Mapping[str, Any]
    ) -> NeedsSignIn:
        task_id = quote(documents.text(task, "id") or "", safe="", errors="replace")
        url = f"{turn.relation.brand.interface.url.rstrip('/')}/tasks/{task_id}"
        headers = (
            ("Authorization", f"Bearer {agent.mint_token(agent, turn.relation)}"),
            ("A2A-Version", "1.0"),
        )
        if task_id:
            with suppress(Failure):
                agent.transport.send(Request("GET", url, headers))
        return step_up(agent, turn, draft, task)

    agent.delegation.step_up = looked


@agent_variant()
def orders_its_parameters_otherwise(agent: PersonalAgent) -> None:
    """`client_id` is the last parameter of each form."""
    device, poll = agent.delegation.device_form, agent.delegation.poll_form
    device["client_id"] = device.pop("client_id")
    poll["client_id"] = poll.pop("client_id")


@agent_variant()
def has_a_charset_on_its_forms(agent: PersonalAgent) -> None:
    """Forms are sent with a charset behind their media type."""
    kind = "application/x-www-form-urlencoded; charset=utf-8"
    agent.delegation.oauth_headers["Content-Type"] = lambda *_: kind


@agent_variant()
def verifies_what_was_signed_and_no_more(agent: PersonalAgent) -> None:
    """Of a receipt the signature is verified, and the claims are compared with what was signed."""
    checks = agent.delegation.receipt_checks
    for beside in ("grant_is_ours", "agent_is_us", "brand_is_this_one"):
        checks.drop(beside)
    for beside in ("user_is_the_grants", "scopes_are_granted"):
        checks.drop(beside)


@agent_variant("5.6-agent-keeps")
def gives_up_where_a_receipt_is_bad(agent: PersonalAgent) -> None:
    """A turn with a bad receipt comes to nothing; of the good ones nothing is kept."""

    def give_up(agent: PersonalAgent, draft: Draft, receipt: KeptReceipt) -> None:
        del agent, draft
        if not receipt.verified:
            raise Failure(f"the receipt is bad: {receipt.why}")

    agent.delegation.keep_receipt = give_up


def _without_the_granted(agent: PersonalAgent) -> Any:  # noqa: ANN401 - a part of the agent
    wanted_scopes = agent.delegation.wanted_scopes

    def wanted(agent: PersonalAgent, relation: Relation, asked: Any) -> tuple[str, ...]:  # noqa: ANN401
        granted = set(agent.delegation.granted(agent, relation))
        found = wanted_scopes(agent, relation, asked)
        return tuple(it for it in found if it not in granted) or found

    return wanted
