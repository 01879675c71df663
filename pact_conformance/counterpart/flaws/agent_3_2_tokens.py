"""Agents that get the personal-agent JWT of §3.2 wrong: header, signature, times."""

import base64
import json
from collections.abc import Mapping
from typing import Any

import jwt
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, ed25519

from pact_conformance.counterpart.flaws.agent_requests import before_each_turn, below
from pact_conformance.counterpart.flaws.registry import agent_flaw
from pact_conformance.counterpart.personal_agent.messages import Draft
from pact_conformance.counterpart.personal_agent.personal_agent import PersonalAgent
from pact_conformance.counterpart.personal_agent.store import Relation
from pact_conformance.counterpart.personal_agent.tokens import TokenMember
from pact_conformance.counterpart.personal_agent.transport import Request
from pact_conformance.counterpart.personal_agent.turns import Turn


@agent_flaw("3.2-agent-bearer")
def sends_its_jwt_in_the_first_message_alone(agent: PersonalAgent) -> None:
    """Only the first message of a conversation carries the JWT."""
    authorization = agent.message_headers["Authorization"]

    def first(agent: PersonalAgent, draft: Draft) -> object:
        return authorization(agent, draft) if draft.context_id is None else None

    agent.message_headers["Authorization"] = first


@agent_flaw("3.2-agent-bearer")
def looks_tasks_up_as_anybody(agent: PersonalAgent) -> None:
    """Before each turn tasks are listed without a token, and nobody looks at what comes."""

    def look(turn: Turn) -> None:
        url = below(turn.relation, "tasks")
        agent.transport.send(Request("GET", url, (("A2A-Version", "1.0"),)))

    before_each_turn(agent, look)


@agent_flaw("3.2-agent-bearer")
def sends_its_jwt_in_a_header_of_its_own(agent: PersonalAgent) -> None:
    """Messages carry the JWT as `X-Agent-Token`."""
    authorization = agent.message_headers.pop("Authorization")
    agent.message_headers["X-Agent-Token"] = authorization


@agent_flaw("3.2-agent-alg", "3.1-agent-jwks")
def signs_with_eddsa(agent: PersonalAgent) -> None:
    """Its keys are of Ed25519, as a newer key store makes them."""
    key = ed25519.Ed25519PrivateKey.generate()
    jwk = jwt.algorithms.OKPAlgorithm.to_jwk(key.public_key(), as_dict=True)
    agent.jwks = lambda *_: {"keys": [{**jwk, "kid": "ed", "use": "sig", "alg": "EdDSA"}]}
    agent.token_header["alg"] = lambda _agent, _relation: "EdDSA"
    agent.token_header["kid"] = lambda _agent, _relation: "ed"
    agent.sign = lambda *about: _jws(about[1], about[2], key)


@agent_flaw("3.2-agent-alg", "3.1-agent-no-shared-secret")
def signs_with_a_shared_secret(agent: PersonalAgent) -> None:
    """Tokens are signed with HS256, under a secret that the Provider would have to know."""
    agent.token_header["alg"] = lambda _agent, _relation: "HS256"
    secret = "a secret that the Provider would have to know"  # noqa: S105 - it guards nothing
    agent.sign = lambda *about: _jws(about[1], about[2], secret)


@agent_flaw("3.2-agent-kid")
def names_its_key_by_an_internal_name(agent: PersonalAgent) -> None:
    """The token's `kid` is the name that the key has in the agent's own store."""
    agent.token_header["kid"] = lambda _agent, _relation: "projects/agent/keys/pact/versions/1"


@agent_flaw("3.2-agent-kid")
def names_its_key_by_its_issuer(agent: PersonalAgent) -> None:
    """The token's `kid` is a URL: the issuer, and the name behind it."""
    agent.token_header["kid"] = lambda agent, _relation: (
        f"{agent.issuer}#{agent.signing_key(agent).kid}"
    )


@agent_flaw("3.2-agent-signature")
def signs_in_der(agent: PersonalAgent) -> None:
    """Signatures are in DER, as a key management service gives them."""

    def sign(agent: PersonalAgent, header: Mapping[str, Any], claims: Mapping[str, Any]) -> str:
        signed = f"{_segment(header)}.{_segment(claims)}"
        private = agent.signing_key(agent).private
        der = private.sign(signed.encode(), ec.ECDSA(hashes.SHA256()))
        return f"{signed}.{_base64(der)}"

    agent.sign = sign


@agent_flaw("3.2-agent-signature")
def signs_with_the_key_of_another_stage(agent: PersonalAgent) -> None:
    """The key that signs is not the published one, though it is called the same."""
    key = ec.generate_private_key(ec.SECP256R1())
    agent.sign = lambda *about: _jws(about[1], about[2], key)


@agent_flaw("3.2-agent-iss")
def puts_a_slash_behind_its_issuer(agent: PersonalAgent) -> None:
    """The issuer has a slash at its end that the registered one has not, in `client_id` too."""
    agent.token_claims["iss"] = lambda agent, _relation: f"{agent.issuer}/"
    agent.delegation.client_id = lambda agent, _relation: f"{agent.issuer}/"


