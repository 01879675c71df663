"""Sends a request as it was made: every header in its place, and nothing added that need not be."""

from typing import Any

from pact_conformance.fuzz.family import Impossible
from pact_conformance.fuzz.malformed_requests.draft import BEARER, Draft
from pact_conformance.journal.answer import Answer
from pact_conformance.journal.client import NoAnswer
from pact_conformance.journal.exchange import Operation
from pact_conformance.subject.provider import HARMLESS_TRIES, Provider
from pact_conformance.tokens.token import Token
from pact_conformance.verdicts import open_notebook


def send(provider: Provider, draft: Draft, user: str, *, purpose: str) -> Answer:
    """Send a request with a fresh good token, waiting out rate limits.

    What the rules over the whole run would judge as an operation's answer goes by its name only
    where no server in front of the Provider has a say in it.

    Args:
        provider: the Brand's interface, and who asks.
        draft: what to send.
        user: the `sub` of the token.
        purpose: what people are told of the request.

    Raises:
        Impossible: HTTP/1.1 has no such request.
        NoAnswer: there was none.
    """
    url, content = draft.url, draft.content

    def once() -> Answer:
        token = provider.caller.token(user)
        # Should it become a turn all the same, it is counted.
        with provider.turns.message(turn=False, free=True) as message:
            try:
                answer = _sent(provider, draft, token, url=url, content=content, purpose=purpose)
            except NoAnswer:
                message.never_sent()
                raise
            message.answered(answer) if draft.reason else message.never_sent()
            return answer

    return provider.patience.answer(once)


def _sent(provider: Provider, draft: Draft, token: Token, **parts: Any) -> Answer:  # noqa: ANN401 - forwarded
    """Send it; where the connection ended before the answer came, a few times."""
    headers = [(name, value.replace("$PA_JWT", token.text)) for name, value in draft.headers]
    for last in [False] * (HARMLESS_TRIES - 1) + [True]:
        try:
            answer = provider.client.exchange(
                draft.method,
                parts["url"],
                operation=_operation(draft),
                headers=headers,
                content=parts["content"],
                token=token,
                bearer=False,
                credentials="good" if (("Authorization", BEARER) in draft.headers) else "other",
                deadline=open_notebook().left,
                purpose=parts["purpose"],
            )
        except ValueError as error:
            raise Impossible(str(error)) from error
        except NoAnswer as error:
            open_notebook().exchanges.append(error.exchange_id)
            if last or error.failure.kind != "closed":
                raise
        else:
            open_notebook().exchanges.append(answer.exchange_id)
            return answer
    raise AssertionError("a last try returns or raises")


def _operation(draft: Draft) -> Operation:
    return "other" if draft.layer == "http" else draft.operation.name
