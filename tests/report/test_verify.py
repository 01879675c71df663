"""Every part of a bundle altered: by somebody without the vendor's key, and by the vendor."""

import contextlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pact_conformance.report.certificate import keys, manifest, signature
from pact_conformance.report.certificate.claim import Edition
from pact_conformance.report.certificate.packing import BadBundle, expand, pack, unpack
from pact_conformance.report.certificate.verifying import verify
from tests.report import certified, making
from tests.report.certified import CHECKS, Document, Files, signed_again, verified, with_report


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return certified.run(tmp_path_factory.mktemp("run"))


@pytest.fixture(scope="module")
def bundle(folder: Path) -> Files:
    return certified.certify(folder)


def row(told: Document, id_: str = "3.2-alg") -> Any:  # noqa: ANN401 - JSON
    return next(it for it in told["requirements"] if it["id"] == id_)


def test_a_bundle_is_verified(bundle: Files) -> None:
    found = verified(bundle, certified.THUMBPRINT)

    assert found.problems == ()
    assert found.foreign == ""
    assert found.signer == certified.THUMBPRINT


def test_so_is_the_delegated_profile(folder: Path) -> None:
    assert verified(certified.certify(folder, "delegated")).problems == ()


@pytest.mark.parametrize("name", [*manifest.CONTENT, manifest.MANIFEST, manifest.SIGNATURE])
def test_a_byte_of_any_file_cannot_be_altered(bundle: Files, name: str) -> None:
    data = bundle[name]
    for place in (0, len(data) // 2, len(data) - 1):
        altered = data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :]
        said = verified(bundle | {name: altered}).problems

        assert any(name in it or "the signature" in it for it in said), said
        assert all("\n" not in it for it in said)


def test_no_last_character_of_the_signature_can_be_altered(bundle: Files) -> None:
    jws = bundle[manifest.SIGNATURE]
    others = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_=\n"
    for altered in (*(jws[:-1] + bytes([it]) for it in others), jws + b"\n", jws + b"=="):
        if altered != jws:
            with pytest.raises(signature.BadSignature):
                signature.verify(altered)


@pytest.mark.parametrize("name", [*manifest.CONTENT, manifest.MANIFEST, manifest.SIGNATURE])
def test_no_file_can_be_left_out(bundle: Files, name: str) -> None:
    left = {it: data for it, data in bundle.items() if it != name}

    assert any(f"{name} is missing" in it for it in verified(left).problems)


def test_no_file_can_be_added(bundle: Files) -> None:
    said = verified(bundle | {"approvals/more.png": b"x"}).problems

    assert said == ("approvals/more.png was added: the manifest does not list it",)


def test_the_vendor_cannot_add_a_file_either(bundle: Files) -> None:
    files = {**bundle, "more.txt": b"x"}
    listed = manifest.make(
        {it: data for it, data in files.items() if not it.startswith("manifest")},
        json.loads(bundle[manifest.MANIFEST])["suite"],
    )
    signed = signature.sign(listed, certified.vendor())

    said = verified(files | {manifest.MANIFEST: listed, manifest.SIGNATURE: signed}).problems

    assert said == ("more.txt is no part of a bundle",)


def test_a_foreign_key_is_named(bundle: Files) -> None:
    foreign = certified.vendor("another")
    files = signed_again(bundle, by=foreign)
    print_ = keys.thumbprint(foreign.public)

    assert f"it was signed by the key {print_}, and not by {certified.THUMBPRINT}" in (
        verified(files, certified.THUMBPRINT).problems
    )


def test_a_signature_of_another_bundle_is_none_of_this(bundle: Files, folder: Path) -> None:
    other = certified.certify(folder, certified="2026-12-01T12:00:00.000+00:00")

    said = verified(bundle | {manifest.SIGNATURE: other[manifest.SIGNATURE]}).problems

    assert said == ("manifest.json is not what was signed",)


def dropped(told: Document) -> None:
    del row(told)["checks"][0]


def added(told: Document) -> None:
    row(told)["checks"].append({**row(told)["checks"][0], "case": "made-up"})


def twice(told: Document) -> None:
    row(told)["checks"].append(row(told)["checks"][0])


def requirement_dropped(told: Document) -> None:
    told["requirements"] = [it for it in told["requirements"] if it["id"] != "3.2-alg"]


def softened(told: Document) -> None:
    row(told)["level"] = "SHOULD"


def failed(told: Document) -> None:
    row(told)["checks"][0]["verdict"] = "failed"


def requirement_failed(told: Document) -> None:
    failed(told)
    row(told)["verdict"] = "failed"


def miscounted(told: Document) -> None:
    told["profiles"]["identity"]["counts"]["passed"] += 1


def not_selected(told: Document) -> None:
    row(told)["checks"][0] |= {
        "kind": "deselected",
        "verdict": "untested",
        "reason": "not selected",
    }


