"""Serves the caller's own JWKS (§3.1), a path for each issuer, so that keys can change in a run.

Whoever runs in another process than the server changes a set over HTTP, by `PUT` of a JSON object
to `control_url` and the set's name, and learns by `GET` how often the set was asked for;
`jwks_control` does that. The path holds a secret of this run.
"""

import json
import secrets
import socket
import socketserver
import threading
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Self

from pact_conformance.tokens.keys import SigningKey, jwks

JWKS = "jwks.json"
CHAIN = "chain.pem"
CONTROL = "/control/"

# The longest change of a set that is read.
_LONGEST_CHANGE = 1 << 20


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
        self._broken: dict[str, int] = {}
        self._fetches: Counter[str] = Counter()
        self._lock = threading.Lock()
        self._secret = secrets.token_urlsafe(24)
        self._server = _Server((host.strip("[]"), int(port)), self)
        self._thread: threading.Thread | None = None
        bound_host, bound_port = self._server.server_address[:2]
        self.base_url = (public_url or f"http://{_text(bound_host)}:{bound_port}").rstrip("/")
        self.control_url = f"http://{_near(bound_host)}:{bound_port}{CONTROL}{self._secret}"

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

    def add(self, name: str, entries: Iterable[object]) -> None:
        """Serve these entries too in the set of a name."""
        self._rewrite(name, lambda held: [*held, *entries])

    def remove(self, name: str, entries: Iterable[object]) -> None:
        """Serve these entries no more in the set of a name; the others stay."""
        gone = list(entries)
        self._rewrite(name, lambda held: [entry for entry in held if entry not in gone])

    def fail(self, name: str, status: int | None) -> None:
        """Answer with this status instead of the set of a name, until told None."""
        with self._lock:
            if status is None:
                self._broken.pop(f"{name}/{JWKS}", None)
            else:
                self._broken[f"{name}/{JWKS}"] = status

    def _rewrite(self, name: str, change: Callable[[list[object]], list[object]]) -> None:
        path = f"{name}/{JWKS}"
        with self._lock:
            document = self._documents[path]
            held = json.loads(document.body)["keys"]
            body = json.dumps({"keys": change(held)}).encode()
            self._documents[path] = replace(document, body=body)

    def change(self, path: str, body: bytes) -> int:
        """Change a set as another process asks; return the HTTP status that says what came of it.

        The object may have `add` and `remove`, arrays of entries, and `status`, a number or null.
        """
        name = self._controlled(path)
        if name is None:
            return HTTPStatus.NOT_FOUND
        try:
            asked = json.loads(body)
            self.add(name, asked.get("add", []))
            self.remove(name, asked.get("remove", []))
            if "status" in asked:
                self.fail(name, None if asked["status"] is None else int(asked["status"]))
        except (ValueError, TypeError, AttributeError, LookupError):
            return HTTPStatus.BAD_REQUEST
        return HTTPStatus.NO_CONTENT

    def _controlled(self, path: str) -> str | None:
        """Return the name behind a control path; None where the path has not the secret."""
        if not path.startswith(CONTROL):
            return None
        secret, _, name = path.removeprefix(CONTROL).partition("/")
        return name if secrets.compare_digest(secret.encode(), self._secret.encode()) else None

    def fetches(self, name: str) -> int:
        """Return how often something under a name was asked for, found or not."""
        with self._lock:
            return self._fetches[name]

    def answer(self, path: str) -> Document:
        """Return what a path is answered with, and count that it was asked for."""
        controlled = self._controlled(path)
        if controlled is not None:
            body = json.dumps({"fetches": self.fetches(controlled)}).encode()
            return Document(body, "application/json")
        path = path.partition("?")[0].lstrip("/")
        with self._lock:
            self._fetches[path.partition("/")[0]] += 1
            if path in self._broken:
                return replace(_BROKEN, status=self._broken[path])
            return self._documents.get(path, _NOT_FOUND)


_NOT_FOUND = Document(b"nothing is published here\n", "text/plain", HTTPStatus.NOT_FOUND)
_BROKEN = Document(b"out of order\n", "text/plain")


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

    def do_PUT(self) -> None:
        """Change a set, for whoever knows the control path."""
        length = self.headers.get("Content-Length", "")
        if not length.isdigit() or int(length) > _LONGEST_CHANGE:
            self.close_connection = True
            status: int = HTTPStatus.BAD_REQUEST
        else:
            status = self.server.documents.change(self.path, self.rfile.read(int(length)))
        self.send_response(status)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - likewise
        """Write nothing to the terminal of the run."""


def _near(host: str | bytes | bytearray) -> str:
    """Return how this machine reaches an address that may stand for all of its own."""
    return {"0.0.0.0": "127.0.0.1", "[::]": "[::1]"}.get(_text(host), _text(host))  # noqa: S104


def _text(host: str | bytes | bytearray) -> str:
    text = host if isinstance(host, str) else bytes(host).decode()
    return f"[{text}]" if ":" in text else text
