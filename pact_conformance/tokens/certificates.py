"""Self-signed certificates for `x5c` and `x5u` (RFC 7515 §4.1.5, §4.1.6): they vouch for nobody."""

from base64 import b64encode
from datetime import UTC, datetime, timedelta

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ed25519
from cryptography.x509.oid import NameOID

from pact_conformance.tokens.keys import SigningKey


def self_signed(key: SigningKey, *, at: float) -> x509.Certificate:
    """Return a certificate that a key makes for itself, good for a day around a time."""
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "personal agent")])
    day = timedelta(days=1)
    moment = datetime.fromtimestamp(at, tz=UTC)
    builder = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.private.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(moment - day)
        .not_valid_after(moment + day)
    )
    is_ed25519 = isinstance(key.private, ed25519.Ed25519PrivateKey)
    return builder.sign(key.private, None if is_ed25519 else hashes.SHA256())


def chain(certificate: x509.Certificate) -> list[str]:
    """Return the value of `x5c`: base64, not base64url, of the DER form."""
    return [b64encode(certificate.public_bytes(serialization.Encoding.DER)).decode("ascii")]


def pem(certificate: x509.Certificate) -> bytes:
    """Return what `x5u` leads to."""
    return certificate.public_bytes(serialization.Encoding.PEM)
