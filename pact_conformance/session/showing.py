"""The text of a failure at the terminal, with the exchange that shows it as a curl line."""

from pact_conformance.catalogue import Requirement
from pact_conformance.journal.curl import curl
from pact_conformance.report import text
from pact_conformance.report.outcome import Outcome
from pact_conformance.rig import Rig


def failure(rig: Rig, outcome: Outcome, requirement: Requirement) -> str:
    """Return a failure in full; the last exchange of the check is the one that decided it."""
    last = next(
        (rig.journal.recent[it] for it in reversed(outcome.exchanges) if it in rig.journal.recent),
        None,
    )
    return text.failure(outcome, requirement, [] if last is None else [curl(last)])
