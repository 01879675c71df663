"""The Provider of a run as the steps of a conversation reach it."""

import itertools
from collections.abc import Collection
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from pact_conformance.expect.answers import describe, settled
from pact_conformance.fuzz.conversations.lending import Lending
from pact_conformance.fuzz.conversations.reading import read, read_task
from pact_conformance.fuzz.conversations.saying import Message, Seen, Token, User
from pact_conformance.fuzz.conversations.spending import Spending
from pact_conformance.fuzz.conversations.steps import (
    ACCOUNTS,
    ANOTHER,
    FIRST,
    QUESTION,
    SECOND,
    WHERE,
    WHO,
    Wanted,
)
from pact_conformance.fuzz.family import Exhausted, Impossible
from pact_conformance.fuzz.pace import Pace
from pact_conformance.grants import Grant, Grants, let_pass, tried
from pact_conformance.subject.operations import GET
from pact_conformance.subject.provider import GREETING, Provider
from pact_conformance.subject.rate_limit import Patience
from pact_conformance.tokens.caller import Caller
from pact_conformance.verdicts import Inconclusive, NotApplicable, Unsettled, Untested

if TYPE_CHECKING:
    from pact_conformance.rig import Rig

# How long a Provider may take to tell everybody of a revocation, in seconds (see §5.5's checks).
REVOKED_AFTER = 5.0

# A token that is good for less than so many seconds may be refused, clocks aside.
EXPIRING = 10.0

NONE: frozenset[str] = frozenset()


