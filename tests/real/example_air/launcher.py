"""Serve Example Air as it is; run by the interpreter of `environment.py`, never imported by a test.

One JSON line comes in on standard input: `{"agents": [{"issuer", "jwks"}…], "audience"?}`.
One goes out on standard output once connections are taken: `{"card", "interface", "audience",
"base"}`. The server ends when standard input closes, so it cannot outlive whoever started it.
"""

import json
import socket
import sys
import threading
from typing import Any

import uvicorn
from agent_runtimes.protocols.pact.provider import (  # type: ignore[import-not-found]
    ExampleAir,
)

AUDIENCE = "https://provider.example/a2a"  # what the subject itself assigns when not told


def application(brand: Any) -> Any:  # noqa: ANN401  # the subject's types are not ours
    """What is served: the subject's own routes, and nothing around them.

    A control route for tests (who approves a login) is to be mounted beside the subject's
    application, on a path that the subject does not have.
    """
    return brand.app()


def made(settings: dict[str, Any], base: str) -> Any:  # noqa: ANN401  # likewise
    """The Brand at `base`, with its personal agents registered (PACT §3.1)."""
    brand = ExampleAir(base=base, audience=settings.get("audience") or AUDIENCE)
    for agent in settings["agents"]:
        brand.register(agent["issuer"], agent["jwks"])
    return brand


def end_with_input(server: uvicorn.Server) -> None:
    """Let the server end once standard input is closed."""
    sys.stdin.read()
    server.should_exit = True


def main() -> None:
    """Bind first, because the card names the URL under which it is served."""
    settings = json.loads(sys.stdin.readline())
    with socket.create_server(("127.0.0.1", 0)) as listening:
        base = f"http://127.0.0.1:{listening.getsockname()[1]}"
        brand = made(settings, base)
        server = uvicorn.Server(
            uvicorn.Config(
                application(brand),
                access_log=False,  # it would go to standard output
                log_level="error",
                timeout_graceful_shutdown=1,
            )
        )
        threading.Thread(target=end_with_input, args=(server,), daemon=True).start()
        ready = {
            "card": f"{brand.interface_url}/.well-known/agent-card.json",
            "interface": brand.interface_url,
            "audience": brand.audience,
            "base": base,
        }
        sys.stdout.write(json.dumps(ready) + "\n")
        sys.stdout.flush()
        server.run(sockets=[listening])


if __name__ == "__main__":
    main()
