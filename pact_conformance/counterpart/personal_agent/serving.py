"""The agent's own server: its keys (§3.1), and its side of the adapter contract over HTTP."""

import contextlib
import json
import socket
import threading
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

Document = Mapping[str, Any]
Answering = Callable[[Document], Document]

LONGEST = 1 << 20
"""Bytes of the longest object that is read."""


def application(
    *,
    jwks: Callable[[], Document],
    configuration: Callable[[], Document],
    answer: Answering | None = None,
) -> Starlette:
    """Return the application: the JWK Set, what leads there, and the adapter if it is given."""

    async def keys(_request: Request) -> Response:
        return JSONResponse(jwks())

    async def openid(_request: Request) -> Response:
        return JSONResponse(configuration())

    async def adapter(request: Request) -> Response:
        if "origin" in request.headers:
            # No page that a browser shows has any business here.
            return Response(status_code=403)
        body = bytearray()
        async for chunk in request.stream():
            body += chunk
            if len(body) > LONGEST:
                return Response("too long\n", 413, media_type="text/plain")
        try:
            asked = json.loads(bytes(body))
            if not isinstance(asked, dict) or answer is None:
                raise ValueError("expected a JSON object")  # noqa: TRY301 - the text's fault
            return JSONResponse(await run_in_threadpool(answer, asked))
        except (ValueError, RecursionError) as error:
            return Response(f"{error}\n", 400, media_type="text/plain")

    routes = [
        Route("/jwks.json", keys),
        # An open Provider finds the keys by it (§3.1).
        Route("/.well-known/openid-configuration", openid),
    ]
    if answer is not None:
        routes.append(Route("/", adapter, methods=["POST"]))
    return Starlette(routes=routes)


def listen(address: str) -> socket.socket:
    """Return a socket bound to HOST:PORT; port 0 lets the system choose.

    Raises:
        ValueError: it is no such address.
        OSError: it is not to be had.
    """
    host, _, port = address.rpartition(":")
    host = host.strip("[]")
    if not host or not (port.isascii() and port.isdigit()):
        raise ValueError(f"expected HOST:PORT, not {address!r}")
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, int(port)))
    except (OSError, OverflowError):
        listener.close()
        raise
    return listener


def url_of(listener: socket.socket) -> str:
    """Return the base URL of a socket."""
    host, port = listener.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


@contextlib.contextmanager
def serving(listener: socket.socket, app: Starlette) -> Iterator[None]:
    """Serve an application in a thread while the context lasts.

    Raises:
        RuntimeError: it did not start.
    """
    server = _server(app)
    thread = threading.Thread(target=server.run, args=([listener],), daemon=True)
    thread.start()
    try:
        if not server.has_started.wait(_PATIENCE):
            raise RuntimeError("the agent's server did not start")
        yield
    finally:
        server.should_exit = True
        thread.join(_PATIENCE)
        listener.close()


def serve(listener: socket.socket, app: Starlette, *, started: Callable[[], None]) -> None:
    """Serve an application in this thread until SIGINT or SIGTERM."""
    server = _server(app)
    server.when_started = started
    with listener:
        server.run([listener])


_PATIENCE = 10.0


class _Server(uvicorn.Server):
    """uvicorn's server, telling when connections are accepted and ending quietly on a signal."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.has_started = threading.Event()
        self.when_started: Callable[[], None] = lambda: None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.has_started.set()
        self.when_started()

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        with super().capture_signals():
            yield
            self._captured_signals.clear()


def _server(app: Starlette) -> _Server:
    return _Server(
        uvicorn.Config(
            app,
            access_log=False,
            http="h11",
            lifespan="off",
            log_level="error",
            loop="asyncio",
            server_header=False,
            timeout_graceful_shutdown=1,
            ws="none",
        )
    )
