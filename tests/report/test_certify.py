"""What is certified and what is refused, and what a bundle holds."""

import json
import re
import stat
import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pact_conformance.report.certificate import keys, manifest, packing
from pact_conformance.report.certificate.making import Refused
from pact_conformance.report.certificate.statement import BadDetail, Details, file_name
from pact_conformance.tokens.keys import SigningKey
from pact_conformance.wire.schema import problems
from tests.report import certified
from tests.report.certified import ABSENT, CHECKS, DETAILS, Files
from tests.report.making import CARD


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return certified.run(tmp_path_factory.mktemp("run"))


@pytest.fixture(scope="module")
def bundle(folder: Path) -> Files:
    return certified.certify(folder)


def stated(bundle: Files) -> Any:  # noqa: ANN401 - JSON
    return json.loads(bundle[manifest.STATEMENT])


def test_a_bundle_holds_what_it_says(bundle: Files) -> None:
    assert set(bundle) == {*manifest.CONTENT, manifest.MANIFEST, manifest.SIGNATURE}
    assert problems(stated(bundle), "statement") == []
    assert problems(json.loads(bundle[manifest.MANIFEST]), "manifest") == []


def test_the_statement_names_what_was_left_out_and_why(bundle: Files) -> None:
    said = stated(bundle)

    assert said["absent"] == [
        {
            "name": "rate_limits",
            "reason": ABSENT["rate_limits"],
            "requirements": [certified.LIMITED],
        }
    ]
    assert said["not_applicable"] == [
        {"reason": "the interface is on a private test host", "requirements": ["2-https"]}
    ]
    assert said["other_profiles"] == {"delegated": "conformant"}
    for text in (ABSENT["rate_limits"], "private test host", "PACT Delegated conformant"):
        assert text.encode() in bundle[manifest.README]


def test_the_settings_can_be_taken_for_another_run(bundle: Files) -> None:
    written = bundle[manifest.SETTINGS].decode()

    assert tomllib.loads(written) == certified.GIVEN
    assert "# Set as well, and withheld: private_jwk (PA_PRIVATE_JWK)" in written


def test_the_same_run_makes_the_same_bytes_but_for_the_signature(folder: Path) -> None:
    one, other = certified.certify(folder), certified.certify(folder)
    later = certified.certify(folder, certified="2026-12-01T00:00:00.000+00:00")

    assert {it for it in one if one[it] != other[it]} == {manifest.SIGNATURE}
    assert {it for it in one if one[it] != later[it]} == {
        manifest.STATEMENT,
        manifest.README,
        manifest.MANIFEST,
        manifest.SIGNATURE,
    }
    assert packing.pack(one) == packing.pack(dict(reversed(one.items())))


def test_the_mock_is_certified_for_demonstration_alone(tmp_path: Path) -> None:
    subject = {"role": "provider", "card": CARD, "built_in": True}
    bundle = certified.certify(certified.run(tmp_path, subject=subject))

    assert stated(bundle)["demonstration"] is True
    assert stated(bundle)["claim"].startswith("For demonstration only, and of no product")
    assert bundle[manifest.README].startswith(b"# A demonstration\n\n**For demonstration only")
    assert b"ACME" not in stated(bundle)["claim"].encode()


def refused(folder: Path, profile: str = "identity") -> tuple[str, ...]:
    with pytest.raises(Refused) as caught:
        certified.certify(folder, profile)
    assert all("\n" not in it for it in caught.value.reasons)
    return caught.value.reasons


FORGED = CHECKS[1]


@pytest.mark.parametrize(
    ("outcome", "said"),
    [
        (replace(FORGED, verdict="failed"), "PACT Identity is not conformant: 3.2-alg failed"),
        (replace(FORGED, verdict="inconclusive"), "PACT Identity is incomplete: 3.2-alg is undec"),
        (
            replace(FORGED, verdict="untested", kind="deselected", reason="not selected"),
            "1 check was not selected: “a forged token is refused [alg-none]” of 3.2-alg",
        ),
        (replace(FORGED, verdict="inconclusive", error=True), "the suite was at fault: “a forged"),
        (replace(FORGED, verdict="failed", known="a reason"), "PACT Identity is not conformant"),
    ],
)
def test_what_is_not_conformant_is_refused(tmp_path: Path, outcome: Any, said: str) -> None:  # noqa: ANN401 - one of many
    folder = certified.run(tmp_path, (outcome, *(it for it in CHECKS if it is not FORGED)))

    assert any(it.startswith(said) for it in refused(folder))


def test_another_profile_may_fail_and_is_told(tmp_path: Path) -> None:
    *others, delegated = CHECKS
    folder = certified.run(tmp_path, (*others, replace(delegated, verdict="failed")))

    assert stated(certified.certify(folder))["other_profiles"] == {"delegated": "not conformant"}
    assert refused(folder, "delegated")


