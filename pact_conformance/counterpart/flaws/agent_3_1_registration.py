"""Agents that get §3.1 wrong: keys, their rotation, the audience, what is registered."""

from typing import Any

from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from jwt.algorithms import ECAlgorithm, RSAAlgorithm

from pact_conformance.counterpart.flaws.agent_requests import before_each_turn
from pact_conformance.counterpart.flaws.registry import agent_flaw
from pact_conformance.counterpart.personal_agent.keys import SigningKey
from pact_conformance.counterpart.personal_agent.personal_agent import PersonalAgent
from pact_conformance.counterpart.personal_agent.store import Relation
from pact_conformance.counterpart.personal_agent.transport import Request
from pact_conformance.counterpart.personal_agent.turns import Turn

SECRET = "c2hhcmVkLWJ5LXRoZS10d28tb2YtdXM"  # noqa: S105 - it guards nothing

UNVERIFIED = ("3.2-agent-signature", "3.2-agent-kid")
"""What is seen to be broken where no published key verifies a token."""


@agent_flaw("3.1-agent-jwks")
def publishes_pem(agent: PersonalAgent) -> None:
    """The set is an object of PEM texts by their names."""

    def pem(key: SigningKey) -> str:
        public = key.private.public_key()
        return str(public.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo), "ascii")

    agent.jwks = lambda agent: {key.kid: pem(key) for key in agent.store.keys}


@agent_flaw("3.1-agent-jwks")
def publishes_a_bare_key(agent: PersonalAgent) -> None:
    """What is published is the key itself and no set."""
    agent.jwks = lambda agent: agent.store.keys[0].public_jwk()


@agent_flaw("3.1-agent-jwks-public")
def publishes_its_private_key(agent: PersonalAgent) -> None:
    """The whole key is serialised."""
    agent.jwks = lambda agent: {"keys": [_whole(key) for key in agent.store.keys]}


@agent_flaw("3.1-agent-jwks-public")
def publishes_a_key_that_both_sides_share(agent: PersonalAgent) -> None:
    """Beside the public key a symmetric one is in the set, which once encrypted sessions."""
    jwks = agent.jwks
    symmetric = {"kty": "oct", "kid": "sessions", "use": "enc", "k": SECRET}
    agent.jwks = lambda agent: {"keys": [*jwks(agent)["keys"], symmetric]}


@agent_flaw("3.1-agent-rotation", *UNVERIFIED)
def publishes_no_new_key(agent: PersonalAgent) -> None:
    """The set is cached for hours: a new key signs long before it is in there."""
    cached: list[dict[str, Any]] = []
    jwks, rotate = agent.jwks, agent.rotate

    def rotated(agent: PersonalAgent) -> None:
        cached.append(jwks(agent))
        rotate(agent)

    agent.jwks = lambda agent: cached[0] if cached else jwks(agent)
    agent.rotate = rotated


@agent_flaw("3.1-agent-rotation", "3.2-agent-signature")
def makes_a_new_key_in_each_process(agent: PersonalAgent) -> None:
    """A rotation makes one key for signing and another for the set, of the same name."""
    jwks, rotate = agent.jwks, agent.rotate
    published: list[dict[str, Any]] = []

    def rotated(agent: PersonalAgent) -> None:
        rotate(agent)
        other = SigningKey.generate(agent.config.alg).public_jwk()
        published[:] = [{**other, "kid": agent.signing_key(agent).kid}]

    agent.jwks = lambda agent: {"keys": [*published, *jwks(agent)["keys"][len(published) :]]}
    agent.rotate = rotated


@agent_flaw("3.1-agent-one-audience", "3.2-agent-aud")
def makes_the_audience_from_the_card(agent: PersonalAgent) -> None:
    """The audience is the URL of the Brand's card."""
    agent.audience = lambda _agent, relation: relation.brand.card.url


@agent_flaw("3.1-agent-one-audience", "3.2-agent-aud")
def makes_the_audience_from_the_interface(agent: PersonalAgent) -> None:
    """The audience is the interface URL, as other protocols have it."""
    agent.audience = lambda _agent, relation: relation.brand.interface.url


@agent_flaw("3.1-agent-no-user-registration")
def registers_each_user_first(agent: PersonalAgent) -> None:
    """Before the first turn of a User it announces their `sub` at the Provider."""
    _announce(agent, "users", lambda relation: relation.key)


@agent_flaw("3.1-agent-no-user-registration")
def registers_itself_at_each_brand(agent: PersonalAgent) -> None:
    """Before the first turn at a Brand it registers itself there."""
    _announce(agent, "agents", lambda relation: relation.brand.handle)


def _announce(agent: PersonalAgent, path: str, whom: Any) -> None:  # noqa: ANN401
    """Post something to the Provider, once for each."""
    announced: set[object] = set()

    def announce(turn: Turn) -> None:
        if whom(turn.relation) not in announced:
            announced.add(whom(turn.relation))
            agent.transport.send(_announcement(agent, turn.relation, path))

    before_each_turn(agent, announce)


def _announcement(agent: PersonalAgent, relation: Relation, path: str) -> Request:
    headers = (
        ("Authorization", f"Bearer {agent.mint_token(agent, relation)}"),
        ("A2A-Version", "1.0"),
        ("Content-Type", "application/json"),
    )
    url = f"{relation.brand.interface.url.rstrip('/')}/{path}"
    return Request("POST", url, headers, b'{"sub": "new"}')


def _whole(key: SigningKey) -> dict[str, Any]:
    algorithm = RSAAlgorithm if key.alg == "RS256" else ECAlgorithm
    whole: dict[str, Any] = algorithm.to_jwk(key.private, as_dict=True)
    whole.pop("key_ops", None)
    return {**whole, "kid": key.kid, "use": "sig", "alg": key.alg}
