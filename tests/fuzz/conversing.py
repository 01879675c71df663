"""Conversations at the mock Provider in this process: no server, no socket, no agent signs."""

import asyncio
import itertools
import json
from collections.abc import Collection, Iterable
from types import SimpleNamespace
from typing import Any
from urllib.parse import urlencode

import httpx
from starlette.requests import Request
from starlette.responses import Response

from pact_conformance.counterpart.provider import verifier
from pact_conformance.counterpart.provider.call import Call
from pact_conformance.counterpart.provider.configuration import (
    DEFAULT_ACCOUNTS,
    DEFAULT_BRANDS,
    AgentConfig,
    ProviderConfig,
)
from pact_conformance.counterpart.provider.delegation.acting import prompts
from pact_conformance.counterpart.provider.delegation.consent_pages import skip_consent
from pact_conformance.counterpart.provider.domain import Domain
from pact_conformance.counterpart.provider.serving import assemble
from pact_conformance.counterpart.provider.sessions import Session
from pact_conformance.fuzz.conversations.family import Conversations
from pact_conformance.fuzz.conversations.kinds import KINDS
from pact_conformance.fuzz.conversations.reading import read, read_task
from pact_conformance.fuzz.conversations.saying import Message, Seen, Token, User
from pact_conformance.fuzz.conversations.steps import ACCOUNTS, FIRST, SECOND, WHERE, WHO, Wanted
from pact_conformance.fuzz.family import Impossible
from pact_conformance.journal.answer import Answer
from pact_conformance.tokens.delegation import read as read_token
from pact_conformance.verdicts import Inconclusive
from pact_conformance.wire.messages import send_request, user_message
from pact_conformance.wire.oauth import DEVICE_CODE_GRANT, REFRESH_TOKEN_GRANT

AGENTS = ("https://agent.example", "https://another.example")
BASE = "http://127.0.0.1:1"