def partial(told: Document) -> None:
    told["partial"] = True


def lenient(told: Document) -> None:
    told["settings"]["given"]["operations"] = "lenient"


def without_reason(told: Document) -> None:
    told["settings"]["given"]["absent"]["closing"] = " "


def absent_nonsense(told: Document) -> None:
    told["settings"]["given"]["absent"] = "everything"


def nothing_given(told: Document) -> None:
    told["settings"]["given"]["prompts"] = {"": None}


def no_such_day(told: Document) -> None:
    told["started"] = "2026-13-01T00:00:00.000+00:00"


def explained_away(told: Document) -> None:
    row(told)["reason"] = "it is not our fault"


def rule_quoted(told: Document) -> None:
    row(told, "3.4-challenge")["checks"][0]["got"] = "a challenge"


def rule_spared(told: Document) -> None:
    row(told, "3.4-challenge")["checks"][0]["counts"] = {"applied": 0, "found": 0}


def another_exchange(told: Document) -> None:
    row(told)["checks"][0]["exchanges"] = ["main-99"]


def another_time(told: Document) -> None:
    told["started"] = told["finished"] = "2026-11-20T00:00:00.000+00:00"


def another_subject(told: Document) -> None:
    told["subject"][0]["card"] = "https://other.example/card"


def more_requests(told: Document) -> None:
    told["requests"] += 1


ALTERED: dict[Callable[[Document], None], str] = {
    dropped: "the report lacks 1 of the 6 checks: “a forged token is refused [alg-",
    added: "what is no check of the suite: “a forged token is refused [made-up]” of 3.2-alg",
    twice: "the report has a check twice: “a forged token is refused",
    requirement_dropped: "the report lacks 1 requirement: 3.2-alg",
    softened: "the report gives 3.2-alg another level than the catalogue",
    failed: "the checks of 3.2-alg make it failed, the report says passed",
    requirement_failed: "its requirements make PACT Identity not conformant, the report says conf",
    miscounted: "the counts of PACT Identity does not follow from its requirements",
    not_selected: "1 check was not selected: “a forged token is refused",
    partial: "the run was ended early",
    lenient: "--operations=lenient",
    without_reason: "closing is declared absent without a reason",
    absent_nonsense: "the report tells settings that no run has",
    nothing_given: "the report tells settings that no run has",
    no_such_day: "month must be in 1..12",
    explained_away: "the reason of 3.2-alg does not follow from its checks",
    rule_quoted: "by the journal the got of “every 401 carries the challenge",
    rule_spared: "by the journal the counts of “every 401 carries the challenge",
    another_exchange: "the journal lacks 1 exchange that the report refers to: main-99",
    another_time: "the journal is of another run: 2 of its exchanges were not made during this",
    another_subject: "the journal is of another subject: nobody asked for https://other.example",
    more_requests: "the journal has 2 requests, the report says 3",
}


@pytest.mark.parametrize("change", ALTERED, ids=lambda it: it.__name__)
def test_a_report_that_does_not_hold_is_named_whoever_altered_it(
    bundle: Files, change: Callable[[Document], None]
) -> None:
    outsider = verified(with_report(bundle, change)).problems
    vendor = verified(signed_again(with_report(bundle, change))).problems

    assert "report.json has been changed since it was signed: its SHA-256 is another" in outsider
    for said in (outsider, vendor):
        told = [it for it in said if ALTERED[change] in it or it.startswith("the subject of")]
        assert told, said


def test_a_report_of_another_run_is_none_of_this_statement(tmp_path: Path, bundle: Files) -> None:
    other = certified.certify(certified.run(tmp_path, started="2026-11-18T11:06:40.300+00:00"))

    said = verified(signed_again(bundle | {manifest.REPORT: other[manifest.REPORT]})).problems

    assert "the started of statement.json does not follow from report.json" in said


@pytest.mark.parametrize(
    "name", [manifest.PAGE, manifest.JUNIT, manifest.SETTINGS, manifest.README]
)
def test_the_vendor_cannot_have_a_file_say_otherwise_than_the_report(
    bundle: Files, name: str
) -> None:
    altered = signed_again(bundle | {name: bundle[name] + b" "})

    assert verified(altered).problems == (f"{name} does not say what report.json says",)


@pytest.mark.parametrize(
    ("member", "value", "said"),
    [
        ("profile", "delegated", "the counts of statement.json does not follow"),
        ("demonstration", True, "the demonstration of statement.json does not follow"),
        ("absent", [], "the absent of statement.json does not follow"),
        ("claim", "We conform to everything.", "the claim of statement.json does not follow"),
        ("verdict", "incomplete", "statement.json is none: verdict"),
        ("vendor", " ", "statement.json is none: --vendor is empty"),
        ("website", "https://a\u202eb.example", "statement.json is none: --website"),
    ],
)
def test_the_vendor_cannot_state_what_the_report_does_not_show(
    bundle: Files, member: str, value: object, said: str
) -> None:
    stated = json.loads(bundle[manifest.STATEMENT]) | {member: value}
    altered = signed_again(bundle | {manifest.STATEMENT: manifest.to_bytes(stated)})

    assert any(it.startswith(said) for it in verified(altered).problems)


