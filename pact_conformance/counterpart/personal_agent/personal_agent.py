"""The personal agent, put together from its parts."""

from collections.abc import Callable, Sequence
from typing import Any

from pact_conformance.counterpart.personal_agent import (
    answers,
    discovery,
    messages,
    patience,
    sending,
    tokens,
    turns,
)
from pact_conformance.counterpart.personal_agent.configuration import PersonalAgentConfig
from pact_conformance.counterpart.personal_agent.delegation.delegation import Delegation
from pact_conformance.counterpart.personal_agent.failure import Failure
from pact_conformance.counterpart.personal_agent.keys import PUBLISHED, SigningKey
from pact_conformance.counterpart.personal_agent.results import GaveUp, Result
from pact_conformance.counterpart.personal_agent.sending import Retries
from pact_conformance.counterpart.personal_agent.store import (
    Brand,
    Conversation,
    KeptReceipt,
    Relation,
    Store,
    User,
    Waiting,
)
from pact_conformance.counterpart.personal_agent.timing import RealTime, Time
from pact_conformance.counterpart.personal_agent.transport import Transport
from pact_conformance.counterpart.personal_agent.turns import Said, Turn
from pact_conformance.wire.media_types import JSON
from pact_conformance.wire.messages import new_id
from pact_conformance.wire.text import is_blank