@agent_flaw("3.2-agent-iss")
def names_the_issuer_of_another_stage(agent: PersonalAgent) -> None:
    """The issuer is that of the agent's test system."""
    issuer = "https://staging.agent.example"
    agent.token_claims["iss"] = lambda _agent, _relation: issuer
    agent.delegation.client_id = lambda *_: issuer


@agent_flaw("3.2-agent-aud")
def reads_the_audience_as_a_url(agent: PersonalAgent) -> None:
    """The audience is normalised like a URL: in lower case, with a slash at its end."""
    agent.audience = lambda _agent, relation: relation.brand.audience.lower().rstrip("/") + "/"


@agent_flaw("3.2-agent-aud")
def cuts_the_audience_at_punctuation(agent: PersonalAgent) -> None:
    """Of the audience only letters, digits and hyphens are kept."""
    agent.audience = lambda _agent, relation: "".join(
        it for it in relation.brand.audience if it.isalnum() or it == "-"
    )


@agent_flaw("3.2-agent-aud-one-string")
def writes_its_audience_as_an_array(agent: PersonalAgent) -> None:
    """`aud` is an array of one, as a library writes it."""
    aud = agent.token_claims["aud"]
    agent.token_claims["aud"] = lambda agent, relation: [aud(agent, relation)]


@agent_flaw("3.2-agent-aud-one-string", "3.2-agent-aud", "3.1-agent-one-audience")
def addresses_the_brand_beside_the_provider(agent: PersonalAgent) -> None:
    """`aud` is an array of the assigned audience and the interface URL."""
    aud = agent.token_claims["aud"]
    agent.token_claims["aud"] = lambda agent, relation: [
        aud(agent, relation),
        relation.brand.interface.url,
    ]


@agent_flaw("3.2-agent-iat", "3.2-agent-lifetime")
def tells_the_time_in_milliseconds(agent: PersonalAgent) -> None:
    """`iat` and `exp` are in milliseconds, and so is their difference."""
    for name in ("iat", "exp"):
        agent.token_claims[name] = _times(agent.token_claims[name], 1000)


@agent_flaw("3.2-agent-iat")
def runs_two_minutes_ahead(agent: PersonalAgent) -> None:
    """The clock of the agent is two minutes fast."""
    for name in ("iat", "exp"):
        agent.token_claims[name] = _later(agent.token_claims[name], 120)


@agent_flaw("3.2-agent-iat")
def leaves_out_when_a_token_was_made(agent: PersonalAgent) -> None:
    """Tokens have no `iat`."""
    del agent.token_claims["iat"]


@agent_flaw("3.2-agent-exp")
def caches_its_tokens_for_ever(agent: PersonalAgent) -> None:
    """The token of a User at a Brand is made once, and sent long after it has expired."""
    mint_token = agent.mint_token
    made: dict[object, str] = {}

    def cached(agent: PersonalAgent, relation: Relation) -> str:
        if relation.key not in made:
            made[relation.key] = mint_token(agent, relation)
        return made[relation.key]

    agent.mint_token = cached


@agent_flaw("3.2-agent-exp")
def leaves_out_when_a_token_ends(agent: PersonalAgent) -> None:
    """Tokens have no `exp`."""
    del agent.token_claims["exp"]


@agent_flaw("3.2-agent-exp")
def tells_the_end_of_a_token_as_a_text(agent: PersonalAgent) -> None:
    """`exp` is a number written as a string."""
    exp = agent.token_claims["exp"]
    agent.token_claims["exp"] = lambda agent, relation: str(exp(agent, relation))


@agent_flaw("3.2-agent-lifetime")
def signs_tokens_for_an_hour(agent: PersonalAgent) -> None:
    """Tokens live for an hour, the default of most libraries."""
    agent.token_claims["exp"] = _later(agent.token_claims["iat"], 3600)


@agent_flaw("3.2-agent-lifetime")
def lets_its_tokens_live_as_long_as_the_skew_more(agent: PersonalAgent) -> None:
    """Tokens live for 330 seconds: as long as is allowed, and the skew of the clocks."""
    agent.token_claims["exp"] = _later(agent.token_claims["iat"], 330)


def _times(member: TokenMember, factor: int) -> TokenMember:
    return lambda agent, relation: _number(member(agent, relation)) * factor


def _later(member: TokenMember, seconds: int) -> TokenMember:
    return lambda agent, relation: _number(member(agent, relation)) + seconds


def _number(value: object) -> int:
    assert isinstance(value, int)
    return value


def _jws(header: Mapping[str, Any], claims: Mapping[str, Any], key: Any) -> str:  # noqa: ANN401
    payload = json.dumps(claims).encode()
    return jwt.PyJWS().encode(payload, key, algorithm=header["alg"], headers=dict(header))


def _segment(value: object) -> str:
    return _base64(json.dumps(value).encode())


def _base64(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()
