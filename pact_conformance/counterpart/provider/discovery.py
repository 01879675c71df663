"""Personal agents that nobody registered, where the Provider's policy lets them in (§3.1).

Their keys are found by OIDC discovery: the document at `{iss}/.well-known/openid-configuration`
names a `jwks_uri`. That is all that differs: §3.2 is verified in full.
"""

import ipaddress
import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from urllib.parse import urlsplit

from pact_conformance.counterpart.provider.configuration import AgentConfig
from pact_conformance.counterpart.provider.fetching import UNFETCHED

WELL_KNOWN = "/.well-known/openid-configuration"
_LONGEST_ISSUER = 2048


@dataclass
class _Found:
    agent: AgentConfig | None
    tried_at: float


class Discovery:
    """Finds the keys of whoever has an issuer that serves them.

    Args:
        max_age: seconds for which what was found counts.
        retry_interval: seconds after which an issuer is asked again that led nowhere.
        fetch: gets the bytes behind a URI.
        clock: the time in seconds.
        most: the issuers that are remembered; anybody may name new ones.
    """

    def __init__(
        self,
        *,
        max_age: float,
        retry_interval: float,
        fetch: Callable[[str], Awaitable[bytes]],
        clock: Callable[[], float],
        most: int = 10_000,
    ) -> None:
        self._max_age = max_age
        self._retry_interval = retry_interval
        self._fetch = fetch
        self._clock = clock
        self._most = most
        self._found: dict[str, _Found] = {}

    async def find(self, issuer: str) -> AgentConfig | None:
        """Return an issuer as if it were registered; None when it leads to no keys."""
        found = self._found.get(issuer)
        if found is None or self._is_old(found):
            found = _Found(await self._ask(issuer), self._clock())
            self._found.pop(issuer, None)
            if len(self._found) >= self._most:
                del self._found[next(iter(self._found))]
            self._found[issuer] = found
        return found.agent

    def _is_old(self, found: _Found) -> bool:
        limit = self._retry_interval if found.agent is None else self._max_age
        return not 0 <= self._clock() - found.tried_at <= limit

    async def _ask(self, issuer: str) -> AgentConfig | None:
        if len(issuer) > _LONGEST_ISSUER or not may_be_fetched(issuer):
            return None
        try:
            document = json.loads(await self._fetch(issuer.removesuffix("/") + WELL_KNOWN))
        except UNFETCHED:
            return None
        # OIDC Discovery §4.3: a document of another issuer says nothing about this one.
        if not isinstance(document, dict) or document.get("issuer") != issuer:
            return None
        jwks_uri = document.get("jwks_uri")
        if not isinstance(jwks_uri, str) or not may_be_fetched(jwks_uri):
            return None
        return AgentConfig(issuer=issuer, jwks_uri=jwks_uri)


def may_be_fetched(url: str) -> bool:
    """Say whether a URL of a stranger is one to fetch: HTTPS, or HTTP on this very machine."""
    try:
        parts = urlsplit(url)
        host = parts.hostname or ""
    except ValueError:
        return False
    if not host or parts.username is not None or parts.query or parts.fragment:
        return False
    return parts.scheme == "https" or (parts.scheme == "http" and is_loopback(host))


def is_loopback(host: str) -> bool:
    """Say whether a host is this machine."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
