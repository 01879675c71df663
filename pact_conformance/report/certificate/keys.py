"""The vendor's key (ES256): made on request, kept in a file, named by its thumbprint."""

import base64
import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.asymmetric import ec

from pact_conformance.tokens.keys import SigningKey, keys_from_json

ALG = "ES256"
PUBLIC = ("crv", "kty", "x", "y")
"""What makes up the public key, in the order in which its thumbprint is taken (RFC 7638 §3.2)."""


class BadKey(ValueError):  # noqa: N818 - it is the key that is bad
    """A key that cannot be used, in one line that holds nothing of it."""


@dataclass(frozen=True)
class Vendor:
    """The vendor's private key."""

    private: ec.EllipticCurvePrivateKey
    public: Mapping[str, str]
    """The JWK of its public part."""


def make(path: Path) -> Path:
    """Make a key: the private part at the path, readable by its owner alone, the public beside it.

    Returns:
        where the public part is.

    Raises:
        BadKey: there is a file already, or none can be written.
    """
    key = SigningKey.generate(ALG)
    private = {**public_part(key.public_jwk()), "d": key.private_jwk()["d"]}
    beside = path.with_name(f"{path.stem}.public.json")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            file.write(f"{json.dumps(private)}\n")
        beside.write_text(f"{json.dumps(public_part(private))}\n", encoding="utf-8")
    except FileExistsError:
        raise BadKey(f"there is a key at {path} already") from None
    except OSError as error:
        raise BadKey(f"{error.filename} cannot be written: {error.strerror}") from None
    return beside


def load(path: Path) -> Vendor:
    """Read the private key at a path: a JWK of the curve P-256.

    Raises:
        BadKey: there is none.
    """
    try:
        keys = keys_from_json(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise BadKey(f"there is no key at {path}; --new-key makes one") from None
    except (OSError, UnicodeDecodeError) as error:
        said = error.strerror if isinstance(error, OSError) else "it is not text"
        raise BadKey(f"{path} cannot be read: {said}") from None
    except ValueError as error:
        raise BadKey(f"{path}: {error}") from None
    if len(keys) != 1 or keys[0].alg != ALG:
        raise BadKey(f"{path} has to hold one key for {ALG}, of the curve P-256")
    assert isinstance(keys[0].private, ec.EllipticCurvePrivateKey)
    return Vendor(keys[0].private, public_part(keys[0].public_jwk()))


def public_part(jwk: Mapping[str, Any]) -> dict[str, str]:
    """Return the public members of a JWK alone, in their order.

    Raises:
        BadKey: they are not all there.
    """
    if jwk.get("kty") != "EC" or jwk.get("crv") != "P-256":
        raise BadKey(f"it is no key for {ALG}, of the curve P-256")
    if not all(isinstance(jwk.get(name), str) for name in PUBLIC):
        raise BadKey("its public part is not whole")
    return {name: jwk[name] for name in PUBLIC}


def thumbprint(jwk: Mapping[str, Any]) -> str:
    """Return the JWK thumbprint of a public key (RFC 7638), by which people name it."""
    canonical = json.dumps(public_part(jwk), separators=(",", ":"), sort_keys=True)
    digest = hashlib.sha256(canonical.encode()).digest()
    return base64.urlsafe_b64encode(digest).rstrip(b"=").decode()


def expected(given: str) -> str:
    """Return the thumbprint that a verifier expects: given itself, or by a file with the key.

    Raises:
        BadKey: it is neither.
    """
    path = Path(given)
    if not path.is_file():
        if (
            len(given) == len(thumbprint(_ANY))
            and given.replace("-", "").replace("_", "").isalnum()
        ):
            return given
        raise BadKey(f"{given} is neither a thumbprint nor a file with a JWK")
    try:
        jwk = json.loads(path.read_bytes())
    except (OSError, ValueError):
        raise BadKey(f"{path} does not hold a JWK") from None
    keys = jwk.get("keys") if isinstance(jwk, dict) else None
    one = keys[0] if isinstance(keys, list) and len(keys) == 1 else jwk
    if not isinstance(one, dict):
        raise BadKey(f"{path} does not hold a JWK")
    try:
        return thumbprint(one)
    except BadKey as error:
        raise BadKey(f"{path}: {error}") from None


_ANY = {"kty": "EC", "crv": "P-256", "x": "", "y": ""}
