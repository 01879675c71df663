"""From a run of both roles to bundles that others verify, and no secret in any of them."""

import io
import json
import re
import zipfile
from pathlib import Path
from typing import NamedTuple

import pytest
from click.testing import CliRunner, Result

from pact_conformance.cli import main
from pact_conformance.report.certificate.packing import expand, unpack
from tests.plugin.suite import Run, run
from tests.session.subjects import KEYS, PRIVATE

HEADER, HOOK, PASSWORD = "g4t3w4y-k3y-0f-th3-t3st3r", "h00k-t0k3n-0f-th3-t3st3r", "pa55-0f-jane"
CONFIG = f"""
profile = "identity"
[headers]
X-Gateway-Key = "{HEADER}"
[[accounts]]
username = "jane"
password = "{PASSWORD}"
[hooks]
rate_limit = "cmd:./limit --token {HOOK}"
[prompts]
"" = "What are your opening hours? My password is {PASSWORD}"
"""
# A token whose signature is not masked.
JWS = re.compile(r"eyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]{20,}")
DETAILS = (
    "--vendor=ACME",
    "--product=Shop Agent",
    "--version=4.2",
    "--website=https://acme.example",
    "--contact=pact@acme.example",
)


class Vendor(NamedTuple):
    """A folder with reports, keys and bundles."""

    folder: Path
    ended: Run

    def certify(self, profile: str) -> Result:
        key, output = f"--key={self.folder / 'vendor.json'}", f"--output={self.bundle(profile)}"
        arguments = [*DETAILS, f"--profile={profile}", key, "--new-key", output]
        return CliRunner().invoke(main, ["certify", str(self.folder / "reports"), *arguments])

    def bundle(self, profile: str = "identity") -> Path:
        return self.folder / f"{profile}.zip"


@pytest.fixture(scope="module")
def vendor(tmp_path_factory: pytest.TempPathFactory) -> Vendor:
    """A run of both built-in subjects by a tester who set more than it takes, and its bundles."""
    folder = tmp_path_factory.mktemp("vendor")
    config = folder / "pact-conformance.toml"
    config.write_text(CONFIG)
    environment = {"E2E_PROVIDER": "mock", "E2E_AGENT": "mock", "PA_PRIVATE_JWK": PRIVATE}
    ended = run(f"--pact-config={config}", folder=folder / "reports", environment=environment)
    made = Vendor(folder, ended)
    for profile in ("identity", "agent-identity"):
        certified = made.certify(profile)
        assert certified.exit_code == 0, (certified.output, ended.output[-2000:])
        assert f"verify it with: pact-conformance verify {made.bundle(profile)}" in certified.output
    return made


def verify(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, ["verify", *map(str, arguments)])


@pytest.mark.parametrize("profile", ["identity", "agent-identity"])
def test_a_profile_of_either_role_is_certified_and_verified(vendor: Vendor, profile: str) -> None:
    seen = verify(vendor.bundle(profile), f"--key={vendor.folder / 'vendor.public.json'}")

    assert seen.exit_code == 0, seen.output
    assert seen.output.startswith("verified: For demonstration only, and of no product: ")
    assert seen.output.endswith(": as expected\n")


def test_no_secret_is_in_a_bundle(vendor: Vendor) -> None:
    files = dict(unpack(vendor.bundle()))
    del files["manifest.jws"]
    files["journal.ndjson"] = expand(files["journal.ndjson.gz"])
    private = json.loads((vendor.folder / "vendor.json").read_text())["d"]
    secrets = [HEADER, HOOK, PASSWORD, private, *(key.private_jwk()["d"] for key in KEYS)]

    for name, data in files.items():
        text = data.decode("utf-8", "replace")
        assert not [it for it in secrets if it in text], name
        assert not JWS.findall(text), name
    settings = files["settings.toml"].decode()
    for withheld in ("private_jwk", "accounts", "headers.X-Gateway-Key", "hooks.rate_limit"):
        assert f"# Set as well, and withheld: {withheld}" in settings


def test_a_byte_that_is_altered_and_a_foreign_key_are_named(vendor: Vendor) -> None:
    folder = vendor.folder / "unpacked"
    folder.mkdir()
    for name, data in unpack(vendor.bundle()).items():
        (folder / name).write_bytes(data)
    page = folder / "report.html"
    page.write_bytes(page.read_bytes().replace(b"onformant", b"onforming", 1))
    foreign = "cn-I_WNMClehiVp51i_0VpOENW1upEerA8sEam5hn-s"

    seen = verify(folder, f"--key={foreign}")

    assert seen.exit_code == 1
    altered, key = seen.output.splitlines()
    assert altered == (
        "not verified: report.html has been changed since it was signed: its SHA-256 is another"
    )
    assert key.endswith(f"and not by {foreign}")


def test_what_the_report_does_not_show_is_refused(vendor: Vendor) -> None:
    made = vendor.certify("delegated")

    assert made.exit_code == 1
    assert "not certified: the report does not judge the profile delegated" in made.output


def test_a_bundle_is_not_replaced_unasked(vendor: Vendor) -> None:
    made = vendor.certify("identity")

    assert made.exit_code == 4
    assert "--force replaces it" in made.output


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "certify takes --vendor, --product, --version, --website, --contact, --profile, "),
        ((*DETAILS, "--profile=identity", "--key=/none.json"), "--new-key makes one"),
        ((*DETAILS, "--website=x", "--profile=identity", "--key=k"), "expected an http(s) URL"),
    ],
)
def test_what_is_missing_is_told_in_one_line(arguments: tuple[str, ...], said: str) -> None:
    ended = CliRunner().invoke(main, ["certify", *arguments])

    assert ended.exit_code == 4
    assert len(ended.output.splitlines()) == 1
    assert said in ended.output


def test_what_is_no_bundle_is_told_in_one_line(tmp_path: Path) -> None:
    empty, other = tmp_path / "empty.zip", tmp_path / "other.zip"
    empty.write_bytes(b"")
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("report.json", "{}")
    other.write_bytes(packed.getvalue())

    assert verify(tmp_path / "none.zip").exit_code == 4
    for path in (empty, other):
        seen = verify(path)
        assert seen.exit_code == 1
        assert len(seen.output.splitlines()) == 1
