"""Which proxy the environment names for an origin, if any.

A subject on loopback is always reached directly, whatever the environment says: a proxy there
would reach its own loopback. For other origins `HTTP_PROXY`, `HTTPS_PROXY`, `ALL_PROXY` and
`NO_PROXY` are read by the standard library's rules, and only HTTP proxies are spoken to.
"""

import ipaddress
from urllib.request import getproxies_environment, proxy_bypass

import httpcore
import httpx

from pact_conformance.journal.exchange import Failure
from pact_conformance.journal.unanswered import Unanswered


def proxy_for(url: httpcore.URL) -> httpcore.Proxy | None:
    """Return the proxy to go through, or None to connect directly.

    Raises:
        Unanswered: the environment names a proxy of another kind.
    """
    host = url.host.decode("ascii")
    if is_loopback(host):
        return None
    proxies = getproxies_environment()
    authority = host if url.port is None else f"{host}:{url.port}"
    named = proxies.get(url.scheme.decode("ascii")) or proxies.get("all")
    if not named or proxy_bypass(authority):
        return None
    return _proxy(named)


def _proxy(named: str) -> httpcore.Proxy:
    try:
        proxy = httpx.URL(named if "://" in named else f"http://{named}")
    except (httpx.InvalidURL, ValueError):
        proxy = httpx.URL("")
    if proxy.scheme not in {"http", "https"}:
        message = "the proxy that the environment names is no HTTP proxy; set NO_PROXY to avoid it"
        raise Unanswered(Failure("connect", message))
    address = httpcore.URL(
        scheme=proxy.raw_scheme, host=proxy.raw_host, port=proxy.port, target=b"/"
    )
    auth = (proxy.username, proxy.password) if proxy.username else None
    return httpcore.Proxy(address, auth=auth)


def is_loopback(host: str) -> bool:
    """Say whether a host is this machine, by name (RFC 6761 §6.3) or by address."""
    name = host.rstrip(".").lower()
    if name == "localhost" or name.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(name.strip("[]")).is_loopback
    except ValueError:
        return False
