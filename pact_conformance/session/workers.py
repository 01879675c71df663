"""What the controller of `-n` hands each worker, and what a worker tells it in return.

Both cross execnet's pipe and never a disk: the settings and the plan hold private keys. The way
back is a channel of our own in the same pipe, whose messages arrive in order with xdist's, so a
roster is there before the collection that it belongs to.
"""

import json
import pickle
from collections.abc import Callable, Mapping
from dataclasses import astuple
from typing import Any

import pytest

from pact_conformance.report.baseline import Baseline
from pact_conformance.session.roster import Roster
from pact_conformance.settings import Settings
from pact_conformance.subject.plan import Plan
from pact_conformance.waits import Wait, listen

_SETTINGS, _PLAN, _FOLDER = "pact_settings", "pact_plan", "pact_folder"
_CHANNEL, _REPLACES = "pact_channel", "pact_replaces"
_BASELINE, _WAITS = "pact_baseline", "pact_waits"


def hand_over(
    node: Any,  # noqa: ANN401 - xdist's WorkerController
    *,
    settings: Settings,
    plan: Plan,
    folder: str,
    baseline: Baseline,
    replaces: bool,
    tell: Callable[[Roster], None],
    tell_waits: Callable[[tuple[Wait, ...]], None] | None = None,
) -> None:
    """Give a worker everything it needs before it starts.

    Args:
        node: the worker.
        settings: as the controller folded them, with the addresses of what it started.
        plan: whom to play, and what was seen of the subject.
        folder: where the journal is.
        baseline: the known failures.
        replaces: it takes the place of a worker that crashed.
        tell: is called with the worker's roster, in a thread of execnet.
        tell_waits: is called likewise with what the worker waits for, whenever that changes; None
            where nobody looks on.
    """
    channel = node.gateway.newchannel()
    channel.setcallback(lambda text: tell(Roster.from_text(text)))
    node.workerinput[_SETTINGS] = pickle.dumps(settings)
    node.workerinput[_BASELINE] = pickle.dumps(baseline)
    node.workerinput[_PLAN] = plan.to_text()
    node.workerinput[_FOLDER] = folder
    node.workerinput[_REPLACES] = replaces
    node.workerinput[_CHANNEL] = channel
    node.workerinput[_WAITS] = None if tell_waits is None else _channel_for(node, tell_waits)


def _channel_for(
    node: Any,  # noqa: ANN401 - xdist's WorkerController
    tell: Callable[[tuple[Wait, ...]], None],
) -> Any:  # noqa: ANN401 - execnet's Channel
    channel = node.gateway.newchannel()
    channel.setcallback(lambda text: tell(tuple(Wait(*it) for it in json.loads(text))))
    return channel


class Handed:
    """What a worker was handed."""

    def __init__(self, given: Mapping[str, Any]) -> None:
        self.worker = str(given["workerid"])
        self.settings: Settings = pickle.loads(given[_SETTINGS])  # noqa: S301 - our own parent wrote it
        self.baseline: Baseline = pickle.loads(given[_BASELINE])  # noqa: S301 - likewise
        self.plan = Plan.from_text(given[_PLAN])
        self.folder = str(given[_FOLDER])
        self.replaces = bool(given[_REPLACES])
        self._channel = given[_CHANNEL]
        self._waits = given[_WAITS]

    def tell(self, roster: Roster) -> None:
        """Send the controller the roster."""
        self._channel.send(roster.to_text())

    def tell_waits(self) -> None:
        """Have the controller told from now on what is waited for here, if somebody looks on."""
        if self._waits is not None:
            listen(lambda waits: self._waits.send(json.dumps([astuple(it) for it in waits])))


def handed(config: pytest.Config) -> Handed | None:
    """Return what this process was handed; None if it is no worker of ours."""
    given = getattr(config, "workerinput", None)
    return None if given is None else Handed(given)
