"""The control endpoint: what the protocol cannot do, asked for in one JSON object.

`{"hook": NAME, "interface": URL of the Brand, …}` says what shall be, and about whom: `issuer`,
`sub`, `contextId`, `on`, `seconds`, `userCode`, `grantId`. When it is answered with 204 it has
happened. The path has a secret of its own for each start.
"""

import json
import secrets
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from starlette.responses import Response

from pact_conformance.counterpart.provider.call import read_body
from pact_conformance.counterpart.provider.conditions import Scope
from pact_conformance.counterpart.provider.refusals import A2ARefusal
from pact_conformance.wire.media_types import JSON

if TYPE_CHECKING:
    from starlette.requests import Request

    from pact_conformance.counterpart.provider.provider import Provider

PATH = "/control/"

_LONGEST = 1e9
"""More seconds than a calendar has use for."""


class Control:
    """Does what it is asked to; the table of hooks says how."""

    def __init__(self) -> None:
        self.path = PATH + secrets.token_urlsafe(24)
        self.hooks: dict[str, Hook] = dict(HOOKS)

    def is_meant(self, path: str) -> bool:
        """Say whether a request is to a control endpoint, ours or not."""
        return path.startswith(PATH)

    async def answer(self, provider: "Provider", request: "Request") -> Response:
        """Do what the request asks; 400 says in a line why it cannot be done."""
        path: str = request.scope["path"]
        if not secrets.compare_digest(path.encode(), self.path.encode()):
            return Response(status_code=404)
        if request.method != "POST":
            return Response(status_code=405, headers={"Allow": "POST"})
        try:
            body = await read_body(request, provider.config.max_body)
            told = self.do(provider, json.loads(body))
        except (ValueError, RecursionError, A2ARefusal) as error:
            return Response(f"{error}\n", 400, media_type="text/plain")
        if told is None:
            return Response(status_code=204)
        return Response(json.dumps(told), media_type=JSON)

    def do(self, provider: "Provider", asked: object) -> object:
        """Do what is asked, and return what there is to tell; None: that it has happened.

        Raises:
            ValueError: it cannot be done; the message says why.
        """
        if not isinstance(asked, dict):
            raise ValueError("expected a JSON object")  # noqa: TRY004 - the text's fault
        hook = self.hooks.get(str(asked.get("hook")))
        if hook is None:
            raise ValueError(f"no hook {asked.get('hook')!r}; there are {', '.join(self.hooks)}")
        return hook(provider, asked)


Asked = Mapping[str, Any]

Hook = Callable[["Provider", Asked], object]
"""Does what is asked; what it returns is told as JSON, None is not."""


def close_conversation(provider: "Provider", asked: Asked) -> None:
    """Close a conversation (§4.2); it need not be open."""
    brand_id = _brand(provider, asked)
    conversation = provider.conversations.get(_text(asked, "contextId"))
    if conversation is None:
        raise ValueError("there is no such conversation")
    conversation.close(provider.clock.now(brand_id))


def disable_agent(provider: "Provider", asked: Asked) -> None:
    """Disable a personal agent, from the next request on (§3.1)."""
    _enable(provider, asked, enabled=False)


def enable_agent(provider: "Provider", asked: Asked) -> None:
    """Enable a personal agent again."""
    _enable(provider, asked, enabled=True)


def fail_agent(provider: "Provider", asked: Asked) -> None:
    """Let the Brand's agent fail, or no longer (§6)."""
    scope, failing = _scope(provider, asked), provider.conditions.failing
    if _on(asked):
        failing.add(scope)
    else:
        failing.discard(scope)


def slow_agent(provider: "Provider", asked: Asked) -> None:
    """Let the Brand's agent take its time, or no longer."""
    scope, slow = _scope(provider, asked), provider.conditions.slow
    if _on(asked):
        slow[scope] = _seconds(asked, least=0.0)
    else:
        slow.pop(scope, None)


def rate_limit(provider: "Provider", asked: Asked) -> None:
    """Refuse requests with 429 for some seconds, or no longer (§6)."""
    scope, limited = _scope(provider, asked), provider.conditions.limited
    if _on(asked):
        now = provider.clock.now(scope.brand_id)
        limited[scope] = now + _seconds(asked, least=0.0)
    else:
        limited.pop(scope, None)


def advance_clock(provider: "Provider", asked: Asked) -> None:
    """Move the clock of one Brand."""
    brand_id = _brand(provider, asked)
    if brand_id is None:
        raise ValueError("interface is missing")
    provider.clock.advance(brand_id, _seconds(asked))


def expire_code(provider: "Provider", asked: Asked) -> None:
    """Let a device code and its user code expire now (§5.3)."""
    brand_id, user_code = _brand(provider, asked), _text(asked, "userCode")
    code = provider.delegation.codes.by_user_code(user_code)
    if code is None or brand_id not in (None, code.brand_id):
        raise ValueError("there is no such userCode")
    code.expires_at = min(code.expires_at, provider.clock.now(code.brand_id))


def revoke_grant(provider: "Provider", asked: Asked) -> None:
    """Revoke a grant, from the next request on (§5.5)."""
    brand_id, grant_id = _brand(provider, asked), _text(asked, "grantId")
    grant = provider.delegation.grants.get(grant_id)
    if grant is None or brand_id not in (None, grant.brand_id):
        raise ValueError("there is no such grantId")
    grant.revoked = True


HOOKS: Mapping[str, Hook] = {
    function.__name__: function
    for function in (
        close_conversation,
        disable_agent,
        enable_agent,
        fail_agent,
        slow_agent,
        rate_limit,
        advance_clock,
        expire_code,
        revoke_grant,
    )
}


def _enable(provider: "Provider", asked: Asked, *, enabled: bool) -> None:
    issuer, agents = _text(asked, "issuer"), provider.verifier.agents
    if issuer not in agents:
        raise ValueError(f"no personal agent is registered as {issuer!r}")
    agents[issuer] = replace(agents[issuer], enabled=enabled)


def _scope(provider: "Provider", asked: Asked) -> Scope:
    issuer, sub = (_text(asked, name) if name in asked else None for name in ("issuer", "sub"))
    return Scope(_brand(provider, asked), issuer, sub)


def _brand(provider: "Provider", asked: Asked) -> str | None:
    """Return the Brand whose interface or card is named; None when none is."""
    if asked.get("interface") is None:
        return None
    url = _text(asked, "interface")
    segments = urlsplit(url).path.split("/")
    for brand_id in reversed(provider.brands):  # of thousands the newest ones are steered
        named = {provider.interface(brand_id).rstrip("/"), provider.card_url(brand_id)}
        if brand_id in segments or url.rstrip("/") in named:
            return brand_id
    raise ValueError(f"no Brand has the interface {url!r}")


def _text(asked: Asked, name: str) -> str:
    value = asked.get(name)
    if not isinstance(value, str) or not value:
        raise ValueError(f"{name} must be a string that is not empty")
    return value


def _on(asked: Asked) -> bool:
    on = asked.get("on", True)
    if not isinstance(on, bool):
        raise ValueError("on must be true or false")  # noqa: TRY004 - the object's fault
    return on


def _seconds(asked: Asked, *, least: float = -_LONGEST) -> float:
    seconds: Any = asked.get("seconds")
    is_number = isinstance(seconds, int | float) and not isinstance(seconds, bool)
    if is_number and least <= seconds <= _LONGEST:
        return float(seconds)
    raise ValueError(f"seconds must be a number from {least:.0f} to {_LONGEST:.0f}")
