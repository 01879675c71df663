"""What people read about fuzzing: what a family came to, each cause and how to see it again."""

import json
import shlex
from collections.abc import Iterable, Iterator

from pact_conformance.catalogue import Requirement
from pact_conformance.report.outcome import Outcome
from pact_conformance.report.text import harmless, paragraph

# The family whose examples are tokens.
_OF_TOKENS = "forged-tokens"


def counted(outcome: Outcome) -> str:
    """Say how many examples a family tried and what became of them."""
    return ", ".join(f"{number:,} {what}" for what, number in outcome.counts.items())


def head(outcome: Outcome) -> str:
    """Return the first line of a family's failure."""
    return f"{outcome.name.replace('_', ' ')}: {counted(outcome)}"


def commands(example: str) -> dict[str, str]:
    """Return the command lines that try an example alone, keep it, and make it if it is a token."""
    quoted = shlex.quote(example)
    token = f"export PA_JWT=$(pact-conformance token --example={quoted})"
    return {
        "again": f"pact-conformance run --example={quoted}",
        **({"sign": token} if json.loads(example)[0] == _OF_TOKENS else {}),
        "keep": f"pact-conformance keep {quoted}",
    }


def cause(outcome: Outcome, requirement: Requirement, curl: str) -> str:
    """Return one cause as an engineer needs it: what was sent, what came, how to see it again."""
    lines = [
        f"  {requirement.id}  {harmless(outcome.case)}",
        paragraph("says", f"§{requirement.section} ({requirement.level}): {requirement.statement}"),
    ]
    if outcome.expected:
        lines.append(paragraph("expected", outcome.expected))
    if outcome.got:
        lines.append(paragraph("got", outcome.got))
    lines += [paragraph("warned", it) for it in outcome.warnings]
    shown = {**commands(outcome.example), **({"curl": curl} if curl else {})}
    lines += [f"  {label:<13}{harmless(line)}" for label, line in shown.items()]
    return "\n".join(lines)


def summary(outcomes: Iterable[Outcome]) -> Iterator[str]:
    """Yield what each family came to, in a line."""
    for outcome in outcomes:
        if outcome.kind == "fuzz" and outcome.counts:
            notes = "".join(f"; {note}" for note in outcome.notes)
            yield paragraph("fuzzed", f"{head(outcome)}{notes}")
