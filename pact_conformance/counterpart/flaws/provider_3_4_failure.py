"""Flaws of §3.4: the answer to a failed authentication."""

import json
from collections.abc import Callable

from starlette.responses import RedirectResponse, Response

from pact_conformance.counterpart.flaws.registry import flaw
from pact_conformance.counterpart.provider.call import Call
from pact_conformance.counterpart.provider.provider import Provider, Respond
from pact_conformance.counterpart.provider.refusals import Unauthenticated
from pact_conformance.counterpart.substitution import a2a, a2a_error, change_answers

CHALLENGE = 'Bearer realm="a2a"'

_REFUSED_WITHOUT_TOKEN = (
    "3.4-status",
    "3.2-bearer-required",
    "3.2-bearer-header",
    "3.2-each-request",
    "3.4-before-body",
    "3.4-nothing-revealed",
    "2.1-interface-url",
)
"""What a Provider does not meet that answers another status where there is no token."""


def _answer(
    provider: Provider,
    response: Callable[[], Response],
    *,
    having: Callable[[Call], bool],
) -> None:
    def change(call: Call, answer: Response) -> Response | None:
        return response() if answer.status_code == 401 and having(call) else None

    change_answers(provider, change)


def _no_token(call: Call) -> bool:
    return "authorization" not in call.request.headers


def _garbage(call: Call) -> bool:
    return call.request.headers.get("authorization", "..").count(".") != 2


def _looks_like_a_token(call: Call) -> bool:
    return not _no_token(call) and not _garbage(call)


@flaw("3.2-bearer-required")
def forbids_a_request_without_token(provider: Provider) -> None:
    """A missing token gets 403."""
    _answer(provider, lambda: Response(status_code=403), having=_no_token)


@flaw("3.2-bearer-required")
def refuses_a_request_without_token_with_400(provider: Provider) -> None:
    """A missing token gets 400 with INVALID_PARAMS."""
    _answer(provider, lambda: a2a_error("INVALID_PARAMS"), having=_no_token)


@flaw("3.2-bearer-required")
def redirects_a_request_without_token(provider: Provider) -> None:
    """A missing token gets a redirect to a login page."""
    _answer(provider, lambda: RedirectResponse("/login"), having=_no_token)


@flaw("3.4-status", "3.2-compact-jws", "3.2-bearer-header", "6-envelope")
def refuses_garbage_with_400(provider: Provider) -> None:
    """What is no JWT gets 400."""
    _answer(provider, lambda: Response(status_code=400), having=_garbage)


@flaw("3.4-status", "3.2-compact-jws", "6-client-errors", "3.2-bearer-header")
def breaks_down_at_garbage(provider: Provider) -> None:
    """What is no JWT gets 500."""
    _answer(provider, lambda: a2a_error("INTERNAL"), having=_garbage)


@flaw(
    "3.1-audience-not-card-url",
    "3.1-disabled",
    "3.1-issuer-exact",
    "3.1-jwks-unreachable",
    "3.1-keys-registered-only",
    "3.1-unknown-issuer",
    "3.1-withdrawn-key",
    "3.2-agent-binding",
    "3.2-alg",
    "3.2-aud",
    "3.2-aud-one-string",
    "3.2-bearer-header",
    "3.2-compact-jws",
    "3.2-crit",
    "3.2-each-request",
    "3.2-exp-after-iat",
    "3.2-exp-expired",
    "3.2-exp-lifetime",
    "3.2-exp-present",
    "3.2-iat-future",
    "3.2-iat-present",
    "3.2-iss",
    "3.2-keys-only-jwks",
    "3.2-kid-no-bypass",
    "3.2-nbf",
    "3.2-signature",
    "3.2-sub",
    "3.2-sub-nonblank",
    "3.4-status",
    "6-envelope",
)
def forbids_a_bad_token(provider: Provider) -> None:
    """A JWT that is refused gets 403."""
    _answer(provider, lambda: Response(status_code=403), having=_looks_like_a_token)


def _challenge(provider: Provider, *challenges: str, body: bytes = b"") -> None:
    def unauthorized(_refusal: Unauthenticated) -> Response:
        response = Response(body, status_code=401)
        for challenge in challenges:
            response.headers.append("WWW-Authenticate", challenge)
        return response

    provider.answers.unauthorized = unauthorized


