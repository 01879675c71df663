"""What must hold of a personal agent before a check means anything: that it does what it is told.

Where it does not answer, or nothing of what it does arrives, there is one finding with what to do,
and everything for which it would be asked is untested and points there.
"""

from collections.abc import Callable

from pact_conformance.journal.unanswered import NoAnswer
from pact_conformance.subject.agent.agent import AgentUnderTest
from pact_conformance.subject.agent.results import GaveUp, Result, User
from pact_conformance.subject.findings import Finding, how_to_reach
from pact_conformance.subject.stage import Stage
from pact_conformance.verdicts import Unsettled

REQUIREMENT = "2-agent-http-json"
EXPECTED = "an agent that finds a Brand and sends it what a User says"

REACHING = (
    "look at the agent's log, and set E2E_MOCK_LISTEN and E2E_MOCK_URL where it is not on this "
    "machine, so that it reaches the mock Provider; pact-conformance doctor tries it"
)

USER = User("preflight", "Robin Poe", "robin@example.com")
SENTENCE = "What are your opening hours?"


def run(agent: AgentUnderTest, stage: Stage, fetch: Callable[[str], object]) -> Finding | None:
    """Have the agent find a Brand, and say something only if it asked for nothing meanwhile.

    Whatever arrives, wherever it was sent, is enough: checks say what is wrong with it. Then its
    keys are fetched, for without them the mock Provider would refuse all that it sends; whatever
    answer comes there is for checks too.

    Args:
        agent: under test.
        stage: on which it acts.
        fetch: gets what is at a URL, and raises `NoAnswer` where nobody answers.
    """
    try:
        before = len(stage.everything())
        scene = stage.open(delegates=False)
        told: str | Result = agent.connect(scene.card, scene.audience)
        if isinstance(told, str) and len(stage.everything()) == before:
            told = agent.say(told, USER, SENTENCE)
        if len(stage.everything()) > before:
            return _keys_out_of_reach(stage.address.jwks, fetch)
    except Unsettled as error:
        return _finding("agent-does-not-answer", error.reason, error.do)
    if isinstance(told, GaveUp):
        return _finding("agent-gives-up", f"the agent gave up: {told.reason}", REACHING)
    do = f"let the adapter have the agent itself do what it is asked for; {REACHING}"
    return _finding("agent-sends-nothing", "no request, and a reply all the same", do)


def _keys_out_of_reach(url: str, fetch: Callable[[str], object]) -> Finding | None:
    try:
        fetch(url)
    except NoAnswer as error:
        return Finding(
            "agent-keys-unreachable",
            "inconclusive",
            "3.1-agent-jwks",
            f"the agent's JWK Set at {url}, without which no token of it can be verified",
            str(error),
            f"{how_to_reach(error.failure, 'E2E_AGENT_JWKS', 'what serves the keys')}; the keys "
            "are fetched from this machine",
            "agent",
            (error.exchange_id,),
        )
    return None


def _finding(name: str, got: str, do: str) -> Finding:
    return Finding(name, "inconclusive", REQUIREMENT, EXPECTED, " ".join(got.split()), do, "agent")
