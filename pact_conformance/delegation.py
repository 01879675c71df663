"""Delegated authority (§5) as checks are handed it: who approves, where grants are got, and time.

Time passes in one of two ways. The built-in Provider has a Brand whose clock the suite moves, so no
check waits for it; elsewhere an interval is waited for.
"""

import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from pact_conformance import expect
from pact_conformance.grants import Grant, Grants, let_pass
from pact_conformance.journal.answer import Answer
from pact_conformance.subject.approver import Approver, Count, approver_of
from pact_conformance.subject.authorization_server import AuthorizationServer
from pact_conformance.subject.hooks import Hooks
from pact_conformance.subject.once import Once
from pact_conformance.subject.provider import Provider
from pact_conformance.tokens.caller import Caller
from pact_conformance.tokens.delegation import DelegationToken, read
from pact_conformance.tokens.delegation_forgeries import (
    DelegationForgery,
    Materials,
    UnforgeableError,
    forge_delegation,
)
from pact_conformance.tokens.keys import keys_from_json
from pact_conformance.tokens.token import Token
from pact_conformance.verdicts import Deviation, NotApplicable, Unsettled, Untested
from pact_conformance.wire.card import Card

if TYPE_CHECKING:
    from pact_conformance.rig import Rig

_TWO_SCOPES = "a Brand with at least two scopes shows this"