class Mock:
    """The mock Provider as the steps of a conversation reach it."""

    scopes: tuple[str, ...] = tuple(DEFAULT_BRANDS[0].scopes)[:2]
    offers = frozenset(need for kind in KINDS.all.values() for need in kind.needs)
    who, where, accounts = WHO, WHERE, ACCOUNTS

    def __init__(self, flaws: Iterable[str] = (), variants: Iterable[str] = ()) -> None:
        agents = tuple(AgentConfig(issuer=it, jwks_uri=f"{it}/jwks") for it in AGENTS)
        self.provider = assemble(
            ProviderConfig(agents=agents), BASE, flaws=flaws, variants=variants
        )
        for brand in DEFAULT_BRANDS:
            self.provider.domains.add(brand.id, Domain("http://localhost:2", 2))
        self.provider.verifier.verify = self._verify  # type: ignore[assignment,method-assign]
        self._loop = asyncio.new_event_loop()
        self._numbers = itertools.count(1)
        self._example = 0
        self._tokens: dict[int, dict[str, Any]] = {}

    def close_loop(self) -> None:
        self._loop.close()

    async def _verify(self, token: str, _now: float, **_: object) -> verifier.User:
        return verifier.User(*token.split("|"))

    def begin(self, wanted: Collection[Wanted]) -> None:
        del wanted
        self._example = next(self._numbers)

    def end(self, tokens: Collection[Token]) -> None:
        for token in tokens:
            self.revoke(token)

    def user(self, who: str) -> User:
        return User(AGENTS[who == WHO[-1]], f"{who.split(maxsplit=1)[0]}-{self._example}")

    def _brand(self, where: str) -> str:
        return DEFAULT_BRANDS[WHERE.index(where)].id

    def brand(self, where: str) -> str:
        return self.provider.interface(self._brand(where))

    def card_scopes(self, where: str) -> Collection[str]:
        return tuple(self.provider.brands[self._brand(where)].scopes)

    def send(self, message: Message, _who: str, _where: str) -> Seen:
        texts = prompts(DEFAULT_BRANDS[0])
        asked = {FIRST: self.scopes[0], SECOND: self.scopes[1]}.get(message.text, "")
        made = user_message(texts[asked], message_id=message.id, context_id=message.context)
        headers = {}
        if message.token is not None:
            token = self._tokens[message.token.flow]["access_token"]
            headers["x-a2a-user-delegation"] = f"Bearer {token}"
        body = json.dumps(send_request(made)).encode()
        return read(self._ask("POST", f"{message.brand}/message:send", message.user, body, headers))

    def _ask(
        self,
        method: str,
        url: str,
        user: User,
        body: bytes = b"",
        headers: dict[str, str] | None = None,
    ) -> Answer:
        kept = {"authorization": f"Bearer {user.agent}|{user.sub}", **(headers or {})}
        scope = {
            "type": "http",
            "method": method,
            "path": url.removeprefix(BASE),
            "query_string": b"",
            "headers": [(name.encode(), value.encode()) for name, value in kept.items()],
        }

        async def receive() -> dict[str, object]:
            return {"type": "http.request", "body": body, "more_body": False}

        call = Call.of(Request(scope, receive))
        response: Response = self._loop.run_until_complete(self.provider.respond(call))
        number = next(self._numbers)
        return Answer(
            response.status_code,
            httpx.Headers(response.raw_headers),
            bytes(response.body),
            0.0,
            f"x-{number}",
            "message:send",
            0.0,
        )

    def _form(self, where: str, path: str, user: User, **fields: str) -> Answer:
        content = urlencode({"client_id": user.agent, **fields}).encode()
        kind = {"content-type": "application/x-www-form-urlencoded"}
        return self._ask("POST", f"{self.brand(where)}/oauth/{path}", user, content, kind)

    def grant(self, wanted: Wanted) -> Token:
        user, provider, where = self.user(wanted.who), self.provider, wanted.where
        asked, approved = wanted.asked(self.scopes), wanted.approved(self.scopes)
        begun: Any = self._form(where, "device_authorization", user, scope=" ".join(asked)).json
        code = provider.delegation.codes.by_user_code(begun["user_code"])
        assert code is not None
        signed_in = DEFAULT_ACCOUNTS[ACCOUNTS.index(wanted.account)]
        session = Session(
            self._brand(where), signed_in.user, signed_in.username, code.expires_at, code
        )
        skip_consent(provider, session, code)
        if code.decision == "pending":
            fields = {"scope": list(approved), "decision": ["approve"]}
            provider.delegation.consent.decide(provider, session, code, fields)
        answer = self._form(
            where, "token", user, grant_type=DEVICE_CODE_GRANT, device_code=begun["device_code"]
        )
        if answer.status != 200:
            raise Inconclusive(answer.text)
        flow = next(self._numbers)
        return self._taken(answer, flow, user, self.brand(where))

    def _taken(self, answer: Answer, flow: int, user: User, brand: str) -> Token:
        body: Any = answer.json
        self._tokens[flow] = {**self._tokens.get(flow, {}), **body}
        claims = read_token(body["access_token"]).claims
        scopes = frozenset(claims["scope"].split())
        return Token(claims["grant_id"], user, brand, claims["sub"], scopes, flow)

    def refresh(self, token: Token, asked: Collection[str] | None) -> tuple[Token | None, str]:
        where = next(it for it in WHERE if self.brand(it) == token.brand)
        refresh_token = self._tokens[token.flow].get("refresh_token")
        if not refresh_token:
            raise Impossible("no refresh token")
        named = {} if asked is None else {"scope": " ".join(asked)}
        answer = self._form(
            where,
            "token",
            token.holder,
            grant_type=REFRESH_TOKEN_GRANT,
            refresh_token=refresh_token,
            **named,
        )
        if answer.status != 200:
            return None, f"{answer.status} {answer.text}"
        return self._taken(answer, token.flow, token.holder, token.brand), "200"

    def revoke(self, token: Token) -> None:
        self._do("revoke_grant", token.brand, grantId=token.grant_id)

    def close(self, context: str, owner: User, brand: str) -> None:
        del owner
        self._do("close_conversation", brand, contextId=context)

    def _do(self, hook: str, brand: str, **about: str) -> None:
        self.provider.control.do(self.provider, {"hook": hook, "interface": brand, **about})

    def look(self, task: str, who: str, where: str) -> Seen:
        return read_task(self._ask("GET", f"{self.brand(where)}/tasks/{task}", self.user(who)))


class AtTheMock(Conversations):
    """The family as it is, at the mock Provider in this process."""

    def __init__(self, flaws: Iterable[str] = (), variants: Iterable[str] = ()) -> None:
        self.mock = Mock(flaws, variants)
        self._gate = SimpleNamespace()  # type: ignore[assignment]
        self._prepare(self.mock)

    def control(self) -> None:
        """The mock is there."""


def answered(message_id: str) -> Answer:
    """A reply as it comes."""
    body = json.dumps({"message": {"messageId": message_id, "contextId": "c"}}).encode()
    return Answer(200, httpx.Headers(), body, 0.0, "x-1", "message:send", 0.0)
