"""What the fuzzing finds in Example Air gets the verdicts that were found by hand, and no others.

The least examples are tried as a tester tries those that were kept: no campaign, no Hypothesis.
"""

import json
import tomllib
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
import tomlkit

from pact_conformance.fuzz.example import parse
from pact_conformance.fuzz.families import kinds_of

from .example_air.served import served
from .oracle import HERE
from .running import Run, begin
from .test_example_air import CALLER, OTHER, settings

FOUND = HERE / "example_air" / "found.toml"
TURNS = 20

ROWS: Mapping[str, Mapping[str, str]] = {
    row["id"]: row for row in tomllib.loads(FOUND.read_text(encoding="utf-8"))["example"]
}


def as_kept() -> str:
    """The examples as a tester's file has them: what their verdicts are is no part of it."""
    rows = [
        {name: text for name, text in row.items() if name != "verdict"} for row in ROWS.values()
    ]
    return tomlkit.dumps({"example": rows})


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Run]:
    folder = tmp_path_factory.mktemp("example-air-found")
    with served([CALLER, OTHER], log=folder / "stderr.txt") as subject:
        kept = folder / "kept.toml"
        kept.write_text(as_kept(), encoding="utf-8")
        # In TOML what belongs to no table comes first.
        ours = [f"kept = {json.dumps(str(kept))}", f"fuzz_turns = {TURNS}"]
        run = begin(folder, [*ours, *settings(subject, folder)], "suites/fuzz/test_kept.py")
        yield run
        run.end()


def checks(document: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    """The checks of a report on these examples, each with the `requirement` that it is of."""
    return {
        check["case"]: {**check, "requirement": row["id"]}
        for row in document["requirements"]
        for check in row["checks"]
        if check["case"] in ROWS
    }


def test_every_example_gets_the_verdict_found_by_hand(run: Run) -> None:
    found = checks(run.document())
    expected = {id_: (row["requirement"], row["verdict"]) for id_, row in ROWS.items()}

    assert expected == {id_: (it["requirement"], it["verdict"]) for id_, it in found.items()}


def test_a_failure_says_what_was_due_and_what_came(run: Run) -> None:
    told = {id_: (it["expected"], it["got"]) for id_, it in checks(run.document()).items()}

    assert told["a-body-that-is-cut"] == (
        "the A2A error INVALID_PARAMS",
        "500 with Internal Server Error",
    )
    assert told["the-code-grant"] == (
        "an OAuth error other than expired_token",
        "400 with the OAuth error expired_token",
    )
    assert told["a-receipt-beyond-the-token"] == (
        "at step 2 a receipt with no other scopes than bookings:change (5.6-scopes-used)",
        "['bookings:read', 'bookings:change']",
    )


def test_a_warning_is_told_once(run: Run) -> None:
    warned = {id_: it for id_, it in checks(run.document()).items() if it["verdict"] == "warned"}

    assert {id_: len(it["warnings"]) for id_, it in warned.items()} == dict.fromkeys(warned, 1)


def test_every_row_has_what_is_due_to_it() -> None:
    for id_, row in ROWS.items():
        example = parse(row["example"])
        kinds = kinds_of(example.family)
        blamed = kinds.blamed(example)

        assert blamed is not None
        assert row["result"] == kinds.due_to(example), id_
        assert row["requirement"] == blamed.requirement, id_
