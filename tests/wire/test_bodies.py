import json
import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from pact_conformance.assets import folder
from pact_conformance.catalogue import load as load_catalogue
from pact_conformance.wire.bodies import Body, load
from pact_conformance.wire.errors import MAPPING
from pact_conformance.wire.schema import problems
from pact_conformance.wire.text import WHITE_SPACE, is_blank

FILES = sorted((folder("fixtures") / "bodies").glob("*.toml"))

every_body = pytest.mark.parametrize("body", load(), ids=lambda it: it.id)


def find(body_id: str) -> Body:
    return next(it for it in load() if it.id == body_id)


def sent(body: Body) -> dict[str, Any]:
    request: dict[str, Any] = json.loads(body.render("m-7"))
    return request


def members(value: object, at: str = "") -> set[str]:
    """Every leaf with its place, so that two values can be compared by what differs."""
    if isinstance(value, dict) and value:
        return {it for name, child in value.items() for it in members(child, f"{at}.{name}")}
    if isinstance(value, list) and value:
        return {it for index, child in enumerate(value) for it in members(child, f"{at}.{index}")}
    return {f"{at}={json.dumps(value)}"}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_file_fits_its_schema(path: Path) -> None:
    assert problems(tomllib.loads(path.read_text(encoding="utf-8")), "bodies") == []


def test_ids_are_unique() -> None:
    assert [it for it, count in Counter(row.id for row in load()).items() if count > 1] == []


def test_requirements_are_in_the_catalogue() -> None:
    known = load_catalogue().requirements

    assert {it for body in load() for it in body.requirement} <= known.keys()


def test_rows_are_found_by_requirement() -> None:
    assert {body.id for body in load("4.1-minimal-message")} == {"minimal"}
    assert load("no-such-requirement") == ()


@every_body
def test_a_row_says_what_may_come_of_it(body: Body) -> None:
    if body.served == "must":
        assert body.reasons == body.accepts_warn == ()
    elif body.served == "should":
        assert body.accepts_warn
    else:
        assert body.reasons
    assert not set(body.reasons) & set(body.accepts_warn)
    assert body.http in {200, *(MAPPING[it].http for it in body.reasons)}


@every_body
def test_a_body_is_rendered_as_often_as_asked(body: Body) -> None:
    assert isinstance(body.render(), bytes)
    assert body.render("m-7", "c-7", "Hi there").count(b"MARK") == 0


@pytest.mark.parametrize(
    "body",
    [it for it in load() if it.change and not it.rewrite and "message" in it.change[0]["at"]],
    ids=lambda it: it.id,
)
def test_a_change_stays_where_it_says(body: Body) -> None:
    good = members(sent(find("minimal")))
    made = members(sent(body))
    places = tuple("." + step["at"] for step in body.change)

    assert good != made
    assert all(
        it.startswith(places) or places[0].startswith(it.split("=")[0]) for it in good ^ made
    )


@pytest.mark.parametrize(
    "body", [it for it in load() if it.served in ("must", "should")], ids=lambda it: it.id
)
def test_what_is_to_be_served_fits_the_schema_of_a2a(body: Body) -> None:
    assert problems(sent(body), "send-message-request") == []


@pytest.mark.parametrize(
    "body",
    load("4.1-body") + load("4.1-message-id") + load("4.1-parts"),
    ids=lambda it: it.id,
)
def test_what_is_refused_for_its_shape_has_another_one(body: Body) -> None:
    if body.served == "never":
        try:
            value = json.loads(body.render())
        except ValueError:
            return
        assert problems(value, "send-message-request") != []


@pytest.mark.parametrize("body", load("4.1-blank-text"), ids=lambda it: it.id)
def test_a_refused_blank_text_is_blank_and_nothing_else_is_wrong(body: Body) -> None:
    request = sent(body)
    texts = [part["text"] for part in request["message"]["parts"]]

    assert all(is_blank(text) for text in texts) == (body.served == "never")
    assert problems(request, "send-message-request") == []


def test_every_white_space_character_stands_alone_once() -> None:
    alone = [
        sent(it)["message"]["parts"][0]["text"] for it in load() if it.id.startswith("blank-u-")
    ]

    assert sorted(alone) == sorted(WHITE_SPACE)


def test_ids_context_and_text_come_from_the_caller() -> None:
    message = json.loads(find("url-beside-text").render("m-7", "c-7", "Grüß Gott"))["message"]

    assert (message["messageId"], message["contextId"]) == ("m-7", "c-7")
    assert message["parts"][0] == {"text": "Grüß Gott"}


def test_a_body_without_a_given_id_has_a_fresh_one() -> None:
    ids = {json.loads(find("role-agent").render())["message"]["messageId"] for _ in range(10)}

    assert len(ids) == 10


def test_an_unknown_task_is_another_one_each_time() -> None:
    body = find("task-id-unknown")

    assert sent(body)["message"]["taskId"] != sent(body)["message"]["taskId"]
    assert body.http == 404


@pytest.mark.parametrize(
    ("body_id", "piece"),
    [
        ("body-empty", b""),
        ("body-invalid-utf-8", b'"text":"\xc3("'),
        ("body-cut-utf-8", b'"text":"a\xe2\x82"'),
        ("body-byte-order-mark", b'\xef\xbb\xbf{"message"'),
        ("body-two-values", b"}{}"),
        ("body-trailing-comma", b",}"),
        ("body-nan", b'"x":NaN'),
        ("body-control-character", b'"text":"a\nb"'),
        ("body-lone-surrogate", b'"text":"a\\ud800b"'),
        ("body-utf-16", b"{\0"),
        ("body-duplicate-role", b'"role":"ROLE_USER","role":"ROLE_AGENT"'),
    ],
)
def test_bytes_are_what_the_name_says(body_id: str, piece: bytes) -> None:
    assert piece in find(body_id).render()


@pytest.mark.parametrize("body_id", ["body-truncated", "body-not-json", "body-form"])
def test_what_is_no_json_is_none(body_id: str) -> None:
    with pytest.raises(ValueError):
        json.loads(find(body_id).render())


def test_nesting_is_as_deep_as_written() -> None:
    assert find("body-deeply-nested").render().count(b"{") == 200 + 3


def test_a_rewrite_that_finds_nothing_is_an_error() -> None:
    body = Body("x", "X.", ("4.1-body",), "never", rewrite={"find": "absent", "with": ""})

    with pytest.raises(ValueError, match="absent"):
        body.render()


def test_only_what_is_never_served_costs_no_turn() -> None:
    assert find("minimal").may_take_a_turn
    assert find("zero-width-space").may_take_a_turn
    assert not find("blank-empty").may_take_a_turn
