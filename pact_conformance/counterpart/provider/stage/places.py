"""Where the parts of a Brand are on the stage: any path, on either host, leads to what is served.

The Provider knows `/a2a/{brandId}/…`, which is here called the canonical path.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal
from urllib.parse import unquote

Host = Literal["main", "other"]

OAUTH = "/oauth"
"""The canonical path of a Brand's authorization server, below its interface."""

ENDPOINTS: Mapping[str, str] = {
    "device_authorization": f"{OAUTH}/device_authorization",
    "token": f"{OAUTH}/token",
    "metadata": f"{OAUTH}/.well-known/oauth-authorization-server",
    "jwks": f"{OAUTH}/jwks.json",
}
"""The canonical paths of the OAuth endpoints, below the interface."""


@dataclass(frozen=True)
class Place:
    """A path on one of the hosts, as URLs write it."""

    host: Host
    path: str

    @property
    def key(self) -> "tuple[Host, str]":
        """What a request's path, which is unescaped, is compared with."""
        return self.host, unquote(self.path)


@dataclass
class Layout:
    """Where the parts of one Brand are."""

    brand_id: str
    card: Place
    interface: Place
    card_path: str
    """The canonical path of the card, below the interface."""
    endpoints: Mapping[str, Place] = field(default_factory=dict)
    """The OAuth endpoints that are not where the interface has them."""

    @property
    def interface_key(self) -> tuple[Host, str]:
        """What the beginning of a request's path is compared with."""
        return self.interface.host, unquote(self.interface.path).rstrip("/")

    def moved(self) -> Iterator[tuple[str, Place]]:
        """Return what has one place alone: its path below the interface, and the place."""
        yield self.card_path, self.card
        for name, place in self.endpoints.items():
            yield ENDPOINTS[name], place


@dataclass(frozen=True)
class Found:
    """Whose a path is, and what the Provider knows it as; None where it is nothing's place."""

    brand_id: str | None
    path: str | None


class Places:
    """The places of all Brands."""

    def __init__(self) -> None:
        self._exact: dict[tuple[Host, str], tuple[str, str]] = {}
        self._interfaces: dict[tuple[Host, str], str] = {}
        self._moved: dict[str, set[str]] = {}

    def add(self, layout: Layout) -> None:
        """Enter a Brand.

        Raises:
            ValueError: one of its places is another's.
        """
        keys = [place.key for _, place in layout.moved()]
        taken = [key for key in keys if key in self._exact]
        if taken or layout.interface_key in self._interfaces or len(set(keys)) < len(keys):
            raise ValueError("another Brand, or another part of this one, has this path")
        self._interfaces[layout.interface_key] = layout.brand_id
        self._moved[layout.brand_id] = {path for path, _ in layout.moved()}
        for path, place in layout.moved():
            self._exact[place.key] = (layout.brand_id, path)

    def find(self, host: Host, path: str) -> Found:
        """Return whose an (unescaped) path on a host is."""
        exact = self._exact.get((host, path))
        if exact is not None:
            return Found(exact[0], f"/a2a/{exact[0]}{exact[1]}")
        for above in _above(path):
            brand_id = self._interfaces.get((host, above))
            if brand_id is not None:
                rest = path[len(above) :]
                is_elsewhere = rest in self._moved[brand_id]
                return Found(brand_id, None if is_elsewhere else f"/a2a/{brand_id}{rest}")
        return Found(self._guess(path), None)

    def _guess(self, path: str) -> str | None:
        """Return the Brand whose id stands in a path, or beside whose places it is."""
        segments = set(path.split("/"))
        for brand_id in self._moved:
            if brand_id in segments:
                return brand_id
        beside = {
            **{place.rpartition("/")[0]: it[0] for (_, place), it in self._exact.items()},
            **{place: brand_id for (_, place), brand_id in self._interfaces.items()},
            **{place: it[0] for (_, place), it in self._exact.items()},
        }
        return next((beside[above] for above in _above(path) if above and above in beside), None)


def _above(path: str) -> Iterator[str]:
    """Return a path and each path above it, the longest first, without a slash at the end."""
    while path:
        if not path.endswith("/"):
            yield path
        path = path.rpartition("/")[0]
