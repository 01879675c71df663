"""How the mock Providers of a run get their processes: forked off while nothing else runs here.

Where that would do harm Python starts anew for each.
"""

from contextlib import ExitStack
from typing import Protocol

from pact_conformance.counterpart.provider import serving
from pact_conformance.counterpart.provider.configuration import ProviderConfig
from pact_conformance.counterpart.provider.forking import Waiting, can_fork


class Launch(Protocol):
    """Starts a mock Provider, and returns when it accepts connections."""

    def __call__(
        self,
        config: ProviderConfig,
        flaws: tuple[str, ...] = (),
        variants: tuple[str, ...] = (),
    ) -> serving.RunningProvider:
        """Start it.

        Raises:
            RuntimeError: it did not come up.
        """


def launches(count: int, stack: ExitStack) -> list[Launch]:
    """Return so many ways to start a mock Provider, for once each.

    Args:
        count: how many are needed.
        stack: ends what was not used.
    """
    if not can_fork():
        return [serving.start] * count
    found: list[Launch] = []
    for _ in range(count):
        waiting = Waiting()
        stack.callback(waiting.end)
        found.append(waiting.start)
    return found
