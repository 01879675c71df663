"""Cards at odd places and of odd forms, and one turn at what each of them leads to (§2.1)."""

from dataclasses import dataclass
from typing import Any

from pact_conformance.rig import conversation
from pact_conformance.subject.agent import AgentUnderTest, Broke
from pact_conformance.subject.agent.results import Refused
from pact_conformance.subject.stage import Stage
from pact_conformance.verdicts import Inconclusive, Untested
from pact_conformance.wire.messages import new_id

from .people import ROSALIND
from .playing import GREETING, Play, play, returned
from .talking import other_bindings

WELL_KNOWN = "/.well-known/agent-card.json"

TENANT = "Fernweh/Outfitters & Co."

REDIRECTS = (301, 302, 307, 308)

# A page as web servers show it, which is no A2A error.
NOT_FOUND_PAGE = (
    "<!doctype html><html><body><h1>Wrong turning</h1>"
    "<p>The page has moved out and left no address.</p></body></html>"
)


@conversation(turns=0, together=0)
def card_anywhere(stage: Stage, agent: AgentUnderTest, first_conversation: Play) -> Play:
    """A card at a URL that follows no pattern."""
    first_conversation.must_begin()
    acted = play(stage, agent, cardPath=f"/registry/of%20brands/{new_id('r')}/agent-7.v2.json")
    acted.say(ROSALIND, GREETING)
    return acted


@conversation(turns=0, together=0)
def brand_domain(stage: Stage, agent: AgentUnderTest, first_conversation: Play) -> Play:
    """A card that the Brand's own domain serves."""
    first_conversation.must_begin()
    acted = play(stage, agent, by_domain=True, domain={"serves": True})
    _must_take_domains(acted)
    acted.say(ROSALIND, GREETING)
    return acted


@conversation(turns=0, together=0)
def redirecting_domains(
    stage: Stage, agent: AgentUnderTest, first_conversation: Play
) -> dict[int, Play]:
    """Brand domains that redirect to the card on another host, by status.

    A turn is taken behind the last one, and where the card is not fetched before a turn.
    """
    first_conversation.must_begin()
    found = {}
    for status in REDIRECTS:
        acted = _at_the_standard_place(agent, stage, redirect=status)
        if status == REDIRECTS[-1] or (isinstance(acted.brand, str) and not acted.scene.seen()):
            acted.say(ROSALIND, GREETING)
        found[status] = acted
    return found


@conversation(turns=0, together=0)
def circling_domain(stage: Stage, agent: AgentUnderTest, first_conversation: Play) -> Play:
    """A Brand domain that redirects to a card which redirects to itself, on and on."""
    first_conversation.must_begin()
    on = {"status": 302, "headers": {"Location": "{card}"}, "text": "", "always": True}
    return _at_the_standard_place(agent, stage, redirect=302, cardAnswers=[on])


@dataclass(frozen=True)
class Missing:
    """A card that is not there, what is in its place, and what the agent made of it."""

    body: str
    play: Play


@conversation(turns=0, together=0)
def missing_cards(
    stage: Stage, agent: AgentUnderTest, first_conversation: Play
) -> dict[str, Missing]:
    """Cards that get 404; a turn is tried where the agent has found a Brand all the same."""
    first_conversation.must_begin()
    found = {}
    for form, body in (("empty", ""), ("html", NOT_FOUND_PAGE)):
        answer = {"status": 404, "text": body, "contentType": "text/html", "always": True}
        acted = play(stage, agent, cardAnswers=[answer])
        if isinstance(acted.brand, str):
            acted.say(ROSALIND, GREETING)
        found[form] = Missing(body, acted)
    return found


@conversation(turns=0, together=0)
def other_bindings_first(stage: Stage, agent: AgentUnderTest, first_conversation: Play) -> Play:
    """A card that lists A2A's other bindings before the one of PACT."""
    first_conversation.must_begin()
    interfaces = [*other_bindings("first"), _interface("HTTP+JSON", "1.0", "{interface}")]
    return _of_interfaces(stage, agent, interfaces)


@conversation(turns=0, together=0)
def other_versions(stage: Stage, agent: AgentUnderTest, first_conversation: Play) -> Play:
    """A card that lists an older version of HTTP+JSON before 1.0, and a later one behind it."""
    first_conversation.must_begin()
    interfaces = [
        _interface("HTTP+JSON", "0.3", "{base}/old/{brandId}"),
        _interface("HTTP+JSON", "1.0", "{interface}"),
        _interface("HTTP+JSON", "2.0", "{base}/new/{brandId}"),
    ]
    return _of_interfaces(stage, agent, interfaces)


@conversation(turns=0, together=0)
def no_interface_of_ours(stage: Stage, agent: AgentUnderTest, first_conversation: Play) -> Play:
    """A card with other bindings and other versions alone."""
    first_conversation.must_begin()
    interfaces = [
        *other_bindings("alone"),
        _interface("HTTP+JSON", "0.3", "{base}/old/{brandId}"),
        _interface("HTTP+JSON", "2.0", "{base}/new/{brandId}"),
    ]
    return _of_interfaces(stage, agent, interfaces)


