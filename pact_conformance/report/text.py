"""What people read at the terminal: paragraphs, and one failure in full.

Text of the subject is hostile: control characters never reach the terminal as they are.
"""

import re
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pact_conformance.catalogue import Requirement
from pact_conformance.report.outcome import Outcome

if TYPE_CHECKING:
    from pact_conformance.catalogue.advice import Advice

WIDTH = 96


def harmless(text: str) -> str:
    """Return text with everything but printable characters and line ends escaped."""
    return text if text.isprintable() else _BEYOND_ASCII.sub(_escaped, text)


# What is not plain at first sight.
_BEYOND_ASCII = re.compile(r"[^\n -~]")


def _escaped(match: re.Match[str]) -> str:
    char = match[0]
    return char if char.isprintable() else char.encode("unicode_escape").decode()


def shortened(text: str, longest: int) -> str:
    """Return text cut to a length, and how much of it is missing."""
    more = len(text) - longest
    return text if more <= 0 else f"{text[:longest]}… ({more:,} more characters)"


def no_command(text: str) -> str:
    """Return text of which GitHub's runner takes no line for a command to itself."""
    return _COMMAND.sub(lambda match: match[0].replace("::", ": :").replace("##[", "## ["), text)


# The runner reads a command where a line begins, behind white space; in an older form anywhere.
_COMMAND = re.compile(r"^[ \t]*::|##\[", re.MULTILINE)


def paragraph(label: str, text: str, *, width: int = WIDTH) -> str:
    """Return `label` and text, wrapped, with the text hanging behind the label."""
    lead = f"  {label:<13}"
    return textwrap.fill(
        harmless(" ".join(text.split())),
        width,
        initial_indent=lead,
        subsequent_indent=" " * len(lead),
        break_long_words=False,
        break_on_hyphens=False,
    )


def failure(outcome: Outcome, requirement: Requirement, curls: Sequence[str]) -> str:
    """Return one failure as an engineer needs it: statement, expected, got, section, curl."""
    case = f" [{outcome.case}]" if outcome.case else ""
    lines = [
        f"{requirement.id}  {outcome.name.replace('_', ' ')}{case}",
        paragraph("says", f"§{requirement.section} ({requirement.level}): {requirement.statement}"),
    ]
    if outcome.expected:
        lines.append(paragraph("expected", outcome.expected))
    if outcome.got:
        lines.append(paragraph("got", outcome.got))
    if outcome.reason:
        lines.append(paragraph("because", outcome.reason))
    if outcome.do:
        lines.append(paragraph("do", outcome.do))
    if requirement.pitfalls and outcome.verdict in {"failed", "warned"}:
        lines.append(paragraph("often", requirement.pitfalls))
    lines += [f"  {'again':<13}{harmless(curl)}" for curl in curls]
    return "\n".join(lines)


def advice(outcome: Outcome, advised: "Advice", curl: str) -> str:
    """Return what is not as advised as an engineer needs it: advice, numbers, why, who says so."""
    case = f" [{outcome.case}]" if outcome.case else ""
    lines = [
        f"{advised.id}  {outcome.name.replace('_', ' ')}{case}",
        paragraph("advises", advised.statement),
        *_told(outcome),
        *(paragraph("measured", it) for it in measured(outcome.measures)),
        paragraph("why", advised.why),
        paragraph("sources", "; ".join(advised.sources)),
    ]
    lines += [f"  {'again':<13}{harmless(curl)}"] if curl else []
    return "\n".join(lines)


def measured(measures: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """Yield each number that was taken, in words."""
    for it in measures:
        unit = f" {it['unit']}" if it["unit"] else ""
        yield f"{it['what']}: {number(it['value'])}{unit}"


def number(value: float) -> str:
    """Return a number as people read it: whole, with few digits, or as a power of ten."""
    if value == int(value):
        return f"{int(value):,}"
    return f"{value:.3g}"


def _told(outcome: Outcome) -> Iterator[str]:
    said = (("expected", outcome.expected), ("got", outcome.got), ("because", outcome.reason))
    for label, words in (*said, ("do", outcome.do)):
        if words:
            yield paragraph(label, words)
    for warning in outcome.warnings:
        yield paragraph("warned", warning)
