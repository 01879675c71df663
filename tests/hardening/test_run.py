"""Runs with the pack: that it finds what it is after, and that nothing rests on it."""

import subprocess
from pathlib import Path

import pytest

from pact_conformance.counterpart import advice_flaws
from pact_conformance.wire.schema import problems
from tests.plugin.suite import CHECKOUT, Run, command, run, shell

PACK = ("suites/hardening", "--pact-hardening")

# Flaws that do not disturb each other, by the runs that have them.
TOGETHER = (
    (
        "fetches-the-keys-for-each-unknown-one",
        "keeps-keys-until-it-meets-another",
        "loads-registrations-one-by-one",
        "loads-a-task-before-it-asks-whose-it-is",
        "learns-of-a-revocation-with-the-first-message",
        "has-user-codes-of-six-digits",
        "lets-its-pages-be-framed",
        "leaves-its-cookies-to-scripts",
        "signs-in-for-any-site",
        "asks-again-for-what-was-used",
    ),
    (
        "looks-for-new-keys-when-the-old-have-aged",
        "loads-a-conversation-before-it-asks-whose-it-is",
        "believes-what-a-message-says-was-granted",
        "lets-its-pages-be-kept",
        "tells-other-sites-the-whole-link",
        "does-not-say-which-sites-its-cookies-are-for",
        "takes-consent-from-any-site",
        "leads-back-to-wherever-the-link-says",
    ),
    (
        "tells-under-which-token-it-acted",
        "sends-its-token-along-as-metadata",
        "signs-tokens-for-five-minutes",
    ),
    ("shows-what-a-brand-asks-for",),
)


def advised(ended: Run, *verdicts: str) -> set[str]:
    """The advice with one of these verdicts."""
    return {it["id"] for it in ended.report["hardening"]["advice"] if it["verdict"] in verdicts}


@pytest.fixture(scope="module")
def honest(tmp_path_factory: pytest.TempPathFactory) -> Run:
    return run(
        *PACK,
        "--pact-provider=mock",
        "--pact-agent=mock",
        folder=tmp_path_factory.mktemp("honest"),
    )


def test_the_mocks_follow_all_advice(honest: Run) -> None:
    found = honest.report["hardening"]

    assert honest.code == 0, honest.output
    assert found["counts"] == {"passed": len(found["advice"])}, honest.output
    assert problems(honest.report, "report") == []


def test_every_piece_of_advice_has_its_numbers(honest: Run) -> None:
    for row in honest.report["hardening"]["advice"]:
        assert all(check["measures"] for check in row["checks"]), row["id"]
        assert row["sources"], row["id"]


def test_no_requirement_has_anything_of_it(honest: Run) -> None:
    kinds = {it["kind"] for row in honest.report["requirements"] for it in row["checks"]}

    assert "advice" not in kinds
    assert not any("hardening" in it for it in honest.verdicts())


def test_what_is_sent_for_it_is_marked(honest: Run) -> None:
    marked = [it for it in honest.journal if it.get("hardening")]

    assert len(marked) > 300
    assert all(problems(it, "journal") == [] for it in marked[:20])
    for rule in (it for row in honest.report["requirements"] for it in row["checks"]):
        assert not {it["id"] for it in marked} & set(rule["exchanges"])


def test_the_terminal_and_the_page_tell_of_it(honest: Run) -> None:
    count = len(honest.report["hardening"]["advice"])
    page = (honest.folder / "report.html").read_text("utf-8")

    assert f"Hardening: {count} passed (advice; no profile rests on it)" in honest.output
    assert 'id="hardening-jwks-storm"' in page
    assert "Advice beyond the specification." in page


@pytest.mark.parametrize("names", TOGETHER, ids=lambda it: it[0])
def test_each_flaw_is_found_and_nothing_else(names: tuple[str, ...], tmp_path: Path) -> None:
    role = advice_flaws.ALL[names[0]].role
    subject = "agent" if role == "personal-agent" else "provider"
    mock = "agent" if role == "personal-agent" else "mock"
    ended = run(
        *PACK,
        f"--pact-{subject}=mock",
        f"--pact-{mock}-flaws={','.join(names)}",
        folder=tmp_path,
    )
    left = {id_ for name in names for id_ in advice_flaws.ALL[name].breaks}

    assert advised(ended, "warned") == left, ended.output
    assert advised(ended, "passed", "warned") == advised(
        ended, *("passed", "warned", "failed", "untested", "inconclusive", "not applicable")
    )
    assert ended.code == 0
    assert "failed" not in ended.verdicts().values()


def test_every_flaw_that_leaves_advice_is_run() -> None:
    assert sorted(it for names in TOGETHER for it in names) == sorted(advice_flaws.ALL)


def test_under_strict_what_is_not_followed_fails_the_run_and_no_profile(
    tmp_path: Path,
) -> None:
    ended = run(
        *PACK,
        "-k",
        "hardening-code-entropy",
        "--pact-provider=mock",
        "--pact-strict",
        "--pact-mock-flaws=has-user-codes-of-six-digits",
        folder=tmp_path,
    )

    assert ended.code == 1
    assert advised(ended, "failed") == {"hardening-code-entropy"}
    assert ended.report["profiles"]["delegated"]["failed"] == []
    assert "advises      A user code has at least 25 bits" in ended.output
    assert "sources      RFC 8628" in ended.output


def test_a_run_without_the_pack_knows_nothing_of_it(tmp_path: Path) -> None:
    ended = run("-k", "3.2-alg", folder=tmp_path)

    assert "hardening" not in ended.report
    assert "Hardening" not in ended.output
    assert not any(it.get("hardening") for it in ended.journal)


def test_a_run_without_the_pack_imports_nothing_of_it(tmp_path: Path) -> None:
    (tmp_path / "spy.py").write_text(
        "import sys\n"
        "def pytest_unconfigure():\n"
        "    found = [it for it in sys.modules if 'hardening' in it or it.endswith('.advice')]\n"
        "    print('imported of the pack:', sorted(found))\n"
    )
    ended = subprocess.run(
        [*command("-p", "spy", "-k", "2.1-interface-url", "suites", folder=tmp_path / "report")],
        cwd=CHECKOUT,
        env=shell({"E2E_PROVIDER": "mock", "PYTHONPATH": f"{tmp_path}:{CHECKOUT}"}),
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )

    assert "imported of the pack: []" in ended.stdout, ended.stdout + ended.stderr
