"""Loading, looking up and selecting."""

import dataclasses
from pathlib import Path

import pytest

from pact_conformance.catalogue import CatalogueError, UnknownRequirement, load
from pact_conformance.catalogue.load import FOLDER, read

HEAD = 'section = "3.2"\nrole = "provider"\nprofile = "identity"\n'
ROW = """
[[requirement]]
id = "3.2-thing"
level = "MUST"
statement = "A thing is refused by the Provider."
observed = "outside"
sent = "A thing."
expected = "Status 401."
pitfalls = "Things are let through."
"""


def read_text(folder: Path, text: str) -> None:
    (folder / "3.2_things.toml").write_text(text, encoding="utf-8")
    read(folder)


def test_the_catalogue_is_read_once() -> None:
    assert load() is load()


def test_the_files_of_the_package_are_what_the_schema_asks_for() -> None:
    assert read(FOLDER).requirements == load().requirements


def test_rows_stand_in_the_order_of_the_specification() -> None:
    sections = [
        tuple(int(number) for number in requirement.section.split("."))
        for requirement in load().requirements.values()
    ]

    assert sorted(sections) == sections


def test_a_row_is_found_by_its_id() -> None:
    requirement = load()["3.2-exp-lifetime"]

    assert (requirement.section, requirement.level) == ("3.2", "MUST")


def test_a_row_cannot_be_changed() -> None:
    requirement = load()["3.2-alg"]

    with pytest.raises(dataclasses.FrozenInstanceError):
        requirement.level = "MAY"  # type: ignore[misc]


@pytest.mark.parametrize(
    ("wrong", "meant"),
    [("3.2-exp-lifetme", "3.2-exp-lifetime"), ("3.1-signature", "3.2-signature")],
)
def test_an_unknown_id_is_answered_with_those_that_look_like_it(wrong: str, meant: str) -> None:
    with pytest.raises(UnknownRequirement) as caught:
        load()[wrong]

    assert meant in caught.value.close
    assert meant in str(caught.value)


def test_the_same_slug_in_another_section_is_offered() -> None:
    with pytest.raises(UnknownRequirement) as caught:
        load()["stored-reply"]

    assert "4.3-stored-reply" in caught.value.close


def test_an_id_like_none_is_answered_without_a_hint() -> None:
    with pytest.raises(UnknownRequirement, match=r"'zzz'$"):
        load()["zzz"]


def test_a_selection_keeps_to_what_was_asked() -> None:
    rows = load().of(role="provider", profile="identity", section="3")

    assert rows == ()

    rows = load().of(role="personal-agent", profile="delegated", section="5.3")

    assert {(row.role, row.profile, row.section) for row in rows} == {
        ("personal-agent", "delegated", "5.3")
    }


def test_the_digest_follows_the_rows(tmp_path: Path) -> None:
    (tmp_path / "3.2_things.toml").write_text(HEAD + ROW, encoding="utf-8")
    first = read(tmp_path).digest
    (tmp_path / "3.2_things.toml").write_text(
        HEAD + ROW.replace('level = "MUST"', 'level = "SHOULD"'), encoding="utf-8"
    )

    assert read(tmp_path).digest != first


def test_the_digest_does_not_follow_the_layout_of_the_files(tmp_path: Path) -> None:
    (tmp_path / "3.2_things.toml").write_text(HEAD + ROW, encoding="utf-8")
    first = read(tmp_path).digest
    wrapped = ROW.replace('"A thing is refused by the', '"""\nA thing is refused\nby the').replace(
        'Provider."', 'Provider.\n"""'
    )
    (tmp_path / "3.2_things.toml").write_text("# A comment.\n" + HEAD + wrapped, encoding="utf-8")

    assert read(tmp_path).digest == first


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param('id = "3.2-thing"\n', "", id="no id"),
        pytest.param("3.2-thing", "3.2-Thing", id="capitals in the id"),
        pytest.param("3.2-thing", "thing", id="no section in the id"),
        pytest.param("3.2-thing", "3.1-thing", id="a foreign section in the id"),
        pytest.param('"MUST"', '"SHALL"', id="unknown level"),
        pytest.param('"outside"', '"inside"', id="unknown way to observe"),
        pytest.param("Provider.", "Provider", id="a statement that is no sentence"),
        pytest.param('sent = "A thing."\n', "", id="nothing is sent"),
        pytest.param('expected = "Status 401."\n', "planned = true\n", id="planned, not thought"),
        pytest.param('"outside"', '"given"', id="given, but not what"),
        pytest.param('"outside"', '"outside"\nneeds = ["approver"]', id="a need of none"),
        pytest.param('"outside"', '"given"\nneeds = ["luck"]', id="a need that is no setting"),
        pytest.param('"outside"', '"not"', id="not observed, no reason"),
        pytest.param('"outside"', '"outside"\nreason = "None at all."', id="an idle reason"),
        pytest.param('"outside"', '"outside"\nseverity = "high"', id="unknown member"),
        pytest.param('"provider"', '"registry"', id="unknown role"),
        pytest.param('"identity"', '"anonymous"', id="unknown profile"),
        pytest.param(ROW, ROW + ROW, id="an id twice"),
    ],
)
def test_a_bad_row_is_refused(tmp_path: Path, old: str, new: str) -> None:
    text = HEAD + ROW
    read_text(tmp_path, text)
    assert old in text

    with pytest.raises(CatalogueError, match=r"3\.2_things\.toml"):
        read_text(tmp_path, text.replace(old, new))
