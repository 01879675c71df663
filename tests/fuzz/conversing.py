"""Conversations at the mock Provider in this process: no server, no socket, no agent signs."""

import asyncio
import itertools
import json
from collections.abc import Collection, Iterable
from types import SimpleNamespace
from typing import Any
from urllib.parse import unquote, urlencode, urlsplit

import httpx
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

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
from pact_conformance.wire.card import Card, Delegation
from pact_conformance.wire.messages import send_request, user_message
from pact_conformance.wire.oauth import DEVICE_CODE_GRANT, REFRESH_TOKEN_GRANT

AGENTS = ("https://agent.example", "https://another.example")
BASE = "http://127.0.0.1:1"

POLLS = 3
"""How often a code that is approved is polled for at most."""


class Mock:
    """The mock Provider as the steps of a conversation reach it."""

    who, where, accounts = WHO, WHERE, ACCOUNTS

    def __init__(self, flaws: Iterable[str] = (), variants: Iterable[str] = ()) -> None:
        agents = tuple(AgentConfig(issuer=it, jwks_uri=f"{it}/jwks") for it in AGENTS)
        self.provider = assemble(
            ProviderConfig(agents=agents), BASE, flaws=flaws, variants=variants
        )
        for brand in DEFAULT_BRANDS:
            self.provider.domains.add(brand.id, Domain("http://localhost:2", 2))
        self._cards = {
            it.id: Card(self.provider.card(it, BASE), BASE) for it in self.provider.brands.values()
        }
        self._first = next(iter(self.provider.brands.values()))
        self.scopes = tuple(self._first.scopes)[:2]
        self.offers = frozenset(need for kind in KINDS.all.values() for need in kind.needs)
        if not self.scopes:
            self.offers -= {"approver"}
        interface = self._cards[self._first.id].interface
        tenant = None if interface is None else interface.tenant
        self._named = {} if tenant is None else {"tenant": tenant}
        """What the card wants each request to name."""
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
        texts = prompts(self._first)
        asked = dict(zip((FIRST, SECOND), self.scopes, strict=False)).get(message.text, "")
        made = user_message(texts[asked], message_id=message.id, context_id=message.context)
        headers = {}
        if message.token is not None:
            token = self._tokens[message.token.flow]["access_token"]
            headers["x-a2a-user-delegation"] = f"Bearer {token}"
        body = json.dumps(send_request(made, **self._named)).encode()
        return read(self._ask("POST", f"{message.brand}/message:send", message.user, body, headers))

    def _ask(
        self,
        method: str,
        url: str,
        user: User,
        body: bytes = b"",
        headers: dict[str, str] | None = None,
    ) -> Answer:
        kept = {"authorization": f"Bearer {user.agent}|{user.sub}", "a2a-version": "1.0"}
        kept |= headers or {}
        parts = urlsplit(url)
        scope = {
            "type": "http",
            "method": method,
            "path": unquote(parts.path),
            "query_string": parts.query.encode(),
            "headers": [(name.encode(), value.encode()) for name, value in kept.items()],
        }

        async def receive() -> dict[str, object]:
            return {"type": "http.request", "body": body, "more_body": False}

        async def respond() -> tuple[Response, bytes]:
            response = await self.provider.respond(Call.of(Request(scope, receive)))
            return response, await _whole(response)

        response, content = self._loop.run_until_complete(respond())
        number = next(self._numbers)
        return Answer(
            response.status_code,
            httpx.Headers(response.raw_headers),
            content,
            0.0,
            f"x-{number}",
            "message:send",
            0.0,
        )

    def _offered(self, where: str) -> Delegation:
        offered = self._cards[self._brand(where)].delegation
        assert offered is not None
        return offered

    def _form(self, url: str, user: User, **fields: str) -> Answer:
        content = urlencode({"client_id": user.agent, **fields}).encode()
        kind = {"content-type": "application/x-www-form-urlencoded"}
        return self._ask("POST", url, user, content, kind)

    def grant(self, wanted: Wanted) -> Token:
        user, provider, where = self.user(wanted.who), self.provider, wanted.where
        asked, approved = wanted.asked(self.scopes), wanted.approved(self.scopes)
        urls, scope = self._offered(where), " ".join(asked)
        answer = self._form(urls.device_authorization_url, user, scope=scope)
        if answer.status != 200:
            raise Inconclusive(answer.text)
        begun: Any = answer.json
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
        poll = {"grant_type": DEVICE_CODE_GRANT, "device_code": begun["device_code"]}
        for _ in range(POLLS):
            answer = self._form(urls.token_url, user, **poll)
            if "authorization_pending" not in answer.text:
                break
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
        urls = self._offered(where)
        answer = self._form(
            urls.refresh_url or urls.token_url,
            token.holder,
            grant_type=REFRESH_TOKEN_GRANT,
            refresh_token=refresh_token,
            **named,
        )
        if answer.status == 429:
            raise Inconclusive(answer.text)
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
        url = f"{self.brand(where)}/tasks/{task}?{urlencode(self._named)}"
        return read_task(self._ask("GET", url, self.user(who)))


async def _whole(response: Response) -> bytes:
    """Return the body of a response, also of one that comes in pieces."""
    if not isinstance(response, StreamingResponse):
        return bytes(response.body)
    pieces = [it async for it in response.body_iterator]
    return b"".join(it.encode() if isinstance(it, str) else bytes(it) for it in pieces)


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
