"""Legal ways to find a Brand, and to sign and send the personal-agent JWT (§2.1, §3)."""

import base64
import hashlib
import hmac
import itertools
import json
import secrets
from collections.abc import Hashable, Mapping
from typing import Any
from uuid import uuid4

import jwt

from pact_conformance.counterpart.personal_agent.failure import Failure
from pact_conformance.counterpart.personal_agent.keys import SigningKey
from pact_conformance.counterpart.personal_agent.personal_agent import PersonalAgent
from pact_conformance.counterpart.personal_agent.store import Relation
from pact_conformance.counterpart.personal_agent.tokens import TokenMember
from pact_conformance.counterpart.personal_agent.turns import Said, Turn
from pact_conformance.counterpart.variants.registry import agent_variant
from pact_conformance.wire.card import Card, Interface


@agent_variant()
def reads_the_card_before_each_turn(agent: PersonalAgent) -> None:
    """The card is fetched again before each turn."""
    take_turn = agent.take_turn

    def fresh(agent: PersonalAgent, turn: Turn) -> Said:
        agent.fetch_card(agent, turn.relation.brand.card.url)
        return take_turn(agent, turn)

    agent.take_turn = fresh


@agent_variant("2.1-agent-brand-domain")
def asks_a_domain_for_an_older_card_first(agent: PersonalAgent) -> None:
    """A Brand's domain is asked for `agent.json` first, and then where PACT has the card."""
    fetch_card = agent.fetch_card

    def fetch(agent: PersonalAgent, url: str) -> Card:
        try:
            older = url.replace("/.well-known/agent-card.json", "/.well-known/agent.json")
            return fetch_card(agent, older)
        except Failure:
            return fetch_card(agent, url)

    agent.fetch_card = fetch


@agent_variant()
def takes_the_url_of_a_card_alone(agent: PersonalAgent) -> None:
    """It is not told domains: who uses it makes the URL of the standard place of them."""
    agent.takes_domains = False


@agent_variant()
def takes_the_last_interface_that_fits(agent: PersonalAgent) -> None:
    """Of several interfaces that fit the last one is taken."""

    def last(card: Card) -> Interface | None:
        usable = [it for it in card.interfaces if it.speaks_pact and it.url]
        return usable[-1] if usable else None

    agent.choose_interface = last


@agent_variant()
def signs_with_rs256(agent: PersonalAgent) -> None:
    """Its keys are RSA keys, and it signs with RS256."""
    if agent.store.keys[0].alg != "RS256":
        agent.store.keys[:] = [SigningKey.generate("RS256")]
    agent.rotate = lambda agent: agent.store.keys.insert(0, SigningKey.generate("RS256"))


@agent_variant()
def publishes_keys_of_both_kinds(agent: PersonalAgent) -> None:
    """The set has an RSA key before the one that signs, and one without `use`."""
    other = SigningKey.generate("RS256").public_jwk()
    jwks = agent.jwks
    bare = {name: it for name, it in other.items() if name not in {"use", "alg", "kid"}}
    agent.jwks = lambda agent: {"keys": [{**other, "use": "enc"}, *jwks(agent)["keys"], bare]}


@agent_variant()
def publishes_its_keys_with_certificates(agent: PersonalAgent) -> None:
    """Keys have neither `use` nor `alg`, but what they are for, a certificate, and more."""
    jwks = agent.jwks
    more = {"key_ops": ["verify"], "x5c": ["MIIB"], "x5t#S256": "A" * 43, "nbf": 1700000000}

    def with_more(jwk: dict[str, Any]) -> dict[str, Any]:
        return {**{name: it for name, it in jwk.items() if name not in {"use", "alg"}}, **more}

    agent.jwks = lambda agent: {
        "keys": [with_more(it) for it in jwks(agent)["keys"]],
        "issued": 1700000000,
    }


@agent_variant()
def signs_with_two_keys_in_turn(agent: PersonalAgent) -> None:
    """Each of two nodes has a key of its own, one of them an RSA key; both are published."""
    turns = itertools.count()

    def two(agent: PersonalAgent) -> None:
        agent.store.keys[:2] = [SigningKey.generate(), SigningKey.generate("RS256")]

    def sign(agent: PersonalAgent, header: Mapping[str, Any], claims: Mapping[str, Any]) -> str:
        key = agent.store.keys[next(turns) % 2]
        head = {**header, "alg": key.alg, "kid": key.kid}
        return jwt.PyJWS().encode(json.dumps(claims).encode(), key.private, key.alg, head)

    if len(agent.store.keys) < 2:
        two(agent)
    agent.sign, agent.rotate = sign, two


@agent_variant()
def publishes_the_new_key_alone(agent: PersonalAgent) -> None:
    """After a rotation the old key is gone from the set."""
    jwks = agent.jwks
    agent.jwks = lambda agent: {"keys": jwks(agent)["keys"][:1]}


