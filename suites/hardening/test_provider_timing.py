"""What is refused in the same words takes the same time as well."""

from pact_conformance import expect
from pact_conformance.delegation import Delegation
from pact_conformance.gate import Gate
from pact_conformance.grants import Tried
from pact_conformance.journal.answer import Answer
from pact_conformance.rig import advice
from pact_conformance.settings import Settings
from pact_conformance.subject.likes import like
from pact_conformance.subject.operations import GET
from pact_conformance.subject.provider import Provider
from pact_conformance.tokens.caller import Caller
from pact_conformance.tokens.keys import SigningKey

from ..provider.conversations import Turn
from ..provider.stepping_up import step_up_of
from .comparing import must_take_as_long

# A User asks for so many pairs, for rates are commonly limited by User.
PAIRS_A_USER = 10

NOBODY = "https://personal-agent.invalid"

ASKED = "What did I ask before?"


def _user(number: int) -> str:
    return f"compares-{number // PAIRS_A_USER}"


@advice("hardening-issuer-timing")
def test_an_unknown_issuer_takes_as_long_as_a_known_one(
    gate: Gate, caller: Caller, settings: Settings
) -> None:
    if settings.open_audience is not None:
        expect.absent("an open Provider looks for the keys of whoever comes, and that takes time")
    stranger = SigningKey.generate("ES256", kid=caller.key().kid)

    def knock(number: int, **claims: str) -> Answer:
        return gate.knock(
            caller.token(
                caller.user(_user(number)),
                key=stranger,
                claims=claims,
                forgery="signature-by-stranger",
            )
        )

    must_take_as_long(
        ("an issuer that nobody registered", lambda number: knock(number, iss=NOBODY)),
        ("a registered one, badly signed", knock),
    )


@advice("hardening-context-timing")
def test_a_foreign_context_takes_as_long_as_an_unknown_one(
    provider: Provider, opening: Turn
) -> None:
    foreign = opening.context_id
    unknown = like(foreign)

    def write(number: int, context_id: str) -> Answer:
        return provider.send(
            ASKED, user=_user(number), context_id=context_id, turn=False, free=number > 0
        )

    must_take_as_long(
        ("a conversation that never was", lambda number: write(number, unknown)),
        ("somebody else's", lambda number: write(number, foreign)),
    )


@advice("hardening-task-timing")
def test_a_foreign_task_takes_as_long_as_an_unknown_one(
    provider: Provider, delegation: Delegation, stepped_up: Tried[Turn]
) -> None:
    _ = delegation.server
    foreign = step_up_of(stepped_up.had()).id
    unknown = like(foreign)

    def look_up(number: int, task_id: str) -> Answer:
        return provider.call(GET, ids={"id": task_id}, user=_user(number))

    must_take_as_long(
        ("a task that never was", lambda number: look_up(number, unknown)),
        ("somebody else's", lambda number: look_up(number, foreign)),
    )
