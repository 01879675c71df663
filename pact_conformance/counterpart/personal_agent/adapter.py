"""The agent under test as the suite speaks with it: one JSON object an operation (version 1).

`built_in` gives the agent that the suite's own runs test: it waits in virtual time. `factory` is
for `python:pact_conformance.counterpart.personal_agent.adapter:factory`, in real time.
"""

import contextlib
import threading
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from types import TracebackType
from typing import Any, Self

from pact_conformance.counterpart.personal_agent import serving
from pact_conformance.counterpart.personal_agent.configuration import PersonalAgentConfig
from pact_conformance.counterpart.personal_agent.personal_agent import PersonalAgent
from pact_conformance.counterpart.personal_agent.results import GaveUp, NeedsSignIn, Reply, Result
from pact_conformance.counterpart.personal_agent.store import Brand, Relation, Store, user_of
from pact_conformance.counterpart.personal_agent.timing import RealTime, Time, VirtualTime

NAME = "the mock personal agent"

Asked = Mapping[str, Any]
Answer = dict[str, Any]
Apply = Callable[[PersonalAgent], None]
"""Substitutes one behaviour of an agent."""


class Adapter:
    """Speaks the adapter contract for a personal agent, and serves the agent's keys.

    Each operation is a method that takes and returns the contract's JSON objects; `answer` takes
    any of them. Calls about one User at one Brand come one after the other.

    Args:
        changes: what is substituted in the agent, also after it was started again.
        speaks_http: whether the agent's own server takes the contract's objects by `POST /`.

    Raises:
        OSError: the address of the agent's server is not to be had.
    """

    def __init__(
        self,
        config: PersonalAgentConfig | None = None,
        *,
        time: Time | None = None,
        changes: Iterable[Apply] = (),
        speaks_http: bool = False,
    ) -> None:
        self._config = PersonalAgentConfig() if config is None else config
        self._time = RealTime() if time is None else time
        self._changes = tuple(changes)
        self._locks: dict[tuple[str, str], threading.Lock] = defaultdict(threading.Lock)
        self.listener = serving.listen(self._config.listen)
        self.base = (self._config.public_url or serving.url_of(self.listener)).rstrip("/")
        self.issuer = self._config.issuer or self.base
        self.jwks_uri = f"{self.base}/jwks.json"
        self._serving = contextlib.ExitStack()
        self._is_open = False
        self._store = Store()
        self.agent = self._start()
        self.application = serving.application(
            jwks=self.published,
            configuration=lambda: {"issuer": self.issuer, "jwks_uri": self.jwks_uri},
            answer=self.answer if speaks_http else None,
        )

    def __enter__(self) -> Self:
        self.open()
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        self.close()

    def open(self) -> None:
        """Serve the agent's keys from a thread, if that is not done yet."""
        if not self._is_open:
            self._is_open = True
            self._serving.enter_context(serving.serving(self.listener, self.application))

    def close(self) -> None:
        """Stop serving."""
        self._serving.close()
        self.listener.close()
        self.agent.transport.close()

    def published(self) -> Answer:
        """Return the JWK Set of the agent, as it is at this moment."""
        return self.agent.published()

    def answer(self, asked: Asked) -> Answer:
        """Do what a request of the contract asks for.

        Raises:
            ValueError: it is no such request; the message says why.
        """
        name = asked.get("operation")
        if name not in OPERATIONS and name != "pass_time":
            raise ValueError(f"no operation {name!r}; there are {', '.join(OPERATIONS)}")
        operation: Callable[[Asked], Answer] = getattr(self, str(name))
        return operation(asked)

    def hello(self, asked: Asked) -> Answer:
        """Say what the agent offers, and by what a Provider knows it."""
        return _echo(
            asked,
            {
                "operations": list(OPERATIONS),
                "name": NAME,
                "virtualTime": self._time.is_virtual,
                "issuer": self.issuer,
                "jwksUri": self.jwks_uri,
            },
        )

    def connect(self, asked: Asked) -> Answer:
        """Find a Brand by the URL of its card or by its domain."""
        card, domain = asked.get("card"), asked.get("domain")
        audience = _text(asked, "audience")
        if card is None and not self.agent.takes_domains:
            return _echo(asked, {"error": "the agent takes the URL of a card alone"})
        if card is None:
            found = self.agent.connect(
                domain=_text({"domain": domain}, "domain"), audience=audience
            )
        else:
            found = self.agent.connect(card=_text(asked, "card"), audience=audience)
        if isinstance(found, Brand):
            return _echo(asked, {"brand": found.handle})
        return _echo(asked, {"gaveUp": {"reason": found.reason}})

    def say(self, asked: Asked) -> Answer:
        """Say something for a User to a Brand."""
        relation, text = self._relation(asked), _text(asked, "text", least=0)
        with self._locks[relation.key]:
            return _told(asked, self.agent.say(relation, text, _handle(asked)))

    def sign_in(self, asked: Asked) -> Answer:
        """Begin a sign-in of a User."""
        relation, scopes = self._relation(asked), _scopes(asked)
        with self._locks[relation.key]:
            return _told(asked, self.agent.sign_in(relation, scopes, _handle(asked)))

    def go_on(self, asked: Asked) -> Answer:
        """Go on where a User has decided at the link."""
        relation = self._relation(asked)
        with self._locks[relation.key]:
            return _told(asked, self.agent.go_on(relation))

    def holds(self, asked: Asked) -> Answer:
        """Say what a User has granted at a Brand, and which receipts are kept."""
        scopes, receipts = self.agent.holds(self._relation(asked))
        kept = [{"jws": it.jws, "verified": it.verified} for it in receipts]
        return _echo(asked, {"scopes": list(scopes), "receipts": kept})

    def rotate_key(self, asked: Asked) -> Answer:
        """Sign with a new key from now on."""
        self.agent.rotate(self.agent)
        return _echo(asked, {})

    def forget(self, asked: Asked) -> Answer:
        """Forget conversations, grants and receipts of one User or of all, but not the `sub`."""
        user = asked.get("user")
        self._store.forget(None if user is None else user_of(user).id)
        return _echo(asked, {})

    def restart(self, asked: Asked) -> Answer:
        """Start the agent again, with what it keeps for good."""
        self.agent.transport.close()
        self.agent = self._start()
        return _echo(asked, {})

    def pass_time(self, asked: Asked) -> Answer:
        """Follow the clock of a Brand that somebody has moved: `brand`, `seconds`.

        Not of the contract: it is for the built-in agent, whose time is virtual.

        Raises:
            ValueError: its time is not.
        """
        if not isinstance(self._time, VirtualTime):
            raise ValueError("the time is real")  # noqa: TRY004 - what was asked for is wrong
        brand = self._brand(asked)
        self._time.advance(brand.interface.url, float(asked["seconds"]))
        return _echo(asked, {})

    def _start(self) -> PersonalAgent:
        agent = PersonalAgent(self._config, self.issuer, store=self._store, time=self._time)
        for change in self._changes:
            change(agent)
        return agent

    def _brand(self, asked: Asked) -> Brand:
        handle = _text(asked, "brand")
        if handle not in self._store.brands:
            raise ValueError(f"there is no brand {handle!r}")
        return self._store.brands[handle]

    def _relation(self, asked: Asked) -> Relation:
        user = asked.get("user")
        if not isinstance(user, Mapping):
            raise ValueError("user must be an object")  # noqa: TRY004 - the text's fault
        return Relation(self._brand(asked), user_of(user))


