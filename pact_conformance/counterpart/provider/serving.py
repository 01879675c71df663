"""Runs the mock Provider: in this process (`serve`) or in one of its own (`start`)."""

import contextlib
import json
import selectors
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Self

import uvicorn

from pact_conformance.counterpart.provider.application import Application
from pact_conformance.counterpart.provider.configuration import ProviderConfig, split_address
from pact_conformance.counterpart.provider.domain import Domain
from pact_conformance.counterpart.provider.provider import Provider

if TYPE_CHECKING:
    from starlette.types import ASGIApp

UNKNOWN_BRAND = "01JD4M7Q2ZUNKNOWNBRAND0000"
"""A brandId of the right form that no Brand has."""

Announce = Callable[[Mapping[str, Any]], None]


def assemble(
    config: ProviderConfig, base: str, *, flaws: Iterable[str] = (), variants: Iterable[str] = ()
) -> Provider:
    """Return the Provider, with the named variants and flaws substituted in it.

    Raises:
        KeyError: there is no flaw or variant of such a name.
    """
    provider = Provider(config, base)
    for name in variants:
        from pact_conformance.counterpart import variants as legal  # noqa: PLC0415 - not all do

        legal.named(name).apply(provider)
    for name in flaws:
        from pact_conformance.counterpart import flaws as deviations  # noqa: PLC0415 - likewise

        deviations.named(name).apply(provider)
    return provider


def ready_line(provider: Provider) -> dict[str, Any]:
    """Return what is announced when connections are accepted."""
    brands = [
        {
            "id": brand,
            "card": provider.card_url(brand),
            "interface": provider.interface(brand),
            "domain": provider.domains.url(brand),
        }
        for brand in provider.brands
    ]
    return {
        "ready": {
            "base": provider.base,
            "brands": brands,
            "unknown_card": provider.card_url(UNKNOWN_BRAND),
            "control": provider.control_url,
        }
    }


def serve(
    config: ProviderConfig,
    *,
    log: bool,
    announce: Announce,
    flaws: Iterable[str] = (),
    variants: Iterable[str] = (),
    stdin: IO[str] | None = None,
) -> None:
    """Serve until SIGTERM or SIGINT, or until `stdin` is given and closes.

    `announce` gets the ready line as soon as connections are accepted.
    """
    config = deployed(config, variants)
    listener = listen(*config.address)
    base = config.public_url or _address(config, listener) + config.root_path
    provider = assemble(config, base, flaws=flaws, variants=variants)
    listeners = [listener, *_listen_as_brands(provider)]
    application = Application(provider, log=log)
    if config.stage:
        from pact_conformance.counterpart.provider.stage.serving import (  # noqa: PLC0415 - few do
            StageServer,
        )

        server: Server = StageServer(provider, application, listeners, announce)
    else:
        served, ca = _server_config(config, application)
        line = ready_line(provider)
        line["ready"] |= {} if ca is None else {"ca": ca}
        server = Server(served, lambda: announce(line))
    if stdin is not None:
        threading.Thread(target=_stop_at_end, args=(stdin, server), daemon=True).start()
    with contextlib.ExitStack() as stack:
        for socket_ in listeners:
            stack.enter_context(socket_)
        server.run(sockets=listeners)


def deployed(config: ProviderConfig, variants: Iterable[str]) -> ProviderConfig:
    """Return the configuration as the named variants change it.

    Raises:
        KeyError: there is no variant of such a name.
    """
    from pact_conformance.counterpart import variants as all_variants  # noqa: PLC0415 - as above

    for name in variants:
        deploy = all_variants.named(name).deploy
        config = config if deploy is None else deploy(config)
    return config


def _server_config(
    config: ProviderConfig, application: "ASGIApp"
) -> tuple[uvicorn.Config, str | None]:
    """Return how uvicorn serves, and the certificate in PEM of a CA that was made for it."""
    if not config.tls_made:
        return server_config(config, application), None
    from pact_conformance.counterpart.certificates import make_certificate  # noqa: PLC0415 - few do

    made = make_certificate([config.address[0]])
    with tempfile.TemporaryDirectory() as folder:
        chain, key = Path(folder, "chain.pem"), Path(folder, "key.pem")
        chain.write_bytes(made.chain)
        key.write_bytes(made.key)
        files = replace(config, tls_certificate=str(chain), tls_key=str(key))
        served = server_config(files, application)
        served.load()
    return served, made.ca.decode()


def server_config(
    config: ProviderConfig,
    application: "ASGIApp",
    *,
    protocol: Any = "h11",  # noqa: ANN401 - uvicorn's
) -> uvicorn.Config:
    """Return how uvicorn serves: quietly, dated by the Provider's clock, ending soon."""
    return uvicorn.Config(
        application,
        access_log=False,
        date_header=False,
        server_header=False,
        http=protocol,
        lifespan="on",
        log_level="error",
        loop="asyncio",
        ssl_certfile=config.tls_certificate,
        ssl_keyfile=config.tls_key,
        timeout_graceful_shutdown=1,
        timeout_keep_alive=75,
        ws="none",
    )


