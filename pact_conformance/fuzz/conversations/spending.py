"""What the steps may cost a subject: turns of the Brand's agent, and decisions of the User."""

from dataclasses import dataclass, field

from pact_conformance.fuzz.family import Exhausted, Impossible
from pact_conformance.journal.answer import Answer
from pact_conformance.subject.turns import Reply, came_of, reply_of
from pact_conformance.verdicts import Untested

# Somebody has to sign in and decide for each grant; those that there are, are used again.
MOST_GRANTS = 6

GIVE = "set --pact-fuzz-turns to the turns of the Brand's agent that it may cost"


@dataclass
class Spending:
    """Keeps the books.

    `turns` and `grants` are how many may be spent; None: any number, for they cost nothing.
    """

    turns: int | None = None
    grants: int | None = None
    _told: set[Reply] = field(default_factory=set)

    def before_message(self) -> None:
        """See that a message may be sent.

        Raises:
            Exhausted: it may not.
        """
        if self.turns is None:
            return
        if self.turns <= 0:
            raise Exhausted("the turns of --pact-fuzz-turns are spent", do="allow more of them")
        self.turns -= 1  # it may be one though no answer comes

    def after_message(self, answer: Answer) -> None:
        """Take note of what came of a message; a reply that is told again cost nothing (§4.3)."""
        if self.turns is None:
            return
        reply = reply_of(answer)
        cost = 0 if reply in self._told else came_of(answer)
        self.turns += 1 - cost
        if reply is not None:
            self._told.add(reply)

    def before_grants(self, count: int) -> None:
        """See that the User may be asked so many times more.

        Raises:
            Impossible: the User has been asked often enough.
        """
        if self.grants is not None and count > self.grants:
            raise Impossible("the User has been asked often enough")

    def before_grant(self) -> None:
        """Take note that the User is asked; raises as `before_grants`."""
        self.before_grants(1)
        if self.grants is not None:
            self.grants -= 1


def spending(turns: int | None, *, built_in: bool) -> Spending:
    """Return what the tester allows: of the built-in Provider anything, unless it is bounded.

    Args:
        turns: as the tester set; None where nothing is set.
        built_in: whether the subject is the built-in Provider.

    Raises:
        Untested: nothing is allowed.
    """
    if built_in:
        return Spending(turns)
    if not turns:
        raise Untested("its messages reach the Brand's agent, and each costs a turn", do=GIVE)
    return Spending(turns, MOST_GRANTS)
