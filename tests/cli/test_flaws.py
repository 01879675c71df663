"""`flaws` lists how the mock Provider can deviate, to be chosen by name."""

import pytest
from click.testing import CliRunner, Result

from pact_conformance.cli import main
from pact_conformance.counterpart import advice_flaws, flaws, subtle_flaws, variants


def listed(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["flaws", *arguments])


def names(ended: Result) -> list[str]:
    return [line.split()[0] for line in ended.output.splitlines() if not line.startswith(" ")]


def test_every_flaw_is_listed_with_what_it_breaks_and_its_sentence() -> None:
    ended = listed()

    assert ended.exit_code == 0
    assert names(ended) == list(flaws.ALL)
    flaw = flaws.named("caps-a-page-at-50")
    assert f"{flaw.name}  [{', '.join(sorted(flaw.breaks))}]" in ended.output
    assert " ".join(flaw.description.split()) in ended.output


def test_every_variant_is_listed() -> None:
    assert names(listed("--variants")) == list(variants.ALL)


@pytest.mark.parametrize("section", ["3.2", "3.2-exp-lifetime"])
def test_a_section_or_an_id_leaves_those_that_concern_it(section: str) -> None:
    expected = [
        flaw.name
        for flaw in flaws.ALL.values()
        if any(it.startswith(section) for it in flaw.breaks)
    ]

    assert names(listed(section)) == expected


def test_flaws_that_leave_advice_are_listed_by_its_ids() -> None:
    assert names(listed("hardening")) == list(advice_flaws.ALL)
    assert names(listed("hardening-framing")) == ["lets-its-pages-be-framed"]
    assert listed("hardening-of-nothing").exit_code == 4


def test_flaws_that_only_examples_find_are_listed_by_what_finds_them() -> None:
    assert names(listed("fuzzing")) == list(subtle_flaws.ALL)
    assert names(listed("fuzzing", "--role=personal-agent")) == list(
        subtle_flaws.of("personal-agent")
    )


def test_a_section_that_none_concerns_is_told_in_one_line() -> None:
    ended = listed("99")

    assert ended.exit_code == 4
    assert len(ended.output.splitlines()) == 1