OPERATIONS = (
    "hello",
    "connect",
    "say",
    "sign_in",
    "go_on",
    "holds",
    "rotate_key",
    "forget",
    "restart",
)
"""The contract's operations: all are offered."""


def built_in(
    move: Callable[[str, float], None],
    config: PersonalAgentConfig | None = None,
    *,
    flaws: Iterable[str] = (),
    variants: Iterable[str] = (),
) -> Adapter:
    """Return the agent of the suite's own runs; enter it to serve its keys.

    Args:
        move: moves the clock of the Brand with an interface URL by so many seconds.
        config: what an operator tells it.
        flaws: names of deliberate deviations.
        variants: names of legal but unusual ways.

    Raises:
        KeyError: there is no flaw or variant of such a name.
    """
    changes = changes_of(flaws, variants)
    return Adapter(config, time=VirtualTime(move), changes=changes)


def factory() -> Adapter:
    """Return an agent that waits in real time, its keys being served already."""
    adapter = Adapter()
    adapter.open()
    return adapter


def changes_of(flaws: Iterable[str], variants: Iterable[str]) -> tuple[Apply, ...]:
    """Return the substitutions that have these names.

    Raises:
        KeyError: there is none of a name.
    """
    found: list[Apply] = []
    for name in variants:
        from pact_conformance.counterpart import variants as legal  # noqa: PLC0415 - not all do

        found.append(legal.named(name, "personal-agent").apply)
    for name in flaws:
        from pact_conformance.counterpart import flaws as deviations  # noqa: PLC0415 - likewise

        found.append(deviations.named(name, "personal-agent").apply)
    return tuple(found)


def _told(asked: Asked, result: Result) -> Answer:
    told: Answer
    match result:
        case Reply(text):
            told = {"reply": {"text": text}}
        case NeedsSignIn(link, scopes):
            told = {"needsSignIn": {"link": link, "scopes": list(scopes)}}
        case GaveUp(reason):
            told = {"gaveUp": {"reason": reason}}
    if result.conversation is not None:
        told["conversation"] = result.conversation
    return _echo(asked, told)


def _echo(asked: Asked, told: Answer) -> Answer:
    return {"id": asked["id"], **told} if "id" in asked else told


def _text(asked: Asked, name: str, *, least: int = 1) -> str:
    value = asked.get(name)
    if not isinstance(value, str) or len(value) < least:
        raise ValueError(f"{name} must be a text")
    return value


def _handle(asked: Asked) -> str | None:
    return None if asked.get("conversation") is None else _text(asked, "conversation")


def _scopes(asked: Asked) -> tuple[str, ...] | None:
    scopes = asked.get("scopes")
    if scopes is None:
        return None
    if not isinstance(scopes, list) or not all(isinstance(it, str) for it in scopes):
        raise ValueError("scopes must be an array of texts")
    return tuple(scopes)
