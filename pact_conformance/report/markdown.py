"""The summary of a run for a pull request, in GitHub's Markdown.

Text of the subject stands in code spans alone: there it is neither markup nor a mention of anybody.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from pact_conformance.report import sections
from pact_conformance.report.lacks import lacks
from pact_conformance.report.text import harmless, measured

Document: TypeAlias = Mapping[str, Any]
Row: TypeAlias = Mapping[str, Any]

MOST_ROWS = 20
MOST_CASES = 3
MOST_IDS = 12
LONGEST = 240

_SIGNS = {"conformant": "✅", "incomplete": "⚪", "not conformant": "❌"}
_COUNTED = ("passed", "warned", "failed", "inconclusive", "untested", "not applicable")


def summary(document: Document) -> str:
    """Return the verdicts of the profiles, then what failed, what warns, and what to set."""
    parts = [
        _head(document),
        _profiles(document),
        _findings(document["findings"]),
        _explained(document, "failed", "Failed"),
        _explained(document, "inconclusive", "Inconclusive"),
        _explained(document, "warned", "Warned"),
        _hardening(document.get("hardening")),
        _untested(document),
        _foot(document),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def code(text: str) -> str:
    """Return text as one code span, cut, on one line, whatever it holds."""
    plain = " ".join(harmless(text).split())
    if not plain:
        return ""
    if len(plain) > LONGEST:
        plain = f"{plain[: LONGEST - 1]}…"
    fence = "`" * (1 + max((len(run) for run in re.findall("`+", plain)), default=0))
    pad = " " if plain.startswith("`") or plain.endswith("`") else ""
    return f"{fence}{pad}{plain}{pad}{fence}"


def _head(document: Document) -> str:
    lines = [f"## {document['spec']['name']} {document['spec']['version']} conformance"]
    for subject in document["subject"]:
        named = code(subject.get("card", ""))
        lines.append(f"{sections.role(subject['role'])} {named}".rstrip())
    if document["partial"]:
        lines.append("**Partial:** the run was ended early; what it did not reach is untested.")
    return "\n\n".join(lines)


def _profiles(document: Document) -> str:
    lines = [
        f"| Profile | Verdict | {' | '.join(_COUNTED)} |",
        f"| --- | --- |{' ---: |' * len(_COUNTED)}",
    ]
    for name, profile in document["profiles"].items():
        counts = " | ".join(str(profile["counts"].get(verdict, 0)) for verdict in _COUNTED)
        verdict = profile["verdict"]
        lines.append(f"| {sections.profile(name)} | {_SIGNS[verdict]} **{verdict}** | {counts} |")
    return "\n".join(lines)


def _findings(findings: Sequence[Row]) -> str:
    if not findings:
        return ""
    items = [
        f"- **{finding['id'].replace('-', ' ')}**: expected {code(finding['expected'])}, "
        f"got {code(finding['got'])}{_then(finding['do'])}"
        for finding in findings
    ]
    return "### What is amiss with the whole run\n\n" + "\n".join(items)


def _explained(document: Document, verdict: str, heading: str) -> str:
    rows = [it for it in document["requirements"] if it["verdict"] == verdict]
    if not rows:
        return ""
    items = "\n".join(line for row in rows[:MOST_ROWS] for line in _row(row))
    more = f"\n- … and {len(rows) - MOST_ROWS} more in the report" if rows[MOST_ROWS:] else ""
    return f"### {heading} ({len(rows)})\n\n{items}{more}"


def _row(row: Row) -> Iterator[str]:
    yield f"- **{row['id']}** ({row['level']}, §{row['section']}): {_prose(row['statement'])}"
    causes: dict[str, list[str]] = {}
    for check in row["checks"]:
        if check["verdict"] == row["verdict"] and check["kind"] != "finding":
            causes.setdefault(_cause(check), []).append(check["case"])
    for cause, cases in list(causes.items())[:MOST_CASES]:
        yield f"  - {cause}{_cases([case for case in cases if case])}"
    if len(causes) > MOST_CASES:
        yield f"  - … and {len(causes) - MOST_CASES} other causes in the report"


def _hardening(found: Row | None) -> str:
    """Tell of advice beyond the specification, apart from what the profiles rest on."""
    if found is None:
        return ""
    counts = ", ".join(f"{count} {verdict}" for verdict, count in found["counts"].items())
    left = [it for it in found["advice"] if it["verdict"] in {"failed", "warned"}]
    items = "".join(f"\n{line}" for row in left[:MOST_ROWS] for line in _advised(row))
    more = f"\n- … and {len(left) - MOST_ROWS} more in the report" if left[MOST_ROWS:] else ""
    body = f"\n{items}{more}" if left else ""
    return f"### Hardening: advice, on which no profile rests\n\n{counts}.{body}"


def _advised(row: Row) -> Iterator[str]:
    yield f"- **{row['id']}**: {_prose(row['statement'])} ({_prose('; '.join(row['sources']))})"
    for check in row["checks"]:
        if check["verdict"] == row["verdict"]:
            cases = _cases([check["case"]] if check["case"] else [])
            yield f"  - {_cause(check)}{cases}: {'; '.join(measured(check['measures']))}"


def _prose(text: str) -> str:
    """Return our own words; only their code spans are markup."""
    return harmless(text).replace("<", "&lt;")


def _cause(check: Row) -> str:
    said = [f"expected {code(check['expected'])}"] if check["expected"] else []
    said += [f"got {code(check['got'])}"] if check["got"] else []
    said += [code(it) for it in (*check["warnings"], check["reason"]) if it]
    said += [f"known: {code(check['known'])}"] if check.get("known") else []
    return ", ".join(said or [check["name"].replace("_", " ")]) + _then(check["do"])


def _then(do: str) -> str:
    return f" → {code(do)}" if do else ""


def _cases(cases: Sequence[str]) -> str:
    if not cases:
        return ""
    more = f" and {len(cases) - MOST_CASES} more" if len(cases) > MOST_CASES else ""
    return f" ({', '.join(code(case) for case in cases[:MOST_CASES])}{more})"


def _untested(document: Document) -> str:
    groups = lacks(document)
    if not groups:
        return ""
    count = sum(len(it.ids) for it in groups)
    items = "\n".join(f"- {_lack(it.do, it.reason)}: {_ids(it.ids)}" for it in groups)
    return (
        f"<details><summary>Untested ({count}), by what to set</summary>\n\n{items}\n\n</details>"
    )


def _lack(do: str, reason: str) -> str:
    said = " because ".join(code(it) for it in (do, reason) if it)
    return said or "no reason was given"


def _ids(ids: Sequence[str]) -> str:
    more = f" and {len(ids) - MOST_IDS} more" if len(ids) > MOST_IDS else ""
    return ", ".join(ids[:MOST_IDS]) + more


def _foot(document: Document) -> str:
    suite = document["suite"]
    catalogue = suite["catalogue"]
    return (
        f"<sub>{suite['name']} {suite['version']} · catalogue {catalogue['version']} "
        f"({catalogue['digest'][:12]}) · {document['started'][:19]}Z · "
        f"{document['requests']} requests · {document['turns']} turns</sub>"
    )
