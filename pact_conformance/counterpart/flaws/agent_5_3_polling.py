"""Agents that get the polling of §5.3 wrong, and what they take for granted."""

from collections import Counter

from pact_conformance.counterpart.flaws.agent_requests import ENDLESS
from pact_conformance.counterpart.flaws.registry import agent_flaw
from pact_conformance.counterpart.personal_agent.delegation.device_flow import PollReaction
from pact_conformance.counterpart.personal_agent.delegation.oauth import OAuthError
from pact_conformance.counterpart.personal_agent.failure import Failure
from pact_conformance.counterpart.personal_agent.personal_agent import PersonalAgent
from pact_conformance.counterpart.personal_agent.results import NeedsSignIn
from pact_conformance.counterpart.personal_agent.store import Relation, SignIn
from pact_conformance.counterpart.personal_agent.turns import Said


@agent_flaw("5.3-agent-interval", "5.3-agent-slow-down")
def polls_each_second(agent: PersonalAgent) -> None:
    """It polls each second, whatever the Brand says."""
    wait_to_poll = agent.delegation.wait_to_poll

    def wait(agent: PersonalAgent, relation: Relation, sign_in: SignIn) -> None:
        sign_in.next_poll = agent.now(relation) + 1.0
        wait_to_poll(agent, relation, sign_in)

    agent.delegation.wait_to_poll = wait


@agent_flaw("5.3-agent-interval")
def polls_each_second_where_no_interval_is_given(agent: PersonalAgent) -> None:
    """Without an interval it polls each second."""
    interval = agent.delegation.interval
    agent.delegation.interval = lambda answer: (
        interval(answer) if isinstance(answer, dict) and answer.get("interval") else 1.0
    )


@agent_flaw("5.3-agent-interval")
def waits_once_and_then_hurries(agent: PersonalAgent) -> None:
    """Only the first two polls keep to the interval; the others come a second apart."""
    wait_to_poll = agent.delegation.wait_to_poll
    polls: Counter[str] = Counter()

    def wait(agent: PersonalAgent, relation: Relation, sign_in: SignIn) -> None:
        polls[sign_in.device_code] += 1
        if polls[sign_in.device_code] > 2 and sign_in.interval < 5.5:
            sign_in.next_poll = agent.now(relation) + 1.0
        wait_to_poll(agent, relation, sign_in)

    agent.delegation.wait_to_poll = wait


@agent_flaw("5.3-agent-slow-down")
def takes_slow_down_for_the_end(agent: PersonalAgent) -> None:
    """`slow_down` ends the flow."""
    agent.delegation.poll_reactions["slow_down"] = _end("slow_down")


@agent_flaw("5.3-agent-slow-down")
def slows_down_once(agent: PersonalAgent) -> None:
    """After `slow_down` only the next poll comes later."""
    slow_down = agent.delegation.poll_reactions["slow_down"]
    wait_to_poll = agent.delegation.wait_to_poll
    usual: dict[str, float] = {}

    def slower(agent: PersonalAgent, relation: Relation, sign_in: SignIn) -> None:
        usual[sign_in.device_code] = sign_in.interval
        slow_down(agent, relation, sign_in)

    def wait(agent: PersonalAgent, relation: Relation, sign_in: SignIn) -> None:
        wait_to_poll(agent, relation, sign_in)
        sign_in.interval = usual.pop(sign_in.device_code, sign_in.interval)

    agent.delegation.poll_reactions["slow_down"] = slower
    agent.delegation.wait_to_poll = wait


@agent_flaw("5.3-agent-slow-down")
def does_not_slow_down(agent: PersonalAgent) -> None:
    """`slow_down` is taken for `authorization_pending`."""
    reactions = agent.delegation.poll_reactions
    reactions["slow_down"] = reactions["authorization_pending"]


@agent_flaw("5.3-agent-pending")
def takes_pending_for_the_end(agent: PersonalAgent) -> None:
    """`authorization_pending` ends the flow, for it comes with 400."""
    agent.delegation.poll_reactions["authorization_pending"] = _end("authorization_pending")


