"""A Provider as the suite reaches it: one Brand's interface, a fresh token for each request."""

import itertools
import json
import threading
from collections import defaultdict
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from typing import Any, Final
from urllib.parse import urlencode

from pact_conformance.journal.answer import Answer
from pact_conformance.journal.client import NoAnswer, RecordingClient
from pact_conformance.journal.exchange import Credentials as Worth
from pact_conformance.journal.exchange import Operation as OperationName
from pact_conformance.subject.delegated import Delegated, RawHeader, delegation_lines
from pact_conformance.subject.findings import how_to_reach
from pact_conformance.subject.operations import SEND, Operation
from pact_conformance.subject.rate_limit import Patience
from pact_conformance.subject.turns import Turns
from pact_conformance.tokens.caller import Caller
from pact_conformance.tokens.token import Token
from pact_conformance.verdicts import Inconclusive, open_notebook
from pact_conformance.wire.card import Card, Interface
from pact_conformance.wire.media_types import JSON
from pact_conformance.wire.messages import send_request, user_message

# The text of a turn whose words do not matter: short, harmless, and needing no scope.
GREETING = "Hello, I have a question about an order."

# A server that closes the connection without having read the whole request may lose its answer on
# the way (RFC 9112 §9.6); a request that is no turn is then sent again, so often in all.
HARMLESS_TRIES = 3

# A User of the probes sends so many requests before the next takes over: rate limits are commonly
# counted per (personal agent, sub).
PROBES_PER_USER = 20


# What reaches the Brand's agent where nothing refuses it.
MESSAGES = frozenset({"message:send", "message:stream"})


class Good:
    """Stands for "a fresh, good token of the caller for this User"."""


GOOD: Final = Good()
Credential = Token | Good | None