def lines(bundle: Files) -> list[str]:
    return expand(bundle[manifest.JOURNAL]).decode().splitlines()


def unchallenged(bundle: Files) -> list[str]:
    return [line.replace("Bearer realm", "Basic realm") for line in lines(bundle)]


JOURNALS: dict[str, tuple[Callable[[Files], list[str]], str]] = {
    "left out": (
        lambda it: lines(it)[:1],
        "the journal lacks 1 exchange that the report refers to",
    ),
    "twice": (lambda it: [*lines(it), lines(it)[1]], "the journal has 1 exchange twice"),
    "judged": (unchallenged, "by the journal the verdict of “every 401 carries the challenge"),
    "damaged": (lambda it: ["{}", *lines(it)], "the journal cannot be read: "),
}


@pytest.mark.parametrize("name", JOURNALS)
def test_a_journal_that_does_not_bear_the_report_out_is_named(bundle: Files, name: str) -> None:
    make, said = JOURNALS[name]
    altered = signed_again(certified.with_journal(bundle, make(bundle)))

    assert any(it.startswith(said) for it in verified(altered).problems)


def test_a_journal_that_cannot_be_unpacked_is_named(bundle: Files) -> None:
    altered = signed_again(bundle | {manifest.JOURNAL: b"no gzip"})

    assert any("the journal cannot be unpacked" in it for it in verified(altered).problems)


def test_a_private_key_in_the_signature_is_named(bundle: Files) -> None:
    jwt = pytest.importorskip("jwt")
    private = {**certified.vendor().public, "d": "AA"}
    signed = jwt.PyJWS().encode(
        bundle[manifest.MANIFEST],
        certified.vendor().private,
        algorithm="ES256",
        headers={"kid": certified.THUMBPRINT, "jwk": private},
    )

    [said] = verified(bundle | {manifest.SIGNATURE: signed.encode()}).problems

    assert "it holds the private key" in said


def test_an_unsigned_manifest_is_named(bundle: Files) -> None:
    head, payload, _ = bundle[manifest.SIGNATURE].split(b".")

    for jws in (b"eyJhbGciOiJub25lIn0." + payload + b".", b".".join([head, payload, b""])):
        assert any(
            "the signature is none" in it
            for it in verified(bundle | {manifest.SIGNATURE: jws}).problems
        )


def test_a_bundle_of_another_edition_is_not_judged(bundle: Files) -> None:
    found = verify(bundle, Edition(making.CATALOGUE, certified.EDITION.checks))

    assert found.problems == ()
    assert "install the one that made it" in found.foreign


def test_another_edition_does_not_hide_that_a_byte_was_altered(bundle: Files) -> None:
    altered = with_report(bundle, partial)

    found = verify(altered, Edition(making.CATALOGUE, certified.EDITION.checks))

    assert found.problems


def test_nonsense_is_told_in_sentences() -> None:
    for files in ({}, dict.fromkeys((*manifest.CONTENT, manifest.MANIFEST), b"\xff{")):
        assert verified(files).problems


def test_every_byte_of_the_one_file_counts(tmp_path: Path) -> None:
    files = {"report.json": b"{}", "README.md": b"# Read me"}
    packed = pack(files)
    path = tmp_path / "bundle.zip"
    for place, byte in enumerate(packed):
        path.write_bytes(packed[:place] + bytes([byte ^ 4]) + packed[place + 1 :])
        with contextlib.suppress(BadBundle):
            assert unpack(path) != files, place


@pytest.mark.parametrize("change", [lambda it: it + b"x", lambda it: b"x" + it, lambda it: it[:-1]])
def test_nothing_can_stand_before_or_behind_it(
    tmp_path: Path, bundle: Files, change: Callable[[bytes], bytes]
) -> None:
    path = tmp_path / "bundle.zip"
    path.write_bytes(change(pack(bundle)))

    with pytest.raises(BadBundle):
        unpack(path)


def test_a_bundle_can_be_unpacked_into_a_folder(tmp_path: Path, bundle: Files) -> None:
    for name, data in bundle.items():
        (tmp_path / name).write_bytes(data)

    assert unpack(tmp_path) == bundle


def test_a_link_in_a_folder_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "report.json").symlink_to("/etc/hostname")

    with pytest.raises(BadBundle, match="no plain file"):
        unpack(tmp_path)


def test_the_checks_that_are_altered_here_are_those_of_the_run() -> None:
    assert len(certified.EDITION.checks) == len(CHECKS)
