"""Conversations as §4.2, §4.3 and §5.5 have them: whose they are, and what is due to a message.

Where the text can be read in several ways each is allowed, and what is due afterwards follows from
what came. Nothing is judged that it leaves open.
"""

from dataclasses import dataclass, field, replace

from pact_conformance.fuzz.conversations.answers import Answers
from pact_conformance.fuzz.conversations.due import Allowed, Due, Outcome
from pact_conformance.fuzz.conversations.permissions import Permissions
from pact_conformance.fuzz.conversations.saying import Breach, Message, Seen, User

OTHER_TEXT = "a repeated messageId with another text is refused; the stored reply is expected"
FIRST_AGAIN = "a first message sent again without contextId is taken for a repeat"
UNDELEGATED = "a message without the token is refused in a conversation that ran under one"
SIGNED_ANEW = "the receipt of a stored reply was signed again"

WARNED = {
    OTHER_TEXT: "4.3-not-run-again",
    FIRST_AGAIN: "4.3-first-message",
    UNDELEGATED: "5.5-context-without-token",
    SIGNED_ANEW: "5.6-stored-receipt",
}
"""The requirement under which each of these is told."""


# What a repeat shows, by which message it is of.
_OF_REPEATS = frozenset({"4.3-stored-reply", "4.3-first-message", "4.3-older-message"})


@dataclass
class Conversation:
    """One context: whose it is, what was said in it, and as whom it has run."""

    id: str
    brand: str
    user: User
    closed: bool = False
    said: dict[str, list[tuple[Message, Seen]]] = field(default_factory=dict)
    """By `messageId`: mostly one message and its reply. Where a repeat may have run again, several
    may be stored."""
    refused: set[str] = field(default_factory=set)
    """The ids of its owner's messages that were refused: they may be free or not."""
    ran_as: str | None = None
    """The Brand user as whom it has run (§5.5)."""
    may_have_run_as: set[str] = field(default_factory=set)
    """As whom it was asked to run, without a reply: whether that binds it the text leaves open."""

    def is_of(self, message: Message) -> bool:
        """Say whether whoever sends a message owns it: this Brand, this agent, this `sub`."""
        return (self.brand, self.user) == (message.brand, message.user)