class Provider:
    """The interface of one Brand.

    Args:
        client: sends and records.
        card: the Brand's card; it has a usable interface.
        caller: the registered personal agent that the suite plays.
        patience: how long a 429 is waited out.
        turns: what messages may cost; unbounded unless given.
        caused: whatever it fails at, the suite made it fail on purpose.
    """

    def __init__(
        self,
        client: RecordingClient,
        card: Card,
        caller: Caller,
        patience: Patience,
        turns: Turns | None = None,
        *,
        caused: bool = False,
    ) -> None:
        if card.interface is None:
            raise ValueError("the card has no HTTP+JSON 1.0 interface")
        self.client = client
        self.card = card
        self.caller = caller
        self.patience = patience
        self.turns = Turns() if turns is None else turns
        self.caused = caused
        self.interface: Interface = card.interface
        self._probes = itertools.count()
        self._speaking: defaultdict[str, threading.Lock] = defaultdict(threading.Lock)

    @property
    def tenant(self) -> dict[str, str]:
        """The `tenant` member of every request, where the interface has one (A2A 1.0.1)."""
        return {} if self.interface.tenant is None else {"tenant": self.interface.tenant}

    def probing_user(self) -> str:
        """Return a User for a request that never becomes a turn; no other process has it."""
        return f"probe-{self.turns.worker}-{next(self._probes) // PROBES_PER_USER}"

    def ask(
        self,
        method: str,
        url: str,
        *,
        operation: OperationName,
        token: Credential = GOOD,
        user: str | None = None,
        headers: Mapping[str, str | None] | Sequence[tuple[str, str]] | None = None,
        content: bytes | None = None,
        delegation: Delegated = None,
        delegation_header: RawHeader = None,
        turn: bool = False,
        free: bool = False,
        repeatable: bool = True,
        alone: AbstractContextManager[Any] | None = None,
    ) -> Answer:
        """Send one request, waiting out rate limits.

        Args:
            method: of HTTP.
            url: absolute.
            operation: the exchange's name in the journal.
            token: what to authenticate with; None sends no Authorization header.
            user: whose `sub` a good token carries.
            headers: a mapping changes the usual headers (None removes one); a sequence of pairs is
                sent as it is, after the Authorization header.
            content: the body.
            delegation: a delegation token (§5.5), sent as `X-A2A-User-Delegation: Bearer …`.
            delegation_header: instead of it, the header's value as it is, or one for each line.
            turn: it is meant to reach the Brand's agent.
            free: its like was seen not to reach it, so no turn is kept for it.
            repeatable: sent once more where the connection ended before the answer; not so what
                uses up a code.
            alone: what a message holds while it is under way.

        Raises:
            Inconclusive: no answer came.
            Untested: it may become a turn, and `--pact-max-turns` allows no more.
        """
        lines, delegated = delegation_lines(delegation, delegation_header)

        def once() -> Answer:
            made = self._token(token, user)
            return self._exchange(
                method,
                url,
                operation=operation,
                headers=[*_headers(made, headers, content is not None), *lines],
                content=content,
                token=made,
                credentials=_credentials(token),
                delegation=delegated,
                turn=turn,
                free=free,
                repeatable=repeatable and not turn,
                alone=alone or nullcontext(),
                caused=self.caused,
            )

        return self.patience.answer(once)

    def call(
        self,
        operation: Operation,
        *,
        ids: Mapping[str, str] | None = None,
        query: Sequence[tuple[str, str]] = (),
        token: Credential = GOOD,
        user: str | None = None,
        headers: Mapping[str, str | None] | Sequence[tuple[str, str]] | None = None,
        body: Mapping[str, Any] | None = None,
        delegation: Delegated = None,
        delegation_header: RawHeader = None,
    ) -> Answer:
        """Call an A2A operation; a POST without a body of its own sends an empty object."""
        url = operation.below(self.interface.url, **(ids or {}))
        content = None
        pairs = list(query)
        if operation.method == "POST":
            content = encode({**self.tenant, **(body or {})})
        else:
            pairs += self.tenant.items()
        if pairs:
            url += "?" + urlencode(pairs)
        return self.ask(
            operation.method,
            url,
            operation=operation.name,
            token=token,
            user=user,
            headers=headers,
            content=content,
            delegation=delegation,
            delegation_header=delegation_header,
        )

    def send(
        self,
        text: str = GREETING,
        *,
        user: str | None = None,
        context_id: str | None = None,
        message_id: str | None = None,
        message: Mapping[str, Any] | None = None,
        request: Mapping[str, Any] | None = None,
        token: Credential = GOOD,
        headers: Mapping[str, str | None] | Sequence[tuple[str, str]] | None = None,
        content: bytes | None = None,
        delegation: Delegated = None,
        delegation_header: RawHeader = None,
        turn: bool = True,
        free: bool = False,
        together: bool = False,
    ) -> Answer:
        """Send a message (§4): by default the minimal one, as a User of its own.

        Args:
            text: of the one text part.
            user: whose message it is.
            context_id: continues that conversation.
            message_id: globally unique unless given.
            message: members that replace or join those of the Message.
            request: members that join the SendMessageRequest.
            token: what to authenticate with.
            headers: as in `ask`.
            content: the whole body, instead of all of the above.
            delegation: as in `ask`.
            delegation_header: as in `ask`.
            turn: it is meant to reach the Brand's agent; not so a message that is to be refused, or
                whose stored reply is due.
            free: as in `ask`.
            together: the User may say something else at the same time; otherwise one message waits
                for another, so that no check meets what only shows when two of them overlap.
        """
        if content is None:
            made = user_message(text, message_id=message_id, context_id=context_id)
            made.update(message or {})
            content = encode(send_request(made, **{**self.tenant, **(request or {})}))
        alone = None if together or user is None else self._speaking[user]
        return self.ask(
            SEND.method,
            SEND.below(self.interface.url),
            operation=SEND.name,
            token=token,
            user=user,
            headers=headers,
            content=content,
            delegation=delegation,
            delegation_header=delegation_header,
            turn=turn,
            free=free,
            alone=alone,
        )

    def _token(self, token: Credential, user: str | None) -> Token | None:
        if isinstance(token, Good):
            return self.caller.token(self.caller.user(user or self.probing_user()))
        return token

    def _exchange(
        self,
        method: str,
        url: str,
        *,
        free: bool,
        repeatable: bool,
        alone: AbstractContextManager[Any],
        **parts: Any,  # noqa: ANN401 - forwarded
    ) -> Answer:
        book = open_notebook()
        tries = HARMLESS_TRIES if repeatable else 1
        for last in [False] * (tries - 1) + [True]:
            try:
                answer = self._sent(method, url, free=free, alone=alone, **parts)
            except NoAnswer as error:
                book.exchanges.append(error.exchange_id)
                if last or error.failure.kind != "closed":
                    do = how_to_reach(error.failure, "the interface URL on the card")
                    raise Inconclusive(str(error), do=do) from error
            else:
                book.exchanges.append(answer.exchange_id)
                return answer
        raise AssertionError("a last try returns or raises")

    def _sent(
        self,
        method: str,
        url: str,
        *,
        free: bool,
        alone: AbstractContextManager[Any],
        **parts: Any,  # noqa: ANN401 - forwarded
    ) -> Answer:
        send = partial(self.client.exchange, method, url, bearer=False)
        if method != "POST" or parts["operation"] not in MESSAGES:
            return send(deadline=open_notebook().left, **parts)
        # Its turn first: who is alone and waits for a turn keeps one who has a turn from speaking.
        with self.turns.message(turn=parts["turn"], free=free) as message, alone:
            try:
                answer = send(deadline=open_notebook().left, **parts)
            except NoAnswer as error:
                if error.failure.kind == "connect":
                    message.never_sent()
                raise
            message.answered(answer)
            return answer


def encode(value: object) -> bytes:
    """Return JSON as it goes on the wire: UTF-8, nothing escaped that need not be."""
    try:
        return json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:  # a lone surrogate, which a subject's id may hold
        return json.dumps(value).encode()


def _credentials(token: Credential) -> Worth:
    if token is None:
        return "none"
    if isinstance(token, Good) or token.forgery is None:
        return "good"
    return "forged"


def _headers(
    token: Token | None,
    changes: Mapping[str, str | None] | Sequence[tuple[str, str]] | None,
    has_body: bool,  # noqa: FBT001 - private
) -> list[tuple[str, str]]:
    """Return the headers of a request: §2's unless a sequence replaces them all."""
    changes = {} if changes is None else changes
    usual: dict[str, str | None] = {"Authorization": f"Bearer {token.text}"} if token else {}
    if not isinstance(changes, Mapping):
        kept = [(name, value) for name, value in usual.items() if value is not None]
        return [*kept, *changes]
    usual["A2A-Version"] = "1.0"
    if has_body:
        usual["Content-Type"] = JSON
    usual.update(changes)
    return [(name, value) for name, value in usual.items() if value is not None]
