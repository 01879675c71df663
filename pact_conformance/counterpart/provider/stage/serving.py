"""Serves a stage: the Provider's port, a second host, a port for control, and domains on demand."""

import asyncio
import socket
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import urlsplit

from starlette.types import ASGIApp

from pact_conformance.counterpart.provider.provider import Provider
from pact_conformance.counterpart.provider.serving import (
    Server,
    listen,
    ready_line,
    server_config,
    site_url,
)
from pact_conformance.counterpart.provider.stage.application import StageApplication
from pact_conformance.counterpart.provider.stage.protocol import StageProtocol
from pact_conformance.counterpart.provider.stage.stage import Stage

_BACKLOG = 100

_OTHER_NAMES = {"127.0.0.1": "localhost", "::1": "localhost", "localhost": "127.0.0.1"}
"""What else a host is called: a browser takes it for another site."""


class StageServer(Server):
    """A server that listens on further ports while it runs.

    Behind a public URL there is one host alone, for nobody outside reaches another port.

    Args:
        provider: to be staged.
        application: which serves it.
        listeners: the sockets of the server, to which that of the second host is added.
        announce: gets the ready line.
    """

    def __init__(
        self,
        provider: Provider,
        application: ASGIApp,
        listeners: list[socket.socket],
        announce: Callable[[Mapping[str, Any]], None],
    ) -> None:
        config = provider.config
        if config.public_url is None:
            other, url, port = self._listen_beside(provider)
            listeners.append(other)
            self.stage = Stage(provider, other=url, other_port=port)
            self.stage.open_listener = lambda: self._open(provider)
        else:
            self.stage = Stage(provider)
        self._control = listen("127.0.0.1", 0)
        self._control.listen(_BACKLOG)
        port = self._control.getsockname()[1]
        provider.control_base = site_url("127.0.0.1", port, "http")
        staged = StageApplication(self.stage, application)
        staged.control_port = port
        self._opening: set[asyncio.Task[None]] = set()
        super().__init__(
            server_config(config, staged, protocol=StageProtocol),
            lambda: announce(self._ready()),
        )

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End, and let nobody wait for what will not come."""
        self.stage.records.end()
        await asyncio.gather(*self._opening)  # what is still to be opened has to be closed too
        await super().shutdown(sockets)

    def _ready(self) -> dict[str, Any]:
        # Plain HTTP, and on this machine alone: whoever steers the stage trusts no certificate.
        self._add(self._control, secure=False)
        line = ready_line(self.stage.provider)
        line["ready"]["other"] = self.stage.hosts.get("other")
        return line

    def _open(self, provider: Provider) -> tuple[str, int]:
        """Open one more port while the server runs; return its URL and number."""
        listener, url, port = self._listen_beside(provider)
        listener.listen(_BACKLOG)
        self._add(listener, secure=True)
        return url, port

    def _listen_beside(self, provider: Provider) -> tuple[socket.socket, str, int]:
        host = urlsplit(provider.base).hostname or "127.0.0.1"
        name = _OTHER_NAMES.get(host, host)
        listener = listen(name, 0)
        port = listener.getsockname()[1]
        return listener, site_url(name, port, provider.config.scheme), port

    def _add(self, listener: socket.socket, *, secure: bool) -> None:
        """Let the server accept connections of a socket; those that came before wait in it."""
        config = self.config

        def protocol() -> asyncio.Protocol:
            return StageProtocol(
                config=config, server_state=self.server_state, app_state=self.lifespan.state
            )

        async def begin() -> None:
            loop, context = asyncio.get_running_loop(), config.ssl if secure else None
            self.servers.append(await loop.create_server(protocol, sock=listener, ssl=context))

        task = asyncio.get_running_loop().create_task(begin())
        self._opening.add(task)
        task.add_done_callback(self._opening.discard)