def _listen_as_brands(provider: Provider) -> Iterator[socket.socket]:
    """Open the sites of the Brands (§2.1), and let the Provider know of them."""
    for brand in provider.brands.values():
        if brand.domain_listen is None:
            continue
        host, port = split_address(brand.domain_listen)
        listener = listen(host, port)
        port = listener.getsockname()[1]
        url = brand.domain_url or site_url(host, port, provider.config.scheme)
        provider.domains.add(brand.id, Domain(url, port))
        yield listener


def listen(host: str, port: int) -> socket.socket:
    """Return a socket bound to an address; port 0 lets the system choose."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # asyncio switches Nagle's algorithm off only where it is told that this is TCP.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
    except OSError:
        listener.close()
        raise
    return listener


def _address(config: ProviderConfig, listener: socket.socket) -> str:
    host, port = listener.getsockname()[:2]
    # On a stage hosts are named as they were given: a certificate is for names.
    return site_url(config.address[0] if config.stage else host, port, config.scheme)


def site_url(host: str, port: int, scheme: str) -> str:
    """Return the URL of a host and port, without a path."""
    return f"{scheme}://[{host}]:{port}" if ":" in host else f"{scheme}://{host}:{port}"


def _stop_at_end(stdin: IO[str], server: uvicorn.Server) -> None:
    while stdin.read(1024):
        pass
    server.should_exit = True


class Server(uvicorn.Server):
    """uvicorn's server, saying when it has started and ending with exit code 0 on a signal."""

    def __init__(self, config: uvicorn.Config, started: Callable[[], None]) -> None:
        super().__init__(config)
        self._announce = started

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, and say so."""
        await super().startup(sockets)
        if self.started:
            self._announce()

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """End on a signal, but do not raise it again afterwards, as uvicorn would."""
        with super().capture_signals():
            yield
            self._captured_signals.clear()


@dataclass(frozen=True)
class RunningBrand:
    """A Brand of a running Provider."""

    id: str
    card: str
    interface: str
    domain: str | None = None
    """The Brand's own site, without a path; the standard place of its card is there."""


class RunningProvider:
    """A mock Provider in a process of its own; leaving the context stops it."""

    def __init__(self, process: "subprocess.Popen[str]", ready: Mapping[str, Any]) -> None:
        self._process = process
        self.base: str = ready["base"]
        self.brands = tuple(RunningBrand(**brand) for brand in ready["brands"])
        self.unknown_card: str = ready["unknown_card"]
        self.control: str = ready["control"]
        self.ca: str | None = ready.get("ca")
        """The certificate, in PEM, of the CA that was made for it."""
        self.other: str | None = ready.get("other")
        """The URL of the second host of a stage."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    @property
    def brand_domain(self) -> str | None:
        """The own site of the first Brand."""
        return self.brands[0].domain

    @property
    def pid(self) -> int:
        """The process id."""
        return self._process.pid

    def stop(self) -> None:
        """Stop the process, at the latest after a few seconds."""
        _end(self._process)


def start(
    config: ProviderConfig,
    flaws: Iterable[str] = (),
    variants: Iterable[str] = (),
    *,
    log: bool = False,
    patience: float = 15.0,
) -> RunningProvider:
    """Start a mock Provider in a process of its own and wait until it accepts connections.

    The process ends with ours, however ours ends: its stdin is our pipe.

    Raises:
        RuntimeError: it did not come up; what it said is on stderr.
    """
    # -P: nothing in the working folder takes the place of a module.
    command = [sys.executable, "-P", "-m", "pact_conformance.counterpart.provider"]
    command += ["--config", "-", "--exit-with-stdin"]
    command += [word for name in flaws for word in ("--flaw", name)]
    command += [word for name in variants for word in ("--variant", name)]
    command += ["--log"] if log else []
    process = subprocess.Popen(  # noqa: S603 - our own module, with names that it checks
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
    )
    try:
        assert process.stdin is not None
        process.stdin.write(config.to_json() + "\n")
        process.stdin.flush()
        ready = json.loads(_first_line(process, patience))["ready"]
    except (OSError, ValueError, KeyError) as error:
        _end(process)
        raise RuntimeError(
            f"the mock Provider did not start (exit code {process.returncode})"
        ) from error
    except BaseException:
        _end(process)
        raise
    return RunningProvider(process, ready)


def _first_line(process: "subprocess.Popen[str]", patience: float) -> str:
    assert process.stdout is not None
    with selectors.DefaultSelector() as selector:
        selector.register(process.stdout, selectors.EVENT_READ)
        if not selector.select(patience):
            raise OSError(f"nothing was announced within {patience} s")
    # The line is written at once, so what is readable is the whole of it.
    return process.stdout.readline()


def _end(process: "subprocess.Popen[str]") -> None:
    process.terminate()
    try:
        process.wait(5)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    for stream in (process.stdin, process.stdout):
        if stream is not None:
            with contextlib.suppress(OSError):
                stream.close()
