"""A personal agent under test: the stage that it acts on, and the built-in agent, if it is that.

The built-in agent runs where the run is controlled, and is reached over HTTP like any other, so
every process of a run can drive it. Its waits move the clocks of the stage, and last no time.
"""

from collections.abc import Iterable
from contextlib import ExitStack, suppress
from pathlib import Path
from types import TracebackType
from typing import Self

from pact_conformance.counterpart.personal_agent.adapter import Adapter, changes_of
from pact_conformance.counterpart.personal_agent.configuration import PersonalAgentConfig
from pact_conformance.counterpart.personal_agent.timing import VirtualTime
from pact_conformance.counterpart.provider import serving
from pact_conformance.journal.mask import Mask
from pact_conformance.session.launching import Launch
from pact_conformance.session.staging import CA_FILE, Registered, Staging
from pact_conformance.settings import Settings
from pact_conformance.subject.stage import Stage
from pact_conformance.subject.stage_address import MADE, StageAddress
from pact_conformance.verdicts import Inconclusive


class Acting:
    """A running stage with the agent that is registered there; a context manager.

    Args:
        settings: of the run.
        folder: of the report.
        launch: starts the process of the stage.

    Raises:
        OSError: an address is not to be had, or a file cannot be written.
        RuntimeError: the stage did not come up.
        KeyError: there is no flaw or variant of the built-in agent that has such a name.
    """

    def __init__(self, settings: Settings, folder: Path, launch: Launch = serving.start) -> None:
        self._settings = settings
        self._folder = folder
        self._launch = launch
        self._stack = ExitStack()
        self._mover: Stage | None = None

    def __enter__(self) -> Self:
        try:
            self._start()
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

    @property
    def address(self) -> StageAddress:
        """Where the stage is."""
        return self.staging.address

    def supplied(self, settings: Settings) -> Settings:
        """Return settings that say where the agent is, if it is the built-in one."""
        return settings if self._url is None else settings.model_copy(update={"agent": self._url})

    def _start(self) -> None:
        settings = self._settings
        self._url: str | None = None
        agent: Adapter | None = None
        if settings.agent_embedded:
            agent = self._built_in(settings.agent_flaws, settings.agent_variants)
            self._url = agent.base
            registered = Registered(agent.issuer, agent.jwks_uri)
        else:
            registered = Registered(str(settings.agent_issuer), str(settings.agent_jwks))
        staging = Staging(settings, registered, self._folder, self._launch)
        self.staging = self._stack.enter_context(staging)
        if agent is not None:
            agent.open()

    def _built_in(self, flaws: Iterable[str], variants: Iterable[str]) -> Adapter:
        ca_file = self._folder / CA_FILE if self._settings.mock_tls == MADE else None
        adapter = Adapter(
            PersonalAgentConfig(ca_file=ca_file),
            time=VirtualTime(self.move),
            changes=changes_of(flaws, variants),
            speaks_http=True,
        )
        self._stack.callback(adapter.close)
        return adapter

    def move(self, interface: str, seconds: float) -> None:
        """Move the clock of the Brand that the agent waits for."""
        if self._mover is None:
            self._mover = Stage(self.staging.address, Mask())
            self._stack.callback(self._mover.close)
        # What a hostile card names may be no Brand of the stage: it has no clock. Nor has a stage
        # that is closed while the agent still waits: the checks tell of one that is lost.
        with suppress(ValueError, Inconclusive):
            self._mover.call("advance_clock", interface=interface, seconds=seconds)
