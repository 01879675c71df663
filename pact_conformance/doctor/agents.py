"""What a run against a personal agent rests on, tried one by one: the agent, its keys, the stage.

One sentence is said to a Brand of the mock Provider, so that the agent's token is seen and judged.
"""

from collections.abc import Iterator

import httpx

from pact_conformance.doctor.parts import Part
from pact_conformance.journal.client import NoAnswer
from pact_conformance.rig import Rig
from pact_conformance.subject.agent import AgentUnderTest, GaveUp, NeedsSignIn, User
from pact_conformance.subject.agent.contract import ASKED
from pact_conformance.subject.agent.readiness import lacking
from pact_conformance.subject.agent.way import GUIDE
from pact_conformance.subject.seen import Seen
from pact_conformance.subject.stage import Scene
from pact_conformance.verdicts import Unsettled

BUILT_IN = frozenset({"E2E_AGENT_ISSUER", "E2E_AGENT_JWKS"})
"""The needs that the built-in agent brings along."""

DELEGATED = ("agent.sign_in", "agent.go_on")
"""What everything of PACT Delegated needs."""

UNUSED = frozenset({"forget"})
"""What no check asks for."""

JANE = User("doctor", "Jane Doe", "jane@example.com")
SENTENCE = "What are your opening hours?"

_PATIENCE = 10.0

_COMPARE = "compare E2E_AGENT_ISSUER and E2E_AGENT_JWKS with what it signs; see §3.2"

_CLOCK = "see to the clock of the agent's machine; times are in seconds (§3.2)"

# By why the mock Provider refuses a token.
_REMEDIES = {
    "aud": "let it put the audience that connect gave into aud, to the letter (§3.1)",
    "iat in the future": _CLOCK,
    "expired": _CLOCK,
    "lives too long": "let exp be at most 300 s after iat (§3.2)",
}


def all_of(rig: Rig) -> Iterator[Part]:
    """Try each part, in the order in which one rests on another."""
    if rig.settings.agent == "manual":
        do = "stay at the terminal during the run, and leave -n out"
        yield Part("agent", "ready", "manual: a person uses the agent", do)
        yield from _keys(rig)
        return
    lack = lacking(rig.settings)
    if lack is not None:
        yield Part("agent", "blocked", lack.removeprefix("E2E_AGENT: "), "correct E2E_AGENT")
        return
    try:
        agent = rig.agent
        offered = agent.operations
    except Unsettled as error:
        yield Part("agent", "blocked", error.reason, error.do)
        return
    called = agent.name or "an agent without a name"
    yield Part("agent", "ready", f"{called} ({agent.way}) offers {', '.join(offered)}")
    yield from _missing(offered)
    yield from _keys(rig)
    yield from _on_the_stage(rig, agent)


def _missing(offered: tuple[str, ...]) -> Iterator[Part]:
    not_offered = [it for it in ASKED if it not in offered and it not in UNUSED]
    if not_offered:
        do = f"let the adapter offer them, and name them in the answer to hello ({GUIDE})"
        yield Part("operations", "missing", f"not offered: {', '.join(not_offered)}", do)


def _keys(rig: Rig) -> Iterator[Part]:
    """Fetch the agent's keys from here, where the mock Provider fetches them too."""
    url, name = rig.stage.address.jwks, "agent's keys"
    try:
        answer = rig.client.exchange("GET", url, operation="jwks", purpose="doctor")
    except NoAnswer as error:
        yield Part(name, "blocked", f"{url}: {error}", "correct E2E_AGENT_JWKS")
        return
    keys = answer.json.get("keys") if isinstance(answer.json, dict) else None
    if answer.status != 200 or not keys:
        said = f"{url} answers {answer.status} and no key set"
        yield Part(name, "blocked", said, "correct E2E_AGENT_JWKS, or publish the keys there")
        return
    yield Part(name, "ready", f"{url} serves {len(keys)}")


def _on_the_stage(rig: Rig, agent: AgentUnderTest) -> Iterator[Part]:
    try:
        scene = rig.stage.open()
    except Unsettled as error:
        yield Part("mock Provider", "blocked", error.reason, error.do)
        return
    part = _reachable(rig, scene)
    yield part
    if part.state == "ready":
        try:
            yield from _meeting(agent, scene)
        except Unsettled as error:
            yield Part("mock Provider", "blocked", error.reason, error.do)


def _reachable(rig: Rig, scene: Scene) -> Part:
    """See that the public URL leads to the stage, whatever certificate is shown on the way."""
    name, base = "mock Provider", rig.stage.address.base
    if rig.settings.mock_url is None:
        return Part(name, "ready", base)
    do = "let E2E_MOCK_URL lead to E2E_MOCK_LISTEN: the tunnel, the proxy, the port"
    try:
        with httpx.Client(verify=False, timeout=_PATIENCE) as client:  # noqa: S501 - our own
            answer = client.get(scene.card)
    except httpx.HTTPError as error:
        return Part(name, "blocked", f"{base}: {type(error).__name__} {error}", do)
    if answer.status_code != 200 or scene.interface not in answer.text:
        return Part(name, "blocked", f"{base} leads elsewhere ({answer.status_code})", do)
    return Part(name, "ready", f"{base}, as seen from here")


def _meeting(agent: AgentUnderTest, scene: Scene) -> Iterator[Part]:
    """Have the agent find a Brand and say one sentence."""
    try:
        brand = agent.connect(scene.card, scene.audience)
    except Unsettled as error:
        yield Part("connect", "blocked", error.reason, error.do)
        return
    came = bool(scene.seen("card"))
    if isinstance(brand, GaveUp):
        yield Part("connect", "blocked", f"the agent gave up: {brand.reason}", _way_here(came=came))
        return
    yield Part("connect", "ready", "the agent has found a Brand of the mock Provider")
    yield _speaking(agent, scene, brand)


def _speaking(agent: AgentUnderTest, scene: Scene, brand: str) -> Part:
    try:
        result = agent.say(brand, JANE, SENTENCE)
    except Unsettled as error:
        return Part("say", "blocked", error.reason, error.do)
    sent = scene.seen("message:send")
    if not sent:
        said = f"no message came{f': {result.reason}' if isinstance(result, GaveUp) else ''}"
        return Part("say", "blocked", said, _way_here(came=bool(scene.seen())))
    judged = sent[-1].verified
    if judged is None or not judged.ok:
        why = "" if judged is None else judged.why
        return Part("say", "blocked", _refusal(sent[-1]), _REMEDIES.get(why, _COMPARE))
    if isinstance(result, GaveUp):
        return Part("say", "blocked", f"the agent gave up: {result.reason}", "look at its log")
    came_of_it = "a sign-in" if isinstance(result, NeedsSignIn) else "a reply"
    return Part("say", "ready", f"its token is good, and it tells of {came_of_it}")


def _refusal(sent: Seen) -> str:
    if sent.token is None or sent.verified is None:
        return "its message had no token"
    step = sent.verified.why
    claim = sent.token.claims.get(step)
    return f"its token is refused for its {step}" + ("" if claim is None else f", {claim!r}")


def _way_here(*, came: bool) -> str:
    if came:
        return "look at its log"
    return (
        "no request came: set E2E_MOCK_LISTEN and E2E_MOCK_URL so that the agent reaches the mock "
        "Provider"
    )
