"""Every forgery differs from its control in the one thing that it says, and in nothing else."""

import json
import tomllib
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pact_conformance.assets import folder
from pact_conformance.catalogue import load as load_catalogue
from pact_conformance.tokens import base64url
from pact_conformance.tokens.forgeries import (
    Forgery,
    UnforgeableError,
    control_for,
    forge,
    load,
)
from pact_conformance.tokens.jwks_server import JwksServer
from pact_conformance.wire.schema import problems
from tests.tokens.callers import NOW
from tests.tokens.reading import CALLER, OTHER, differing, is_signed_by, make, parts

FILES = sorted((folder("fixtures") / "forgeries").glob("*.toml"))

every_forgery = pytest.mark.parametrize("forgery", load(), ids=lambda it: it.id)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_file_fits_its_schema(path: Path) -> None:
    rows = tomllib.loads(path.read_text(encoding="utf-8"))

    assert problems(rows, "forgeries") == []


def test_ids_are_unique() -> None:
    repeated = [it for it, count in Counter(row.id for row in load()).items() if count > 1]

    assert repeated == []


def test_requirements_are_in_the_catalogue_and_of_one_level_each() -> None:
    known = load_catalogue().requirements

    for forgery in load():
        assert len({known[it].level for it in forgery.requirement}) == 1, forgery.id


def test_rows_are_found_by_requirement() -> None:
    rows = load("3.2-crit")

    assert rows
    assert all(row.family == "crit" for row in rows)
    assert load("no-such-requirement") == ()


@pytest.mark.parametrize(
    "forgery",
    [it for it in load() if it.field == "signature" or "." in it.field],
    ids=lambda it: it.id,
)
def test_a_forgery_differs_from_its_control_in_its_field_alone(
    forgery: Forgery, server: JwksServer
) -> None:
    made, control = (parts(it) for it in make(forgery, server))

    header = {f"header.{name}" for name in differing(made[0], control[0])}
    claims = {f"claims.{name}" for name in differing(made[1], control[1])}
    expected = {forgery.field, *forgery.beside} - {"signature"}

    assert (header | claims) - expected == {"claims.jti"} - expected
    assert (header | claims) - {"claims.jti"} == expected - {"claims.jti"}


@pytest.mark.parametrize(
    "forgery", [it for it in load() if it.field in ("header", "claims")], ids=lambda it: it.id
)
def test_a_forged_part_leaves_the_other_part_alone(forgery: Forgery, server: JwksServer) -> None:
    made, control = make(forgery, server)
    header, claims, _ = parts(control)
    texts = [base64url.decode(it).decode() for it in made.text.split(".")[:2]]
    replaced = 0 if forgery.field == "header" else 1

    assert texts[replaced] == forgery.change[f"{forgery.field}_json"]["text"]
    assert differing(json.loads(texts[1 - replaced]), (header, claims)[1 - replaced]) <= {"jti"}


@every_forgery
def test_a_forgery_fits_into_a_header(forgery: Forgery, server: JwksServer) -> None:
    made, _ = make(forgery, server)

    assert made.text.isascii()
    assert not set(made.text) & set("\r\n\0")
    assert made.text == made.text.strip()
    assert len(made.text) < 4000
    assert made.forgery == forgery.id
    assert f"forgery: {forgery.id}" in made.label


def test_a_duplicate_member_has_its_bad_value_last(server: JwksServer) -> None:
    rows = [it for it in load() if "-duplicate-" in it.id]

    for forgery in rows:
        made, control = make(forgery, server)
        part = 0 if forgery.field.startswith("header") else 1
        raw = base64url.decode(made.text.split(".")[part])
        name = forgery.field.partition(".")[2]
        pairs = json.loads(raw, object_pairs_hook=list)
        values = [value for key, value in pairs if key == name]
        good = parts(control)[:2][part][name]

        assert values[0] == good, forgery.id
        assert len(values) == 2


def find(forgery_id: str) -> Forgery:
    return next(it for it in load() if it.id == forgery_id)


