"""The text of a failure at the terminal, with the exchange that shows it as a curl line."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pact_conformance.catalogue import Requirement, load
from pact_conformance.journal.exchange import Exchange
from pact_conformance.report import fuzzed, text
from pact_conformance.report.exchanges import command, pick
from pact_conformance.report.outcome import Outcome
from pact_conformance.report.settings_told import told
from pact_conformance.rig import Rig

if TYPE_CHECKING:
    from pact_conformance.catalogue.advice import Advice


def failure(
    rig: Rig, outcome: Outcome, requirement: Requirement, causes: Sequence[Outcome] = ()
) -> str:
    """Return a failure in full, with the exchange that tells most of it; or each of its causes."""
    if causes:
        return "\n\n".join([fuzzed.head(outcome), *(_cause(rig, it) for it in causes)])
    telling = _telling(rig, outcome)
    again = "" if telling is None else command(telling)
    return text.failure(outcome, requirement, [again] if again else [])


def advice(rig: Rig, outcome: Outcome, advised: "Advice") -> str:
    """Return what is not as advised, with the exchange that tells most of it."""
    telling = _telling(rig, outcome)
    return text.advice(outcome, advised, "" if telling is None else command(telling))


def _cause(rig: Rig, outcome: Outcome) -> str:
    telling = _telling(rig, outcome)
    row = load()[outcome.requirements[0]]
    curl = "" if telling is None else command(telling)
    given = told(rig.settings)["given"]
    # The address of what is built in ends with the run. Any other agent has an issuer.
    if rig.built_in:
        given["provider"] = "mock"
    if "agent" in given and "agent_issuer" not in given:
        given["agent"] = "mock"
    return fuzzed.cause(outcome, row, curl, given, rig.settings.named_file)


def _telling(rig: Rig, outcome: Outcome) -> Exchange | None:
    """Return the exchange that decided a check, which is its last; of a rule the worst are first.

    What is no longer in memory, or was in another process's, is in the journal.
    """
    ids = outcome.exchanges if outcome.kind == "rule" else outcome.exchanges[::-1]
    if not ids:
        return None
    if ids[0] in rig.journal.recent:
        return rig.journal.recent[ids[0]]
    found = pick(rig.journal.path, ids)
    return next((found[it] for it in ids if it in found), None)
