"""Conversations at a Provider: each message costs a turn, so they are bounded where turns do."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pact_conformance.fuzz import controls
from pact_conformance.fuzz.conversations.composing import Composer, Offer
from pact_conformance.fuzz.conversations.kinds import KINDS
from pact_conformance.fuzz.conversations.live import Live
from pact_conformance.fuzz.conversations.model import WARNED
from pact_conformance.fuzz.conversations.running import Course, Running
from pact_conformance.fuzz.conversations.spending import spending
from pact_conformance.fuzz.conversations.steps import SCOPES, TEXTS, Wanted
from pact_conformance.fuzz.conversations.subject import Present
from pact_conformance.fuzz.example import Change, Example
from pact_conformance.fuzz.family import Choose, Trial
from pact_conformance.fuzz.kind import Kind
from pact_conformance.fuzz.of_kinds import OfKinds
from pact_conformance.fuzz.pace import Pace
from pact_conformance.gate import Gate
from pact_conformance.verdicts import Inconclusive, open_notebook

if TYPE_CHECKING:
    from pact_conformance.rig import Rig


class Conversations(OfKinds):
    """The family, ready to be tried on a Provider.

    Args:
        rig: of the run.
        pace: bounds requests, and is slowed down by a rate limit.

    Raises:
        Untested: no turns may be spent on it.
    """

    known = KINDS
    good = "4.2-reply"

    def __init__(self, rig: "Rig", pace: Pace) -> None:
        self._gate: Gate = rig.gate
        bounds = spending(rig.settings.fuzz_turns, built_in=rig.built_in)
        self._prepare(Live(rig, pace, bounds))

    def _prepare(self, subject: Present) -> None:
        self._subject = subject
        there, scopes = subject.offers, len(subject.scopes)
        self.kinds: Sequence[Kind[None]] = [it for it in KINDS.all.values() if it.needs <= there]
        self._offer = Offer(
            kinds=frozenset(it.id for it in self.kinds),
            who=subject.who,
            where=subject.where,
            accounts=subject.accounts,
            texts=TEXTS[: 2 + scopes],
            scopes=SCOPES if scopes > 1 else SCOPES[:1],
        )

    def compose(self, choose: Choose) -> list[Change]:
        """Return the steps of a conversation."""
        return Composer(choose, self._offer).compose()

    def control(self) -> None:
        """See that a good token gets through; it costs no turn.

        Raises:
            Inconclusive: it does not.
        """
        answer = self._gate.knock()
        if not Gate.opened(answer):
            raise controls.failed(
                "a good token",
                answer,
                do="see that the Provider is well and accepts a good token, then run again",
                because="",
            )

    def attempt(self, example: Example) -> Trial:
        """Take the steps of an example, up to the first that gets what is not due to it.

        Raises:
            Impossible: at this Provider they cannot be taken.
            Exhausted: no more turns may be spent.
        """
        KINDS.of(example)
        self._subject.begin(
            [Wanted(*map(str, it.values[1:])) for it in example.changes if it.kind == "grant"]
        )
        running = Running(self._subject)
        try:
            course = running.go(example.changes)
        except Inconclusive as why:
            return Trial("undecided", mark=why.reason)
        finally:
            self._subject.end(running.tokens)
        return _trial(course)


def _trial(course: Course) -> Trial:
    *before, exchange = open_notebook().exchanges or [""]
    fate = "accepted" if course.accepted else "refused"
    breach = course.breach
    if breach is None:
        warned = WARNED.get(course.warning, "")
        return Trial(
            fate,  # type: ignore[arg-type]
            warning=course.warning,
            exchange=exchange,
            requirement=warned,
            mark=course.warning,
        )
    return Trial(
        fate,  # type: ignore[arg-type]
        expected=f"at step {course.step} {breach.expected}",
        got=breach.got,
        exchange=exchange,
        beside=tuple(before),
        requirement=breach.requirement,
        mark=breach.mark,
    )
