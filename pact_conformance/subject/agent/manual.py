"""`manual`: a person has the agent do things, and tells what came of it."""

import itertools
from collections.abc import Mapping
from typing import Any

from pact_conformance.subject.agent.results import Broke
from pact_conformance.subject.agent.way import Asked, Limit
from pact_conformance.subject.approver.manual import Person
from pact_conformance.verdicts import Untested

PATIENCE = 300.0
"""Seconds that a person has for one call and the questions about it."""


class ManualWay:
    """Asks a person, one call at a time."""

    name = "manual"
    concurrent = False
    patience = PATIENCE
    offered = frozenset({"connect", "say", "sign_in", "go_on", "rotate_key", "forget", "restart"})
    alive = True
    lost = 0

    def __init__(self, person: Person) -> None:
        self._person = person
        self._numbers = itertools.count(1)
        self._brands: dict[str, str] = {}
        self._links: dict[tuple[str, str], str] = {}

    def ask(self, asked: Asked, limit: Limit) -> Any:  # noqa: ANN401 - as of any other way
        """Tell the person what to do, and ask what came (see `Way.ask`)."""
        operation = asked["operation"]
        self._person.tell("\n" + _TASKS[operation](self, asked))
        told: dict[str, Any]
        match operation:
            case "connect":
                told = self._connected(asked, limit)
            case "say" | "sign_in" | "go_on":
                told = self._turn(asked, limit)
            case _:
                told = self._done(operation, limit)
        return {"id": asked["id"], **told}

    def _connected(self, asked: Asked, limit: Limit) -> dict[str, Any]:
        said = self._line("Press Enter when it has, or type why it gave up", limit)
        if said:
            return {"gaveUp": said}
        handle = f"brand {next(self._numbers)}"
        self._brands[handle] = str(asked.get("card") or asked.get("domain"))
        return {"brand": handle}

    def _turn(self, asked: Asked, limit: Limit) -> dict[str, Any]:
        conversation = asked.get("conversation") or f"conversation {next(self._numbers)}"
        match self._choice("[r]eply, wants a [s]ign-in, or [g]ave up?", "rsg", limit):
            case "r":
                told: dict[str, Any] = {"reply": {"text": self._line("Its reply", limit)}}
            case "s":
                link = self._line("The link that it shows", limit, needed=True)
                self._links[self._whose(asked)] = link
                told = {"needsSignIn": {"link": link}}
            case _:
                told = {"gaveUp": self._line("What it says", limit)}
        return {**told, "conversation": conversation}

    def _done(self, operation: str, limit: Limit) -> dict[str, Any]:
        if self._choice("Done? [y]es, or [n]o: it cannot", "yn", limit) == "n":
            raise Untested(f"the person at the terminal says that the agent cannot {operation}")
        return {}

    def _choice(self, question: str, letters: str, limit: Limit) -> str:
        while True:
            said = self._line(question, limit).lower()[:1]
            if said and said in letters:
                return said

    def _line(self, question: str, limit: Limit, *, needed: bool = False) -> str:
        while True:
            said = self._person.ask(question, limit.until)
            if said is None:
                raise Broke(
                    f"the person at the terminal did not answer within {limit.seconds:.0f} s",
                    do="have somebody at the terminal, or set E2E_AGENT to another way",
                )
            if said.strip() or not needed:
                return said.strip()

    @staticmethod
    def _whose(asked: Asked) -> tuple[str, str]:
        return asked["brand"], asked["user"]["id"]

    def _task_connect(self, asked: Asked) -> str:
        where = f"by its card {asked['card']}" if "card" in asked else f"at {asked['domain']}"
        return (
            f"Let your agent find a Brand {where}\n"
            f"  The audience that its Provider has assigned to your agent: {asked['audience']}"
        )

    def _task_say(self, asked: Asked) -> str:
        conversation = asked.get("conversation")
        where = f"in {conversation}" if conversation else "in a new conversation"
        return (
            f"Have your agent say to {self._brand(asked)}, {where},\n"
            f"  for the User {_person(asked['user'])}:\n\n  {asked['text']}\n"
        )

    def _task_sign_in(self, asked: Asked) -> str:
        scopes = asked.get("scopes")
        what = f" for {', '.join(scopes)}" if scopes else ""
        return (
            f"Let your agent begin a sign-in at {self._brand(asked)}{what},\n"
            f"  for the User {_person(asked['user'])}"
        )

    def _task_go_on(self, asked: Asked) -> str:
        link = self._links.get(self._whose(asked), "the link")
        return (
            f"The User {_person(asked['user'])} has decided at {link}\n"
            f"  Let your agent go on at {self._brand(asked)}"
        )

    def _task_rotate_key(self, _asked: Asked) -> str:
        return "Let your agent sign with a new key from now on"

    def _task_forget(self, asked: Asked) -> str:
        whom = _person(asked["user"]) if "user" in asked else "every User"
        return f"Let your agent forget conversations, grants and receipts of {whom}"

    def _task_restart(self, _asked: Asked) -> str:
        return "Start your agent again"

    def _brand(self, asked: Asked) -> str:
        handle = asked["brand"]
        return f"{handle} ({self._brands.get(handle, 'unknown')})"

    def close(self) -> None:
        """There is nothing to end."""


_TASKS = {name: getattr(ManualWay, f"_task_{name}") for name in ManualWay.offered}


def _person(user: Mapping[str, Any]) -> str:
    rest = ", ".join(str(user[it]) for it in ("name", "email", "phone") if user.get(it))
    return f"{user['id']}{rest and f' ({rest})'}"