@agent_flaw("5.3-agent-pending")
def polls_twice(agent: PersonalAgent) -> None:
    """After two polls without a decision the flow is given up."""
    polls: Counter[str] = Counter()

    def pending(_agent: PersonalAgent, _relation: Relation, sign_in: SignIn) -> None:
        polls[sign_in.device_code] += 1
        if polls[sign_in.device_code] >= 2:
            raise Failure("nobody has signed in")

    agent.delegation.poll_reactions["authorization_pending"] = pending


@agent_flaw("5.3-agent-denied")
def asks_again_whoever_has_refused(agent: PersonalAgent) -> None:
    """After `access_denied` a new flow begins at once, and the User gets another link."""
    go_on = agent.delegation.go_on

    def again(agent: PersonalAgent, relation: Relation, sign_in: SignIn) -> Said:
        try:
            return go_on(agent, relation, sign_in)
        except Failure as failure:
            if "access_denied" not in failure.reason or sign_in.waiting is None:
                raise
            fresh = agent.delegation.begin(agent, relation, sign_in.scopes)
            fresh.waiting = sign_in.waiting
            agent.store.sign_ins[relation.key] = fresh
            return NeedsSignIn(fresh.link, fresh.scopes, fresh.waiting.conversation.handle)

    agent.delegation.go_on = again


@agent_flaw("5.3-agent-denied")
def polls_on_after_a_refusal(agent: PersonalAgent) -> None:
    """After `access_denied` it polls three times more."""
    polls: Counter[str] = Counter()
    denied = agent.delegation.poll_reactions["access_denied"]

    def on(agent: PersonalAgent, relation: Relation, sign_in: SignIn) -> None:
        polls[sign_in.device_code] += 1
        if polls[sign_in.device_code] > 3:
            denied(agent, relation, sign_in)

    agent.delegation.poll_reactions["access_denied"] = on


@agent_flaw("5.3-agent-expired")
def polls_for_ever(agent: PersonalAgent) -> None:
    """A code is polled on and on after its end, whatever the Brand says."""
    left: Counter[str] = Counter()
    lifetime = agent.delegation.code_lifetime

    def on(_agent: PersonalAgent, _relation: Relation, sign_in: SignIn) -> None:
        left[sign_in.device_code] += 1
        if left[sign_in.device_code] > ENDLESS:
            raise Failure("nobody has signed in")

    agent.delegation.code_lifetime = lambda *about: lifetime(*about) + 86400
    agent.delegation.poll_reactions["expired_token"] = on


@agent_flaw("5.3-agent-other-error")
def polls_on_after_any_error(agent: PersonalAgent) -> None:
    """An error that it does not know is taken for `authorization_pending`."""
    react, polls = agent.delegation.react_to_poll, Counter[str]()

    def on(agent: PersonalAgent, relation: Relation, sign_in: SignIn, code: str) -> None:
        polls[sign_in.device_code] += 1
        if code in agent.delegation.poll_reactions or polls[sign_in.device_code] > ENDLESS:
            react(agent, relation, sign_in, code)

    agent.delegation.react_to_poll = on


@agent_flaw("5.3-agent-reads-scope")
def takes_what_it_asked_for_as_granted(agent: PersonalAgent) -> None:
    """The requested scopes are stored with the token."""
    agent.delegation.granted_scopes = lambda *about: about[1]


@agent_flaw("5.3-agent-reads-scope")
def takes_everything_for_granted_after_a_sign_in(agent: PersonalAgent) -> None:
    """Whoever has signed in is taken to have granted every scope of the card."""
    granted = agent.delegation.granted

    def everything(agent: PersonalAgent, relation: Relation) -> tuple[str, ...]:
        held = granted(agent, relation)
        return held and tuple(agent.delegation.descriptions(agent, relation))

    agent.delegation.granted = everything


def _end(code: str) -> PollReaction:
    def end(_agent: PersonalAgent, _relation: Relation, _sign_in: SignIn) -> None:
        raise OAuthError(code)

    return end
