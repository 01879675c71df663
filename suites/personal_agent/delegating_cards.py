"""Cards that offer delegation in unusual ways, and one that offers none (§5.1, §5.2)."""

from dataclasses import dataclass

from pact_conformance.grants import Tried, tried
from pact_conformance.rig import conversation
from pact_conformance.subject.agent import AgentUnderTest, Result
from pact_conformance.subject.seen import Seen
from pact_conformance.subject.stage import Scene, Stage

from .delegating import (
    AT_ONCE,
    CANCEL,
    PAST,
    READ,
    SAID,
    TOKEN_LIFE,
    Customer,
    acting,
    customer,
    during,
)

# A scheme of another name, behind one with another flow that is nothing for a personal agent.
_RENAMED = {
    "securitySchemes": {
        "userDelegation": None,
        "oauth": {
            "oauth2SecurityScheme": {
                "flows": {
                    "authorizationCode": {
                        "authorizationUrl": "{base}/shop/{brandId}/authorize",
                        "tokenUrl": "{base}/shop/{brandId}/token",
                        "scopes": {"shop:all": "Everything in the shop"},
                    }
                }
            }
        },
        "Kundenkonto 7": {
            "oauth2SecurityScheme": {
                "flows": {
                    "deviceCode": {
                        "deviceAuthorizationUrl": "{issuer}/device_authorization",
                        "tokenUrl": "{issuer}/token",
                        "scopes": {
                            READ: "Look up your orders and their status",
                            CANCEL: "Cancel an order that has not shipped",
                        },
                    }
                },
                "oauth2MetadataUrl": "{issuer}/.well-known/oauth-authorization-server",
            }
        },
    },
    "securityRequirements": [
        {"schemes": {"Kundenkonto 7": {"list": []}, "paJwt": {"list": []}}},
        {"schemes": {"paJwt": {"list": []}}},
    ],
}

_UNPATTERNED = {
    "device_authorization": "/gate/%7Ebegin/1f",
    "token": "/t/44/exchange.do",
    "metadata": "/meta/of/a/shop",
    "jwks": "/k/e/y/s",
}

# Scope ids of RFC 6749 §3.3 that look like nothing else.
ODD = {
    "0": "Look up your orders",
    "urn:x-shop:/orders;mode=rw!": "Change your orders",
    "https://shop.example/scopes/~refunds": "Issue refunds",
}


@dataclass(frozen=True)
class SignIn:
    """A sign-in at a Brand: what the agent said at first, and how far it came."""

    who: Customer
    said: Result

    @property
    def scene(self) -> Scene:
        """The Brand."""
        return self.who.scene


def _sign_in(who: Customer, *scopes: str) -> SignIn:
    said = who.sign_in(*scopes)
    if who.flows:
        who.finish()
    return SignIn(who, said)


@conversation(turns=0, together=0)
def renamed_scheme(stage: Stage, agent: AgentUnderTest) -> SignIn:
    """The delegation scheme has another name, and stands behind an OAuth scheme of another flow."""
    scene = stage.open(cardPatch=_RENAMED, **AT_ONCE)
    return _sign_in(customer(agent, scene, "renamed-scheme"), READ)


@conversation(turns=0, together=0)
def endpoints_elsewhere(stage: Stage, agent: AgentUnderTest) -> SignIn:
    """The OAuth endpoints follow no pattern; on another host too, where the stage has one."""
    host = {} if stage.address.other is None else {"host": "other"}
    scene = stage.open(endpoints={**_UNPATTERNED, **host}, **AT_ONCE)
    return _sign_in(customer(agent, scene, "endpoints-elsewhere"), READ)


@conversation(turns=0, together=0)
def odd_scopes(stage: Stage, agent: AgentUnderTest) -> Tried[SignIn]:
    """The card's scopes have unusual ids."""
    scene = stage.open(scopes=ODD, **AT_ONCE)
    return tried(lambda: _sign_in(customer(agent, scene, "odd-scopes"), *list(ODD)[1:]))


@dataclass(frozen=True)
class Elsewhere:
    """A User with a grant at one Brand, who then talks at another that offers delegation too."""

    home: Customer
    token: str
    other: Customer
    there: tuple[Seen, ...]
    """What came to it."""


@conversation(turns=0, together=0)
def at_other_brands(stage: Stage, agent: AgentUnderTest) -> Tried[Elsewhere]:
    """A User who is signed in at one Brand talks at another."""
    return tried(lambda: _talk_elsewhere(stage, agent))


def _talk_elsewhere(stage: Stage, agent: AgentUnderTest) -> Elsewhere:
    home = customer(agent, stage.open(**AT_ONCE), "at-other-brands")
    token = acting(home, READ)
    other = customer(agent, stage.open(**AT_ONCE), "at-other-brands")
    said = during(other, lambda: other.say(SAID[READ]))
    return Elsewhere(home, token, other, said)


@conversation(turns=0, together=0)
def borrowed_interface(stage: Stage, agent: AgentUnderTest) -> Tried[Elsewhere]:
    """A card of another Brand names the interface where the User's token has expired meanwhile.

    Its authorization server is its own, and has no business with that Brand's refresh token.
    """
    return tried(lambda: _borrow(stage, agent))


def _borrow(stage: Stage, agent: AgentUnderTest) -> Elsewhere:
    home = customer(agent, stage.open(tokenSeconds=TOKEN_LIFE, **AT_ONCE), "borrowed")
    token = acting(home, READ)
    entry = {"protocolBinding": "HTTP+JSON", "protocolVersion": "1.0"}
    patch = {"supportedInterfaces": [{"url": home.scene.interface, **entry}]}
    other = customer(agent, stage.open(cardPatch=patch, **AT_ONCE), "borrowed")
    home.let_pass(PAST, "for the delegation token to expire")
    said = during(other, lambda: other.say(SAID[READ]))
    return Elsewhere(home, token, other, said)


@conversation(turns=0, together=0)
def without_delegation(stage: Stage, agent: AgentUnderTest) -> tuple[Seen, ...]:
    """A Brand offers no delegation, and its User says what would need it elsewhere."""
    plain = customer(agent, stage.open(delegates=False), "without-delegation")
    return during(plain, lambda: _ask_for_delegation(plain))


def _ask_for_delegation(plain: Customer) -> None:
    plain.say(SAID[READ])
    if plain.agent.offers("sign_in"):
        plain.sign_in(READ)
    plain.say(SAID[CANCEL])
