"""Malformed requests at a Provider: refused, or read as they are meant; no example costs a turn."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from pact_conformance.fuzz import controls
from pact_conformance.fuzz.example import Example
from pact_conformance.fuzz.family import Trial, Unanswered
from pact_conformance.fuzz.kind import Kind
from pact_conformance.fuzz.malformed_requests.draft import BLANK, Draft
from pact_conformance.fuzz.malformed_requests.judging import judged
from pact_conformance.fuzz.malformed_requests.kinds import KINDS
from pact_conformance.fuzz.malformed_requests.sending import send
from pact_conformance.fuzz.of_kinds import OfKinds
from pact_conformance.fuzz.pace import Pace
from pact_conformance.journal.answer import Answer
from pact_conformance.journal.client import NoAnswer
from pact_conformance.subject.probe import bought_a_turn
from pact_conformance.subject.provider import Provider
from pact_conformance.subject.rate_limit import Patience
from pact_conformance.verdicts import Inconclusive, Untested
from pact_conformance.wire.messages import new_id, user_message

if TYPE_CHECKING:
    from pact_conformance.rig import Rig

# No example can be answered by the Brand's agent; if some are all the same, each costs a turn.
MOST_TURNS = 3

# Messages that cannot be served, and what each gets by the specification. The first that a Provider
# refuses for another reason than what is malformed shows whether it has read a body.
BASES = {
    "of an unknown task": "TASK_NOT_FOUND",
    "without text": "CONTENT_TYPE_NOT_SUPPORTED",
    "of blank text": "INVALID_PARAMS",
}
# Operations that are looked at where they answer as the table of §2.2 has it.
_OTHERS = ("list", "get", "cancel")


class MalformedRequests(OfKinds):
    """The family, ready to be tried on a Provider.

    Args:
        rig: of the run.
        pace: is slowed down by a rate limit.

    Raises:
        Untested: no message is refused as the specification has it.
    """

    known = KINDS
    good = "2-request-json"

    def __init__(self, rig: "Rig", pace: Pace) -> None:
        provider = rig.provider
        patience = Patience(rig.settings.max_wait, sleep=pace.told_to_wait)
        self._provider = Provider(rig.client, provider.card, provider.caller, patience, rig.turns)
        self._turns = 0
        self._base = self._found()
        there = {name for name in _OTHERS if self._is_served(name)}
        self.kinds: Sequence[Kind[Draft]] = [
            kind for kind in KINDS.all.values() if kind.needs <= there
        ]

    def _found(self) -> str:
        for base, reason in BASES.items():
            answer = self._sent(self._draft(base), "control")
            if answer.error is not None and answer.error.reason == reason:
                return base
            self._count_turn(answer)
        raise Untested(
            "no message is known that is refused for a reason of its own",
            do="see 4.1-task-id and 4.1-blank-text",
        )

    def _is_served(self, name: str) -> bool:
        draft = self._draft()
        kind = KINDS.all[name]
        kind.apply(draft)
        trial = judged(self._sent(draft, "control"), draft, "accepted", "")
        return trial.fate == "accepted" and not trial.failed

    def _draft(self, base: str = "") -> Draft:
        base = base or self._base
        message: dict[str, Any] = user_message(BLANK)
        if base == "of an unknown task":
            message["taskId"] = new_id("t")
        elif base == "without text":
            message["parts"] = [{"data": {"order": 7}}]
        provider = self._provider
        return Draft(
            interface=provider.interface.url,
            reason=BASES[base],
            document={"message": message, **provider.tenant},
            tenant=provider.tenant,
            task=new_id("t"),
        )

    def _sent(self, draft: Draft, said: str) -> Answer:
        """Send a request.

        Raises:
            Inconclusive: no answer came.
        """
        try:
            return self._exchange(draft, said)
        except NoAnswer as error:
            raise Inconclusive(str(error), do="see that the Provider is well") from error

    def _exchange(self, draft: Draft, said: str) -> Answer:
        provider = self._provider
        user = provider.caller.user(provider.probing_user())
        return send(provider, draft, user, purpose=f"fuzzed: {said}")

    def control(self) -> None:
        """See that a good request is read.

        Raises:
            Inconclusive: it is not.
        """
        answer = self._sent(self._draft(), "control")
        reason = BASES[self._base]
        if answer.error is None or answer.error.reason != reason:
            raise controls.failed(
                f"a message {self._base}",
                answer,
                do=f"see that the Provider is well, and answers it with {reason}, then run again",
            )

    def attempt(self, example: Example) -> Trial:
        """Send the request of an example.

        Raises:
            Impossible: of this Provider's interface it cannot be made, or HTTP has no such request.
            Unanswered: no answer came.
            Inconclusive: requests become turns.
        """
        draft, due, said = self._draft(), KINDS.due_to(example), KINDS.said(example)
        for kind, change in KINDS.of(example):
            kind.apply(draft, *change.values)
        try:
            answer = self._exchange(draft, said)
        except NoAnswer as error:
            raise Unanswered(_without_answer(draft, error)) from error
        self._count_turn(answer)
        return judged(answer, draft, due, said)

    def _count_turn(self, answer: Answer) -> None:
        self._turns += bought_a_turn(answer)
        if self._turns >= MOST_TURNS:
            raise Inconclusive(
                f"{self._turns} messages without any text became turns of the Brand's agent",
                do="see 4.1-blank-text: what is sent here has to be refused",
            )


def _without_answer(draft: Draft, error: NoAnswer) -> Trial:
    """Return what it is that no answer came.

    A hang is the Provider's. A connection may also be ended by a server in front of it that
    dislikes the request, or does not read it to its end.
    """
    of_a_server = draft.layer == "http" or 413 in draft.bare
    if error.failure.kind == "closed" and of_a_server:
        return Trial("undecided", exchange=error.exchange_id)
    return Trial("undecided", "an answer", f"none, twice: {error}", exchange=error.exchange_id)
