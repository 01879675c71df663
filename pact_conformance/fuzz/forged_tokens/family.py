"""Forged tokens on the authentication probe: refused or accepted, no example costs a turn."""

import re
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

from pact_conformance import expect
from pact_conformance.fuzz import controls
from pact_conformance.fuzz.example import Example
from pact_conformance.fuzz.family import Trial, Unanswered
from pact_conformance.fuzz.forged_tokens.draft import Draft
from pact_conformance.fuzz.forged_tokens.kinds import KINDS
from pact_conformance.fuzz.forged_tokens.making import Maker
from pact_conformance.fuzz.kind import Due, Kind
from pact_conformance.fuzz.of_kinds import OfKinds
from pact_conformance.fuzz.pace import Pace
from pact_conformance.gate import Gate
from pact_conformance.journal.answer import Answer
from pact_conformance.subject.provider import Provider
from pact_conformance.subject.rate_limit import Patience
from pact_conformance.tokens.token import Token
from pact_conformance.verdicts import Deviation, Inconclusive, Unsettled, Untested, open_notebook

if TYPE_CHECKING:
    from pact_conformance.rig import Rig
    from pact_conformance.tokens.caller import Caller

# What stands behind Bearer by RFC 6750 §2.1. Of anything else a server in front of the Provider may
# see to it by itself.
_BEARER = re.compile(r"[A-Za-z0-9._~+/-]+=*")

# Some servers take no longer header than 4 KiB, with all that is in it.
_LONG = 2500
_TOO_LONG = frozenset({400, 413, 414, 431, 494})

# What a gateway makes up where the Provider behind it does not answer.
_OF_A_GATEWAY = range(520, 531)

# A good token may be over after so many seconds, some of them waits for a rate limit.
_GOOD_FOR = 30.0

# A probe never reaches the Brand's agent; if some do all the same, each costs a turn.
MOST_TURNS = 3


class ForgedTokens(OfKinds):
    """The family, ready to be tried on a Provider.

    Args:
        rig: of the run.
        pace: is slowed down by a rate limit.

    Raises:
        Untested: no good token of the caller gets through, or none can be made.
    """

    known = KINDS
    good = "3.2-es256"

    def __init__(self, rig: "Rig", pace: Pace) -> None:
        self._gate: Gate = rig.gate
        patience = Patience(rig.settings.max_wait, sleep=pace.told_to_wait)
        card, caller = self._gate.provider.card, self._gate.provider.caller
        self._provider = Provider(rig.client, card, caller, patience, rig.turns)
        self._turns = 0
        self._controls = 0
        held = Maker(caller).bases
        bases = [alg for alg in held if self._lets_in(alg)] or held
        if not bases:
            raise Untested("an ES256 or RS256 key is needed", do="give PA_PRIVATE_JWK one")
        self._maker = Maker(
            caller,
            _other(rig),
            bases=bases,
            uncertainty=self._gate.uncertainty,
            is_open=rig.settings.open_audience is not None,
        )
        self.kinds: Sequence[Kind[Draft]] = self._maker.possible()

    def _lets_in(self, alg: str) -> bool:
        return Gate.opened(self._knock(self._good(alg)))

    def _user(self) -> str:
        return self._provider.caller.user(self._provider.probing_user())

    def _good(self, alg: str) -> Token:
        return self._provider.caller.token(self._user(), alg=alg)

    def _knock(self, token: Token) -> Answer:
        return self._gate.knock(token, provider=self._provider)

    def requirement(self, example: Example) -> str:
        """Return the requirement that a subject breaks which fails at an example."""
        blamed = super().requirement(example)
        return "3.2-rs256" if blamed == self.good and self._maker.bases == ["RS256"] else blamed

    def control(self) -> None:
        """See that a good token gets through, with each key in turn.

        Raises:
            Inconclusive: it does not.
        """
        bases = self._maker.bases
        alg = bases[self._controls % len(bases)]
        self._controls += 1
        answer = self._knock(self._good(alg))
        if not Gate.opened(answer):
            raise controls.failed(
                "a good token",
                answer,
                do="see that the Provider is well and accepts a good token, then run again",
            )

    def attempt(self, example: Example) -> Trial:
        """Send the probe with the token of an example.

        Raises:
            Impossible: of this caller it cannot be made.
            Unanswered: no answer came.
            Inconclusive: probes become turns.
        """
        due = KINDS.due_to(example)
        token, made = self._maker.make(example, self._user()), time.monotonic()
        try:
            answer = self._knock(token)
        except Inconclusive as error:
            raise Unanswered(self._without_answer(token, error.reason)) from error
        self._count_turn(answer)
        is_late = _is_late(token, answer, due, time.monotonic() - made)
        if answer.status == 429 or is_late or _is_of_the_server(token, answer):
            return Trial("undecided", exchange=answer.exchange_id)
        return _judged(answer, due, KINDS.said(example))

    def _without_answer(self, token: Token, reason: str) -> Trial:
        exchange = next(iter(open_notebook().exchanges[-1:]), "")
        if not _is_odd(token):
            return Trial("undecided", "an answer", f"none, twice: {reason}", exchange=exchange)
        return Trial("undecided", warning=f"no answer came, twice: {reason}", exchange=exchange)

    def _count_turn(self, answer: Answer) -> None:
        self._turns += Gate.bought_a_turn(answer)
        if self._turns >= MOST_TURNS:
            raise Inconclusive(
                f"{self._turns} probes became turns of the Brand's agent",
                do="see 4.1-blank-text: what the probe sends has to be refused",
            )


def _other(rig: "Rig") -> "Caller | None":
    try:
        return rig.other_caller
    except Unsettled:
        return None


def _is_of_the_server(token: Token, answer: Answer) -> bool:
    """Say whether a server answered, for the header or by itself, and the Provider never saw it."""
    if answer.status in _OF_A_GATEWAY:
        return answer.error is None
    refused = 400 <= answer.status < 500 and answer.status != 401 and answer.error is None
    if _BEARER.fullmatch(token.text) is not None:
        return refused and _is_odd(token) and answer.status in _TOO_LONG
    return refused


def _is_odd(token: Token) -> bool:
    """Say whether a server in front of the Provider may see to a token by itself."""
    return _BEARER.fullmatch(token.text) is None or len(token.text) > _LONG


def _is_late(token: Token, answer: Answer, due: Due, age: float) -> bool:
    """Say whether what was due to a token may have changed before it was looked at."""
    if token.use_within is not None:
        return age > token.use_within and Gate.opened(answer)
    return due != "refused" and answer.status == 401 and age > _GOOD_FOR


class _Row:
    """What `expect.fate` needs."""

    def __init__(self, result: Due, comment: str) -> None:
        self.result = result
        self.comment = comment


def _judged(answer: Answer, due: Due, said: str) -> Trial:
    book = open_notebook()
    before = len(book.warnings)
    expected = got = ""
    try:
        expect.fate(answer, _Row(due, said))
    except Deviation as deviation:
        expected, got = deviation.expected, deviation.got
    except Inconclusive:
        return Trial("undecided", exchange=answer.exchange_id)
    fate = "refused" if answer.status == 401 else "accepted" if Gate.opened(answer) else "undecided"
    warning = "; ".join(book.warnings[before:])
    del book.warnings[before:]  # they go with the trial
    # Where either is right, and the Provider fails, nothing is broken but that it does not.
    broken = "6-client-errors" if expected and due == "either" else ""
    return Trial(fate, expected, got, warning, answer.exchange_id, broken)  # type: ignore[arg-type]
