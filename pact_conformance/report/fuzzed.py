"""What people read about fuzzing: what a family came to, each cause and how to see it again."""

import json
import shlex
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from pact_conformance.catalogue import Requirement
from pact_conformance.report.outcome import Outcome
from pact_conformance.report.text import harmless, paragraph

# The family whose examples are tokens, and the one that is for personal agents.
_OF_TOKENS = "forged-tokens"
_OF_AGENTS = "hostile-answers"

# What says which subject was asked. It may have been an option, which the next run lacks.
_PROVIDER = ("provider", "mock_flaws", "mock_variants")
_BY_NAME = ("provider_url", "customer_id")
_AGENT = ("agent", "agent_issuer", "agent_jwks", "agent_flaws", "agent_variants")


def counted(outcome: Outcome) -> str:
    """Say how many examples a family tried and what became of them."""
    return ", ".join(f"{number:,} {what}" for what, number in outcome.counts.items())


def head(outcome: Outcome) -> str:
    """Return the first line of a family's failure."""
    return f"{outcome.name.replace('_', ' ')}: {counted(outcome)}"


def commands(example: str, given: Mapping[str, Any], config: Path | None = None) -> dict[str, str]:
    """Return the command lines that try an example alone, keep it, and make it if it is a token.

    Args:
        example: as `--example` takes it.
        given: the settings of the run as its report tells them, so that the same subject is asked.
        config: the file of settings that the run was given by name.
    """
    quoted = shlex.quote(example)
    family, *changes = json.loads(example)
    keys: tuple[str, ...] = _AGENT if family == _OF_AGENTS else _PROVIDER
    if given.get("provider") in {"any", "reference"}:
        keys += _BY_NAME
    file = "" if config is None else _option("config", config)
    subject = file + "".join(_option(key, given[key]) for key in keys if key in given)
    token = f"export PA_JWT=$(pact-conformance token{file} --example={quoted})"
    return {
        "again": f"pact-conformance run{subject} --example={quoted}",
        **({"sign": token} if family == _OF_TOKENS else {}),
        # What fails with nothing changed is tried first in every run anyway.
        **({"keep": f"pact-conformance keep {quoted}"} if changes else {}),
    }


def _option(key: str, value: object) -> str:
    text = ",".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
    return " " + shlex.quote(f"--{key.replace('_', '-')}={text}")


def cause(
    outcome: Outcome,
    requirement: Requirement,
    curl: str,
    given: Mapping[str, Any],
    config: Path | None = None,
) -> str:
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
    shown = {**commands(outcome.example, given, config), **({"curl": curl} if curl else {})}
    lines += [f"  {label:<13}{harmless(line)}" for label, line in shown.items()]
    return "\n".join(lines)


def summary(outcomes: Iterable[Outcome]) -> Iterator[str]:
    """Yield what each family came to, in a line."""
    for outcome in outcomes:
        if outcome.kind == "fuzz" and outcome.counts:
            notes = "".join(f"; {note}" for note in outcome.notes)
            yield paragraph("fuzzed", f"{head(outcome)}{notes}")
