"""The stage of a run: the mock Provider in a process of its own, for the agent under test to meet.

The controller starts it, and all processes of the run reach it by its address.
"""

from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from types import TracebackType
from typing import Self
from urllib.parse import urlsplit

import pytest

from pact_conformance.counterpart.certificates import make_certificate
from pact_conformance.counterpart.provider import serving
from pact_conformance.counterpart.provider.configuration import (
    AgentConfig,
    ProviderConfig,
    split_address,
)
from pact_conformance.session import embedded
from pact_conformance.session.launching import Launch
from pact_conformance.settings import Settings
from pact_conformance.subject.stage_address import MADE, StageAddress, certificate_files

AUDIENCE = "Stage!Of.This_Run;No-URL@All~(7F3c)"
"""Capitals, punctuation, and no likeness to a URL: it has to come back as it is (§3.1, §3.2)."""

CA_FILE = "mock-provider-ca.pem"
"""The file beside the report that an agent has to trust, where the certificate is made."""


@dataclass(frozen=True)
class Registered:
    """The personal agent under test, as the stage knows it (§3.1)."""

    issuer: str
    jwks: str


class Staging:
    """A running stage; a context manager.

    Args:
        settings: where to listen, and how it is reached.
        agent: the agent under test.
        folder: of the report, for the CA's certificate.
        launch: starts its process.

    Raises:
        pytest.UsageError: it cannot be listened there.
        OSError: the file of the CA cannot be written.
        RuntimeError: the process did not come up.
    """

    def __init__(
        self,
        settings: Settings,
        agent: Registered,
        folder: Path,
        launch: Launch = serving.start,
    ) -> None:
        self._settings = settings
        self._agent = agent
        self._folder = folder
        self._launch = launch
        self._stack = ExitStack()

    def __enter__(self) -> Self:
        try:
            self.address = self._start()
        except BaseException:
            self._stack.close()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._stack.close()

    def _start(self) -> StageAddress:
        settings = self._settings
        self._see_that_it_is_free()
        with TemporaryDirectory() as name:  # a key lies there until the process has read it
            certificate, key, ca_file = self._certificate(Path(name))
            config = ProviderConfig(
                stage=True,
                brands=(),
                agents=(AgentConfig(issuer=self._agent.issuer, jwks_uri=self._agent.jwks),),
                audience=AUDIENCE,
                listen=settings.mock_listen or "127.0.0.1:0",
                public_url=None if settings.mock_url is None else settings.mock_url.rstrip("/"),
                tls_certificate=certificate,
                tls_key=key,
                ca_file=None if settings.ca_file is None else str(settings.ca_file),
                jwks_max_age=embedded.CACHE_SECONDS,
                # An agent may rotate its keys right after a request for which they were fetched.
                jwks_refetch_interval=0.0,
            )
            running = self._stack.enter_context(self._launch(config))
        return StageAddress(
            control=running.control,
            base=running.base,
            audience=AUDIENCE,
            issuer=self._agent.issuer,
            jwks=self._agent.jwks,
            other=running.other,
            ca_file=ca_file,
        )

    def _see_that_it_is_free(self) -> None:
        listen = self._settings.mock_listen
        if listen is None:
            return
        try:
            serving.listen(*split_address(listen)).close()
        except OSError as error:
            reason = error.strerror or error
            raise pytest.UsageError(
                f"E2E_MOCK_LISTEN: cannot listen on {listen}: {reason}"
            ) from None

    def _certificate(self, folder: Path) -> tuple[str | None, str | None, str | None]:
        """Return the files of the certificate and its key, and of the CA that was made for it."""
        tls = self._settings.mock_tls
        if tls is None:
            return None, None, None
        if tls != MADE:
            certificate, key = certificate_files(tls)
            return str(certificate), str(key), None
        made = make_certificate(self._hosts())
        (folder / "certificate.pem").write_bytes(made.chain)
        (folder / "key.pem").write_bytes(made.key)
        ca_file = self._folder / CA_FILE
        ca_file.write_bytes(made.ca)
        return str(folder / "certificate.pem"), str(folder / "key.pem"), str(ca_file)

    def _hosts(self) -> list[str]:
        listen, url = self._settings.mock_listen, self._settings.mock_url
        hosts = [] if listen is None else [listen.rpartition(":")[0].strip("[]")]
        return hosts if url is None else [*hosts, urlsplit(url).hostname or ""]
