from dataclasses import replace

from pact_conformance.report import annotations
from pact_conformance.report.outcome import Outcome
from tests.report import making


def lines(*outcomes: Outcome) -> list[str]:
    return list(annotations.lines(making.built(outcomes)))


def test_a_failure_is_an_error_and_a_warning_a_warning() -> None:
    failed, warned = lines(making.WARNED, making.FAILED)

    assert failed.startswith("::error title=PACT 3.2-alg failed (MUST%2C §3.2)::")
    assert failed.endswith(
        "%0Aexpected: 401, as for every authentication failure%0Agot: 200 with a Message"
    )
    assert warned.startswith("::warning title=PACT 2-unknown-members warned (")
    assert warned.endswith("%0Awarning: unknown members of a part are refused")


def test_what_is_fine_or_untested_is_not_annotated() -> None:
    assert lines(making.PASSED, making.UNTESTED) == []


def test_a_subject_cannot_begin_a_command_of_its_own() -> None:
    got = "\r\n::add-mask::x\n::error::y %0A::z \x1b]0;t\x07"

    (line,) = lines(replace(making.FAILED, got=got))

    assert len(line.splitlines()) == 1
    assert "%250A::z" in line
    assert "\x1b" not in line
    assert line.count("%0A") == 2, "a line each for expected and got"


def test_no_more_are_written_than_github_shows_and_the_last_counts_the_rest() -> None:
    rows = list(making.CATALOGUE.of(role="provider", profile="identity"))[:37]

    found = lines(*(replace(making.FAILED, requirements=(row.id,)) for row in rows))

    assert len(found) == annotations.MOST
    assert found[-1].startswith("::error title=PACT%3A 28 more requirements::")


def test_a_failure_that_the_baseline_knows_is_not_annotated() -> None:
    document = making.as_read(making.built((making.FAILED,)))
    for row in document["requirements"]:
        for check in row["checks"]:
            check["known"] = "ticket 4"

    assert list(annotations.lines(document)) == []
