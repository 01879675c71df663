"""Agents that get the `sub` of §3.2 wrong."""

import base64
import hashlib
import hmac
import itertools
from collections import defaultdict
from collections.abc import Callable, Hashable
from uuid import uuid4

from pact_conformance.counterpart.flaws.registry import agent_flaw
from pact_conformance.counterpart.personal_agent.personal_agent import PersonalAgent
from pact_conformance.counterpart.personal_agent.store import Relation, User


@agent_flaw("3.2-agent-sub")
def counts_its_users(agent: PersonalAgent) -> None:
    """The `sub` is a number, the User's key in the agent's database."""
    numbers = _numbered()
    agent.token_claims["sub"] = lambda _agent, relation: numbers[relation.user.id]


@agent_flaw("3.2-agent-sub")
def has_no_sub_for_whoever_has_not_signed_in(agent: PersonalAgent) -> None:
    """Without a grant the token has no `sub`."""
    subject = agent.token_claims["sub"]
    agent.token_claims["sub"] = lambda agent, relation: (
        subject(agent, relation) if agent.delegation.held(agent, relation) else None
    )


@agent_flaw("3.2-agent-sub", "3.2-agent-sub-per-user")
def has_a_blank_sub(agent: PersonalAgent) -> None:
    """The `sub` is a space."""
    agent.token_claims["sub"] = lambda _agent, _relation: " "


@agent_flaw("3.2-agent-sub-stable")
def makes_a_sub_for_each_brand(agent: PersonalAgent) -> None:
    """A User has another `sub` at each Brand."""
    _by(agent, lambda relation: relation.key)


@agent_flaw("3.2-agent-sub-stable")
def forgets_the_subs_when_it_is_started_again(agent: PersonalAgent) -> None:
    """The `sub` of a User is in memory alone: after a restart there is another."""
    made: defaultdict[Hashable, str] = defaultdict(lambda: f"u-{uuid4()}")
    agent.subject = lambda *about: made[about[1].user.id]


@agent_flaw("3.2-agent-sub-stable")
def derives_the_subs_from_its_key(agent: PersonalAgent) -> None:
    """The `sub` of a User is a digest under the key that signs: a new key makes another one."""

    def derived(agent: PersonalAgent, relation: Relation) -> str:
        secret = agent.signing_key(agent).private.private_numbers().private_value
        return hmac.digest(secret.to_bytes(32), relation.user.id.encode(), "sha256").hex()

    agent.subject = derived


@agent_flaw("3.2-agent-sub-stable")
def forgets_the_sub_of_whoever_was_away(agent: PersonalAgent) -> None:
    """The `sub` is the session's: a User who says nothing for five minutes gets another one."""
    subject = agent.subject
    last: dict[Hashable, float] = {}
    sessions: dict[Hashable, str] = {}

    def of_session(agent: PersonalAgent, relation: Relation) -> str:
        now = agent.now(relation)
        if now - last.get(relation.key, now) > 300:
            sessions[relation.key] = f"u-{uuid4()}"
        last[relation.key] = now
        return sessions.get(relation.key) or subject(agent, relation)

    agent.subject = of_session


@agent_flaw("3.2-agent-sub-per-user")
def speaks_for_everybody_as_one(agent: PersonalAgent) -> None:
    """One technical account stands for all Users."""
    _by(agent, lambda _relation: "the agent")


@agent_flaw("3.2-agent-sub-opaque")
def uses_the_mail_address(agent: PersonalAgent) -> None:
    """The `sub` is the User's e-mail address."""
    _from(agent, lambda user: user.email)


@agent_flaw("3.2-agent-sub-opaque")
def encodes_the_mail_address(agent: PersonalAgent) -> None:
    """The `sub` is the User's e-mail address in base64."""
    _from(agent, lambda user: base64.urlsafe_b64encode(user.email.encode()).decode().rstrip("="))


@agent_flaw("3.2-agent-sub-opaque")
def builds_the_sub_from_the_name(agent: PersonalAgent) -> None:
    """The `sub` is made of the User's name, with a number behind it."""
    _from(agent, lambda user: user.name.lower().replace(" ", "."))


@agent_flaw("3.2-agent-sub-opaque")
def writes_the_phone_number_in_hexadecimal(agent: PersonalAgent) -> None:
    """The `sub` is the User's phone number, its characters in hexadecimal."""
    _from(agent, lambda user: user.phone.encode().hex())


@agent_flaw("3.2-agent-sub-not-a-hash")
def hashes_the_mail_address(agent: PersonalAgent) -> None:
    """The `sub` is the SHA-256 of the e-mail address."""
    _from(agent, lambda user: hashlib.sha256(user.email.encode()).hexdigest())


@agent_flaw("3.2-agent-sub-not-a-hash")
def hashes_the_phone_number(agent: PersonalAgent) -> None:
    """The `sub` is the MD5 of the phone number."""
    _from(agent, lambda user: hashlib.md5(user.phone.encode()).hexdigest())  # noqa: S324


def _by(agent: PersonalAgent, whose: Callable[[Relation], Hashable]) -> None:
    """Keep a `sub` for whatever `whose` names."""
    agent.subject = lambda agent, relation: agent.store.subs.setdefault(
        whose(relation), f"u-{uuid4()}"
    )


def _from(agent: PersonalAgent, make: Callable[[User], str]) -> None:
    """Make the `sub` of what is known of a User, where something is."""
    subject = agent.subject
    agent.subject = lambda agent, relation: make(relation.user) or subject(agent, relation)


def _numbered() -> defaultdict[Hashable, int]:
    numbers = itertools.count(4471)
    return defaultdict(lambda: next(numbers))