def test_an_expired_token_is_older_than_skew_and_uncertainty() -> None:
    made = forge(find("exp-expired"), CALLER, clock_uncertainty=2.5)

    claims = parts(made)[1]

    assert NOW - 34.5 < claims["exp"] <= NOW - 33.5
    assert claims["iat"] < claims["exp"] <= claims["iat"] + 300


def test_a_token_of_the_future_says_how_long_a_refusal_is_due() -> None:
    made = forge(find("iat-45-seconds-ahead"), CALLER, clock_uncertainty=1.5)

    claims = parts(made)[1]

    assert NOW + 45 <= claims["iat"] < NOW + 46
    assert claims["exp"] - claims["iat"] <= 120
    assert made.use_within == 15 - 1 - 1.5
    assert forge(find("aud-other"), CALLER).use_within is None


@pytest.mark.parametrize(
    ("forgery_id", "lifetime"),
    [("lifetime-300", 300), ("lifetime-301", 301), ("lifetime-330", 330), ("lifetime-hour", 3600)],
)
def test_a_lifetime_is_exact(forgery_id: str, lifetime: int) -> None:
    claims = parts(forge(find(forgery_id), CALLER))[1]

    assert claims["exp"] - claims["iat"] == lifetime
    assert claims["iat"] == int(NOW - 5)


def test_every_time_but_the_forged_one_is_fine() -> None:
    for forgery in load():
        claims = parts(control_for(forgery, CALLER, other=OTHER))[1]

        assert claims["iat"] <= NOW
        assert claims["exp"] >= NOW + 30
        assert claims["exp"] - claims["iat"] <= 300


def test_unmet_needs_are_told_and_nothing_is_forged() -> None:
    poor = replace(CALLER, keys=CALLER.keys[:1])

    assert find("alg-ps256").lacks(poor) == ("rs256",)
    assert find("alg-es384").lacks(poor) == ("published:ES384",)
    assert find("embedded-jku").lacks(poor) == ("jku-server",)
    assert find("binding-other-agent-named").lacks(poor) == ("other-caller",)
    assert find("alg-none-signed").lacks(poor) == ()
    with pytest.raises(LookupError, match="alg-ps256 needs rs256"):
        forge(find("alg-ps256"), poor)
    with pytest.raises(LookupError, match="other-caller"):
        control_for(find("binding-other-agent-named"), poor)


def test_a_change_that_changes_nothing_is_no_forgery() -> None:
    uncased = replace(CALLER, audience="12345")
    nameless = replace(CALLER, keys=(replace(CALLER.keys[0], kid=None),))

    with pytest.raises(UnforgeableError, match="aud-swapped-case"):
        forge(find("aud-swapped-case"), uncased)
    with pytest.raises(UnforgeableError, match="kid-missing"):
        forge(find("kid-missing"), nameless)


def test_another_agent_without_the_same_kind_of_key_signs_with_its_own() -> None:
    rsa_only = replace(OTHER, keys=OTHER.keys[1:])

    made = forge(find("binding-key-of-other-agent"), CALLER, other=rsa_only)

    assert parts(made)[0]["alg"] == "RS256"
    assert is_signed_by(made, rsa_only.keys[0])


@settings(deadline=None)
@given(
    forgery=st.sampled_from([it for it in load() if not it.needs]),
    issuer=st.text(max_size=30),
    audience=st.text(max_size=30),
    user=st.text(max_size=30),
)
def test_any_caller_is_forged_or_said_to_be_unforgeable(
    forgery: Forgery, issuer: str, audience: str, user: str
) -> None:
    caller = replace(CALLER, issuer=issuer, audience=audience)

    try:
        made = forge(forgery, caller, user=user)
    except UnforgeableError:
        return

    assert made.text != control_for(forgery, caller, user).text


def test_a_forgery_is_fresh_each_time() -> None:
    forgery = find("sub-null")

    assert forge(forgery, CALLER).text != forge(forgery, CALLER).text


def test_the_user_of_a_forgery_may_be_chosen() -> None:
    made = forge(find("iss-null"), CALLER, user="user-1")
    control = control_for(find("iss-null"), CALLER, "user-1")

    assert parts(made)[1]["sub"] == parts(control)[1]["sub"] == "user-1"
