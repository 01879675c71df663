"""Spare registrations (§3.1): personal agents that a check may change, one check at a time.

The built-in Provider knows one for each purpose. A tester gives one for all, so whoever has it
keeps the others out, in every process of the run.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pact_conformance.subject.plan import Plan, Purpose, Registration, Spare
from pact_conformance.tokens.caller import Caller
from pact_conformance.tokens.jwks_control import PublishedSet
from pact_conformance.verdicts import Inconclusive, NotApplicable, Untested, open_notebook

# What a tester may have declared absent instead of making a purpose possible.
_ABSENCES: Mapping[Purpose, str] = {"rotating": "rotation", "disabling": "disabling"}

_SERVE = (
    "set PA_JWKS_LISTEN and PA_JWKS_URL, and PA_SPARE_ISSUER and PA_SPARE_PRIVATE_JWK of a "
    "personal agent that is registered with {PA_JWKS_URL}/spare/jwks.json"
)


@dataclass(frozen=True)
class Lent:
    """A registration that whoever holds it may change, and has to leave as it was."""

    caller: Caller
    name: str
    control: str | None

    @property
    def keys(self) -> PublishedSet:
        """Its published set.

        Raises:
            Untested: this run does not serve it.
        """
        if self.control is None:
            raise Untested("the suite has to serve the personal agent's keys itself", do=_SERVE)
        return PublishedSet(self.control, self.name)


class Spares:
    """The spare registrations of a run.

    Args:
        plan: of the run.
        absent: what the tester declares absent, with the reason.
        caller_of: plays a registration.
        lock: the file that keeps the processes of the run apart.
    """

    def __init__(
        self,
        plan: Plan,
        absent: Mapping[str, str],
        caller_of: Callable[[Registration], Caller],
        *,
        lock: Path,
    ) -> None:
        self._plan = plan
        self._absent = absent
        self._caller_of = caller_of
        self._lock = lock

    def has(self, purpose: Purpose) -> bool:
        """Say whether there is one for this purpose."""
        return purpose in self._plan.spares

    @contextmanager
    def lend(self, purpose: Purpose) -> Iterator[Lent]:
        """Have the registration for a purpose, alone.

        Raises:
            NotApplicable: the tester declares that there is nothing to see.
            Untested: there is no such registration.
            Inconclusive: others kept it too long.
        """
        absence = _ABSENCES.get(purpose, "")
        if absence in self._absent:
            raise NotApplicable(f"declared absent: {self._absent[absence]}")
        spare = self._plan.spares.get(purpose)
        if spare is None:
            raise Untested("a registration that checks may change is needed", do=_SERVE)
        with self._alone(spare):
            caller = self._caller_of(spare.registration)
            yield Lent(caller, spare.name, self._plan.jwks_control)

    def _alone(self, spare: Spare) -> AbstractContextManager[Any]:
        if sum(it.name == spare.name for it in self._plan.spares.values()) < 2:
            return nullcontext()
        # Imported where it is needed: it loads asyncio, which costs a start.
        from filelock import FileLock  # noqa: PLC0415

        return _locked(FileLock(self._lock))


@contextmanager
def _locked(lock: Any) -> Iterator[None]:  # noqa: ANN401 - FileLock is imported late
    from filelock import Timeout  # noqa: PLC0415

    try:
        lock.acquire(timeout=open_notebook().left or -1)
    except Timeout as error:
        raise Inconclusive(
            "other checks kept the spare registration too long", do="raise E2E_TEST_TIMEOUT_MS"
        ) from error
    try:
        yield
    finally:
        lock.release()
