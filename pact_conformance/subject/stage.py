"""The stage as the suite reaches it: Brands opened for a scenario, and what was seen of the agent.

scene = stage.open(cardPath="/registry/of/brands/42.json", approve={"auto": "all"})
agent.connect(scene.card, scene.audience)
sent = scene.wait_for("message:send", 1, seconds=5)
"""

import json
from collections.abc import Callable, Sequence
from http import HTTPStatus
from typing import Any
from urllib.parse import urlencode

import httpcore
from pydantic.alias_generators import to_camel

from pact_conformance.journal.journal import Journal
from pact_conformance.journal.mask import Mask
from pact_conformance.subject.seen import Seen
from pact_conformance.subject.seen_exchanges import hide, keep
from pact_conformance.subject.sightings import Part, Sightings
from pact_conformance.subject.stage_address import StageAddress
from pact_conformance.verdicts import Inconclusive, Untested, open_notebook

__all__ = ["Scene", "Stage", "StageAddress"]

_PATIENCE = 10.0
"""Seconds that the stage may take beyond what it is asked to wait."""

_AGAIN = "run again; report it if it comes again"

_UNREACHABLE = (
    httpcore.NetworkError,
    httpcore.ProtocolError,
    httpcore.TimeoutException,
    httpcore.ConnectionNotAvailable,
)


class Stage:
    """The mock Provider on which the agent under test acts. Thread-safe.

    Args:
        address: where it is.
        mask: learns the secrets in what was seen.
        journal: gets everything that was seen, as soon as it is read; None: another process sees
            to that.
    """

    def __init__(self, address: StageAddress, mask: Mask, journal: Journal | None = None) -> None:
        self.address = address
        # Plain HTTP on this machine: neither proxies nor certificates are to be read.
        self._connections = httpcore.ConnectionPool(max_keepalive_connections=None)

        def take(seen: Seen) -> None:
            hide(seen, mask) if journal is None else keep(seen, mask, journal)

        self.sightings = Sightings(self._page, take)
        self.clock_followers: list[Callable[[str, float], None]] = []
        """Each is told the interface and the seconds when a scenario moves a Brand's clock: agents
        that live in a time which can be moved have to follow."""

    def open(self, **script: Any) -> "Scene":  # noqa: ANN401 - JSON values
        """Open a Brand of its own for a scenario.

        Args:
            script: members of a script (docs/stage.md), in camel case or with underscores.

        Raises:
            Untested: the script needs a host or a domain that this stage cannot have.
            ValueError: the script is wrong.
            Inconclusive: the stage cannot be reached.
        """
        asked = {to_camel(name) if "_" in name else name: it for name, it in script.items()}
        self._see_that_it_can(asked)
        opened = self.call("open_brand", script=asked)
        return Scene(self, opened)

    def everything(self) -> tuple[Seen, ...]:
        """Return every request of the run so far, oldest first, but for those at Brands apart."""
        return self.sightings.all()

    def move_clock(self, interface: str, seconds: float) -> None:
        """Move the clock of the Brand with an interface or card URL, and tell nobody.

        Raises:
            ValueError: there is no such Brand.
            Inconclusive: the stage cannot be reached.
        """
        self.call("advance_clock", interface=interface, seconds=seconds)

    def call(self, hook: str, **about: Any) -> Any:  # noqa: ANN401 - JSON values
        """Have something done on the stage, and return what it tells.

        Raises:
            ValueError: it cannot be done.
            Inconclusive: the stage cannot be reached.
        """
        body = json.dumps({"hook": hook, **about}).encode()
        status, text = self._ask("POST", "", body=body)
        if status == HTTPStatus.BAD_REQUEST:
            raise ValueError(f"{hook}: {text.strip()}")
        return json.loads(text) if text else None

    def close(self) -> None:
        """Close connections."""
        self._connections.close()

    def _see_that_it_can(self, script: dict[str, Any]) -> None:
        hosts = (script.get("interfaceHost"), (script.get("endpoints") or {}).get("host"))
        if self.address.other is None and ("other" in hosts or script.get("domain") is not None):
            raise Untested(
                "the stage has one host alone, and this needs another",
                do="leave E2E_MOCK_URL out, if the agent can reach this machine by itself",
            )

    def _page(self, since: int, brand: str | None, wait: float) -> Part:
        """Return what was seen from a number on, after a wait of some seconds if there is nothing.

        Raises:
            Inconclusive: the stage cannot be reached.
        """
        asked = {"since": since, "wait": wait} | ({} if brand is None else {"brand": brand})
        status, text = self._ask("GET", f"/seen?{urlencode(asked)}", seconds=wait + _PATIENCE)
        if status != HTTPStatus.OK:
            raise Inconclusive(
                f"the mock Provider answers {status} when asked what it has seen", do=_AGAIN
            )
        told = json.loads(text)
        return Part([Seen.from_json(it) for it in told["seen"]], told["next"], told["end"])

    def _ask(
        self, method: str, path: str, *, body: bytes | None = None, seconds: float = _PATIENCE
    ) -> tuple[int, str]:
        """Return the status and the body of an answer.

        Raises:
            Inconclusive: the stage cannot be reached.
        """
        limits = dict.fromkeys(("connect", "read", "write", "pool"), seconds)
        try:
            answer = self._connections.request(
                method,
                f"{self.address.control}{path}",
                headers={"Content-Type": "application/json"},
                content=body,
                extensions={"timeout": limits},
            )
        except _UNREACHABLE as error:
            raise Inconclusive(
                f"the mock Provider cannot be reached: {type(error).__name__}", do=_AGAIN
            ) from error
        return answer.status, answer.content.decode()