class Model:
    """What a conforming Provider knows of the conversations and grants of a run.

    Args:
        permissions: the grants.
        answers: judges an answer by itself.
    """

    def __init__(self, permissions: Permissions, answers: Answers) -> None:
        self.permissions = permissions
        self._answers = answers
        self.conversations: dict[str, Conversation] = {}
        self._openings_refused: set[tuple[str, User, str]] = set()

    def due(self, message: Message) -> Due:
        """Return what is due to a message.

        A bad delegation token gets 401. Of two faults in a message either may be named.
        """
        due = self._due_in_context(message)
        if message.token is None:
            return due
        standing, requirement = self.permissions.standing(message.token, message)
        if standing == "good":
            return due
        refusals: Allowed = {it: "" for it in due.allowed if it not in {"new", "stored"}}
        if standing == "doubtful":
            return due.or_also({"401": "", "INVALID_PARAMS": ""})
        return Due(requirement, {"401": "", **refusals})

    def _due_in_context(self, message: Message) -> Due:
        """Return what is due if the delegation token, where there is one, is good."""
        if message.context is None:
            return self._due_to_opening(message)
        conversation = self.conversations.get(message.context)
        if conversation is None or not conversation.is_of(message):
            return Due(_strangeness(conversation, message), {"INVALID_PARAMS": ""})
        if message.id in conversation.said:
            due = self._due_to_repeat(conversation, message)
        else:
            due = _due_to_continuation(conversation, message)
        return _as_account(conversation, message, due)

    def _due_to_opening(self, message: Message) -> Due:
        """§4.2: a message without `contextId` starts a conversation.

        One that the User has said before under this id may be recognised.
        """
        own = [it for it in self.conversations.values() if it.is_of(message)]
        requirement = "4.1-minimal-message" if message.token is None else "5.5-served"
        if any(message.id in it.said for it in self.conversations.values()):
            requirement = "4.3-per-context"
        due = Due(requirement, {"new": ""})
        told = [it for each in own for it in each.said.get(message.id, [])]
        if any(_is_of_another_account(first, message) for first, _ in told):
            due = Due("5.5-retry-other-user", due.allowed)
            return due.or_also({"INVALID_PARAMS": FIRST_AGAIN, "401": FIRST_AGAIN})
        if told:
            return due.or_also({"stored": FIRST_AGAIN, "INVALID_PARAMS": FIRST_AGAIN})
        refused = any(message.id in it.refused for it in own)
        if refused or (message.brand, message.user, message.id) in self._openings_refused:
            return due.or_also({"INVALID_PARAMS": ""})
        return due

    def _due_to_repeat(self, conversation: Conversation, message: Message) -> Due:
        """§4.3: a repeated `messageId` gets the stored reply, and the agent does not run again."""
        first, _ = conversation.said[message.id][0]
        replied = any(it.what == "reply" for _, it in conversation.said[message.id])
        due = Due(_repetition(conversation, message), {"stored": ""})
        may_close: Allowed = {"UNSUPPORTED_OPERATION": ""}
        if first.token is None and message.token is not None:
            due = due.or_also({"INVALID_PARAMS": ""})
        if not replied or (first.token is not None and message.token is None):
            # Whether a step-up is stored, and what a repeat without the token gets, is left open.
            again: Allowed = {} if conversation.closed else {"new": ""}
            due = due.or_also({"INVALID_PARAMS": "", **again})
        if message.token is None and (conversation.ran_as or conversation.may_have_run_as):
            due = due.or_also({"INVALID_PARAMS": UNDELEGATED})
        if first.text != message.text:
            due = due.or_also({"INVALID_PARAMS": OTHER_TEXT})
        return due.or_also(may_close)

    def hear(self, message: Message, seen: Seen) -> tuple[Breach | None, str]:
        """Take note of what came; return what is wrong about it, and what is to be warned of."""
        due = self.due(message)
        outcome, breach = self._outcome(message, seen, due)
        if breach is not None:
            return breach, ""
        assert outcome is not None
        warning = due.allowed[outcome]
        if outcome == "stored" and not any(
            it.jws == seen.jws for it in self._stored(message, seen)
        ):
            warning = SIGNED_ANEW
        self._learn(message, seen, outcome)
        return None, warning

    def _outcome(
        self, message: Message, seen: Seen, due: Due
    ) -> tuple[Outcome | None, Breach | None]:
        outcome: Outcome
        if seen.what in {"reply", "step-up"}:
            if "stored" in due.allowed and self._stored(message, seen):
                return "stored", None
            if "new" not in due.allowed:
                return None, _breach(due, seen, self._known(seen))
            return "new", self._breach_of_new(message, seen)
        outcome = "401" if seen.what == "401" else seen.reason  # type: ignore[assignment]
        if seen.what == "odd" or outcome not in due.allowed:
            is_token = seen.what == "401" and message.token is not None
            blamed = replace(due, requirement="5.5-served") if is_token else due
            return None, _breach(blamed, seen)
        return outcome, None

    def _stored(self, message: Message, seen: Seen) -> list[Seen]:
        """Return the replies that may be stored for a message and equal what came."""
        own = [it for it in self.conversations.values() if it.is_of(message)]
        return [
            reply
            for conversation in own
            if message.context in {None, conversation.id}
            for _, reply in conversation.said.get(message.id, [])
            if reply.value == seen.value
        ]

    def _known(self, seen: Seen) -> str:
        """Say whose reply came, if it was given before."""
        for conversation in self.conversations.values():
            for said in conversation.said.values():
                if any(it.value == seen.value for _, it in said):
                    return "a reply that was given before"
        return ""

    def _breach_of_new(self, message: Message, seen: Seen) -> Breach | None:
        # A step-up may be told again until it is followed.
        is_told_again = seen.what == "step-up" and seen.context == message.context
        if self._known(seen) and not is_told_again:
            requirement = "4.3-per-context"
            owners = [it for it in self.conversations.values() if it.id == seen.context]
            if owners and not owners[0].is_of(message):
                requirement = "4.3-stranger"
            elif owners and any(
                _is_of_another_account(first, message)
                for first, it in owners[0].said.get(message.id, [])
                if it.value == seen.value
            ):
                requirement = "5.5-retry-other-user"
            expected, got = "a reply of its own", "the reply to another message"
            return Breach(requirement, expected, got, f"{requirement} another's reply")
        wanted = message.context
        if wanted is None and (not seen.context or seen.context in self.conversations):
            got = f"contextId {seen.context}, which there was before" if seen.context else "none"
            return Breach("4.2-context-minted", "a contextId of its own", got, "4.2-context-minted")
        if wanted is not None and seen.context != wanted:
            is_task = seen.what == "step-up"
            requirement = "5.5-step-up-context" if is_task else "4.2-context-continued"
            expected = f"the contextId {wanted}"
            return Breach(requirement, expected, seen.context or "none", f"{requirement} another")
        return self._answers.breach(message, seen, plain=self._is_plain(message))

    def _is_plain(self, message: Message) -> bool:
        """Say whether nothing in its conversation so far was about an account."""
        conversation = self.conversations.get(message.context or "")
        before = [] if conversation is None else conversation.said.values()
        said = [message, *(it for each in before for it, _ in each)]
        return all(it.token is None and not it.asks for it in said)

    def _learn(self, message: Message, seen: Seen, outcome: Outcome) -> None:
        context = seen.context if outcome == "new" else message.context
        if context is None:
            if outcome not in {"new", "stored"}:
                self._openings_refused.add((message.brand, message.user, message.id))
            return
        if outcome == "new" and message.context is None:
            self.conversations[context] = Conversation(context, message.brand, message.user)
        conversation = self.conversations.get(context)
        if conversation is None or not conversation.is_of(message):
            return
        account = None if message.token is None else message.token.account
        if outcome == "new":
            conversation.said.setdefault(message.id, []).append((message, seen))
            if account is not None and seen.what == "reply":
                conversation.ran_as = conversation.ran_as or account
        elif outcome == "UNSUPPORTED_OPERATION":
            conversation.closed = True
        if outcome not in {"new", "stored"}:
            conversation.refused.add(message.id)
        if account is not None and outcome in {"new", "stored", "INVALID_PARAMS"}:
            conversation.may_have_run_as.add(account)

    def close(self, context: str) -> None:
        """Take note that a conversation was closed (§4.2)."""
        self.conversations[context].closed = True


