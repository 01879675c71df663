"""The stage as the suite reaches it: Brands opened for a scenario, and what was seen of the agent.

scene = stage.open(cardPath="/registry/of/brands/42.json", approve={"auto": "all"})
agent.connect(scene.card, scene.audience)
sent = scene.wait_for("message:send", 1, seconds=5)
"""

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import httpx
from pydantic.alias_generators import to_camel

from pact_conformance.journal.mask import Mask
from pact_conformance.subject.seen import Seen
from pact_conformance.subject.stage_address import StageAddress
from pact_conformance.verdicts import Inconclusive, Untested

__all__ = ["Scene", "Stage", "StageAddress"]

_LONGEST_WAIT = 30.0
"""Seconds of one long poll; a longer wait takes several."""

_PATIENCE = 10.0
"""Seconds that the stage may take beyond what it is asked to wait."""


@dataclass(frozen=True)
class Part:
    """A part of what was seen, in order."""

    seen: list[Seen]
    next: int
    """The number to go on from."""
    lost: int
    """How many requests came that were too many to be kept, all in all."""


class Stage:
    """The mock Provider on which the agent under test acts. Thread-safe."""

    def __init__(self, address: StageAddress, mask: Mask) -> None:
        self.address = address
        self._mask = mask
        self._client = httpx.Client(trust_env=False)
        self._all = _Followed(self.page, None)
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
        """Return every request of the run so far, oldest first."""
        return self._all.now()

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
        answer = self._ask("POST", "", json={"hook": hook, **about})
        if answer.status_code == httpx.codes.BAD_REQUEST:
            raise ValueError(f"{hook}: {answer.text.strip()}")
        return answer.json() if answer.content else None

    def close(self) -> None:
        """Close connections."""
        self._client.close()

    def _see_that_it_can(self, script: dict[str, Any]) -> None:
        hosts = (script.get("interfaceHost"), (script.get("endpoints") or {}).get("host"))
        if self.address.other is None and ("other" in hosts or script.get("domain") is not None):
            raise Untested(
                "the stage has one host alone, and this needs another",
                do="leave E2E_MOCK_URL out, if the agent can reach this machine by itself",
            )

    def page(self, since: int, brand: str | None, wait: float) -> Part:
        """Return what was seen from a number on, after a wait of some seconds if there is nothing.

        Args:
            since: the number; of the first request it is 0.
            brand: the id of a Brand; None: all.
            wait: seconds.

        Raises:
            Inconclusive: the stage cannot be reached.
        """
        params: dict[str, Any] = {"since": since, "wait": wait}
        if brand is not None:
            params["brand"] = brand
        answer = self._ask("GET", "/seen", params=params, timeout=wait + _PATIENCE)
        if answer.status_code != httpx.codes.OK:
            raise Inconclusive(
                f"the mock Provider answers {answer.status_code} when asked what it has seen",
                do="run again; report it if it comes again",
            )
        told = answer.json()
        seen = [Seen.from_json(it) for it in told["seen"]]
        for each in seen:
            self._hide(each)
        return Part(seen, told["next"], told["lost"])

    def _ask(self, method: str, path: str, **how: Any) -> httpx.Response:  # noqa: ANN401 - httpx's
        how = {"timeout": _PATIENCE, **how}
        try:
            return self._client.request(method, f"{self.address.control}{path}", **how)
        except httpx.HTTPError as error:
            raise Inconclusive(
                f"the mock Provider cannot be reached: {type(error).__name__}",
                do="run again; report it if it comes again",
            ) from error

    def _hide(self, seen: Seen) -> None:
        """Have masked from now on what was seen of secrets."""
        if seen.token is not None:
            self._mask.remember(seen.token.text, "pa-jwt")
        if seen.delegation is not None:
            self._mask.remember(seen.delegation, "delegation-token")
        answered = "" if seen.answer is None else seen.answer.body
        self._mask.apply_all([seen.url, seen.body, answered])


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
        self._followed = _Followed(stage.page, self.brand_id, self._since)

    @property
    def lost(self) -> int:
        """How many requests of the agent were too many to be kept, as far as has been read."""
        return self._followed.lost

    @property
    def audience(self) -> str:
        """What the stage assigned to the agent."""
        return self._stage.address.audience

    def seen(self, *operations: str) -> tuple[Seen, ...]:
        """Return what has reached the Brand so far, the newest last; of some operations alone."""
        return _of(self._followed.now(), operations)

    def strays(self) -> tuple[Seen, ...]:
        """Return what came since the Brand was opened and belongs to none, by its path.

        Whoever else acts at the same time may have sent it.
        """
        everything = self._stage.everything()
        return tuple(it for it in everything if it.n >= self._since and it.brand is None)

    def wait_for(self, operation: str, count: int = 1, *, seconds: float) -> tuple[Seen, ...]:
        """Wait until so many requests of an operation have come, and return all of them.

        When the time is up what there is by then is returned, which may be fewer.
        """
        return self._followed.until(
            lambda seen: len(_of(seen, [operation])) >= count, [operation], seconds
        )

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


class _Followed:
    """What has been read of the records of a Brand, or of all."""

    def __init__(
        self,
        page: Callable[[int, str | None, float], Part],
        brand: str | None,
        since: int = 0,
    ) -> None:
        self._page = page
        self._brand = brand
        self._seen: list[Seen] = []
        self._next = since
        self.lost = 0
        self._lock = threading.Lock()

    def now(self) -> tuple[Seen, ...]:
        """Return everything so far."""
        while self._read(0.0):
            pass
        with self._lock:
            return tuple(self._seen)

    def until(
        self,
        enough: Callable[[Sequence[Seen]], bool],
        operations: Sequence[str],
        seconds: float,
    ) -> tuple[Seen, ...]:
        """Read until it is enough, or until the time is up."""
        until = time.monotonic() + seconds
        seen = self.now()
        while not enough(seen):
            left = until - time.monotonic()
            if left <= 0:
                break
            self._read(min(left, _LONGEST_WAIT))
            seen = self.now()
        return _of(seen, operations)

    def _read(self, wait: float) -> bool:
        """Read on; say whether there was something. Whoever reads the same at once reads it too."""
        with self._lock:
            since = self._next
        part = self._page(since, self._brand, wait)
        with self._lock:
            self.lost = part.lost
            if self._next == since:
                self._next = part.next
                self._seen += part.seen
        return bool(part.seen)


def _of(seen: Sequence[Seen], operations: Sequence[str]) -> tuple[Seen, ...]:
    return tuple(it for it in seen if not operations or it.operation in operations)
