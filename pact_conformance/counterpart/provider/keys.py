"""The public keys that personal agents publish as JWKS, fetched over HTTP and cached (§3.1)."""

import asyncio
import contextlib
import json
import math
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from jwt import PyJWK
from jwt.exceptions import PyJWTError

from pact_conformance.counterpart.provider.fetching import UNFETCHED

PublicKey = ec.EllipticCurvePublicKey | rsa.RSAPublicKey | ed25519.Ed25519PublicKey

# So often the interval between fetches for unknown keys is doubled at most.
_MOST_DOUBLINGS = 20

_PUBLIC_MEMBERS = frozenset({"kty", "crv", "x", "y", "n", "e"})


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
    except (PyJWTError, UnsupportedAlgorithm, ValueError, TypeError, KeyError, OverflowError):
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
    """When the keys were last read."""
    tried_at: float = -math.inf
    """When that was last tried."""
    in_vain: int = 0
    """How often it was read since for an unknown key, and was the same."""
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)


class KeySource:
    """The keys behind each `jwksUri`.

    A set is fetched when it is first needed, when it has grown old, and when a token names a key
    that is not in it: so a new key is found at once (§3.1: keys rotate by being published). Since
    anybody can name an unknown key, fetches keep a least interval, for each set; it doubles with
    each fetch that was in vain, up to the age at which a set is fetched anyway. When a fetch fails
    the keys fetched before stay in use until they are too old; from then on there is none.

    Args:
        max_age: seconds for which a set that was read counts.
        refetch_interval: seconds that lie between two fetches at least.
        fetch: gets the bytes behind a URI.
        clock: the time in seconds.
        most: the sets that are kept; an open Provider learns of new ones from anybody.
    """

    def __init__(
        self,
        *,
        max_age: float,
        refetch_interval: float,
        fetch: Callable[[str], Awaitable[bytes]],
        clock: Callable[[], float] = time.time,
        most: int = 10_000,
    ) -> None:
        self.max_age = max_age
        self.refetch_interval = refetch_interval
        self.fetch = fetch
        self.read: Callable[[bytes], tuple[PublishedKey, ...]] = read_set
        self._clock = clock
        self._most = most
        self._sets: dict[str, _Cached] = {}

    async def find(self, uri: str, kid: str | None) -> tuple[PublishedKey, ...]:
        """Return the keys that `kid` names, or all keys when there is no `kid`."""
        cached = self._cached(uri)
        if self._is_old(cached):
            # What is too old is due, however long an unknown kid would have to wait.
            await self._refresh(uri, cached, min(self.refetch_interval, self.max_age))
        found = _named(cached, kid)
        if not found:
            await self._look_again(uri, cached)
            found = _named(cached, kid)
        return found

    async def _look_again(self, uri: str, cached: _Cached) -> None:
        """Fetch a set for a key that it lacks, the less often the more often that was in vain."""
        if self._clock() - cached.tried_at > self.max_age:
            cached.in_vain = 0
        longer = self.refetch_interval * 2 ** min(cached.in_vain, _MOST_DOUBLINGS)
        interval = max(self.refetch_interval, min(longer, self.max_age))
        before, read_at = cached.keys, cached.fetched_at
        await self._refresh(uri, cached, interval)
        if cached.fetched_at != read_at:
            same = [it.jwk for it in before] == [it.jwk for it in cached.keys]
            cached.in_vain = cached.in_vain + 1 if same and before else 0

    def _cached(self, uri: str) -> _Cached:
        if uri not in self._sets and len(self._sets) >= self._most:
            del self._sets[next(iter(self._sets))]
        return self._sets.setdefault(uri, _Cached())

    def _is_old(self, cached: _Cached) -> bool:
        # A time before it was read is a clock that was set back, of which nothing follows.
        return not 0 <= self._clock() - cached.fetched_at <= self.max_age

    async def _refresh(self, uri: str, cached: _Cached, interval: float) -> None:
        async with cached.lock:
            # Another request may just have done it.
            if not 0 <= self._clock() - cached.tried_at < interval:
                cached.tried_at = self._clock()
                with contextlib.suppress(*UNFETCHED):
                    cached.keys = self.read(await self.fetch(uri))
                    cached.fetched_at = self._clock()
                    return
            if self._is_old(cached):
                cached.keys = ()


def _named(cached: _Cached, kid: str | None) -> tuple[PublishedKey, ...]:
    return tuple(key for key in cached.keys if kid in (None, key.kid))
