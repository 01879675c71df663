"""Runs that fuzz: what they find, count and show, and what a run does without."""

import html
import json
import tomllib
from pathlib import Path

import pytest

from pact_conformance.session import fuzz_settings
from pact_conformance.settings import Settings
from pact_conformance.wire.schema import problems
from tests.plugin.suite import Run, run

FUZZ = "suites/fuzz"
FORGED = f"{FUZZ}/test_3_2_personal_agent_jwt.py"
FLAW = "--pact-mock-flaws=compares-audiences-by-their-end"
SHORT_FLAW = FLAW.replace("--pact-", "--")
EXAMPLE = '["forged-tokens",["aud-preceded","a letter"]]'
NAME = "forged_tokens_get_what_is_due"
CAUSE = "aud with a letter before it"


@pytest.fixture(scope="module")
def fuzzed(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """A run of two families' worth of examples against a flaw that nothing else finds."""
    return run(FORGED, FLAW, "--pact-fuzz=250", folder=tmp_path_factory.mktemp("fuzzed"))


def test_a_cause_fails_the_requirement_that_it_breaks(fuzzed: Run) -> None:
    row = fuzzed.requirement("3.2-aud")
    told = [it for it in row["checks"] if it["kind"] == "cause"]

    assert fuzzed.code == 1, fuzzed.output
    assert row["verdict"] == "failed"
    assert CAUSE in {it["case"] for it in told}
    assert all(it["got"] == "400 with INVALID_PARAMS" for it in told)
    assert fuzzed.report["profiles"]["identity"]["verdict"] == "not conformant"


def test_no_other_requirement_is_decided_by_it(fuzzed: Run) -> None:
    alone = {
        row["id"]
        for row in fuzzed.report["requirements"]
        if any(it["kind"] in {"cause", "fuzz"} for it in row["checks"])
    }

    assert alone == {"3.2-aud"}
    assert fuzzed.verdicts()["3.2-alg"] == "untested"


def test_the_report_counts_each_family(fuzzed: Run) -> None:
    (family,) = fuzzed.report["fuzzing"]["families"]
    counts = family["counts"]

    assert problems(fuzzed.report, "report") == []
    assert fuzzed.report["fuzzing"]["seed"] == 1
    assert (family["name"], family["verdict"]) == (NAME, "failed")
    assert counts["tried"] == 250
    assert counts["accepted"] + counts["refused"] + counts["undecided"] == 250
    assert counts["accepted"] > 10


def test_a_failure_lists_its_causes_with_what_shows_each_again(fuzzed: Run) -> None:
    for part in (
        "forged tokens get what is due: 250 tried, ",
        f"  3.2-aud  {CAUSE}",
        f"again        pact-conformance run --provider=mock {SHORT_FLAW} --example='{EXAMPLE}'",
        f"sign         export PA_JWT=$(pact-conformance token --example='{EXAMPLE}')",
        f"keep         pact-conformance keep '{EXAMPLE}'",
        "curl         curl --include",
        "failed       3.2-aud: forged tokens get what is due: aud",
    ):
        assert part in fuzzed.output


def test_the_exchange_of_a_cause_is_in_the_journal_and_holds_no_token(fuzzed: Run) -> None:
    (cause,) = [it for it in fuzzed.checks("failed") if it["case"] == CAUSE]
    (told,) = [it for it in fuzzed.journal if it["id"] == cause["exchanges"][-1]]

    assert told["token"] == f"fuzzed: {CAUSE}"
    assert told["credentials"] == "forged"
    assert "eyJ" not in json.dumps(told)


def test_the_page_shows_the_causes(fuzzed: Run) -> None:
    page = (fuzzed.folder / "report.html").read_text("utf-8")

    assert 'id="h-fuzzing"' in page
    assert page.count(CAUSE) > 1


def test_an_example_is_tried_alone_without_hypothesis(tmp_path: Path) -> None:
    ended = run(FLAW, f"--pact-example={EXAMPLE}", "-p", "no:hypothesispytest", folder=tmp_path)

    (family,) = ended.report["fuzzing"]["families"]
    assert ended.code == 1, ended.output
    assert family["counts"] == {"tried": 1, "accepted": 1, "refused": 0, "undecided": 0}
    assert [it["case"] for it in family["causes"]] == [CAUSE]


def test_a_scene_is_tried_again_with_the_same_agent(tmp_path: Path) -> None:
    scene = '["hostile-answers",["device-link","#at-the-till"]]'
    agent = ("--agent=mock", "--agent-flaws=drops-the-fragment-of-a-link")
    options = [it.replace("--", "--pact-") for it in agent]

    ended = run("suites/fuzz", *options, f"--pact-example={scene}", folder=tmp_path)

    assert ended.code == 1, ended.output
    again = f"pact-conformance run {' '.join(agent)} --example='{scene}'"
    assert again in ended.output
    assert again in html.unescape((tmp_path / "report.html").read_text("utf-8"))


def test_what_was_kept_is_tried_in_a_run_that_does_not_fuzz(tmp_path: Path) -> None:
    own = tmp_path / "kept.toml"
    row = {
        "id": "mine",
        "comment": "found once",
        "example": EXAMPLE,
        "requirement": "3.2-aud",
        "result": "refused",
    }
    lines = "".join(f"{name} = {json.dumps(value)}\n" for name, value in row.items())
    own.write_text(f"[[example]]\n{lines}", encoding="utf-8")
    assert tomllib.loads(own.read_text("utf-8"))

    ended = run(FUZZ, FLAW, f"--pact-kept={own}", folder=tmp_path / "report")

    assert ended.code == 1, ended.output
    assert [it["case"] for it in ended.checks("failed")] == ["mine"]
    assert "fuzzing" not in ended.report


@pytest.mark.parametrize(
    ("option", "said"),
    [
        ("--pact-example=alg", "--pact-example: expected [family, [kind, value…]…]"),
        ('--pact-example=["forged-tokens",["alg"]]', "--pact-example: forged-tokens has no change"),
        ("--pact-kept=none.toml", "--pact-kept: none.toml cannot be read"),
        ("--pact-fuzz-rate=0", "--pact-fuzz-rate '0': Input should be greater than 0"),
    ],
)
def test_a_bad_setting_of_the_fuzzing_ends_with_4(tmp_path: Path, option: str, said: str) -> None:
    ended = run(FUZZ, option, folder=tmp_path / "report")

    assert ended.code == 4, ended.output
    assert any(said in line for line in ended.errors), ended.errors
    assert not (tmp_path / "report").exists()


def test_that_hypothesis_is_missing_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fuzz_settings, "find_spec", lambda _name: None)

    with pytest.raises(pytest.UsageError, match=r"pip install 'pact-conformance\[fuzz\]'"):
        fuzz_settings.validate(Settings(fuzz=10))
    fuzz_settings.validate(Settings())
    fuzz_settings.validate(Settings(example=EXAMPLE))
