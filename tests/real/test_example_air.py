"""The whole suite against Example Air reaches the verdicts that were found by hand."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.environment import CHECKOUT

from .example_air.agents import Agent
from .example_air.oracle import DELEGATED, IDENTITY, Expected, expectations
from .example_air.served import Served, served

CALLER = Agent("https://pa.example.com")
OTHER = Agent("https://other-pa.example.com")
UNDECIDED = {"untested", "not observable"}

# What makes the subject's agent need a scope, and what does not; what the launcher can do.
PROMPTS = {
    "bookings:read": "When is my booking?",
    "bookings:change": "Please change my booking.",
    "": "Hello, are you there?",
}
HOOKS = ("advance_clock", "expire_code")
ACCOUNTS = {"jane": "jane-4471", "omar": "omar-1208"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("example-air")


@pytest.fixture(scope="module")
def subject(folder: Path) -> Iterator[Served]:
    with served([CALLER, OTHER], log=folder / "stderr.txt") as running:
        yield running


@pytest.fixture(scope="module")
def run(subject: Served, folder: Path) -> subprocess.CompletedProcess[str]:
    options = ["--pact-config", str(settings(subject, folder)), "--pact-profile", "delegated"]
    # Without the checkout's own addopts and cache: only what the suite itself does is looked at.
    quiet = ["-q", "-p", "no:cacheprovider", "--pact-report", str(folder / "report")]
    return subprocess.run(
        [sys.executable, "-m", "pytest", "suites", *options, *quiet],
        cwd=CHECKOUT,
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )


@pytest.fixture(scope="module")
def reported(run: subprocess.CompletedProcess[str], folder: Path) -> Mapping[str, dict[str, Any]]:
    path = folder / "report" / "report.json"
    if not path.exists():
        pytest.fail(f"no report.json came of it:\n{run.stdout[-4000:]}\n{run.stderr[-4000:]}")
    document = json.loads(path.read_text(encoding="utf-8"))
    return {row["id"]: row for row in document["requirements"] if row["role"] == "provider"}


def settings(subject: Served, folder: Path) -> Path:
    """Write what a tester of it sets: who the suite plays, and what stands in for User and host."""
    lines = [f"provider = {json.dumps(subject.card)}"]
    lines += [f"audience = {json.dumps(subject.audience)}"]
    for prefix, agent in (("", CALLER), ("other_", OTHER)):
        keys = folder / f"{prefix}private.json"
        keys.write_text(agent.private_jwks())
        lines += [f"{prefix}issuer = {json.dumps(agent.issuer)}"]
        lines += [f"{prefix}private_jwk = {json.dumps(f'@{keys}')}"]
    lines += [f"approver = {json.dumps(subject.approver)}", "[prompts]"]
    lines += [f"{json.dumps(scope)} = {json.dumps(text)}" for scope, text in PROMPTS.items()]
    lines += ["[hooks]", *(f"{name} = {json.dumps(subject.hooks)}" for name in HOOKS)]
    for name, user in ACCOUNTS.items():
        account = {"username": name, "password": f"{name}-secret", "user": user}
        lines += ["[[accounts]]", *(f"{key} = {json.dumps(it)}" for key, it in account.items())]
    file = folder / "settings.toml"
    file.write_text("\n".join([*lines, ""]))
    return file


def environment() -> dict[str, str]:
    """The outer one without whatever it says about PACT."""
    ours = ("PA_", "E2E_", "PACT_", "PYTEST_", "PROVIDER_URL", "CUSTOMER_ID", "OTHER_CUSTOMER_ID")
    return {name: it for name, it in os.environ.items() if not name.startswith(ours)}


def difference(row: dict[str, Any] | None, line: Expected | None) -> str | None:
    """Say how a reported requirement differs from the oracle's line, if it does."""
    if line is None:
        if row is None or row["verdict"] in UNDECIDED:
            return None
        return f"{row['id']}: {row['verdict']}, but expected*.toml has no line\n{told(row)}"
    got = "not in the report" if row is None else row["verdict"]
    if got == line.verdict:
        return None
    said = [f"{line.id}: expected {line.verdict}, got {got}", f"    why     {line.why.strip()}"]
    said += [f"    deviates {case}" for case in line.deviating]
    said += [f"    doubt   {line.doubt.strip()}"] if line.doubt else []
    return "\n".join([*said, told(row)])


def told(row: dict[str, Any] | None) -> str:
    """What the report says of a requirement's checks, one line each."""
    if row is None:
        return ""
    lines = [f"    report  {row['reason']}"] if row.get("reason") else []
    for check in row["checks"]:
        name = f"{check['name']}[{check['case']}]" if check.get("case") else check["name"]
        told_by = f"{check.get('expected') or ''} / {check.get('got') or ''}"
        lines.append(f"    check   {check['verdict']:9} {name}: {told_by}")
    return "\n".join(lines)


def test_every_verdict_is_the_one_found_by_hand(
    reported: Mapping[str, dict[str, Any]],
) -> None:
    expected = {**expectations(IDENTITY), **expectations(DELEGATED)}
    ids = [*expected, *(id_ for id_ in reported if id_ not in expected)]
    differences = [
        said for id_ in ids if (said := difference(reported.get(id_), expected.get(id_)))
    ]

    if differences:
        pytest.fail(f"{len(differences)} verdicts differ:\n\n" + "\n\n".join(differences))


def test_a_subject_that_is_not_conformant_ends_the_run_with_1(
    run: subprocess.CompletedProcess[str],
) -> None:
    assert run.returncode == 1, run.stdout[-4000:]
