"""What holds of each request of an agent, judged over all that reached the stage in a run.

Checks that do so come last.
"""

from collections.abc import Callable, Collection, Iterable

import pytest

from pact_conformance import expect
from pact_conformance.subject.seen import PaToken, Seen
from pact_conformance.subject.stage import Stage
from pact_conformance.verdicts import Untested, open_notebook

from .playing import Play

# Operations of A2A; each is POSTed or asked for below the interface.
A2A = frozenset(
    {
        "message:send",
        "message:stream",
        "tasks",
        "tasks/{id}",
        "tasks/{id}:cancel",
        "tasks/{id}:subscribe",
        "push-config",
        "extended-card",
    }
)

# Every operation but the card that has to carry the personal-agent JWT (§3.2).
AUTHENTICATED = A2A | {"device_authorization", "token"}

# Where it may be sent along; whatever comes is judged.
TOKENS_TOO = AUTHENTICATED | {"metadata", "jwks"}


@pytest.fixture
def everything(stage: Stage, first_conversation: Play) -> tuple[Seen, ...]:
    """Every request of the run so far; those of the first conversation are among it at least.

    As it takes a scenario, the checks run where the scenarios are played.
    """
    assert first_conversation.lines
    return stage.everything()


# So many exchanges show what is wrong.
_SHOWN = 5


def each_of(
    everything: Iterable[Seen],
    operations: Collection[str],
    wrong: Callable[[Seen], str | None],
    expected: str,
) -> None:
    """Demand something of each request of some operations.

    Args:
        everything: what the stage has seen.
        operations: which of it is looked at.
        wrong: says what is wrong with a request; None: nothing.
        expected: in words.

    Raises:
        Untested: there is no such request.
        Deviation: it does not hold of one.
    """
    asked = [it for it in everything if it.operation in operations]
    if not asked:
        raise Untested("the agent sent no such request", do="see 2-agent-http-json")
    faults = [(it, fault) for it in asked if (fault := wrong(it)) is not None]
    open_notebook().exchanges.extend(it.exchange_id for it, _ in faults[:_SHOWN])
    if faults:
        request, fault = faults[0]
        more = f", and in {len(faults) - 1} of {len(asked)} more" if len(faults) > 1 else ""
        expect.that(False, expected, f"{fault} in {request.operation}{more}")  # noqa: FBT003


def each_token(
    everything: Iterable[Seen], wrong: Callable[[Seen, PaToken], str | None], expected: str
) -> None:
    """Demand something of each personal-agent JWT (see `each_of`)."""
    asked = [it for it in everything if it.token is not None]

    def fault(request: Seen) -> str | None:
        assert request.token is not None
        return wrong(request, request.token)

    each_of(asked, TOKENS_TOO, fault, expected)
