"""Serves the caller's own JWKS (§3.1), a path for each issuer, so that keys can change in a run."""

import json
import socket
import socketserver
import threading
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Self

from pact_conformance.tokens.keys import SigningKey, jwks

JWKS = "jwks.json"
CHAIN = "chain.pem"


@dataclass(frozen=True)
class Document:
    """What a path answers with."""

    body: bytes
    content_type: str
    status: int = HTTPStatus.OK


class JwksServer:
    """An HTTP server in threads of its own; as a context manager it serves while the block runs.

    Args:
        listen: `host:port`; port 0 takes a free one.
        public_url: how Providers reach it, where that is not the address it listens on.
    """

    def __init__(self, listen: str = "127.0.0.1:0", *, public_url: str | None = None) -> None:
        host, _, port = listen.rpartition(":")
        self._documents: dict[str, Document] = {}
        self._fetches: Counter[str] = Counter()
        self._lock = threading.Lock()
        self._server = _Server((host.strip("[]"), int(port)), self)
        self._thread: threading.Thread | None = None
        bound_host, bound_port = self._server.server_address[:2]
        self.base_url = (public_url or f"http://{_text(bound_host)}:{bound_port}").rstrip("/")

    def __enter__(self) -> Self:
        """Start to serve."""
        serve = self._server.serve_forever
        self._thread = threading.Thread(
            target=serve, kwargs={"poll_interval": 0.05}, name="jwks", daemon=True
        )
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Stop serving and give the port back."""
        self._server.shutdown()
        self._server.server_close()
        if self._thread is not None:
            self._thread.join()

    def url(self, name: str) -> str:
        """Return the `jwksUri` of an issuer's name."""
        return f"{self.base_url}/{name}/{JWKS}"

    def chain_url(self, name: str) -> str:
        """Return the URL of a certificate chain, for `x5u`."""
        return f"{self.base_url}/{name}/{CHAIN}"

    def publish(self, name: str, keys: Iterable[SigningKey]) -> str:
        """Serve exactly these keys under a name from now on; return the URL."""
        self.put(f"{name}/{JWKS}", json.dumps(jwks(keys)).encode(), "application/jwk-set+json")
        return self.url(name)

    def publish_chain(self, name: str, pem: bytes) -> str:
        """Serve a certificate chain under a name; return the URL."""
        self.put(f"{name}/{CHAIN}", pem, "application/pem-certificate-chain")
        return self.chain_url(name)

    def put(self, path: str, body: bytes, content_type: str, *, status: int = 200) -> None:
        """Serve anything at a path, a broken JWKS for instance."""
        with self._lock:
            self._documents[path] = Document(body, content_type, status)

    def withdraw(self, name: str) -> None:
        """Serve nothing under a name any more: 404."""
        with self._lock:
            for file in (JWKS, CHAIN):
                self._documents.pop(f"{name}/{file}", None)

    def fetches(self, name: str) -> int:
        """Return how often something under a name was asked for, found or not."""
        with self._lock:
            return self._fetches[name]

    def answer(self, path: str) -> Document:
        """Return what a path is answered with, and count that it was asked for."""
        path = path.partition("?")[0].lstrip("/")
        with self._lock:
            self._fetches[path.partition("/")[0]] += 1
            return self._documents.get(path, _NOT_FOUND)


_NOT_FOUND = Document(b"nothing is published here\n", "text/plain", HTTPStatus.NOT_FOUND)


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False

    request_queue_size = 128

    def __init__(self, address: tuple[str, int], documents: JwksServer) -> None:
        if ":" in address[0]:
            self.address_family = socket.AF_INET6
        super().__init__(address, _Handler)
        self.documents = documents

    def server_bind(self) -> None:
        """Bind without asking the DNS for our own name, as http.server does."""
        socketserver.TCPServer.server_bind(self)

    def handle_error(self, request: object, client_address: object) -> None:
        """Keep quiet about a client that hung up."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = -1  # header and body leave in one packet, so that no acknowledgement is waited for
    timeout = 30
    server: _Server

    def do_GET(self) -> None:
        """Answer with what is published at the path."""
        document = self.server.documents.answer(self.path)
        self.send_response(document.status)
        self.send_header("Content-Type", document.content_type)
        self.send_header("Content-Length", str(len(document.body)))
        self.send_header("Cache-Control", "no-store")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(document.body)

    do_HEAD = do_GET  # noqa: N815 - the name that http.server calls

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - likewise
        """Write nothing to the terminal of the run."""


def _text(host: str | bytes | bytearray) -> str:
    text = host if isinstance(host, str) else bytes(host).decode()
    return f"[{text}]" if ":" in text else text