@pytest.mark.parametrize(
    ("members", "said"),
    [
        ({"partial": True}, "the run was ended early: certify a whole one"),
        ({"findings": [{"id": "clock"}]}, "breaks the schema"),
        (
            {"settings": {"given": {"operations": "lenient"}, "withheld": []}},
            "--operations=lenient",
        ),
    ],
)
def test_what_a_run_cannot_be_certified_by_is_refused(
    tmp_path: Path, members: dict[str, Any], said: str
) -> None:
    folder = certified.run(tmp_path, **members)

    with pytest.raises((Refused, ValueError), match=re.escape(said)):
        certified.certify(folder)


def test_a_profile_that_was_not_judged_is_refused(folder: Path) -> None:
    assert refused(folder, "agent-identity") == (
        "the report does not judge the profile agent-identity; it judges identity, delegated",
    )


def test_a_selection_by_path_is_refused_though_all_that_it_knows_passed(tmp_path: Path) -> None:
    folder = certified.run(tmp_path, tuple(it for it in CHECKS if it is not FORGED))

    assert any("the report lacks 1 of the 6 checks" in it for it in refused(folder))


def test_fuzzing_alone_certifies_nothing(tmp_path: Path) -> None:
    fuzzed = replace(FORGED, name="forged_tokens_get_what_is_due", case="", kind="fuzz")

    assert any(
        "the report lacks 4 of the" in it for it in refused(certified.run(tmp_path, (fuzzed,)))
    )


def test_a_run_that_was_fuzzed_besides_is_certified(tmp_path: Path) -> None:
    fuzzed = replace(FORGED, name="forged_tokens_get_what_is_due", case="", kind="fuzz")

    assert (
        certified.verified(certified.certify(certified.run(tmp_path, (*CHECKS, fuzzed)))).problems
        == ()
    )


def test_a_journal_of_another_run_is_refused(tmp_path: Path) -> None:
    folder = certified.run(tmp_path)
    (folder / "journal.ndjson").write_bytes(b"")

    assert any("the journal lacks" in it for it in refused(folder))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("vendor", ""),
        ("product", " x"),
        ("version", "1\n2"),
        ("contact", "x" * 300),
        ("vendor", "A\u202eB"),
        ("website", "acme.example"),
        ("website", "https://user:secret@acme.example"),
    ],
)
def test_a_detail_that_no_reader_could_use_is_refused(name: str, value: str) -> None:
    with pytest.raises(BadDetail, match=f"^--{name}"):
        replace(DETAILS, **{name: value})


def test_a_bundle_is_named_by_what_it_certifies(bundle: Files) -> None:
    assert file_name(stated(bundle)) == "pact-acme-s-hne-shop-agent-4.2-identity.zip"
    assert (
        file_name({**stated(bundle), "vendor": "../../etc"}).startswith("pact-..-..-etc") is False
    )


def test_a_key_is_made_for_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "vendor.json"
    public = keys.make(path)
    made, beside = json.loads(path.read_text()), json.loads(public.read_text())

    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert beside == {name: made[name] for name in keys.PUBLIC}
    assert keys.load(path).public == beside
    with pytest.raises(keys.BadKey, match="already"):
        keys.make(path)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "is not JSON"),
        ("{}", "is not private"),
        (json.dumps({"keys": []}), "holds no key"),
        (json.dumps(SigningKey.generate("ES384").private_jwk()), "one key for ES256"),
        (json.dumps(SigningKey.generate("EdDSA").private_jwk()), "one key for ES256"),
    ],
)
def test_another_key_is_told_in_one_line(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "vendor.json"
    path.write_text(text)

    with pytest.raises(keys.BadKey) as caught:
        keys.load(path)

    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_the_thumbprint_is_that_of_rfc_7638() -> None:
    # Of RFC 7517's example of an EC key (appendix A.1), taken by another implementation.
    jwk = {
        "kty": "EC",
        "crv": "P-256",
        "x": "MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4",
        "y": "4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM",
        "use": "enc",
        "kid": "1",
    }

    assert keys.thumbprint(jwk) == "cn-I_WNMClehiVp51i_0VpOENW1upEerA8sEam5hn-s"


def test_an_expected_key_is_given_by_thumbprint_or_file(tmp_path: Path) -> None:
    public = dict(certified.vendor().public)
    one, several = tmp_path / "one.json", tmp_path / "set.json"
    one.write_text(json.dumps(public))
    several.write_text(json.dumps({"keys": [public]}))

    for given in (certified.THUMBPRINT, str(one), str(several)):
        assert keys.expected(given) == certified.THUMBPRINT
    for given in ("nonsense", str(tmp_path / "none.json")):
        with pytest.raises(keys.BadKey):
            keys.expected(given)


def test_details_are_what_the_vendor_gave(bundle: Files) -> None:
    assert Details(**{it: stated(bundle)[it] for it in vars(DETAILS)}) == DETAILS
