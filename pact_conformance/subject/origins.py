"""Where a token of the tester's may go: to the origin that serves the Brand's card, or one allowed.

A card decides where tokens are sent, so one that was tampered with, or a mistyped E2E_PROVIDER,
would lead them to a stranger.
"""

import ipaddress
from collections.abc import Collection
from urllib.parse import urlsplit

_PORTS = {"http": 80, "https": 443}
_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})


def origin(url: str) -> str:
    """Return the origin of a URL as RFC 6454 §6.2 writes it, the usual port left out."""
    parts = urlsplit(url)
    host = (parts.hostname or "").lower()
    host = f"[{host}]" if ":" in host else host
    port = "" if parts.port in {None, _PORTS.get(parts.scheme)} else f":{parts.port}"
    return f"{parts.scheme.lower()}://{host}{port}"


def may_get_tokens(interface: str, card: str, allowed: Collection[str]) -> bool:
    """Say whether tokens may be sent to an interface.

    Args:
        interface: its URL.
        card: the URL that served the card that names it, after redirects.
        allowed: origins that the tester allows besides.
    """
    if urlsplit(interface).hostname in _LOOPBACK:
        return True
    return origin(interface) in {origin(card), *map(origin, allowed)}


def is_private(host: str) -> bool:
    """Say whether a host is for tests or for a network of its own, where http will do."""
    if host == "localhost" or host.endswith((".localhost", ".local", ".internal", ".test")):
        return True
    try:
        return not ipaddress.ip_address(host).is_global
    except ValueError:
        return "." not in host


def origin_named(named: str) -> str:
    """Return the origin of what a tester names by its URL or by its domain alone."""
    return origin(named if "://" in named else f"https://{named}")
