"""The whole suite against Example Air reaches the verdicts that were found by hand."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from .example_air.agents import Agent
from .example_air.served import Served, served
from .oracle import EXAMPLE_AIR
from .running import Run, begin

CALLER = Agent("https://pa.example.com")
OTHER = Agent("https://other-pa.example.com")

# What makes the subject's agent need a scope, and what does not; what the launcher can do.
PROMPTS = {
    "bookings:read": "When is my booking?",
    "bookings:change": "Please change my booking.",
    "": "Hello, are you there?",
}
HOOKS = ("advance_clock", "expire_code")
ACCOUNTS = {"jane": "jane-4471", "omar": "omar-1208"}


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Run]:
    folder = tmp_path_factory.mktemp("example-air")
    with served([CALLER, OTHER], log=folder / "stderr.txt") as subject:
        run = begin(folder, settings(subject, folder))
        yield run
        run.end()


def settings(subject: Served, folder: Path) -> list[str]:
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
    return lines


def test_every_verdict_is_the_one_found_by_hand(run: Run) -> None:
    differences = EXAMPLE_AIR.differences(run.document())

    if differences:
        pytest.fail(f"{len(differences)} verdicts differ:\n\n" + "\n\n".join(differences))


def test_a_subject_that_is_not_conformant_ends_the_run_with_1(run: Run) -> None:
    assert run.wait() == 1, run.told