@flaw("3.4-challenge")
def sends_no_challenge(provider: Provider) -> None:
    """A 401 has no WWW-Authenticate header."""
    _challenge(provider)


@flaw("3.4-challenge")
def sends_a_challenge_without_realm(provider: Provider) -> None:
    """A 401 has a Bearer challenge without realm."""
    _challenge(provider, "Bearer")


@flaw("3.4-challenge")
def sends_another_realm(provider: Provider) -> None:
    """A 401 has the realm of something else."""
    _challenge(provider, 'Bearer realm="api"')


@flaw("3.4-challenge")
def sends_the_realm_in_upper_case(provider: Provider) -> None:
    """A 401 has the realm A2A, which is another realm."""
    _challenge(provider, 'Bearer realm="A2A"')


@flaw("3.4-challenge")
def challenges_for_basic(provider: Provider) -> None:
    """A 401 has a challenge for Basic authentication."""
    _challenge(provider, 'Basic realm="a2a"')


@flaw("3.4-no-extra-parameters")
def says_which_error_in_the_challenge(provider: Provider) -> None:
    """A 401 has an `error` beside the realm."""
    _challenge(provider, f'{CHALLENGE}, error="invalid_token"')


@flaw("3.4-no-extra-parameters")
def says_which_scope_in_the_challenge(provider: Provider) -> None:
    """A 401 has a `scope` beside the realm."""
    _challenge(provider, f'{CHALLENGE}, scope="a2a"')


@flaw("3.4-no-a2a-body")
def sends_an_envelope_with_a_401(provider: Provider) -> None:
    """A 401 has an A2A error as its body."""

    def unauthorized(_refusal: Unauthenticated) -> Response:
        response = a2a_error("UNAUTHENTICATED", 401, "UNAUTHENTICATED")
        response.headers["WWW-Authenticate"] = CHALLENGE
        return response

    provider.answers.unauthorized = unauthorized


@flaw("3.4-no-a2a-body")
def sends_an_aip_193_error_with_a_401(provider: Provider) -> None:
    """A 401 has an error with code and status, but without details, as its body."""
    error = {"error": {"code": 401, "message": "No token", "status": "UNAUTHENTICATED"}}
    _challenge(provider, CHALLENGE, body=json.dumps(error).encode())


@flaw("3.2-bearer-header", "3.2-bearer-required", "3.4-before-body")
def reads_the_body_before_the_token(provider: Provider) -> None:
    """A bad body gets its A2A error without a token."""

    async def the_body_is_good(provider: Provider, call: Call) -> None:
        if call.operation is None or call.operation.name != "send":
            return
        # Starlette keeps a body that has been read as a whole, for whoever reads it next.
        await call.request.body()
        await provider.read_submission(provider, call)

    provider.gates.add(the_body_is_good, before="caller_is_known")


@flaw("3.4-nothing-revealed")
def gives_a_stored_reply_to_anybody(provider: Provider) -> None:
    """A repeated message gets its stored reply without a good token."""
    _look_before_refusing(provider, _stored_reply)


@flaw("3.4-nothing-revealed")
def says_without_a_token_whether_a_context_exists(provider: Provider) -> None:
    """A message to a context that exists gets another challenge than one to an unknown context."""
    _look_before_refusing(provider, _other_challenge)


def _look_before_refusing(
    provider: Provider,
    look: Callable[[Provider, str, str], Response | None],
) -> None:
    async def around(call: Call, proceed: Respond) -> Response:
        response = await proceed(call)
        is_message = call.operation is not None and call.operation.name == "send"
        if response.status_code != 401 or not is_message:
            return response
        try:
            message = json.loads(await call.request.body())["message"]
            seen = look(provider, message["contextId"], message["messageId"])
        except (ValueError, KeyError, TypeError):
            return response
        return seen or response

    provider.around.append(around)


def _stored_reply(provider: Provider, context_id: str, message_id: str) -> Response | None:
    conversation = provider.conversations.get(context_id)
    reply = conversation.replies.get(message_id) if conversation is not None else None
    return a2a(reply) if isinstance(reply, dict) else None


def _other_challenge(provider: Provider, context_id: str, _message_id: str) -> Response | None:
    if provider.conversations.get(context_id) is None:
        return None
    headers = {"WWW-Authenticate": CHALLENGE, "X-Context": "found"}
    return Response(status_code=401, headers=headers)
