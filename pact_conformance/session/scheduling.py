"""Who runs which check under `-n`: what talks to the Brand's agent stays together.

Each conversation is held once in a run, so the checks that look at one belong to one process. They
are one group and not one for each conversation: nearly all go on from the same opening, and one
process can see to it that little is said at once. The rest goes in small portions to whoever is
free.

xdist's own ways to group do not do: under plain `-n` its `xdist_group` marks are ignored, and node
ids alone do not tell which fixtures a check takes. So a worker tells the controller over the pipe,
before it reports its collection.

This module is imported by xdist's hook alone: the suite runs without xdist.
"""

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from xdist.scheduler import LoadScopeScheduling
from xdist.workermanage import WorkerController

from pact_conformance.session.roster import Roster

TALKING = "talking"

# So many portions for each worker even out what checks cost; fewer than this many checks in one
# would leave workers waiting for the next.
PORTIONS = 8
SMALLEST = 4


def scopes(nodes: Sequence[str], roster: Roster, workers: int) -> dict[str, str]:
    """Return the scope of each node: the group that talks, or a portion of the rest."""
    talking = {entry.node for entry in roster.selected if entry.talks}
    rest = [node for node in nodes if node not in talking]
    size = max(SMALLEST, -(-len(rest) // (PORTIONS * max(1, workers))))
    found = {node: f"portion-{number // size}" for number, node in enumerate(rest)}
    return found | dict.fromkeys(talking, TALKING)


class Scheduling(LoadScopeScheduling):  # type: ignore[misc]  # xdist ships no types
    """Hands out the group that talks first, for it takes longest, then the portions.

    Args:
        config: of the controller.
        log: of xdist.
        roster: returns what the workers told of their checks.
    """

    def __init__(self, config: pytest.Config, log: Any, roster: Callable[[], Roster]) -> None:  # noqa: ANN401 - xdist's
        super().__init__(config, log)
        self._roster = roster
        self._scopes: dict[str, str] = {}

    def schedule(self) -> None:
        """Decide about the scopes once every worker has told what it collected."""
        if self.collection is None:
            nodes = next(iter(self.registered_collections.values()))
            self._scopes = scopes(nodes, self._roster(), len(self.nodes))
        super().schedule()

    def _split_scope(self, nodeid: str) -> str:
        return self._scopes[nodeid]

    def _assign_work_unit(self, node: WorkerController) -> None:
        if TALKING in self.workqueue:
            self.workqueue.move_to_end(TALKING, last=False)
        super()._assign_work_unit(node)

    def _reschedule(self, node: WorkerController) -> None:
        """Give a worker more to do, once it has told what it collected.

        One that replaces another is known before; xdist would lose what it hands it then.
        """
        if node in self.registered_collections:
            super()._reschedule(node)

    def remove_node(self, node: WorkerController) -> str | None:
        """Take over what a worker leaves behind; the check that it died of is not tried again.

        Returns that check.
        """
        units = self.assigned_work[node]
        unfinished = [name for unit in units.values() for name, done in unit.items() if not done]
        if unfinished:
            units[self._scopes[unfinished[0]]][unfinished[0]] = True
        # A unit with nothing left to do would keep a worker waiting that gets it.
        self.assigned_work[node] = {
            scope: unit for scope, unit in units.items() if not all(unit.values())
        }
        super().remove_node(node)
        return unfinished[0] if unfinished else None
