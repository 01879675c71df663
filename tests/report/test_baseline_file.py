from datetime import date
from pathlib import Path

import pytest

from pact_conformance.report.baseline import Known
from pact_conformance.report.baseline_file import BadBaseline, read, rewrite, rewritten
from tests.report.making import CATALOGUE

TEXT = """\
# What our Provider is known for.

# the old gateway
[[known]] # in May
requirement = "3.2-alg"
check = "a_forged_token_is_refused"
case = "alg-none"
# to be told to the board
reason = "the gateway is replaced"
expires = 2027-05-31

# everything below concerns lists

# asked of the team
[[known]]
requirement = "2.2-page-size-range"
check = "a page size from 1 to 100 is taken"
reason = 'the store caps "pages"'

[[known]]
requirement = "2.2-list-filters"
check = "a_filter_by_context_is_kept"
reason = "likewise"

# the end
"""
FRESH = Known("3.4-challenge", "every_401_has_its_challenge", "", 'got "none"')


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "known.toml"
    path.write_text(TEXT, encoding="utf-8")
    return path


def entries(file: Path) -> tuple[Known, ...]:
    return read(file, CATALOGUE)


def test_it_is_read(file: Path) -> None:
    first, second, third = entries(file)

    assert first == Known(
        "3.2-alg",
        "a_forged_token_is_refused",
        "alg-none",
        "the gateway is replaced",
        date(2027, 5, 31),
    )
    assert (second.case, second.reason) == ("", 'the store caps "pages"')
    assert third.expires is None


def test_an_empty_file_knows_nothing(tmp_path: Path) -> None:
    path = tmp_path / "known.toml"
    path.write_text("# nothing yet\n")

    assert read(path, CATALOGUE) == ()


ROW = '[[known]]\nrequirement = "3.2-alg"\ncheck = "x"\n'


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[[known\n", "it is not TOML: "),
        ("knwon = 1\n", "unknown key 'knwon'; each entry is a table [[known]]"),
        ('known = [{requirement = "3.2-alg"}]\n', "below a line [[known]]"),
        (ROW, "entry 1: reason is missing"),
        (f'{ROW}reason = " "\n', "entry 1: reason: "),
        (
            f'{ROW}reason = "r"\nreasons = "r"\n',
            "entry 1: unknown key 'reasons'; there are requirement, check,",
        ),
        (f'{ROW}reason = "r"\nexpires = "2027-01-01"\n', "entry 1: expires is a date"),
        (f'{ROW}reason = "r"\nexpires = 2027-01-01T00:00:00Z\n', "entry 1: expires is a date"),
        (f'{ROW}reason = "r"\n{ROW}reason = "s"\n', "entry 2 repeats entry 1: 3.2-alg: x"),
        (f'{ROW}reason = "r"\n'.replace("alg", "algo"), "did you mean 3.2-alg"),
        (f'{ROW}reason = "r"\nexpires = 2027-13-01\n', "it is not TOML: "),
    ],
)
def test_a_bad_file_is_told_in_one_line(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "known.toml"
    path.write_text(text)

    with pytest.raises(BadBaseline) as caught:
        read(path, CATALOGUE)

    assert said in str(caught.value)
    assert "\n" not in str(caught.value)
    assert str(path) in str(caught.value)


def test_a_file_that_is_not_there_can_be_made(tmp_path: Path) -> None:
    with pytest.raises(BadBaseline, match="--pact-update-baseline makes it"):
        read(tmp_path / "known.toml", CATALOGUE)


def test_what_is_not_text_is_told(tmp_path: Path) -> None:
    path = tmp_path / "known.toml"
    path.write_bytes(b"\xff\xfe")

    with pytest.raises(BadBaseline, match="not UTF-8"):
        read(path, CATALOGUE)


def test_nothing_changes_where_nothing_is_to_change() -> None:
    assert rewritten(TEXT, gone=(), fresh=()) == TEXT


def test_an_entry_goes_with_the_comment_above_it(file: Path) -> None:
    _, second, _ = entries(file)

    expected = TEXT.partition("# asked of the team")[0] + TEXT[TEXT.rindex("[[known]]") :]
    assert rewritten(TEXT, gone=[second], fresh=()) == expected


def test_the_first_entry_leaves_what_the_file_begins_with(file: Path) -> None:
    first, _, _ = entries(file)

    expected = (
        "# What our Provider is known for.\n\n"
        + TEXT[TEXT.index("# everything below") : TEXT.index("# the end")]
        + "# the end\n"
    )
    assert rewritten(TEXT, gone=[first], fresh=()) == expected


def test_a_heading_right_above_the_first_entry_stays(file: Path) -> None:
    text = TEXT[TEXT.index("# the old gateway") :]
    first, _, _ = entries(file)

    assert rewritten(text, gone=[first], fresh=()).startswith("# the old gateway\n")


def test_a_fresh_entry_comes_last(file: Path) -> None:
    text = rewritten(TEXT, gone=(), fresh=[FRESH])

    assert text.startswith(TEXT)
    file.write_text(text, encoding="utf-8")
    assert entries(file)[-1] == FRESH


def test_all_can_go_and_others_can_come(file: Path) -> None:
    rewrite(file, gone=entries(file), fresh=[FRESH])

    assert entries(file) == (FRESH,)
    text = file.read_text(encoding="utf-8")
    for kept in ("# What our", "# everything below", "# the end"):
        assert kept in text


def test_a_new_file_says_what_it_is(tmp_path: Path) -> None:
    path = tmp_path / "known.toml"

    rewrite(path, gone=(), fresh=[FRESH])

    assert path.read_text(encoding="utf-8").startswith("# Known failures of this subject")
    assert read(path, CATALOGUE) == (FRESH,)
