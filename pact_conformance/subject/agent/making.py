"""Makes the agent under test that the settings name."""

from pathlib import Path

from pact_conformance.journal.client import RecordingClient
from pact_conformance.journal.mask import Mask
from pact_conformance.settings import Settings
from pact_conformance.subject.agent.agent import AgentUnderTest
from pact_conformance.subject.agent.command import CommandWay
from pact_conformance.subject.agent.importing import Unimportable, made
from pact_conformance.subject.agent.in_python import PythonWay
from pact_conformance.subject.agent.log import Log
from pact_conformance.subject.agent.manual import ManualWay
from pact_conformance.subject.agent.over_http import HttpWay
from pact_conformance.subject.agent.results import Broke
from pact_conformance.subject.agent.way import Way
from pact_conformance.subject.approver.manual import Person
from pact_conformance.verdicts import Untested

HOW = "set E2E_AGENT to mock, python:MODULE:FACTORY, cmd:…, http(s)://… or manual"


def agent_of(
    settings: Settings,
    client: RecordingClient,
    mask: Mask,
    *,
    folder: Path | None = None,
    built_in: object = None,
    person: Person | None = None,
) -> AgentUnderTest:
    """Return the agent under test; nothing is started or sent before its first call.

    Args:
        settings: of the tester.
        client: sends what goes over HTTP.
        mask: takes secrets out of what the agent says.
        folder: of the report, for what the agent logs; None keeps none.
        built_in: the adapter object of the built-in agent, for `mock`; it is not closed.
        person: who is at the terminal, for `manual`.

    Raises:
        Untested: the settings name none, or a person and there is none.
        Broke: it is an object that cannot be imported or made.
    """
    way = _way(settings, client, Log(folder, mask), built_in, person)
    return AgentUnderTest(way, mask, seconds=settings.deadline)


def _way(
    settings: Settings,
    client: RecordingClient,
    log: Log,
    built_in: object,
    person: Person | None,
) -> Way:
    how = "mock" if settings.agent is None and built_in is not None else settings.agent or ""
    match how.partition(":")[0]:
        case "mock" if built_in is not None:
            return PythonWay(built_in, log, name="mock", owned=False)
        case "python":
            try:
                return PythonWay(made(how), log)
            except Unimportable as error:
                raise Broke(f"E2E_AGENT: {error}", do="correct it", crashed=True) from error
        case "cmd":
            return CommandWay(how, log)
        case "http" | "https":
            return HttpWay(how, client)
        case "manual" if person is not None:
            return ManualWay(person)
        case "manual":
            raise Untested("nobody is at the terminal to use the agent", do="run at a terminal")
        case _:
            raise Untested("no personal agent is given", do=HOW)
