"""From what a check did to its verdict, and from its verdict to pytest's outcome: the one table.

passed, warned               passed     (warned is a property, and shows in the summary)
not applicable, untested     skipped    with the reason
failed, inconclusive         failed     told apart by a property
"""

from dataclasses import dataclass
from typing import Literal

import pytest

from pact_conformance.journal.journal import JournalUnwritable
from pact_conformance.report.outcome import Outcome
from pact_conformance.session.collection import CITED, Cited
from pact_conformance.subject.ledger import LedgerUnwritable
from pact_conformance.verdicts import Deviation, Notebook, Unsettled, Verdict

PYTEST_OUTCOME: dict[Verdict, Literal["passed", "failed", "skipped"]] = {
    "passed": "passed",
    "warned": "passed",
    "not applicable": "skipped",
    "untested": "skipped",
    "failed": "failed",
    "inconclusive": "failed",
}

# What ends the run wherever it is raised: nothing that is found can be kept any more.
UNWRITABLE = (JournalUnwritable, LedgerUnwritable)

NOTEBOOK: pytest.StashKey[Notebook] = pytest.StashKey()


@dataclass(frozen=True)
class _Judged:
    verdict: Verdict
    expected: str = ""
    got: str = ""
    reason: str = ""
    do: str = ""
    error: bool = False


def judge(item: pytest.Item, call: pytest.CallInfo[None], *, strict: bool) -> Outcome:
    """Return the outcome of a check from what it raised, if anything, and from its notebook."""
    cited, book = item.stash[CITED], item.stash[NOTEBOOK]
    judged = _judge(cited, call.excinfo)
    if judged.verdict == "failed" and cited.requirements[0].level != "MUST" and not judged.error:
        judged = _Judged("warned", judged.expected, judged.got)
    if judged.verdict == "passed" and book.warnings:
        judged = _Judged("warned")
    if judged.verdict == "warned" and strict:
        judged = _Judged(
            "failed", judged.expected, judged.got, "; ".join(book.warnings) or "warned under strict"
        )
    return Outcome(
        name=cited.name,
        case=cited.case,
        requirements=tuple(row.id for row in cited.requirements),
        verdict=judged.verdict,
        expected=judged.expected,
        got=judged.got,
        reason=judged.reason,
        do=judged.do,
        warnings=tuple(book.warnings),
        notes=tuple(dict.fromkeys(book.notes)),
        exchanges=tuple(dict.fromkeys(book.exchanges)),
        seconds=call.duration,
        error=judged.error,
    )


def _judge(cited: Cited, excinfo: pytest.ExceptionInfo[BaseException] | None) -> _Judged:
    match None if excinfo is None else excinfo.value:
        case None:
            judged = _Judged("passed")
        case Unsettled() as raised:
            judged = _Judged(raised.verdict, reason=raised.reason, do=raised.do)
        case Deviation() as raised:
            judged = _Judged("failed", raised.expected, raised.got)
        case pytest.skip.Exception() as raised:
            judged = _Judged("untested", reason=str(raised.msg))
        case AssertionError() as raised:
            judged = _Judged("failed", cited.requirements[0].expected, str(raised))
        case JournalUnwritable() | LedgerUnwritable() as raised:
            judged = _Judged("untested", reason=str(raised), do="make room", error=True)
        case raised:
            judged = _fault(raised)
    return judged


def _fault(raised: BaseException) -> _Judged:
    return _Judged(
        "inconclusive",
        reason=f"a fault of this suite, not of the subject: {type(raised).__name__}: {raised}",
        do="report it with the journal of this run",
        error=True,
    )