@agent_variant()
def reuses_a_token_while_it_is_valid(agent: PersonalAgent) -> None:
    """A token is sent with every request until shortly before its end."""
    mint_token = agent.mint_token
    made: dict[Hashable, tuple[float, str]] = {}

    def reused(agent: PersonalAgent, relation: Relation) -> str:
        until, token = made.get(relation.key, (0.0, ""))
        if agent.now(relation) >= until:
            token = mint_token(agent, relation)
            made[relation.key] = agent.now(relation) + agent.config.token_seconds - 20, token
        return token

    agent.mint_token = reused


@agent_variant()
def signs_tokens_for_ten_seconds(agent: PersonalAgent) -> None:
    """Tokens live for ten seconds."""
    _live(agent, 10)


@agent_variant()
def signs_tokens_for_five_minutes(agent: PersonalAgent) -> None:
    """Tokens live for 300 seconds, as long as they may."""
    _live(agent, 300)


@agent_variant()
def dates_tokens_back(agent: PersonalAgent) -> None:
    """`iat` is 20 seconds ago, since other clocks may be slow, and has a fraction."""
    agent.token_claims["iat"] = lambda agent, relation: agent.now(relation) - 20.0
    agent.token_claims["nbf"] = lambda agent, relation: int(agent.now(relation)) - 20


@agent_variant()
def runs_fifteen_seconds_ahead(agent: PersonalAgent) -> None:
    """The clock of the agent is fifteen seconds fast, well within what clocks may differ."""
    for name in ("iat", "exp"):
        agent.token_claims[name] = _later(agent.token_claims[name], 15)


@agent_variant()
def gives_tokens_no_id(agent: PersonalAgent) -> None:
    """Tokens have no `jti` and no `typ`."""
    del agent.token_claims["jti"]
    del agent.token_header["typ"]


@agent_variant("3.2-agent-kid")
def names_no_key_in_its_tokens(agent: PersonalAgent) -> None:
    """Tokens have no `kid`."""
    del agent.token_header["kid"]


@agent_variant()
def names_its_key_by_its_thumbprint(agent: PersonalAgent) -> None:
    """The `kid` of a key is its thumbprint (RFC 7638), in the set and in tokens."""

    def thumbprint(jwk: dict[str, Any]) -> str:
        kept = ",".join(f'"{it}":"{jwk[it]}"' for it in ("crv", "kty", "x", "y"))
        digest = hashlib.sha256(f"{{{kept}}}".encode()).digest()
        return base64.urlsafe_b64encode(digest).decode().rstrip("=")

    jwks = agent.jwks
    agent.jwks = lambda agent: {
        "keys": [{**it, "kid": thumbprint(it)} for it in jwks(agent)["keys"]]
    }
    agent.token_header["kid"] = lambda agent, _relation: thumbprint(
        agent.signing_key(agent).public_jwk()
    )


@agent_variant()
def puts_more_into_its_tokens(agent: PersonalAgent) -> None:
    """Tokens have further claims, and a header parameter of the agent's own."""
    agent.token_claims["agent_version"] = lambda *_: "7.1"
    agent.token_claims["amr"] = lambda *_: ["pwd", "otp"]
    agent.token_header["agt"] = lambda *_: "PACT"


@agent_variant()
def names_its_users_by_uuids(agent: PersonalAgent) -> None:
    """A `sub` is a UUID."""
    agent.subject = lambda agent, relation: agent.store.subs.setdefault(
        relation.user.id, str(uuid4())
    )


@agent_variant()
def names_its_users_by_a_keyed_digest(agent: PersonalAgent) -> None:
    """A `sub` is a digest of the User's id under a key of the agent's own, in base64url."""
    key = agent.store.subs.setdefault(None, secrets.token_hex()).encode()

    def digest(user: str) -> str:
        made = hmac.digest(key, user.encode(), "sha256")
        return base64.urlsafe_b64encode(made).decode().rstrip("=")

    agent.subject = lambda *about: digest(about[1].user.id)


@agent_variant()
def sends_bearer_in_lower_case(agent: PersonalAgent) -> None:
    """The scheme in `Authorization` is spelt `bearer`."""
    authorization = agent.message_headers["Authorization"]
    oauth = agent.delegation.oauth_headers["Authorization"]
    agent.message_headers["Authorization"] = lambda *about: str(authorization(*about)).replace(
        "Bearer", "bearer", 1
    )
    agent.delegation.oauth_headers["Authorization"] = lambda *about: str(oauth(*about)).replace(
        "Bearer", "bearer", 1
    )


def _later(member: TokenMember, seconds: int) -> TokenMember:
    def later(agent: PersonalAgent, relation: Relation) -> int:
        value = member(agent, relation)
        assert isinstance(value, int)
        return value + seconds

    return later


def _live(agent: PersonalAgent, seconds: int) -> None:
    """Let tokens live for so long."""
    agent.token_claims["exp"] = lambda agent, relation: int(agent.now(relation)) + seconds