class Live:
    """The Provider, with its Brands; the Users of each example are its own.

    Where the User is asked a limited number of times, grants serve several examples, and those who
    hold them are the same in all.

    Args:
        rig: of the run.
        pace: between requests.
        spending: what they may cost.
    """

    def __init__(self, rig: "Rig", pace: Pace, spending: Spending) -> None:
        self._rig = rig
        self._pace = pace
        self._spending = spending
        self._patience = Patience(rig.settings.max_wait, sleep=pace.told_to_wait)
        self._examples = itertools.count(1)
        self._flows = itertools.count(1)
        self._suffix = ""
        self._providers: dict[tuple[str, str], Provider] = {}
        self._grants: dict[tuple[str, str], Grants] = {}
        self._held: dict[int, Grant] = {}
        """By their flows, with the token that came last."""
        self._refresh_tokens: dict[int, Grant] = {}
        self._lending = Lending(rig.now)
        self._in_vain: set[str] = set()
        """Brands at which no grant comes about."""

    def begin(self, wanted: Collection[Wanted]) -> None:
        """Begin an example: with Users who have said nothing yet, unless they lend their grants.

        Raises:
            Impossible: the User has been asked too often for its grants.
        """
        number = next(self._examples)
        self._spending.before_grants(sum(self._lending.find(it) is None for it in set(wanted)))
        shared = wanted and self._spending.grants is not None
        self._suffix = "" if shared else f"-{self._rig.turns.worker}-{number}"

    def end(self, tokens: Collection[Token]) -> None:
        """End an example: nothing is left granted of what may not be lent."""
        if self._spending.grants is not None:
            return
        for token in tokens:
            with suppress(Unsettled):
                self.revoke(token)
            self._held.pop(token.flow, None)
            self._refresh_tokens.pop(token.flow, None)

    @property
    def scopes(self) -> tuple[str, ...]:
        """One or two of the card's ids; none where the card offers no delegation."""
        found = tried(lambda: self._rig.delegation.scopes)
        return found.value or ()

    @property
    def offers(self) -> frozenset[str]:
        """What steps need that may be missing."""
        rig = self._rig
        hooks = {
            f"hooks.{it}" for it in ("revoke_grant", "close_conversation") if rig.hooks.has(it)
        }
        may_approve = rig.settings.approver not in {None, "manual"}
        return frozenset(hooks | ({"approver"} if may_approve and self.scopes else set()))

    @property
    def who(self) -> tuple[str, ...]:
        """The Users that there are."""
        other = tried(lambda: self._rig.gate.lets_in(self._rig.other_caller))
        return WHO if other.problem is None else WHO[:-1]

    @property
    def where(self) -> tuple[str, ...]:
        """The Brands that there are."""
        rig = self._rig
        other = tried(lambda: rig.gate.lets_in(rig.caller, rig.other_provider))
        return WHERE if other.problem is None else WHERE[:1]

    @property
    def accounts(self) -> tuple[str, ...]:
        """The accounts that somebody can sign in with."""
        return ACCOUNTS[: max(1, len(self._rig.settings.accounts))]

    def _caller(self, who: str) -> Caller:
        return self._rig.other_caller if who == WHO[-1] else self._rig.caller

    def _name(self, who: str) -> str:
        return f"conversing-{who.split(maxsplit=1)[0].lower()}{self._suffix}"

    def user(self, who: str) -> User:
        """Return a User: the last one is the first one's `sub` at another personal agent.

        Raises:
            Impossible: there is no such personal agent.
        """
        try:
            caller = self._caller(who)
        except Unsettled as why:
            raise Impossible(why.reason) from why
        return User(caller.issuer, caller.user(self._name(who)))

    def brand(self, where: str) -> str:
        """Return the interface URL of a Brand.

        Raises:
            Impossible: there is no such Brand.
        """
        return self._provider(WHO[0], where).interface.url

    def card_scopes(self, where: str) -> Collection[str]:
        """Return the scopes on its card."""
        offered = self._provider(WHO[0], where).card.delegation
        return () if offered is None else tuple(offered.scopes)

    def _provider(self, who: str, where: str) -> Provider:
        if (who, where) not in self._providers:
            rig = self._rig
            try:
                base = rig.provider if where == WHERE[0] else rig.other_provider
                caller = self._caller(who)
            except Unsettled as why:
                raise Impossible(why.reason) from why
            made = Provider(rig.client, base.card, caller, self._patience, rig.turns)
            self._providers[who, where] = made
        return self._providers[who, where]

    def send(self, message: Message, who: str, where: str) -> Seen:
        """Send a message.

        Raises:
            Exhausted: no more turns may be spent.
            Inconclusive: nothing came that says anything of the Provider.
        """
        self._spending.before_message()
        self._pace.wait()
        token = None if message.token is None else self._good(message.token)
        provider = self._provider(who, where)
        try:
            answer = provider.send(
                self._text(message.text),
                user=self._name(who),
                context_id=message.context,
                message_id=message.id,
                delegation=token,
            )
        except Untested as why:  # of the ledger
            raise Exhausted(why.reason, do=why.do) from why
        self._spending.after_message(answer)
        return read(answer)

    def _good(self, token: Token) -> str:
        """Return a token as it goes on the wire.

        Raises:
            Inconclusive: it is about to expire, after which it is no longer good.
        """
        held = self._held[token.flow]
        ends = held.claim("exp")
        if isinstance(ends, int | float) and ends - self._rig.now() < EXPIRING:
            raise Inconclusive("the token expires during the conversation")
        return held.token

    def _text(self, text: str) -> str:
        if text == QUESTION:
            return GREETING
        if text == ANOTHER or not self.scopes:
            return "And how do I return something?"
        delegation = self._rig.delegation
        return delegation.prompt({FIRST: self.scopes[0], SECOND: self.scopes[-1]}[text])

    def grant(self, wanted: Wanted) -> Token:
        """Go through a device flow, or lend a grant of the same that there is.

        Raises:
            Impossible: there is no such account, or the User has been asked often enough.
            Inconclusive: no token came of it.
        """
        if wanted.account not in self.accounts:
            raise Impossible("there is no second account")
        lent = self._lending.find(wanted)
        if lent is not None:
            return lent
        if wanted.where in self._in_vain:
            raise Impossible("no grant comes about at that Brand")
        self._spending.before_grant()
        self._pace.wait()
        flow = next(self._flows)
        try:
            token = self._granted(wanted, flow)
            ends = float(self._held[flow].claim("exp"))
        except (Unsettled, TypeError, ValueError) as why:
            if self._spending.grants is not None:
                self._in_vain.add(wanted.where)
            raise Inconclusive(f"no grant came about: {why}", do="see 5.3-token") from why
        if self._spending.grants is not None:
            self._lending.keep(wanted, token, ends)
        return token

    def _granted(self, wanted: Wanted, flow: int) -> Token:
        who, where, known = wanted.who, wanted.where, self.scopes
        grants = self._grants_of(who, where)
        grant = grants.get(
            wanted.asked(known),
            self._name(who),
            account=ACCOUNTS.index(wanted.account),
            approve=frozenset(wanted.approved(known)),
        )
        self._held[flow] = self._refresh_tokens[flow] = grant
        return self._token(grant, Token("", self.user(who), self.brand(where), "", NONE, flow))

    def _grants_of(self, who: str, where: str) -> Grants:
        if (who, where) not in self._grants:
            made = self._rig.delegation.grants_of(self._provider(who, where))
            self._grants[who, where] = made
        return self._grants[who, where]

    @staticmethod
    def _token(grant: Grant, of: Token) -> Token:
        """Return a token as it came, for the same User at the same Brand as another."""
        grant_id, account = (str(grant.claim(it)) for it in ("grant_id", "sub"))
        return replace(of, grant_id=grant_id, account=account, scopes=grant.scopes)

    def refresh(self, token: Token, asked: Collection[str] | None) -> tuple[Token | None, str]:
        """Refresh a token.

        Raises:
            Impossible: there is no refresh token.
            Inconclusive: nothing came that says anything of the Provider.
        """
        before = self._refresh_tokens[token.flow]
        self._pace.wait()
        grants = Grants(self._rig.delegation, before.flow.server)
        try:
            after = grants.refreshed(before, None if asked is None else tuple(asked))
        except NotApplicable as why:
            raise Impossible(why.reason) from why
        got = describe(settled(after.answer))
        self._lending.forget(token)
        if after.answer.status != 200:
            return None, got
        if tried(lambda: after.refresh_token).value:
            self._refresh_tokens[token.flow] = after
        self._held[token.flow] = after
        try:
            return self._token(after, token), got
        except Unsettled as why:
            raise Inconclusive(why.reason, do=why.do) from why

    def revoke(self, token: Token) -> None:
        """Revoke the grant of a token by hook.

        Raises:
            Inconclusive: the hook failed.
        """
        self._rig.hooks.call(
            "revoke_grant", grantId=token.grant_id, user=token.account, interface=token.brand
        )
        self._lending.forget(token)
        if self._spending.grants is not None:
            let_pass(REVOKED_AFTER, "for the Provider to take note of the revocation")

    def close(self, context: str, owner: User, brand: str) -> None:
        """Close a conversation by hook.

        Raises:
            Inconclusive: the hook failed.
        """
        self._rig.hooks.call(
            "close_conversation",
            issuer=owner.agent,
            sub=owner.sub,
            contextId=context,
            interface=brand,
        )

    def look(self, task: str, who: str, where: str) -> Seen:
        """Look a step-up up."""
        self._pace.wait()
        answer = self._provider(who, where).call(GET, ids={"id": task}, user=self._name(who))
        return read_task(answer)
