"""HTTP/1.1 as uvicorn speaks it, with a way for an application to end a connection."""

from typing import TYPE_CHECKING, Any

from uvicorn.protocols.http.h11_impl import H11Protocol

from pact_conformance.counterpart.provider.stage.application import HANG_UP

if TYPE_CHECKING:
    from starlette.types import Receive, Scope, Send


class StageProtocol(H11Protocol):
    """Offers the extension `HANG_UP` in the scope: a function that closes the connection."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:  # noqa: ANN401 - uvicorn's own
        super().__init__(*args, **kwargs)
        application: Any = self.app

        async def with_hang_up(scope: "Scope", receive: "Receive", send: "Send") -> None:
            extensions = {**scope.get("extensions", {}), HANG_UP: self.transport.close}
            await application({**scope, "extensions": extensions}, receive, send)

        self.app = with_hang_up
