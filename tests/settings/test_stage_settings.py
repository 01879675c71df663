"""Where the stage is and its certificate are judged before anything is started."""

from pathlib import Path

import pytest
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    PrivateFormat,
    load_pem_private_key,
)

from pact_conformance.counterpart.certificates import make_certificate
from pact_conformance.settings import BadSetting, load


def line(**environment: str) -> str:
    with pytest.raises(BadSetting) as caught:
        load({}, environment=environment)
    message = str(caught.value)

    assert "\n" not in message
    return message


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    made = make_certificate(["mock.example"])
    certificate, key = tmp_path / "mock.pem", tmp_path / "mock.key.pem"
    certificate.write_bytes(made.chain)
    key.write_bytes(made.key)
    return certificate, key


@pytest.mark.parametrize(
    ("variable", "value", "expected"),
    [
        ("E2E_MOCK_LISTEN", "8750", "expected HOST:PORT"),
        ("E2E_MOCK_LISTEN", "127.0.0.1:99999", "expected HOST:PORT"),
        ("E2E_MOCK_LISTEN", "http://127.0.0.1:8750", "expected HOST:PORT"),
        ("E2E_MOCK_URL", "mock.example", "expected an http(s) URL"),
        ("E2E_MOCK_URL", "https://mock.example/?a=b", "without query"),
        ("E2E_MOCK_TLS", "yes", "expected 'made' or CERT.pem,KEY.pem"),
        ("E2E_MOCK_TLS", "mock.pem", "expected 'made' or CERT.pem,KEY.pem"),
        ("E2E_MOCK_TLS", "a.pem,b.pem,c.pem", "expected 'made' or CERT.pem,KEY.pem"),
        ("E2E_MOCK_TLS", "no-such.pem,b.pem", "cannot read no-such.pem"),
    ],
)
def test_a_bad_value_is_told(variable: str, value: str, expected: str) -> None:
    said = line(**{variable: value})

    assert said.startswith(f"{variable} {value!r}: ")
    assert expected in said


def test_any_address_of_the_machine_needs_a_url() -> None:
    assert "set E2E_MOCK_URL" in line(E2E_MOCK_LISTEN="0.0.0.0:8750")
    load({}, environment={"E2E_MOCK_LISTEN": "0.0.0.0:8750", "E2E_MOCK_URL": "http://me.example"})


def test_a_certificate_is_for_https() -> None:
    said = line(E2E_MOCK_TLS="made", E2E_MOCK_URL="http://mock.example")

    assert said.startswith("E2E_MOCK_TLS has the mock Provider serve https")


def test_a_certificate_and_its_key_are_taken(files: tuple[Path, Path]) -> None:
    certificate, key = files
    settings = load({}, environment={"E2E_MOCK_TLS": f"{certificate}, {key}"})

    assert settings.mock_tls == f"{certificate}, {key}"


def test_a_key_of_another_certificate_is_told(files: tuple[Path, Path]) -> None:
    certificate, key = files
    key.write_bytes(make_certificate([]).key)

    assert "no certificate and its (plain) key" in line(E2E_MOCK_TLS=f"{certificate},{key}")


def test_a_key_behind_a_password_is_told_and_not_asked_for(files: tuple[Path, Path]) -> None:
    certificate, key = files
    private = load_pem_private_key(key.read_bytes(), None)
    locked = BestAvailableEncryption(b"secret")
    key.write_bytes(private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, locked))

    assert "no certificate and its (plain) key" in line(E2E_MOCK_TLS=f"{certificate},{key}")


def test_text_that_is_no_certificate_is_told(files: tuple[Path, Path]) -> None:
    certificate, key = files
    certificate.write_text("-----BEGIN CERTIFICATE-----\nnot at all\n-----END CERTIFICATE-----\n")

    assert "no certificate and its (plain) key" in line(E2E_MOCK_TLS=f"{certificate},{key}")
