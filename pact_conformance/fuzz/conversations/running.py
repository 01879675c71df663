"""Goes through the steps of an example with a subject, and holds each answer against the model."""

from dataclasses import dataclass

from pact_conformance.fuzz.conversations.answers import Answers
from pact_conformance.fuzz.conversations.model import Model
from pact_conformance.fuzz.conversations.permissions import Permissions
from pact_conformance.fuzz.conversations.saying import Breach, Message, Seen, Token
from pact_conformance.fuzz.conversations.steps import (
    ACCOUNTS,
    NEW,
    NO_GRANT,
    QUESTION,
    THE_SAME,
    WHERE,
    Said,
    Wanted,
    scopes_of,
)
from pact_conformance.fuzz.conversations.subject import Subject
from pact_conformance.fuzz.example import Change
from pact_conformance.fuzz.family import Impossible
from pact_conformance.wire.messages import new_id


@dataclass
class Course:
    """How an example went."""

    breach: Breach | None = None
    step: int = 0
    """At which step it ended."""
    warning: str = ""
    served: int = 0
    refused: int = 0
    requirement: str = ""
    """What the last step was about."""
    accepted: bool = False
    """Whether the last step was."""


class Running:
    """One run through an example.

    Args:
        subject: whom the steps are taken with.
    """

    def __init__(self, subject: Subject) -> None:
        self._subject = subject
        scopes = {}
        for where in WHERE:
            try:
                scopes[subject.brand(where)] = subject.card_scopes(where)
            except Impossible:
                continue
        self.model = Model(Permissions(), Answers(scopes))
        self._places: dict[str, str] = {}
        self._tasks: dict[str, tuple[str, str, str]] = {}
        self._grants: dict[str, Token] = {}
        self._ids: dict[str, str] = {}
        self.course = Course()
        self.tokens: list[Token] = []
        """Those that flows have given."""

    def go(self, changes: tuple[Change, ...]) -> Course:
        """Take the steps, up to the first that shows something.

        Raises:
            Impossible: with this subject they cannot be taken.
            Inconclusive: something came that says nothing of the subject.
        """
        for number, change in enumerate(changes, 1):
            self.course.step = number
            step = getattr(self, f"_{change.kind}")
            self.course.breach = step(*change.values)
            if self.course.breach is not None:
                break
        return self.course

    def _say(self, *values: str) -> Breach | None:
        said = Said(*values)
        token = self._grants.get(said.under)
        if token is None and said.under != NO_GRANT:
            return None  # there is no such grant
        message = Message(
            user=self._subject.user(said.who),
            brand=self._subject.brand(said.where),
            context=self._places.get(said.place),
            id=new_id() if said.id == NEW else self._ids.setdefault(said.id, new_id()),
            text=said.text,
            token=token,
            asks=said.text != QUESTION,
        )
        due = self.model.due(message)
        self.course.requirement = due.requirement
        seen = self._subject.send(message, said.who, said.where)
        breach, warning = self.model.hear(message, seen)
        self._note(seen, warning)
        if seen.context in self.model.conversations:
            self._places.setdefault(said.place, seen.context)
        if seen.task:
            self._tasks[said.place] = (seen.task, said.who, said.where)
        return breach

    def _note(self, seen: Seen, warning: str) -> None:
        self.course.accepted = seen.what in {"reply", "step-up"}
        self.course.served += self.course.accepted
        self.course.refused += not self.course.accepted
        self.course.warning = self.course.warning or warning

    def _grant(self, name: str, who: str, where: str, account: str, scopes: str) -> Breach | None:
        wanted = Wanted(who, where, account, scopes)
        token = self._subject.grant(wanted)
        self._grants[name] = token
        self.tokens.append(token)
        self.course.requirement, self.course.accepted = "5.4-scope", True
        approved = wanted.approved(self._subject.scopes)
        return self.model.permissions.grant(token, ACCOUNTS.index(account), approved)

    def _refresh(self, name: str, scopes: str) -> Breach | None:
        before = self._grants.get(name)
        if before is None:
            return None
        asked = None if scopes == THE_SAME else scopes_of(scopes, self._subject.scopes)
        try:
            after, got = self._subject.refresh(before, asked)
        except Impossible:
            return None
        if after is not None:
            self._grants[name] = after
        self.course.requirement, self.course.accepted = "5.4-refresh", after is not None
        return self.model.permissions.refresh(before, asked, after, got)

    def _revoke(self, name: str) -> None:
        token = self._grants.get(name)
        if token is not None:
            self._subject.revoke(token)
            self.model.permissions.revoke(token)

    def _close(self, place: str) -> None:
        context = self._places.get(place)
        if context is not None:
            conversation = self.model.conversations[context]
            self._subject.close(context, conversation.user, conversation.brand)
            self.model.close(context)

    def _look(self, who: str, where: str, place: str) -> Breach | None:
        """§5.5: a step-up task is TASK_NOT_FOUND to everybody but its User."""
        if place not in self._tasks:
            return None
        task, *owner = self._tasks[place]
        requirement = "5.5-step-up-lookup" if owner == [who, where] else "5.5-step-up-foreign"
        self.course.requirement = requirement
        seen = self._subject.look(task, who, where)
        self.course.accepted = seen.task == task
        is_missing = seen.reason == "TASK_NOT_FOUND" or seen.what == "none"
        if is_missing or (seen.task == task and owner == [who, where]):
            return None
        mark = f"{requirement} {seen.reason or seen.what}"
        return Breach(requirement, "TASK_NOT_FOUND", seen.shown, mark)
