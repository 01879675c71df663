"""The part of a report that is advice: what the hardening pack measured, and what is not wise.

It stands beside the requirements and is folded for itself: no profile rests on it. The words of the
verdicts are the same, but that nothing fails unless warnings do.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from pact_conformance.catalogue import advice as catalogue
from pact_conformance.catalogue.advice import Advice
from pact_conformance.report import sections
from pact_conformance.report.document import check
from pact_conformance.report.fitting import Block
from pact_conformance.report.folding import NOT_SELECTED
from pact_conformance.report.outcome import Outcome
from pact_conformance.report.text import measured, paragraph
from pact_conformance.verdicts import Verdict

Row: TypeAlias = Mapping[str, Any]
Section: TypeAlias = Mapping[str, Any]

# The order in which people are told, and in which checks decide: the first that one of them gave.
# What is amiss comes before what is not known, for nobody waits for advice to be complete.
_ORDER: tuple[Verdict, ...] = (
    "failed",
    "warned",
    "inconclusive",
    "untested",
    "passed",
    "not applicable",
)


def section(
    outcomes: Sequence[Outcome],
    *,
    judged: Collection[tuple[str, str]],
    selected: Collection[str],
) -> dict[str, Any]:
    """Return what a report holds of the pack, as `report.schema.json` describes it.

    Args:
        outcomes: of the pack's checks.
        judged: the roles and profiles that the run is about; other advice is left out.
        selected: the ids of the advice of which checks were selected.
    """
    by_id: dict[str, list[Outcome]] = {}
    for outcome in outcomes:
        by_id.setdefault(outcome.advice, []).append(outcome)
    rows = [
        _row(it, by_id.get(it.id, []), is_selected=it.id in selected)
        for it in catalogue.load().values()
        if (it.role, it.profile) in judged
    ]
    counts: dict[str, int] = {}
    for row in rows:
        counts[row["verdict"]] = counts.get(row["verdict"], 0) + 1
    return {"digest": catalogue.digest(), "counts": counts, "advice": rows}


def _row(advice: Advice, outcomes: Sequence[Outcome], *, is_selected: bool) -> dict[str, Any]:
    verdict: Verdict = "untested"
    reason, do = NOT_SELECTED, "select it, or run the whole suite"
    if outcomes:
        verdict = min((it.verdict for it in outcomes), key=_ORDER.index)
        telling = next(it for it in outcomes if it.verdict == verdict)
        reason, do = telling.reason, telling.do
    elif is_selected:
        reason, do = "the run ended before it", "run the suite again, to its end"
    return {
        "id": advice.id,
        "role": advice.role,
        "profile": advice.profile,
        "title": advice.title,
        "statement": advice.statement,
        "why": advice.why,
        "measured": advice.measured,
        "sources": list(advice.sources),
        "needs": list(advice.needs),
        "verdict": verdict,
        "reason": reason,
        "do": do,
        "notes": list(dict.fromkeys(note for it in outcomes for note in it.notes)),
        "checks": [{**check(it), "measures": [dict(m) for m in it.measures]} for it in outcomes],
    }


def headline(found: Section) -> str:
    """Say in a line how the pack came out."""
    counts = ", ".join(f"{found['counts'][v]} {v}" for v in _TOLD if found["counts"].get(v))
    return f"Hardening: {counts or 'nothing was measured'} (advice; no profile rests on it)"


_TOLD = ("passed", "warned", "failed", "inconclusive", "untested", "not applicable")


def in_order(found: Section) -> list[Row]:
    """Return the advice by verdict, what is amiss first."""
    return sorted(found["advice"], key=lambda row: _ORDER.index(row["verdict"]))


def block(found: Section) -> Block:
    """Return what a terminal shows of the pack, what is not as advised first."""
    return Block(tuple(_lines(found)), lambda count: f"  {'advice':<13}… and {count} more")


def _lines(found: Section) -> Iterator[str]:
    for row in in_order(found):
        if row["verdict"] in {"failed", "warned"}:
            yield paragraph("advice", f"{row['id']}: {'; '.join(said(row))}")
    lacking: dict[tuple[str, str], list[str]] = {}
    for row in in_order(found):
        if row["verdict"] in {"untested", "inconclusive"} and row["reason"] != NOT_SELECTED:
            lacking.setdefault((row["reason"], row["do"]), []).append(row["id"])
    for (reason, do), ids in lacking.items():
        why = f"{do} ({reason})" if do else reason
        yield paragraph("advice", f"not measured: {', '.join(ids)}: {why}")


def said(row: Row) -> Iterator[str]:
    """Yield what is not as advised: what was found instead, and the numbers."""
    for it in amiss(row):
        case = f"{it['case']}: " if it["case"] else ""
        words = [f"got {it['got']}"] if it["got"] else []
        words += it["warnings"]
        numbers = ", ".join(measured(it["measures"]))
        yield case + "; ".join(words) + (f" ({numbers})" if numbers else "")


def amiss(row: Row) -> Iterable[Row]:
    """Return the checks of advice that say what its verdict rests on."""
    return [it for it in row["checks"] if it["verdict"] == row["verdict"]]


def role_title(row: Row) -> str:
    """Return whom advice is for."""
    return sections.role(row["role"])