@conversation(turns=0, together=0)
def interface_elsewhere(stage: Stage, agent: AgentUnderTest, first_conversation: Play) -> Play:
    """A card whose interface has another path, another host if there is one, and a tenant."""
    first_conversation.must_begin()
    entry = {**_interface("HTTP+JSON", "1.0", "{interface}"), "tenant": TENANT}
    acted = play(
        stage,
        agent,
        interfacePath=f"/elsewhere/{new_id('i')}",
        interfaceHost="main" if stage.address.other is None else "other",
        cardPatch={"supportedInterfaces": [entry]},
    )
    acted.say(ROSALIND, GREETING)
    return acted


@conversation(turns=0, together=0)
def renamed_schemes(stage: Stage, agent: AgentUnderTest, first_conversation: Play) -> Play:
    """A card whose JWT scheme has another name, behind an API key under the example's name."""
    first_conversation.must_begin()
    key = {"apiKeySecurityScheme": {"location": "header", "name": "X-Api-Key"}}
    patch = {
        "securitySchemes": {
            "paJwt": {"httpAuthSecurityScheme": None, **key},
            "an older way": {"httpAuthSecurityScheme": {"scheme": "Basic"}},
            "Visitors' pass": {
                "httpAuthSecurityScheme": {"scheme": "Bearer", "bearerFormat": "JWT"}
            },
        },
        "securityRequirements": [
            {"schemes": {"paJwt": {"list": []}}},
            {"schemes": {"Visitors' pass": {"list": []}}},
            {"schemes": {"an older way": {"list": []}}},
        ],
    }
    acted = play(stage, agent, cardPatch=patch)
    acted.say(ROSALIND, GREETING)
    return acted


@conversation(turns=0, together=0)
def no_jwt_scheme(stage: Stage, agent: AgentUnderTest, first_conversation: Play) -> Play:
    """A card that asks for an API key, and does not declare the personal-agent JWT."""
    first_conversation.first.must_work()
    key = {"apiKeySecurityScheme": {"location": "header", "name": "X-Api-Key"}}
    patch = {
        "securitySchemes": {"paJwt": None, "apiKey": key},
        "securityRequirements": [{"schemes": {"apiKey": {"list": []}}}],
    }
    acted = play(stage, agent, cardPatch=patch)
    acted.say(ROSALIND, GREETING)
    return acted


@conversation(turns=0, together=0)
def bare_card(stage: Stage, agent: AgentUnderTest, first_conversation: Play) -> Play:
    """A card without a description, with an unusual name and a skill for something else."""
    first_conversation.must_begin()
    skill = {
        "id": "repotting",
        "name": "Repotting",
        "description": "When to repot which plant.",
        "tags": ["plants"],
    }
    patch = {"description": None, "name": "☂ 7½ — «ß» & Söhne", "skills": [skill]}
    acted = play(stage, agent, cardPatch=patch)
    acted.say(ROSALIND, GREETING)
    return acted


def _interface(binding: str, version: str, url: str) -> dict[str, str]:
    return {"url": url, "protocolBinding": binding, "protocolVersion": version}


def _of_interfaces(stage: Stage, agent: AgentUnderTest, interfaces: list[dict[str, str]]) -> Play:
    """Take a turn at a Brand with such interfaces, if the agent finds it at all."""
    acted = play(stage, agent, cardPatch={"supportedInterfaces": interfaces})
    acted.say(ROSALIND, GREETING)
    return acted


def _at_the_standard_place(
    agent: AgentUnderTest,
    stage: Stage,
    *,
    redirect: int,
    **script: Any,  # noqa: ANN401 - JSON values
) -> Play:
    """Have the agent find the card of a domain that redirects.

    One whose adapter takes no domain is given the URL of the standard place there: it is a card's
    URL as any other is.
    """
    acted = play(stage, agent, by_domain=True, domain={"redirect": redirect}, **script)
    if not _takes_no_domain(acted):
        return acted
    return returned(agent, acted.scene, card=f"{acted.scene.domain}{WELL_KNOWN}")


def _takes_no_domain(acted: Play) -> bool:
    """Say whether the adapter says so, or lets an exception out, and nothing was asked for."""
    brand = acted.brand
    refuses = isinstance(brand, Refused) or (isinstance(brand, Broke) and brand.crashed)
    return refuses and not acted.scene.seen()


def _must_take_domains(acted: Play) -> None:
    """End a scenario whose adapter takes no domain.

    Raises:
        Untested: it says so.
        Inconclusive: an exception does.
    """
    if not _takes_no_domain(acted) or not isinstance(acted.brand, Broke):
        return
    why = f"the adapter does not take a Brand's domain: {acted.brand.reason}"
    if isinstance(acted.brand, Refused):
        raise Untested(why, do="let connect take domain beside card")
    raise Inconclusive(why, do="let connect take domain beside card, or answer with an error")
