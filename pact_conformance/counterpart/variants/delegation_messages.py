"""Legal readings of messages under delegation, and their refusals (§5.5)."""

from dataclasses import replace
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from pact_conformance.counterpart.provider.brand_agent import Authority, Reply, Turn
from pact_conformance.counterpart.provider.call import Call
from pact_conformance.counterpart.provider.conversations import Conversation
from pact_conformance.counterpart.provider.delegation.step_up import step_up_task
from pact_conformance.counterpart.provider.delegation.token_checks import HEADER
from pact_conformance.counterpart.provider.message_rules import Submission
from pact_conformance.counterpart.provider.provider import Provider
from pact_conformance.counterpart.provider.refusals import (
    BadDelegation,
    invalid,
)
from pact_conformance.counterpart.substitution import change_answers
from pact_conformance.counterpart.variants.registry import variant

# The header


@variant()
def refuses_a_blank_delegation_header(provider: Provider) -> None:
    """An empty delegation header gets 401, for it holds no token."""
    read = provider.delegation.read_header

    def read_header(request: Request) -> str | None:
        if request.headers.getlist(HEADER) and not request.headers[HEADER].strip():
            raise BadDelegation("empty")
        return read(request)

    provider.delegation.read_header = read_header


@variant("5.5-malformed")
def takes_a_bare_delegation_token(provider: Provider) -> None:
    """A delegation token without its scheme is served."""
    read = provider.delegation.read_header

    def read_header(request: Request) -> str | None:
        value = request.headers.get(HEADER, "").strip()
        return value if value.count(".") == 2 and " " not in value else read(request)

    provider.delegation.read_header = read_header


@variant("5.5-malformed")
def takes_a_delegation_token_of_any_scheme(provider: Provider) -> None:
    """The last word of the delegation header is taken for the token, whatever stands before."""

    def read_header(request: Request) -> str | None:
        words = request.headers.get(HEADER, "").split()
        return words[-1] if words else None

    provider.delegation.read_header = read_header


@variant()
def insists_on_the_case_of_bearer(provider: Provider) -> None:
    """A delegation header that spells its scheme in lower case gets 401."""
    read = provider.delegation.read_header

    def read_header(request: Request) -> str | None:
        found = read(request)
        if found is not None and not request.headers[HEADER].strip().startswith("Bearer "):
            raise BadDelegation("scheme")
        return found

    provider.delegation.read_header = read_header


@variant("5.5-jwt-first-challenge")
def names_the_delegation_token_where_both_are_bad(provider: Provider) -> None:
    """A request whose tokens are both bad gets the challenge of the delegation token."""
    provider.gates.move("delegation_is_good", before="caller_is_known")
    provider.delegation.token_steps.drop("client_is_the_caller")

    async def client_is_the_caller(_provider: Provider, call: Call) -> None:
        issuer = None if call.user is None else call.user.issuer
        if call.authority is not None and call.authority.client_id != issuer:
            raise BadDelegation("client_id")

    provider.gates.add(client_is_the_caller, before="version_is_spoken")


@variant()
def tells_more_in_the_challenge(provider: Provider) -> None:
    """The 401 for a bad delegation token has further parameters, another order, and a body."""

    def bad_delegation(_refusal: BadDelegation) -> Response:
        challenge = (
            'Bearer error="invalid_token", error_description="The token, it is \\"bad\\"", '
            'scope="orders:read", realm="a2a"'
        )
        body = b'{"error":"invalid_token"}'
        headers = {"WWW-Authenticate": challenge, "Content-Type": "application/json"}
        return Response(body, 401, headers)

    provider.answers.bad_delegation = bad_delegation


@variant()
def challenges_with_further_schemes(provider: Provider) -> None:
    """A 401 has challenges of other schemes as well, before and behind Bearer's."""

    def change(_call: Call, response: Response) -> None:
        own = response.headers.get("www-authenticate")
        if own is not None:
            response.headers["www-authenticate"] = f'DPoP algs="ES256 RS256", {own}, Negotiate'

    change_answers(provider, change)


@variant()
def refuses_a_bad_delegation_token_everywhere(provider: Provider) -> None:
    """A bad delegation token is refused with the other operations too."""
    for name in ("list", "get", "cancel"):
        operation = provider.operations[name]
        provider.operations.add(replace(operation, takes_delegation=True))


# Conversations


@variant("5.5-context-without-token")
def keeps_delegated_conversations_to_their_tokens(provider: Provider) -> None:
    """A conversation that ran under delegation refuses messages without a token."""
    check = provider.conduct.check_brand_user

    def check_brand_user(conversation: Conversation, authority: Authority | None) -> None:
        if authority is None and conversation.brand_user is not None:
            raise invalid("The conversation runs under delegation")
        check(conversation, authority)

    provider.conduct = replace(provider.conduct, check_brand_user=check_brand_user)


@variant()
def steps_up_without_a_token(provider: Provider) -> None:
    """What needs a scope gets a step-up also where there is no delegation token at all."""
    delegation, agent = provider.delegation, provider.brand_agent
    stored = provider.conduct.answer
    pending: list[Turn] = []

    async def act(turn: Turn) -> Reply:
        reply = await agent(turn)
        needed = delegation.needs(provider, turn) if turn.authority is None else ()
        if not needed:
            return reply
        pending.append(turn)
        return replace(reply, text="I need your permission.", missing_scopes=needed)

    def answer(conversation: Conversation, reply: Reply) -> object:
        if not pending or not reply.missing_scopes:
            return stored(conversation, reply)
        waiting = delegation.begin_step_up(provider, conversation, pending.pop(), reply)
        return {"task": step_up_task(provider, waiting)}

    provider.brand_agent = act
    provider.conduct = replace(provider.conduct, answer=answer)


@variant()
def runs_a_stepped_up_message_again(provider: Provider) -> None:
    """A step-up is no stored reply: the message that got it runs again when it is repeated."""
    stored = provider.conduct.stored_answer

    def stored_answer(conversation: Conversation, submission: Submission) -> object:
        answer: Any = stored(conversation, submission)
        return None if isinstance(answer, dict) and "task" in answer else answer

    provider.conduct = replace(provider.conduct, stored_answer=stored_answer)


@variant()
def is_not_bound_by_a_step_up(provider: Provider) -> None:
    """A turn that only stepped up does not bind its conversation to a Brand user."""
    conclude = provider.delegation.conclude

    def concluded(
        provider: Provider, conversation: Conversation, turn: Turn, reply: Reply, answer: object
    ) -> object:
        if reply.missing_scopes:
            conversation.ran_as.popitem()
        return conclude(provider, conversation, turn, reply, answer)

    provider.delegation.conclude = concluded
