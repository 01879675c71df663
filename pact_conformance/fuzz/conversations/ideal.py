"""A Provider in memory that does what the model calls usual.

It has no rules of its own, so it shows nothing of the model being right; it is for telling which
requirement a step is about, and for tests that make it do something else.
"""

import itertools
from collections.abc import Collection

from pact_conformance.fuzz.conversations.running import Course, Running
from pact_conformance.fuzz.conversations.saying import Message, Seen, Token, User
from pact_conformance.fuzz.conversations.steps import FIRST, SECOND, WHO, Wanted
from pact_conformance.fuzz.example import Change


class Ideal:
    """The Provider; its Brands have two scopes, and no grant is of two flows."""

    scopes: tuple[str, ...] = ("first", "second")

    def __init__(self) -> None:
        self.running = Running(self)
        self._numbers = itertools.count(1)

    def user(self, who: str) -> User:
        """Return a User: the last one is the first User's `sub` at another agent."""
        agent = "https://another.example" if who == WHO[-1] else "https://agent.example"
        return User(agent, who.split(maxsplit=1)[0])

    def brand(self, where: str) -> str:
        """Return a URL of a Brand."""
        return f"https://provider.example/{where.replace(' ', '-')}"

    def card_scopes(self, _where: str) -> Collection[str]:
        """Return both scopes."""
        return self.scopes

    def send(self, message: Message, _who: str, _where: str) -> Seen:
        """Answer as it is usual."""
        outcome = self.running.model.due(message).usual
        if outcome == "new":
            return self.answer(message)
        if outcome == "stored":
            said = self.running.model.conversations[message.context or ""].said[message.id]
            return said[0][1]
        if outcome == "401":
            return Seen("401", "401")
        return Seen("refused", outcome, reason=outcome)

    def answer(self, message: Message) -> Seen:
        """Run the Brand's agent: it asks for a scope that the token lacks."""
        number, token = next(self._numbers), message.token
        context = message.context or f"context-{number}"
        needed = {FIRST: self.scopes[:1], SECOND: self.scopes[1:]}.get(message.text, ())
        held = frozenset() if token is None else token.scopes
        if token is None:
            return Seen("reply", "a Message", context=context, value=number)
        if not set(needed) <= held:
            task, missing = f"task-{number}", tuple(needed)
            return Seen(
                "step-up", "a Task", context=context, value=number, missing=missing, task=task
            )
        claims = {
            "grantId": token.grant_id,
            "user": token.account,
            "pa": message.user.agent,
            "brand": message.brand,
            "scopesUsed": list(needed),
        }
        return Seen("reply", "a Message", context=context, value=number, receipt=claims)

    def grant(self, wanted: Wanted) -> Token:
        """Grant what is approved."""
        number = next(self._numbers)
        return Token(
            grant_id=f"grant-{number}",
            holder=self.user(wanted.who),
            brand=self.brand(wanted.where),
            account=wanted.account,
            scopes=frozenset(wanted.approved(self.scopes)),
            flow=number,
        )

    def refresh(self, token: Token, asked: Collection[str] | None) -> tuple[Token | None, str]:
        """Refresh a grant that stands."""
        permissions = self.running.model.permissions
        grant, has = (token.triple, token.grant_id), permissions.refreshable[token.flow]
        if grant in permissions.ended or not set(asked or ()) <= has:
            return None, "400"
        scopes = has if asked is None else frozenset(asked)
        return Token(
            token.grant_id, token.holder, token.brand, token.account, scopes, token.flow
        ), "200"

    def revoke(self, token: Token) -> None:
        """The model knows."""

    def close(self, context: str, owner: User, brand: str) -> None:
        """The model knows."""

    def look(self, task: str, _who: str, _where: str) -> Seen:
        """Forget tasks at once, as a Provider may."""
        del task
        return Seen("refused", "TASK_NOT_FOUND", reason="TASK_NOT_FOUND")


def usual_course(changes: tuple[Change, ...]) -> Course:
    """Return how an example goes where everything is as usual."""
    return Ideal().running.go(changes)
