"""What is wrong with the suite, or with a flaw or a variant: a sentence for each finding."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from pact_conformance.catalogue.requirement import Role
from pact_conformance.counterpart import flaws
from pact_conformance.matrix.catches import Catch
from pact_conformance.matrix.gathering import Key
from pact_conformance.matrix.judged import Judged

ROLES: tuple[Role, ...] = ("provider", "personal-agent")

# What no flaw can make a check tell of, by the requirement, and why.
NOT_SHOWN: Mapping[str, str] = {
    "3.1-agent-jwks-https": "where the keys are is not the agent's own doing",
    "3.1-agent-oidc-discovery": "what is amiss with a document that nobody has to publish is noted",
}

_FINDING = "where it would fail, a finding about the whole run tells of it first"

_WHO = {"provider": "the mock Provider", "personal-agent": "the mock personal agent"}


def findings(rows: Sequence[Judged], checks: Mapping[Key, Catch]) -> list[str]:
    """Return a sentence for each thing that is not as it must be.

    That a check catches nothing is told of a role of which every flaw was run: then alone it is so.
    """
    told = [_of_subject(row) for row in rows if row.problem]
    return told + list(_idle(rows, checks))


def ran_all_flaws(rows: Iterable[Judged]) -> tuple[Role, ...]:
    """Return the roles of which every flaw was run."""
    names = {row.name for row in rows}
    return tuple(role for role in ROLES if flaws.of(role).keys() <= names)


def caught(rows: Iterable[Judged]) -> dict[Key, list[str]]:
    """Return which flaws each check, rule or finding has caught."""
    found: defaultdict[Key, list[str]] = defaultdict(list)
    for row in rows:
        for catch in row.caught_by if row.kind == "flaw" else ():
            found[row.role, catch.name].append(row.name)
    return dict(found)


def _of_subject(row: Judged) -> str:
    if row.problem.startswith("the run ended"):
        return f"{row.name}: {row.problem}; terminal.txt in its folder says why"
    if row.kind == "flaw" and not row.tripped:
        return f"the flaw {row.name} is caught by nothing; it declares {_listed(row.declared)}"
    if row.kind == "flaw":
        return f"the flaw {row.name} does not trip what it declares: {row.problem}"
    if row.kind == "variant":
        return f"the variant {row.name} is legal, but {row.problem}"
    if row.kind == "pair":
        return f"the flaws {' and '.join(row.parts)} at once: {row.problem}"
    return f"{_WHO[row.role]} without any flaw: {row.problem}"


def _listed(ids: Iterable[str]) -> str:
    return ", ".join(sorted(ids)) or "nothing"


def excuses(rows: Sequence[Judged], checks: Mapping[Key, Catch]) -> dict[Key, str]:
    """Return why some checks may catch nothing; where the reason is empty there is none."""
    busy, first = caught(rows), set(_told_by_findings(rows))
    found = {}
    for key, check in checks.items():
        if key not in busy:
            reasons = [
                NOT_SHOWN.get(it) or (_FINDING if it in first else "") for it in check.requirements
            ]
            found[key] = reasons[0] if all(reasons) else ""
    return found


def _told_by_findings(rows: Iterable[Judged]) -> Iterator[str]:
    """Yield what a finding about the whole run tells of: its checks are then untested."""
    for row in rows:
        for catch in row.caught_by if row.kind == "flaw" else ():
            if catch.kind == "finding":
                yield from catch.requirements


def _idle(rows: Sequence[Judged], checks: Mapping[Key, Catch]) -> Iterator[str]:
    whole = ran_all_flaws(rows)
    for (role, name), excuse in excuses(rows, checks).items():
        if role in whole and not excuse:
            check = checks[role, name]
            ids = _listed(check.requirements)
            yield f"the {check.kind} {name} ({ids}) catches nothing: give it a flaw, or take it out"
