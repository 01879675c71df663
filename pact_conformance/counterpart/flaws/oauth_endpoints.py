"""What flaws of §5.3 and §6 do to the OAuth endpoints, in one line each."""

import json
from collections.abc import Callable

from starlette.responses import Response

from pact_conformance.counterpart.provider.answers import encode
from pact_conformance.counterpart.provider.call import Call
from pact_conformance.counterpart.provider.provider import Provider
from pact_conformance.counterpart.provider.refusals import OAuthRefusal, Unauthenticated
from pact_conformance.counterpart.provider.verifier import User
from pact_conformance.counterpart.substitution import Document, change_answers
from pact_conformance.wire.media_types import JSON

DEVICE, TOKEN = "/oauth/device_authorization", "/oauth/token"
"""The paths of the endpoints below an interface URL."""

Error = Callable[[OAuthRefusal], Response | None]


def json_answer(document: object, status: int = 200) -> Response:
    """Return an answer with JSON, whatever is in it, that is not to be kept."""
    headers = {"Cache-Control": "no-store"}
    return Response(encode(document), status_code=status, media_type=JSON, headers=headers)


def oauth_error(error: str, status: int = 400) -> Response:
    """Return an OAuth error."""
    return json_answer({"error": error}, status)


def change_errors_of_oauth(provider: Provider, change: Error) -> None:
    """Let `change` put another answer in the place of an OAuth error."""
    original = provider.answers.oauth_error
    provider.answers.oauth_error = lambda refusal: change(refusal) or original(refusal)


def answer_error(provider: Provider, error: str, answer: Callable[[], Response]) -> None:
    """Put another answer in the place of each OAuth error of one kind."""
    change_errors_of_oauth(provider, lambda refusal: answer() if refusal.error == error else None)


def change_result(
    provider: Provider, path: str, change: Callable[[Document], object], status: int = 200
) -> None:
    """Let `change` work on each result of an endpoint, or put another in its place."""

    def work(call: Call, response: Response) -> Response | None:
        if call.path != path or response.status_code != 200:
            return None
        document = json.loads(bytes(response.body))
        return json_answer(change(document) or document, status)

    change_answers(provider, work)


def change_token_response(provider: Provider, change: Callable[[Document], object]) -> None:
    """Let `change` work on each token response, or put another document in its place."""
    change_result(provider, TOKEN, change)


def keep_forever(provider: Provider, path: str) -> None:
    """Let the results of an endpoint be cached."""

    def work(call: Call, response: Response) -> None:
        if call.path == path:
            del response.headers["Cache-Control"]

    change_answers(provider, work)


def answer_strangers(provider: Provider, path: str, answer: Callable[[], Response]) -> None:
    """Give callers without a good token another answer at an endpoint."""

    def work(call: Call, response: Response) -> Response | None:
        is_refusal = call.path == path and response.status_code == 401
        return answer() if is_refusal else None

    change_answers(provider, work)


def let_in(provider: Provider, path: str, know: Callable[[Provider, Call], User | None]) -> None:
    """Let callers without a good token into an endpoint, where `know` says who they are."""
    inner = provider.gates["caller_is_known"]

    async def caller_is_known(provider: Provider, call: Call) -> None:
        try:
            await inner(provider, call)
        except Unauthenticated:
            user = know(provider, call) if call.path == path else None
            if user is None:
                raise
            call.user = user

    provider.gates.replace("caller_is_known", caller_is_known)
