"""The summary of a run for a terminal: verdicts, what is amiss, what to set; the worst first."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from pact_conformance.catalogue import Requirement
from pact_conformance.report import sections
from pact_conformance.report.fitting import Block
from pact_conformance.report.folding import NOT_SELECTED, Decided, Profile, verdict_of
from pact_conformance.report.outcome import Outcome
from pact_conformance.report.text import paragraph
from pact_conformance.verdicts import SEE_FINDING

# A failing family of cases shows so many of them; the report has all.
CASES_SHOWN = 6
# A selection of fewer requirements is told one by one.
SELECTED_SHOWN = 12

_WORDS = {
    "conformant": "CONFORMANT",
    "incomplete": "INCOMPLETE: nothing failed, but not everything was decided",
    "not conformant": "NOT CONFORMANT",
}

_ORDER = ("failed", "inconclusive", "untested", "warned", "passed", "not applicable")
_LEVELS = ("MUST", "SHOULD", "MAY")


def profile_line(profile: Profile, finding: str = "") -> str:
    """Return the verdict of a profile with its counts, in one line.

    Args:
        profile: that was folded.
        finding: the id of what keeps the subject from being tested, if something does.
    """
    counts = ", ".join(f"{profile.counts[v]} {v}" for v in _ORDER if profile.counts.get(v))
    words = _WORDS[profile.verdict]
    if finding and profile.verdict == "incomplete":
        seen = any(profile.counts.get(v) for v in ("passed", "warned", "not applicable"))
        what = "not everything" if seen else "nothing"
        words = f"INCOMPLETE: {what} could be decided, see {finding}"
    return f"{sections.profile(profile.key)}: {words} ({counts})"


def head(profiles: Iterable[Profile], outcomes: Iterable[Outcome]) -> Iterator[str]:
    """Yield a line for each profile."""
    finding = next((it.name.replace("_", "-") for it in outcomes if it.kind == "finding"), "")
    for profile in profiles:
        yield profile_line(profile, finding)


def blocks(decided: Sequence[Decided], outcomes: Sequence[Outcome]) -> Iterator[Block]:
    """Yield what is amiss, what is open to doubt and what to set, in this order."""
    rows = {it.requirement.id: it.requirement for it in decided}
    fresh = [it for it in outcomes if not it.known]
    telling = [it for it in fresh if it.kind != "fuzz"]  # its causes tell
    failed = sorted(
        by_requirement(telling, "failed").items(), key=lambda it: _how_bad(rows.get(it[0]))
    )
    yield Block(
        tuple(paragraph("failed", f"{cited}: {_cases(group)}") for cited, group in failed),
        lambda count: _rest("failed", [cited for cited, _ in failed[-count:]], rows),
    )
    yield _plain("inconclusive", inconclusive(fresh), "causes of what is inconclusive")
    yield _plain("known", known(outcomes), "known failures")
    yield Block(tuple(selection(decided)), lambda count: f"  {'…':<13}and {count} more")
    yield _plain("untested", untested(decided), "reasons why something is untested")
    yield _plain("warned", warnings(decided), "warned requirements")
    planned = sum(1 for it in decided if it.requirement.planned and it.counts)
    said = [paragraph("planned", f"{planned} requirements have no check yet")] if planned else []
    yield Block(tuple(said), str)


def _plain(label: str, items: Iterable[str], what: str) -> Block:
    return Block(
        tuple(items), lambda count: paragraph(label, f"… and {count} more {what}, in the report")
    )


def _how_bad(row: Requirement | None) -> tuple[int, bool]:
    """Order by level, then Identity before Delegated, then as the specification does."""
    if row is None:
        return len(_LEVELS), True
    return _LEVELS.index(row.level), row.profile != "identity"


def _rest(label: str, ids: Sequence[str], rows: Mapping[str, Requirement]) -> str:
    found = Counter(rows[it].section if it in rows else "?" for it in ids)
    where = ", ".join(f"§{section} {count}" for section, count in sorted(found.items()))
    return paragraph(label, f"… and {len(ids)} more, in the report: {where}").partition("\n")[0]


def untested(decided: Iterable[Decided]) -> Iterator[str]:
    """Yield what is untested, grouped by what the tester can do about it, most first.

    What a finding keeps from being tested is only counted: what to do stands with the finding.
    """
    groups: dict[tuple[str, str], list[str]] = {}
    behind: dict[str, int] = {}
    for it in decided:
        if not it.counts or it.verdict != "untested" or it.requirement.planned:
            continue
        if it.reason == NOT_SELECTED:
            continue  # `selection` counts them
        if it.reason.startswith(SEE_FINDING):
            behind[it.reason] = behind.get(it.reason, 0) + 1
        else:
            groups.setdefault((it.reason, it.do), []).append(it.requirement.id)
    for reason, count in behind.items():
        yield paragraph("untested", f"{count} requirements: {reason}")
    for (reason, do), ids in sorted(groups.items(), key=lambda it: -len(it[1])):
        said = f"{do} ({reason})" if do else reason
        yield paragraph("untested", f"{len(ids)}: {said}: {', '.join(ids)}")


def selection(decided: Iterable[Decided]) -> Iterator[str]:
    """Yield how much was not selected; and if little was, what became of each.

    What is amiss has a line of its own further up.
    """
    counting = [it for it in decided if it.counts]
    left_out = sum(1 for it in counting if it.reason == NOT_SELECTED)
    if not left_out:
        return
    tried = {it.requirement.id: [o for o in it.outcomes if o.kind == "check"] for it in counting}
    tried = {id_: outcomes for id_, outcomes in tried.items() if outcomes}
    if len(tried) < SELECTED_SHOWN:
        for id_, outcomes in tried.items():
            verdict = verdict_of(it.verdict for it in outcomes)
            if verdict not in {"failed", "inconclusive", "warned"}:
                yield paragraph(verdict, id_)
    yield f"  not selected: {left_out} requirements"


def by_requirement(outcomes: Iterable[Outcome], verdict: str) -> Mapping[str, tuple[Outcome, ...]]:
    """Return the outcomes with this verdict by the requirement that they cite first."""
    groups: dict[str, list[Outcome]] = {}
    for outcome in outcomes:
        if outcome.verdict == verdict:
            groups.setdefault(outcome.requirements[0], []).append(outcome)
    return {key: tuple(group) for key, group in groups.items()}


def warnings(decided: Iterable[Decided]) -> Iterator[str]:
    """Yield each warned requirement with what it was warned for."""
    for it in decided:
        if it.verdict != "warned":
            continue
        remarks = dict.fromkeys(
            remark
            for outcome in it.outcomes
            if outcome.verdict == "warned"
            for remark in (*outcome.warnings, _difference(outcome))
            if remark
        )
        yield paragraph("warned", f"{it.requirement.id}: {'; '.join(remarks)}")


def called(approvals: int, logins: int) -> str:
    """Say how often the User was called upon, to end a sentence with; empty if never."""
    if not approvals and not logins:
        return ""
    times = f"{approvals} {'time' if approvals == 1 else 'times'}"
    return f"; the User decided {times} and signed in {logins}"


def _difference(outcome: Outcome) -> str:
    return f"expected {outcome.expected}; got {outcome.got}" if outcome.expected else ""


def inconclusive(outcomes: Iterable[Outcome]) -> Iterator[str]:
    """Yield why nothing could be told, each cause once with all that it kept from being told."""
    causes: dict[tuple[str, str], dict[str, list[Outcome]]] = {}
    for cited, group in by_requirement(outcomes, "inconclusive").items():
        for outcome in group:
            why = _EXCHANGE.sub("", outcome.reason or outcome.got)
            causes.setdefault((why, outcome.do), {}).setdefault(cited, []).append(outcome)
    for (why, do), cited_groups in sorted(causes.items(), key=lambda it: -len(it[1])):
        what = ", ".join(cited_groups)
        if len(cited_groups) == 1:
            what += f": {_cases(next(iter(cited_groups.values())))}"
        yield paragraph("inconclusive", f"{what}: {why}{f' → {do}' if do else ''}")


# One cause shows in many exchanges.
_EXCHANGE = re.compile(r" \(exchange [^)\s]+\)")


def known(outcomes: Iterable[Outcome]) -> Iterator[str]:
    """Yield the failures that the tester's baseline names, with the reason that it gives."""
    groups: dict[tuple[str, str], list[Outcome]] = {}
    for outcome in outcomes:
        if outcome.known:
            groups.setdefault((outcome.requirements[0], outcome.known), []).append(outcome)
    for (cited, reason), group in groups.items():
        yield paragraph("known", f"{cited}: {_cases(group)}: {reason}")


def _cases(group: Sequence[Outcome]) -> str:
    named = [
        outcome.name.replace("_", " ") + (f" [{outcome.case}]" if outcome.case else "")
        for outcome in group
    ]
    if all(outcome.case for outcome in group) and len({outcome.name for outcome in group}) == 1:
        cases = [outcome.case for outcome in group]
        more = f" and {len(cases) - CASES_SHOWN} more" if len(cases) > CASES_SHOWN else ""
        return f"{group[0].name.replace('_', ' ')}: {', '.join(cases[:CASES_SHOWN])}{more}"
    more = f" and {len(named) - CASES_SHOWN} more" if len(named) > CASES_SHOWN else ""
    return "; ".join(named[:CASES_SHOWN]) + more
