"""The personal agent under test, with a typed method for each operation of the contract."""

import contextlib
import itertools
import json
import threading
import time
from collections import Counter
from collections.abc import Sequence
from typing import Any

from pact_conformance.journal.mask import Mask
from pact_conformance.subject.agent import contract
from pact_conformance.subject.agent.in_turn import InTurn
from pact_conformance.subject.agent.results import Broke, GaveUp, Held, Refused, Result, User
from pact_conformance.subject.agent.way import GUIDE, Limit, Way
from pact_conformance.verdicts import Untested, open_notebook
from pact_conformance.waits import waiting

MOST_LATE = 3
"""So often running an operation may come too late until it is not asked for any more."""


class AgentUnderTest:
    """What the suite has the agent do. Thread-safe; calls wait for each other, but over HTTP.

    Every method raises `Broke` (inconclusive) where the agent did not answer as the contract says,
    and `Untested` where its adapter does not offer the operation.

    Args:
        way: how it is reached.
        mask: is told every link that the agent shows, and takes secrets out of failures.
        seconds: that a call may take, if no check has an earlier deadline.
        virtual_time: its waits move the Brand's clock, so that none of them lasts.
    """

    def __init__(self, way: Way, mask: Mask, *, seconds: float) -> None:
        self._way = way
        self._mask = mask
        self._seconds = seconds
        self._in_turn = None if way.concurrent else InTurn()
        self._ids = itertools.count(1)
        self._greeting = threading.Lock()
        self._greeted: dict[str, Any] | Broke | None = None
        self._found: dict[str, int] = {}
        """For each Brand how often the agent had lost its memory when it found it."""
        self._late: Counter[str] = Counter()

    @property
    def way(self) -> str:
        """How it is reached: mock, python, cmd, http or manual."""
        return self._way.name

    @property
    def name(self) -> str:
        """What the agent calls itself; empty where it does not say.

        Raises:
            Broke: it does not answer at all.
        """
        return str(self._hello().get("name") or "")

    @property
    def virtual_time(self) -> bool:
        """Whether its waits move the Brand's clock and last no time: only the built-in agent's.

        Raises:
            Broke: it does not answer at all.
        """
        return self._hello().get("virtualTime") is True

    @property
    def alive(self) -> bool:
        """Whether the agent runs: its process has not ended, no exception has come out of it.

        Over HTTP, whether anything answers.
        """
        return self._way.alive

    @property
    def lost(self) -> int:
        """How often it has lost what it had in memory: a command that ends is started again."""
        return self._way.lost

    def wake(self) -> None:
        """See that its process runs, for what is looked at without a call: it may serve its keys.

        Raises:
            Broke: it does not answer.
        """
        runs = self._greeted is not None and self._way.alive
        if self.way == "cmd" and not runs and not isinstance(self._greeted, Broke):
            with contextlib.suppress(Refused):
                self._ask("hello", {})

    @property
    def operations(self) -> tuple[str, ...]:
        """The operations of the contract that its adapter offers.

        Raises:
            Broke: it does not answer at all.
        """
        return tuple(it for it in contract.ASKED if self.offers(it))

    def offers(self, operation: str) -> bool:
        """Say whether the adapter offers an operation.

        Raises:
            Broke: it does not answer at all.
        """
        if operation == "pass_time":
            return self.virtual_time
        return operation in self._hello()["operations"]

    def connect(
        self, card: str | None = None, audience: str = "", *, domain: str | None = None
    ) -> str | GaveUp:
        """Have it find a Brand by the URL of its card, or by its domain (§2.1).

        Returns:
            The agent's handle of the Brand; or why it gave up.
        """
        where = {"domain": domain} if card is None else {"card": card}
        told = self._call("connect", **where, audience=audience)
        if told.get("brand") is None:
            return contract.gave_up(told)
        self._found[told["brand"]] = self._way.lost
        return str(told["brand"])

    def say(self, brand: str, user: User, text: str, conversation: str | None = None) -> Result:
        """Have it say something for a User to a Brand.

        Args:
            brand: what `connect` gave.
            user: for whom.
            text: what, to the letter.
            conversation: the handle that an earlier result gave; None begins a new one.
        """
        return self._turn(
            "say", brand=brand, user=user.told(), text=text, conversation=conversation
        )

    def sign_in(self, brand: str, user: User, scopes: Sequence[str] | None = None) -> Result:
        """Have it begin a sign-in of a User (§5.3), for these scopes or for what it chooses."""
        asked = None if scopes is None else list(scopes)
        return self._turn("sign_in", brand=brand, user=user.told(), scopes=asked)

    def go_on(self, brand: str, user: User, conversation: str | None = None) -> Result:
        """Have it go on where the User has decided at the link: poll, send again what waited."""
        return self._turn("go_on", brand=brand, user=user.told(), conversation=conversation)

    def holds(self, brand: str, user: User) -> Held:
        """Return what it holds for a User at a Brand: granted scopes, receipts."""
        return contract.held(self._call("holds", brand=brand, user=user.told()))

    def rotate_key(self) -> None:
        """Have it sign with a new key from now on (§3.1)."""
        self._call("rotate_key")

    def forget(self, user: User | None = None) -> None:
        """Have it forget conversations, grants and receipts of one User or of all."""
        self._call("forget", **({} if user is None else {"user": user.told()}))

    def restart(self) -> None:
        """Have it start again, with what it keeps for good."""
        self._call("restart")

    def pass_time(self, brand: str, seconds: float) -> None:
        """Move the clock of an agent whose time is virtual, for one Brand.

        Raises:
            Untested: its time is real.
        """
        if not self.virtual_time:
            raise Untested("the agent's time is real", do="wait for it")
        self._call("pass_time", brand=brand, seconds=seconds)

    def close(self) -> None:
        """End what was started for it."""
        self._way.close()

    def _turn(self, operation: str, **about: Any) -> Result:  # noqa: ANN401 - JSON values
        told = self._call(operation, **about)
        if told.get("needsSignIn") is not None:
            self._hide_link(told["needsSignIn"]["link"])
        return contract.turn(told)

    def _hide_link(self, link: str) -> None:
        """Have a link masked from now on, and what in it may be a code."""
        self._mask.add(link, "verification-link")
        self._mask.apply(json.dumps({"verification_uri_complete": link}))

    def _call(self, operation: str, **about: Any) -> dict[str, Any]:  # noqa: ANN401 - JSON values
        if not self.offers(operation):
            raise Untested(
                f"the agent's adapter does not offer {operation}",
                do=f"let it offer {operation}, and name it in the answer to hello ({GUIDE})",
            )
        return self._ask(operation, about)

    def _ask(self, operation: str, about: dict[str, Any]) -> dict[str, Any]:
        asked = {"version": contract.VERSION, "id": next(self._ids), "operation": operation}
        self._see_that_it_answers(operation)
        try:
            told = contract.judge(operation, self._hand_over({**asked, **about}))
        except Broke as error:
            self._late[operation] = self._late[operation] + 1 if error.late else 0
            raise _again(error, self._mask.apply(error.reason)) from None
        self._late[operation] = 0
        return told

    def _see_that_it_answers(self, operation: str) -> None:
        """Ask no more for what never comes: each time would last as long as a check may.

        Raises:
            Broke: it came too late several times running.
        """
        if self._late[operation] >= MOST_LATE:
            raise Broke(
                f"{operation} was not answered in time {MOST_LATE} times running, and is not asked "
                "for any more",
                do=f"let the agent give up in time, or set E2E_TEST_TIMEOUT_MS higher ({GUIDE})",
            )

    def _see_that_it_knows(self, asked: dict[str, Any]) -> None:
        """Ask nothing about a Brand that it has forgotten: what came would tell nothing of it.

        Raises:
            Broke: it has ended since it was told of the Brand.
        """
        if self._found.get(asked.get("brand", ""), self._way.lost) != self._way.lost:
            raise Broke(
                "the agent's process has ended since it found this Brand, and was started again",
                do="see what made it end: agent.stderr.log beside the report",
            )

    def _hand_over(self, asked: dict[str, Any]) -> Any:  # noqa: ANN401 - whatever it says
        with waiting(f"for the personal agent ({asked['operation']})"):
            return self._handed_over(asked)

    def _handed_over(self, asked: dict[str, Any]) -> Any:  # noqa: ANN401 - likewise
        patience, book = self._way.patience, open_notebook()
        if self._in_turn is None:
            return self._way.ask(asked, Limit(self._seconds))
        with self._in_turn.waiting():
            self._see_that_it_knows(asked)
            if patience is None:
                return self._way.ask(asked, Limit(self._seconds))
            started = time.monotonic()
            book.wait_longer(patience)
            try:
                return self._way.ask(asked, Limit(patience))
            finally:  # the time of a person is not the check's
                book.wait_longer(time.monotonic() - started - patience)

    def _hello(self) -> dict[str, Any]:
        """Return what the agent says of itself; asked for once, and not in a check's time."""
        if self._greeted is None:
            self._greet_once()
        if isinstance(self._greeted, Broke):
            raise _again(self._greeted, self._greeted.reason)
        assert self._greeted is not None
        return self._greeted

    def _greet_once(self) -> None:
        started = time.monotonic()
        with self._greeting:
            if self._greeted is None:
                self._greeted = self._greet()
            else:
                open_notebook().wait_longer(time.monotonic() - started)

    def _greet(self) -> "dict[str, Any] | Broke":
        started, book = time.monotonic(), open_notebook()
        offered = sorted(self._way.offered)
        if "hello" not in offered:
            return {"operations": offered}
        # Whoever asks first has to wait until the agent has started, for all of them.
        book.wait_longer(self._seconds)
        try:
            return self._ask("hello", {})
        except Refused:
            return {"operations": [it for it in offered if it != "hello"]}
        except Broke as error:
            return error
        finally:
            book.wait_longer(time.monotonic() - started - self._seconds)


def _again(error: Broke, reason: str) -> Broke:
    """Return the same failure, to be raised anew."""
    return type(error)(reason, do=error.do, crashed=error.crashed, late=error.late)