class Scene:
    """One Brand of the stage, opened for a scenario."""

    def __init__(self, stage: Stage, opened: dict[str, Any]) -> None:
        self._stage = stage
        self.brand_id: str = opened["brandId"]
        self.card: str = opened["card"]
        """The card URL, which the agent is given."""
        self.interface: str = opened["interface"]
        self.issuer: str = opened["issuer"]
        """Of the Brand's authorization server."""
        self.domain: str | None = opened["domain"]
        """The Brand's own domain, as a URL without a path; None where the script gives it none."""
        self._since: int = opened["since"]

    @property
    def audience(self) -> str:
        """What the stage assigned to the agent."""
        return self._stage.address.audience

    def seen(self, *operations: str) -> tuple[Seen, ...]:
        """Return what has reached the Brand so far, the newest last; of some operations alone."""
        return _noted(_of(self._stage.sightings.of(self.brand_id), operations))

    def close(self) -> None:
        """End the Brand's script, and let go of what was seen there."""
        self._stage.call("close_brand", brandId=self.brand_id)
        self._stage.sightings.forget(self.brand_id)

    def strays(self) -> tuple[Seen, ...]:
        """Return what came since the Brand was opened and belongs to none, by its path.

        Whoever else acts at the same time may have sent it.
        """
        return tuple(it for it in self._stage.sightings.of(None) if it.n >= self._since)

    def wait_for(self, operation: str, count: int = 1, *, seconds: float) -> tuple[Seen, ...]:
        """Wait until so many requests of an operation have come, and return all of them.

        When the time is up what there is by then is returned, which may be fewer.
        """
        seen = self._stage.sightings.until(
            self.brand_id, lambda seen: len(_of(seen, [operation])) >= count, seconds
        )
        return _noted(_of(seen, [operation]))

    def pass_time(self, seconds: float) -> None:
        """Move the Brand's clock, and let follow whoever can."""
        self._stage.move_clock(self.interface, seconds)
        for follow in self._stage.clock_followers:
            follow(self.interface, seconds)

    def revoke(self, grant_id: str) -> None:
        """Revoke a grant, from the next request on."""
        self._hook("revoke_grant", grantId=grant_id)

    def close_conversation(self, context_id: str) -> None:
        """Close a conversation (§4.2)."""
        self._hook("close_conversation", contextId=context_id)

    def decide(
        self, user_code: str, approve: Sequence[str] | str | None = "all", *, deny: bool = False
    ) -> None:
        """Let the User decide a flow: approve "all" or some scopes, or deny.

        Raises:
            ValueError: there is no such user code.
        """
        auto = approve if isinstance(approve, str) or approve is None else list(approve)
        self._hook("decide", userCode=user_code, auto=auto, deny=deny)

    def expire_code(self, user_code: str) -> None:
        """Let a device code and its user code expire now."""
        self._hook("expire_code", userCode=user_code)

    def _hook(self, name: str, **about: Any) -> None:  # noqa: ANN401 - JSON values
        self._stage.call(name, interface=self.interface, **about)


def _noted(seen: tuple[Seen, ...]) -> tuple[Seen, ...]:
    """Have the check that looks at something cite it."""
    open_notebook().exchanges.extend(it.exchange_id for it in seen)
    return seen


def _of(seen: Sequence[Seen], operations: Sequence[str]) -> tuple[Seen, ...]:
    return tuple(it for it in seen if not operations or it.operation in operations)