class PersonalAgent:
    """A personal agent: its parts, each a small thing of its own, and what it can be asked to do.

    The parts are attributes, so that whoever assembles an agent may put another in. What is kept
    for good is in the store: another agent with the same store is the same one, started again.

    Args:
        issuer: what goes into `iss`.
    """

    def __init__(
        self,
        config: PersonalAgentConfig,
        issuer: str,
        *,
        store: Store | None = None,
        time: Time | None = None,
    ) -> None:
        self.config = config
        self.issuer = issuer
        self.store = Store() if store is None else store
        self.time: Time = RealTime() if time is None else time
        self.transport = Transport(ca_file=config.ca_file)
        if not self.store.keys:
            self.store.keys.append(SigningKey.generate(config.alg))

        self._discover()
        self._identify()
        self._converse()
        self._delegate()
        self._read_errors()

    def _discover(self) -> None:
        # §2 Transport
        self.takes_domains = True
        self.well_known = discovery.well_known
        self.card_headers: dict[str, Callable[[PersonalAgent], str | None]] = {
            "Accept": lambda _agent: JSON
        }
        self.card_request = discovery.card_request
        self.redirected = discovery.redirected
        self.fetch_card = discovery.fetch_card
        self.read_card = discovery.read_card
        self.choose_interface = discovery.choose_interface
        self.accepts_our_jwt = discovery.accepts_our_jwt
        self.send_url = messages.send_url

    def _identify(self) -> None:
        # §3 Personal-agent identity
        self.jwks = jwks
        self.signing_key = signing_key
        self.rotate = rotate
        self.token_header = tokens.header_members()
        self.token_claims = tokens.claims()
        self.subject = tokens.subject
        self.audience = tokens.audience
        self.sign = tokens.sign
        self.mint_token = tokens.mint_token

    def _converse(self) -> None:
        # §4 Messages
        self.draft = messages.draft
        self.mint_message_id = messages.mint_message_id
        self.message_members = messages.message_members()
        self.request_members = messages.request_members()
        self.message_headers = messages.message_headers()
        self.message_request = messages.message_request
        self.context_of = turns.context_of
        self.keep_context = turns.keep_context
        self.drop_context = turns.drop_context
        self.take_turn = turns.take_turn
        self.deliver = sending.deliver
        self.retries = Retries()
        self.sends_again = sending.sends_again
        self.may_still_run = sending.may_still_run
        self.redraft = sending.redraft
        self.is_reply = answers.is_reply
        self.reply_text = answers.reply_text
        self.read_result = answers.read_result

    def _delegate(self) -> None:
        # §5 Delegated authority
        self.delegation = Delegation()
        self.is_step_up = answers.is_step_up
        self.resend = resend

    def _read_errors(self) -> None:
        # §6 Errors
        self.read_outcome = answers.read_outcome
        self.read_document = answers.read_document
        self.read_error = answers.read_error
        self.read_reason = answers.read_reason
        self.is_invalid_token = answers.is_invalid_token
        self.react = turns.react
        self.reactions = turns.reactions()
        self.reasons = turns.reasons()
        self.exchange = patience.exchange
        self.wait_for_leave = patience.wait_for_leave
        self.note_pause = patience.note_pause
        self.retry_after = patience.retry_after

    def now(self, relation: Relation) -> float:
        """Return the time at a Brand."""
        return self.time.now(relation.brand.interface.url)

    def sleep(self, relation: Relation, seconds: float) -> None:
        """Let time pass at a Brand."""
        self.time.sleep(relation.brand.interface.url, seconds)

    def connect(
        self, *, card: str | None = None, domain: str | None = None, audience: str
    ) -> Brand | GaveUp:
        """Find a Brand by the URL of its card, or by its domain (§2.1)."""
        try:
            if card is not None:
                brand = discovery.connect_by_card(self, card, audience)
            else:
                brand = discovery.connect_by_domain(self, domain or "", audience)
        except Failure as failure:
            return GaveUp(failure.reason, None)
        self.store.brands[brand.handle] = brand
        return brand

    def relation(self, brand: str, user: User) -> Relation:
        """Return a User at a Brand.

        Raises:
            KeyError: the agent has not been connected to such a Brand.
        """
        return Relation(self.store.brands[brand], user)

    def say(self, relation: Relation, text: str, conversation: str | None = None) -> Result:
        """Say something to a Brand for a User, in a conversation of theirs or a new one."""
        found = self._conversation(relation, conversation)
        self.store.said[relation.key] = text

        def take() -> Said:
            if is_blank(text):
                raise Failure("there is nothing to say")
            return self.take_turn(self, Turn(relation, found, text))

        return _told(take, found.handle)

    def sign_in(
        self,
        relation: Relation,
        scopes: Sequence[str] | None = None,
        conversation: str | None = None,
    ) -> Result:
        """Begin a sign-in for scopes, or for those that the User's last words are about (§5.3)."""
        found = self._conversation(relation, conversation)
        waiting = Waiting(found, "")
        return _told(lambda: self.delegation.ask(self, relation, scopes, waiting), found.handle)

    def go_on(self, relation: Relation) -> Result:
        """Finish the sign-in that has begun, and send what has waited for it (§5.3, §5.5)."""
        sign_in = self.store.sign_ins.pop(relation.key, None)
        if sign_in is None:
            return GaveUp("no sign-in has begun", None)
        waiting = sign_in.waiting
        handle = None if waiting is None else waiting.conversation.handle
        return _told(lambda: self.delegation.go_on(self, relation, sign_in), handle)

    def holds(self, relation: Relation) -> tuple[tuple[str, ...], Sequence[KeptReceipt]]:
        """Return the scopes that a User has granted at a Brand, and the receipts that are kept."""
        scopes = self.delegation.granted(self, relation)
        return scopes, tuple(self.store.receipts.get(relation.key, ()))

    def published(self) -> dict[str, Any]:
        """Return the JWK Set as it is served."""
        return self.jwks(self)

    def _conversation(self, relation: Relation, handle: str | None) -> Conversation:
        """Return a conversation of a User with a Brand; nobody else's has its handle."""
        handle = new_id("conversation") if handle is None else handle
        key = (*relation.key, handle)
        return self.store.conversations.setdefault(key, Conversation(handle))


def jwks(agent: PersonalAgent) -> dict[str, Any]:
    """Return the set of the agent's public keys (§3.1)."""
    return {"keys": [key.public_jwk() for key in agent.store.keys]}


def signing_key(agent: PersonalAgent) -> SigningKey:
    """Return the key that signs."""
    return agent.store.keys[0]


def rotate(agent: PersonalAgent) -> None:
    """Put a new key in the place of the one that signs (§3.1).

    It is published in the same moment; the old one stays so, for tokens that are under way.
    """
    fresh = SigningKey.generate(agent.config.alg)
    agent.store.keys[:] = [fresh, *agent.store.keys][:PUBLISHED]


def resend(agent: PersonalAgent, relation: Relation, waiting: Waiting) -> Said:
    """Send what has waited for a sign-in: as a new message of its conversation (§5.5)."""
    return agent.take_turn(agent, Turn(relation, waiting.conversation, waiting.text))


def _told(take: Callable[[], Said], conversation: str | None) -> Result:
    """Return what comes of something, with the reason where nothing does."""
    try:
        return take()
    except Failure as failure:
        return GaveUp(failure.reason, conversation)
