"""Why an exchange has no answer, told in words that a tester can act on."""

import socket
import ssl
from collections.abc import Iterator

import h11
import httpcore
import httpx

from pact_conformance.journal.exchange import Failure

NETWORK_ERRORS = (
    httpcore.NetworkError,
    httpcore.TimeoutException,
    httpcore.RemoteProtocolError,
    httpcore.ProxyError,
)
"""What httpcore raises when the other side, or the way to it, is the cause."""

_HEADER_TOO_LARGE = 431


class Unanswered(httpx.TransportError):
    """There is no answer; `failure` says why."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.message)
        self.failure = failure


class NoAnswer(Exception):  # noqa: N818 - it says what is the case, and is no error of ours
    """An exchange ended without an answer. It is in the journal all the same."""

    def __init__(self, failure: Failure, exchange_id: str) -> None:
        super().__init__(f"{failure.message} (exchange {exchange_id})")
        self.failure = failure
        self.exchange_id = exchange_id


def failure(error: Exception, url: httpcore.URL) -> Failure:
    """Return the failure that an error of httpcore stands for."""
    origin = _origin(url)
    match error:
        case httpcore.ConnectTimeout():
            return Failure("connect", f"no connection to {origin}: nobody answered in time")
        case httpcore.TimeoutException():
            return Failure("deadline", f"{origin} did not complete its answer in time")
        case httpcore.ProxyError():
            return Failure("connect", f"no connection to {origin}: the proxy says {error}")
        case httpcore.ConnectError():
            return _no_connection(error, origin)
        case httpcore.RemoteProtocolError():
            return _no_http(error, origin)
        case _:
            return Failure(
                "closed", f"{origin} closed the connection before its answer was complete"
            )


def _no_connection(error: Exception, origin: str) -> Failure:
    for cause in _causes(error):
        match cause:
            case ssl.SSLCertVerificationError():
                why = f"its certificate is not trusted ({cause.verify_message})"
                return Failure("tls", f"no secure connection to {origin}: {why}")
            case ssl.SSLError():
                return Failure("tls", f"no secure connection to {origin}: {cause.reason or cause}")
            case socket.gaierror() | UnicodeError():
                return Failure("connect", f"no connection to {origin}: no such host")
            case ConnectionRefusedError():
                return Failure("connect", f"no connection to {origin}: refused")
            case OSError() if cause.strerror:
                return Failure("connect", f"no connection to {origin}: {cause.strerror}")
    return Failure("connect", f"no connection to {origin}: {error}")


def _no_http(error: Exception, origin: str) -> Failure:
    text = str(error)
    if "without sending" in text:  # a response, or the complete body
        message = f"{origin} closed the connection before its answer was complete"
        return Failure("closed", message)
    hints = [it.error_status_hint for it in _causes(error) if isinstance(it, h11.ProtocolError)]
    if _HEADER_TOO_LARGE in hints:
        return Failure("too-large", f"{origin} sent a header that is too large")
    return Failure("protocol", f"{origin} does not speak HTTP/1.1: {text}")


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def _origin(url: httpcore.URL) -> str:
    host = url.host.decode("ascii", "replace")
    host = f"[{host}]" if ":" in host else host
    port = "" if url.port is None else f":{url.port}"
    return f"{url.scheme.decode('ascii')}://{host}{port}"