class Delegation:
    """What a run knows of delegated authority at the Brand under test.

    Args:
        rig: of the run.
    """

    def __init__(self, rig: "Rig") -> None:
        self._rig = rig
        self._moved = 0.0
        self._grants: dict[str, str] = {}

    @Once
    def approver(self) -> Approver:
        """Who plays the User.

        Raises:
            Untested: the tester has set nobody.
        """
        rig = self._rig
        return approver_of(
            rig.settings,
            rig.client,
            rig.mask,
            person=rig.person,
            folder=rig.journal.path.parent,
        )

    @Once
    def server(self) -> AuthorizationServer:
        """The authorization server of the Brand under test, reached as the suite's own agent.

        Raises:
            NotApplicable: the card offers no delegation.
        """
        return self.server_of(self._rig.provider)

    def server_of(self, provider: Provider) -> AuthorizationServer:
        """Return a Brand's authorization server, as one of the personal agents reaches it."""
        return AuthorizationServer(provider, self._rig.settings.allow_origins)

    @Once
    def grants(self) -> Grants:
        """Gets grants at the Brand under test."""
        return Grants(self, self.server)

    def grants_of(self, provider: Provider) -> Grants:
        """Return what gets grants at another Brand, or for another personal agent."""
        return Grants(self, self.server_of(provider))

    @property
    def hooks(self) -> Hooks:
        """What the tester gave to do what the protocol cannot."""
        return self._rig.hooks

    @Once
    def scopes(self) -> tuple[str, ...]:
        """The scopes that are asked for: two of the card's, those with a prompt first.

        Raises:
            Untested: the card lists none.
        """
        listed = [it for it in self.server.delegation.scopes if it.strip()]
        prompted = self._rig.settings.prompts
        if not listed:
            raise Untested("the card lists no scope", do="see 5.2-scopes-on-card")
        return tuple(sorted(listed, key=lambda it: it not in prompted)[:2])

    @property
    def first(self) -> str:
        """A scope that is granted from the beginning."""
        return self.scopes[0]

    @property
    def second(self) -> str:
        """Another one, which is refused at first and granted later.

        Raises:
            NotApplicable: the card lists a single one.
        """
        if len(self.scopes) < 2:
            raise NotApplicable(_TWO_SCOPES)
        return self.scopes[1]

    @property
    def second_account(self) -> int:
        """Which of the accounts to sign in with where it should not be the first, if it can be."""
        return min(1, max(0, len(self._rig.settings.accounts) - 1))

    def need_second_account(self) -> None:
        """End what needs two Brand accounts.

        Raises:
            Untested: the tester gave fewer.
        """
        if len(self._rig.settings.accounts) < 2:
            raise Untested(
                "a second account at the Brand is needed",
                do="give two [[accounts]] in the settings file",
            )

    def forged(
        self,
        forgery: DelegationForgery,
        grant: Grant,
        *,
        another: DelegationToken | None,
        served: Answer,
    ) -> Token:
        """Make a forgery of a grant's token.

        Args:
            forgery: what to make.
            grant: whose token is forged; its key has to be published.
            another: another good token of the Provider, if there is one.
            served: an answer to a message under the grant, whose receipt may stand for a token.

        Raises:
            NotApplicable: of this token it would be a good one.
            Untested: it takes something that there is not.
        """
        try:
            receipt = expect.receipt(served).jws
        except Deviation:
            receipt = None
        materials = Materials(
            grant.read,
            self.server.jwks,
            self.server.provider.caller,
            another=another,
            receipt=receipt,
            scopes=tuple(self.server.delegation.scopes),
            server=self._rig.jku_server,
        )
        lacking = materials.lacks(forgery)
        if lacking:
            do = (
                "give two [[accounts]] in the settings file"
                if another is None
                else "see 5.6-receipt"
            )
            raise Untested(f"the forgery takes {', '.join(lacking)}", do=do)
        try:
            return forge_delegation(forgery, materials)
        except UnforgeableError as error:
            raise NotApplicable(f"with this token it would be good: {error}") from error
        except ValueError as error:
            raise Untested(
                f"the token has no published key: {error}", do="see 5.4-signature"
            ) from error

    def known_user(self, account: int) -> str | None:
        """Return the Brand's own id of an account, None where the tester has not said."""
        accounts = self._rig.settings.accounts
        return accounts[account].user if account < len(accounts) else None

    @property
    def unmapped_prompt(self) -> str | None:
        """The tester's message for something that needs no scope, if there is one."""
        return self._rig.settings.prompts.get("")

    def prompt(self, scope: str) -> str:
        """Return a message for which the Brand's agent needs a scope: the tester's, or ours."""
        given = self._rig.settings.prompts.get(scope)
        described = self.server.delegation.scopes.get(scope, scope)
        return given or f"Please do this for me now: {described}."

    @Once
    def clock_provider(self) -> Provider:
        """The Brand whose clock is moved: one of its own, or the Brand under test."""
        _ = self._rig.provider  # where a finding keeps that from being tested, there is none
        url = self._rig.plan.clock_card
        card = self._rig.card if url is None else Card(self._rig.read_card(url).json, url)
        return self._rig.provider_of(card, self._caller_of_moved_clock())

    @property
    def has_clock(self) -> bool:
        """Whether there is a Brand whose clock is the suite's to move, at no time of anybody."""
        return self._rig.plan.clock_card is not None

    def _caller_of_moved_clock(self) -> Caller:
        registration = self._rig.plan.primary
        if registration is None:
            raise Untested("a registered personal agent is needed", do="set PA_ISSUER")
        return Caller(
            registration.issuer,
            registration.audience,
            keys_from_json(registration.keys),
            clock=lambda: self._rig.now() + self._moved,
            seed=self._rig.plan.seed.encode(),
        )

    def time_at(self, provider: Provider) -> float:
        """Return the seconds of a steady clock at a Brand, from a start of its own."""
        return time.monotonic() + (self._moved if self._is_clock(provider) else 0.0)

    def pass_time(self, provider: Provider, seconds: float, why: str) -> None:
        """Let time pass at a Brand: by moving its clock where it is the suite's, else by waiting.

        Args:
            provider: the Brand.
            seconds: to pass.
            why: what people are told where it is waited for.

        Raises:
            Inconclusive: the hook failed, or the wait would outlast the check.
        """
        if self._is_clock(provider):
            self.move_clock(seconds)
        else:
            let_pass(seconds, why)

    def move_clock(self, seconds: float) -> None:
        """Move the clock of that Brand by hook; the caller's tokens follow.

        Raises:
            Untested: there is no such hook.
            Inconclusive: it failed.
        """
        about = {"interface": self.clock_provider.interface.url, "seconds": seconds}
        self._rig.hooks.call("advance_clock", **about)
        self._moved += seconds

    def alone_with_the_clock(self) -> None:
        """See that moving the clock of that Brand disturbs nobody.

        Raises:
            Untested: other processes of the run may be asking something of the Brand.
        """
        if self.has_clock:
            return
        if self._rig.shared:
            raise Untested(
                "the clock of the Brand under test moves for every process of the run",
                do="run this check without -n",
            )
        self._rig.conversations.close()

    def _is_clock(self, provider: Provider) -> bool:
        return self.has_clock and provider.interface.url == self.clock_provider.interface.url

    @property
    def called(self) -> Count:
        """How often the User was called upon in this process."""
        return self.approver.count if "approver" in self.__dict__ else Count()

    def keep_in_mind(self, server: AuthorizationServer, answer: Answer) -> None:
        """Remember a grant that an answer of the token endpoint gives, to end it with the run."""
        body: Any = answer.json
        token = body.get("access_token") if isinstance(body, dict) else None
        with suppress(ValueError):
            grant_id = read(str(token)).claims.get("grant_id")
            if isinstance(grant_id, str):
                self._grants[grant_id] = server.provider.interface.url

    def revoke_all(self) -> None:
        """Revoke what the run was granted, where there is a hook: the next run asks anew.

        A grant that lives on would let consent be skipped then (§5.3), and little be seen of it.
        The built-in Provider ends with the run.
        """
        if self.has_clock or not self._rig.settings.hooks.revoke_grant:
            return
        for grant_id, interface in self._grants.items():
            with suppress(Unsettled):
                self._rig.hooks.call("revoke_grant", grantId=grant_id, interface=interface)

    def close(self) -> None:
        """Leave the User as they were: nothing granted, and nobody signed in for them."""
        self.revoke_all()
        if "approver" in self.__dict__:
            self.approver.close()
