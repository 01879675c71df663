"""The public keys that personal agents publish as JWKS, fetched over HTTP and cached (§3.1)."""

import asyncio
import json
import math
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import httpx
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from jwt import PyJWK
from jwt.exceptions import PyJWTError

PublicKey = ec.EllipticCurvePublicKey | rsa.RSAPublicKey | ed25519.Ed25519PublicKey

_PUBLIC_MEMBERS = frozenset({"kty", "crv", "x", "y", "n", "e"})
_LONGEST_SET = 1 << 20


@dataclass(frozen=True)
class PublishedKey:
    """One key of a JWKS (RFC 7517)."""

    kid: str | None
    jwk: Mapping[str, Any] = field(hash=False)
    public: PublicKey

    def may_verify(self, alg: str) -> bool:
        """Say whether the publisher lets the key verify signatures of `alg` (RFC 7517 §4)."""
        operations = self.jwk.get("key_ops")
        return (
            self.jwk.get("use", "sig") == "sig"
            and (operations is None or (isinstance(operations, list) and "verify" in operations))
            and self.jwk.get("alg", alg) == alg
        )


def read_key(jwk: object) -> PublishedKey | None:
    """Read one JWK; None for what cannot be a public key here (RFC 7517 §5: it is passed over)."""
    if not isinstance(jwk, dict):
        return None
    public = {name: value for name, value in jwk.items() if name in _PUBLIC_MEMBERS}
    try:
        key = PyJWK(public).key
    except (PyJWTError, ValueError, TypeError, KeyError):
        return None
    if not isinstance(key, PublicKey):
        return None
    kid = jwk.get("kid")
    return PublishedKey(kid=kid if isinstance(kid, str) else None, jwk=jwk, public=key)


def read_set(data: bytes) -> tuple[PublishedKey, ...]:
    """Read a JWK Set.

    Raises:
        ValueError: it is none.
    """
    document = json.loads(data)
    entries = document.get("keys") if isinstance(document, dict) else None
    if not isinstance(entries, list):
        raise ValueError("a JWK Set has an array of keys")  # noqa: TRY004 - the document's fault
    return tuple(key for key in map(read_key, entries) if key is not None)


@dataclass
class _Cached:
    keys: tuple[PublishedKey, ...] = ()
    fetched_at: float = -math.inf
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)


class KeySource:
    """The keys behind each `jwksUri`.

    A set is fetched when it is first needed, when it has grown old, and when a token names a key
    that is not in it: so a new key is found at once (§3.1: keys rotate by being published). Since
    anybody can name an unknown key, such fetches keep a least interval. When a fetch fails the
    keys fetched before stay in use.
    """

    def __init__(
        self,
        *,
        max_age: float,
        refetch_interval: float,
        fetch: Callable[[str], Awaitable[bytes]] | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.max_age = max_age
        self.refetch_interval = refetch_interval
        self.fetch = fetch or self._download
        self._clock = clock
        self._sets: dict[str, _Cached] = {}
        self._client: httpx.AsyncClient | None = None

    async def find(self, uri: str, kid: str | None) -> tuple[PublishedKey, ...]:
        """Return the keys that `kid` names, or all keys when there is no `kid`."""
        cached = self._sets.setdefault(uri, _Cached())
        if self._age(cached) > self.max_age:
            await self._refresh(uri, cached, at_least=self.max_age)
        found = _named(cached.keys, kid)
        if not found and self._age(cached) >= self.refetch_interval:
            await self._refresh(uri, cached, at_least=self.refetch_interval)
            found = _named(cached.keys, kid)
        return found

    async def aclose(self) -> None:
        """Close the connections to the personal agents."""
        if self._client is not None:
            await self._client.aclose()
            self._client = None

    def _age(self, cached: _Cached) -> float:
        return self._clock() - cached.fetched_at

    async def _refresh(self, uri: str, cached: _Cached, *, at_least: float) -> None:
        async with cached.lock:
            if self._age(cached) < at_least:
                return  # another request has just done it
            try:
                cached.keys = read_set(await self.fetch(uri))
            except (httpx.HTTPError, httpx.InvalidURL, ValueError, RecursionError):
                pass  # unreachable or unreadable: what is known stays
            finally:
                cached.fetched_at = self._clock()

    async def _download(self, uri: str) -> bytes:
        if self._client is None:
            # Proxies of the environment are not for servers, and a redirect would leave the
            # registered URI.
            self._client = httpx.AsyncClient(trust_env=False, follow_redirects=False, timeout=5.0)
        async with self._client.stream("GET", uri) as response:
            response.raise_for_status()
            data = b""
            async for chunk in response.aiter_bytes():
                data += chunk
                if len(data) > _LONGEST_SET:
                    raise ValueError("the JWK Set is too long")
        return data


def _named(keys: tuple[PublishedKey, ...], kid: str | None) -> tuple[PublishedKey, ...]:
    return keys if kid is None else tuple(key for key in keys if key.kid == kid)
