"""The advice as data, and the flaws that leave it."""

import json
import re
import tomllib
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from pact_conformance.catalogue import advice
from pact_conformance.counterpart import advice_flaws, flaws, subtle_flaws
from tests.architecture.tree import CHECKOUT, text

SCHEMA = Draft202012Validator(json.loads(text("schemas/advice.schema.json")))
FILES = sorted(advice.FOLDER.glob("*.toml"))
ROWS = advice.load()
CHECKS = "\n".join(it.read_text("utf-8") for it in (CHECKOUT / "suites/hardening").glob("*.py"))


@pytest.mark.parametrize("path", FILES, ids=lambda it: it.stem)
def test_each_file_obeys_the_schema(path: Path) -> None:
    document = tomllib.loads(path.read_text("utf-8"))

    assert [error.message for error in SCHEMA.iter_errors(document)] == []


def test_ids_are_unique() -> None:
    held = "\n".join(it.read_text("utf-8") for it in FILES)
    ids = re.findall(r'^id = "(.*)"$', held, re.MULTILINE)

    assert sorted(ids) == sorted(ROWS)
    assert len(ids) == len(set(ids))


def test_each_piece_of_advice_is_measured_by_a_check() -> None:
    assert set(re.findall(r'@advice\("(.*?)"\)', CHECKS)) == set(ROWS)


def test_each_piece_of_advice_is_left_by_a_flaw_of_its_role() -> None:
    for role in ("provider", "personal-agent"):
        left = {id_ for it in advice_flaws.of(role).values() for id_ in it.breaks}

        assert left == {id_ for id_, it in ROWS.items() if it.role == role}


def test_a_flaw_that_leaves_advice_is_no_flaw_of_pact() -> None:
    assert not advice_flaws.ALL.keys() & (flaws.ALL.keys() | subtle_flaws.ALL.keys())
    assert all(it.description.endswith(".") for it in advice_flaws.ALL.values())


def test_an_unknown_id_is_told_with_what_looks_like_it() -> None:
    with pytest.raises(advice.UnknownAdvice, match="did you mean hardening-framing"):
        advice.find("hardening-frame")


def test_the_digest_is_of_all_rows() -> None:
    assert re.fullmatch(r"[0-9a-f]{64}", advice.digest())


def test_every_piece_of_advice_is_in_the_document() -> None:
    document = text("docs/hardening.md")

    assert [it for it in ROWS if f"`{it}`" not in document] == []
