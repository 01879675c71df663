"""Agents that get §2.2 wrong: where messages go, and what else a Provider has to serve."""

from urllib.parse import urlsplit, urlunsplit

from pact_conformance.counterpart.flaws.agent_requests import (
    ENDLESS,
    ask,
    before_each_turn,
    below,
    read_as_reply,
)
from pact_conformance.counterpart.flaws.registry import agent_flaw
from pact_conformance.counterpart.personal_agent.answers import Failed, Outcome
from pact_conformance.counterpart.personal_agent.failure import Failure
from pact_conformance.counterpart.personal_agent.messages import Draft
from pact_conformance.counterpart.personal_agent.personal_agent import PersonalAgent
from pact_conformance.counterpart.personal_agent.transport import Answer
from pact_conformance.counterpart.personal_agent.turns import Turn


@agent_flaw("2.2-agent-send-url", "2.2-agent-url-query")
def doubles_the_slash(agent: PersonalAgent) -> None:
    """`/message:send` is put behind an interface URL that ends with a slash."""
    agent.send_url = lambda interface: f"{interface}/message:send"


@agent_flaw("2.2-agent-send-url", "2.2-agent-url-query")
def escapes_the_colon(agent: PersonalAgent) -> None:
    """The colon of `message:send` is percent-encoded."""
    send_url = agent.send_url
    agent.send_url = lambda interface: send_url(interface).replace("message:", "message%3A")


@agent_flaw("2.2-agent-send-url")
def keeps_two_segments_of_the_path(agent: PersonalAgent) -> None:
    """Of an interface's path only the last two segments are kept, a prefix and a Brand's id."""
    send_url = agent.send_url

    def cut(interface: str) -> str:
        parts = urlsplit(interface)
        kept = [it for it in parts.path.split("/") if it][-2:]
        end = "/" if parts.path.endswith("/") else ""
        return send_url(urlunsplit(parts._replace(path="/" + "/".join(kept) + end)))

    agent.send_url = cut


@agent_flaw("2.2-agent-url-query")
def puts_the_path_behind_the_query(agent: PersonalAgent) -> None:
    """`/message:send` is put behind the whole interface URL, its query included."""
    send_url = agent.send_url
    agent.send_url = lambda interface: (
        f"{interface}/message:send" if "?" in interface else send_url(interface)
    )


@agent_flaw("2.2-agent-url-query")
def drops_the_query_of_an_interface(agent: PersonalAgent) -> None:
    """The path is joined to the interface URL, which loses its query."""
    send_url = agent.send_url
    agent.send_url = lambda interface: send_url(interface).partition("?")[0]


@agent_flaw("2.2-agent-only-send", "2.2-agent-url-query")
def looks_up_tasks_before_each_turn(agent: PersonalAgent) -> None:
    """Tasks are listed before each turn, which ends where that fails."""

    def look(turn: Turn) -> None:
        found = ask(agent, turn.relation, "GET", below(turn.relation, "tasks"))
        if found is None or found.status != 200:
            raise Failure("the tasks at the Brand could not be looked up")

    before_each_turn(agent, look)


@agent_flaw("2.2-agent-only-send", "2.2-agent-url-query")
def wants_to_know_of_the_extended_card(agent: PersonalAgent) -> None:
    """The extended card is asked for before each turn; where nothing is there, the turn ends."""

    def look(turn: Turn) -> None:
        found = ask(agent, turn.relation, "GET", below(turn.relation, "extendedAgentCard"))
        if found is None or found.status == 404:
            raise Failure("the extended card is not there")

    before_each_turn(agent, look)


@agent_flaw("2.2-agent-unknown-brand")
def shows_a_404_as_the_reply(agent: PersonalAgent) -> None:
    """The body of a 404 is shown as what the Brand has said."""
    read_as_reply(
        agent, lambda answer: answer.body.decode(errors="replace") if _is_404(answer) else None
    )


@agent_flaw("2.2-agent-unknown-brand")
def takes_a_404_for_a_brand_that_wakes_up(agent: PersonalAgent) -> None:
    """A 404 is taken for a Brand that wakes up, and the message is sent on and on."""
    deliver = agent.deliver

    def again(agent: PersonalAgent, draft: Draft) -> Outcome:
        outcome = deliver(agent, draft)
        for _ in range(ENDLESS):
            if not (isinstance(outcome, Failed) and outcome.why.endswith("404")):
                break
            outcome = deliver(agent, draft)
        return outcome

    agent.deliver = again


def _is_404(answer: Answer) -> bool:
    return answer.status == 404 and b'"error"' not in answer.body
