"""From what a check did to its verdict, and from its verdict to pytest's outcome: the one table.

passed, warned               passed     (warned is a property, and shows in the summary)
not applicable, untested     skipped    with the reason
failed, inconclusive         failed     told apart by a property

Advice beyond the specification fails no run: what is inconclusive of it is skipped, unless
`--pact-strict` has it count like the rest.
"""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Literal

import pytest

from pact_conformance.catalogue import load
from pact_conformance.journal.journal import JournalUnwritable
from pact_conformance.report.baseline import FAILING
from pact_conformance.report.folding import verdict_of
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
    if judged.verdict == "failed" and not _binds(cited) and not judged.error:
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
        kind=_kind(cited),
        error=judged.error,
        counts=dict(book.counts),
        advice="" if cited.advice is None else cited.advice.id,
        measures=tuple(asdict(it) for it in book.measures),
    )


def pytest_outcome(outcome: Outcome, *, strict: bool) -> Literal["passed", "failed", "skipped"]:
    """Return pytest's word for an outcome."""
    harmless = outcome.kind == "advice" and outcome.verdict == "inconclusive"
    if harmless and not strict and not outcome.error:
        return "skipped"
    return PYTEST_OUTCOME[outcome.verdict]


def _binds(cited: Cited) -> bool:
    return cited.advice is None and cited.requirements[0].level == "MUST"


def _kind(cited: Cited) -> str:
    if cited.advice is not None:
        return "advice"
    return "fuzz" if cited.family else "check"


def causes(item: pytest.Item, *, strict: bool) -> Iterator[Outcome]:
    """Yield what a check found amiss by fuzzing, each thing under the requirement it breaks."""
    rows = load()
    for found in item.stash[NOTEBOOK].found:
        fails = strict or (found.failed and rows[found.requirement].level == "MUST")
        yield Outcome(
            name=item.stash[CITED].name,
            case=found.words,
            requirements=(found.requirement,),
            verdict="failed" if fails else "warned",
            expected=found.expected,
            got=found.got if found.failed else "",
            warnings=() if found.failed else (found.got,),
            exchanges=(*found.beside, *filter(None, [found.exchange])),
            kind="cause",
            counts={"seen": found.seen},
            example=found.example,
        )


def with_causes(outcome: Outcome, found: Sequence[Outcome]) -> Outcome:
    """Return the outcome of a check that fuzzes: the worst of its own and its causes'."""
    if not found:
        return outcome
    verdict = verdict_of([outcome.verdict, *(it.verdict for it in found)])
    kinds = f"{len(found)} {'cause' if len(found) == 1 else 'causes'}"
    got = f"{kinds}: {'; '.join(it.case for it in found)}"
    known = {it.known for it in found if it.verdict in FAILING}
    excused = "; ".join(sorted(known)) if all(known) and outcome.verdict not in FAILING else ""
    return replace(
        outcome,
        verdict=verdict,
        expected="each example gets what is due to it",
        got=got,
        known=excused,
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
            expected = "" if cited.advice is not None else cited.requirements[0].expected
            judged = _Judged("failed", expected, str(raised))
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