def _breach(due: Due, seen: Seen, known: str = "") -> Breach:
    got = f"{seen.shown}: {known}" if known else seen.shown
    mark = seen.reason or ("served" if seen.what in {"reply", "step-up"} else seen.what)
    what = "a repeat" if due.requirement in _OF_REPEATS else due.requirement
    return Breach(due.requirement, due.words, got, f"{what} {mark}")


def _strangeness(conversation: Conversation | None, message: Message) -> str:
    """Return what a subject breaks that serves a message in a context of somebody else."""
    if conversation is None:
        return "4.2-unknown-context"
    if message.id in conversation.said:
        return "4.3-stranger"
    if conversation.closed:
        return "4.2-closed-foreign"
    if message.token is not None:
        return "5.5-context-rules"
    if conversation.brand != message.brand:
        return "4.2-foreign-brand"
    same_agent = conversation.user.agent == message.user.agent
    return "4.2-foreign-user" if same_agent else "4.2-foreign-agent"


def _is_of_another_account(first: Message, message: Message) -> bool:
    """Say whether two messages came under tokens of two Brand users."""
    tokens = (first.token, message.token)
    return len({it.account for it in tokens if it is not None}) > 1


def _repetition(conversation: Conversation, message: Message) -> str:
    ids = list(conversation.said)
    if ids[0] == message.id and len(ids) > 1:
        return "4.3-first-message"
    return "4.3-stored-reply" if ids[-1] == message.id else "4.3-older-message"


def _due_to_continuation(conversation: Conversation, message: Message) -> Due:
    """§4.2: a message with `contextId` continues that conversation, unless it is closed.

    A Provider may close a conversation at any time.
    """
    closed: Allowed = {"UNSUPPORTED_OPERATION": ""}
    if conversation.closed:
        due = Due("4.2-closed", closed)
    else:
        requirement = "4.2-context-continued"
        if message.token is not None:
            requirement = "5.5-served" if conversation.ran_as else "5.5-context-continues"
        due = Due(requirement, {"new": "", **closed})
    if message.id in conversation.refused:
        due = due.or_also({"INVALID_PARAMS": ""})
    if message.token is None and (conversation.ran_as or conversation.may_have_run_as):
        due = due.or_also({"INVALID_PARAMS": UNDELEGATED})
    return due


def _as_account(conversation: Conversation, message: Message, due: Due) -> Due:
    """§5.5: once a context has run as one `sub`, a token for another gets INVALID_PARAMS."""
    if message.token is None:
        return due
    account, repeats = message.token.account, message.id in conversation.said
    if conversation.ran_as not in {None, account}:
        requirement = "5.5-retry-other-user" if repeats else "5.5-other-brand-user"
        more: Allowed = {"401": ""} if repeats else {}
        # The conversation may have been closed meanwhile, and either of two faults be named.
        return Due(requirement, {"INVALID_PARAMS": "", **more, "UNSUPPORTED_OPERATION": ""})
    if conversation.ran_as is None and conversation.may_have_run_as - {account}:
        return due.or_also({"INVALID_PARAMS": ""})
    return due
