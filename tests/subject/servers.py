"""Small servers that stand where a Provider should, each wrong in one thorough way."""

import json
import socket
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self
from urllib.parse import urlsplit

from tests.wire.cards import good_card

BRAND = "/a2a/01JD4M7Q2ZC8T5V9X3B6N1K0WA"
CARD = f"{BRAND}/.well-known/agent-card.json"


@dataclass(frozen=True)
class Request:
    """What a client sent."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes


@dataclass(frozen=True)
class Reply:
    """What it gets."""

    status: int
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)
    drip: bool = False
    """A byte every 50 ms, for ever."""
    close: bool = False
    """Close the connection afterwards, without saying so."""


Answer = Callable[[Request], Reply]


class Server:
    """Answers every request by a function; counts connections and keeps what was sent."""

    def __init__(self, answer: Answer) -> None:
        self.answer = answer
        self.requests: list[Request] = []
        self.connections = 0
        self.came = threading.Event()
        self.stopping = threading.Event()
        self._server = _Listener(self)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,))
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stopping.set()
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


class _Listener(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 64

    def __init__(self, server: Server) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.owner = server

    def get_request(self) -> tuple[socket.socket, Any]:
        self.owner.connections += 1
        return super().get_request()

    def handle_error(self, *_: object) -> None:
        pass


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 20
    disable_nagle_algorithm = True
    server: _Listener

    def _serve(self) -> None:
        owner = self.server.owner
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        request = Request(self.command, self.path, dict(self.headers.items()), body)
        owner.requests.append(request)
        owner.came.set()
        reply = owner.answer(request)
        self.send_response(reply.status)
        for name, value in reply.headers.items():
            self.send_header(name, value)
        if reply.drip:
            self._drip()
            return
        self.send_header("Content-Length", str(len(reply.body)))
        self.end_headers()
        self.wfile.write(reply.body)
        self.close_connection = self.close_connection or reply.close

    do_GET = do_POST = do_PUT = do_DELETE = do_PATCH = do_HEAD = do_OPTIONS = _serve  # noqa: N815

    def _drip(self) -> None:
        self.close_connection = True
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        with suppress(OSError):
            while not self.server.owner.stopping.wait(0.05):
                self.wfile.write(b" ")

    def log_message(self, *_: object) -> None:
        pass


def json_reply(value: object, status: int = 200, **headers: str) -> Reply:
    """JSON as A2A sends it."""
    named = {name.replace("_", "-"): text for name, text in headers.items()}
    return Reply(
        status, json.dumps(value).encode(), {"Content-Type": "application/a2a+json", **named}
    )


def challenge() -> Reply:
    """The refusal of §3.4."""
    return Reply(
        401,
        b'{"error": "unauthorized"}',
        {"Content-Type": "application/json", "WWW-Authenticate": 'Bearer realm="pact"'},
    )


def with_card(behind: Answer, change: Callable[[dict[str, Any]], None] = lambda _: None) -> Answer:
    """Serve the good card of one Brand, changed, and whatever comes behind it."""

    def answer(request: Request) -> Reply:
        if request.path == CARD:
            card = good_card()
            card["supportedInterfaces"][0]["url"] = f"http://{request.headers['Host']}{BRAND}"
            del card["securitySchemes"]["userDelegation"]
            del card["securityRequirements"][1]
            change(card)
            return Reply(200, json.dumps(card).encode(), {"Content-Type": "application/json"})
        if request.path.endswith("agent-card.json"):
            return Reply(404, b"no such Brand")
        return behind(request)

    return answer


def forwarding(target: str, change: Callable[[Request, Reply], Reply]) -> Answer:
    """Pass every request on to a server, and its answer back as `change` makes it."""
    where = urlsplit(target)

    def answer(request: Request) -> Reply:
        connection = HTTPConnection(where.hostname or "", where.port, timeout=20)
        try:
            kept = {k: v for k, v in request.headers.items() if k.lower() != "connection"}
            connection.request(request.method, request.path, request.body, kept)
            got = connection.getresponse()
            body = got.read()
        finally:
            connection.close()
        dropped = {"content-length", "date", "connection", "transfer-encoding"}
        headers = {k: v for k, v in got.getheaders() if k.lower() not in dropped}
        return change(request, Reply(got.status, body, headers))

    return answer
