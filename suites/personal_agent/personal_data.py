"""Personal data of a User in an identifier: in clear, in a form to be turned back, or hashed.

A form counts where nothing but the data leads to it; short pieces, which may stand in an identifier
by chance, do not.
"""

import hashlib
import re
import uuid
from base64 import b64encode, urlsafe_b64encode
from collections.abc import Iterator
from urllib.parse import quote

from pact_conformance.subject.agent import User

# Characters of the shortest piece that stands nowhere by chance; more of digits, which ids have.
_LETTERS, _DIGITS = 5, 7

# So much of a hash, in hexadecimal digits, is that hash: cut ones are common.
_CUT = 16

_HASHES = ("md5", "sha1", "sha224", "sha256", "sha384", "sha512", "sha3_256", "blake2b", "blake2s")

_NAMESPACES = (uuid.NAMESPACE_DNS, uuid.NAMESPACE_URL, uuid.NAMESPACE_OID, uuid.NAMESPACE_X500)


def found_in(identifier: str, user: User) -> str | None:
    """Say what of a User's data an identifier holds in a form that can be turned back, if any."""
    for what, piece in _pieces(user):
        for form, text in _reversible(piece):
            if text in (identifier if form == "in base64" else identifier.casefold()):
                return f"{what} {form}".strip()
    return None


def hashed_in(identifier: str, user: User) -> str | None:
    """Say which unsalted hash of a User's data an identifier holds, if any."""
    for what, value in _values(user):
        for name, digest in _digests(value):
            code = digest.hex()
            plain = re.sub(r"[^0-9a-z]", "", identifier.casefold())
            coded = urlsafe_b64encode(digest).decode().rstrip("=")[:_CUT]
            if code[:_CUT] in plain or coded in identifier.replace("+", "-").replace("/", "_"):
                return f"{name} of {what}"
    return None


def _values(user: User) -> Iterator[tuple[str, str]]:
    """Yield each datum as it may be written before it is hashed."""
    digits = re.sub(r"\D", "", user.phone)
    spellings = {
        "the e-mail address": [user.email],
        "the name": [user.name, user.name.replace(" ", ""), user.name.replace(" ", ".")],
        "the phone number": [user.phone, f"+{digits}", digits, f"00{digits}", f"tel:+{digits}"],
        "the e-mail address as a URL": [f"mailto:{user.email}"],
    }
    for what, texts in spellings.items():
        for text in texts:
            for cased in dict.fromkeys([text, text.lower(), text.upper()]):
                yield what, cased


def _digests(value: str) -> Iterator[tuple[str, bytes]]:
    data = value.encode()
    for name in _HASHES:
        yield name, hashlib.new(name, data).digest()
    for namespace in _NAMESPACES:
        yield "a UUID", uuid.uuid5(namespace, value).bytes
        yield "a UUID", uuid.uuid3(namespace, value).bytes


def _pieces(user: User) -> Iterator[tuple[str, str]]:
    """Yield the data and what of it still tells who it is."""
    yield "the e-mail address", user.email
    local, _, _ = user.email.partition("@")
    yield "the e-mail address", local
    yield "the name", user.name
    for part in (*user.name.split(), user.name.replace(" ", ""), user.name.replace(" ", ".")):
        if len(part) >= _LETTERS:
            yield "the name", part
    digits = re.sub(r"\D", "", user.phone)
    yield "the phone number", user.phone
    yield "the phone number", digits
    yield "the phone number", digits[-_DIGITS:]


def _reversible(piece: str) -> Iterator[tuple[str, str]]:
    """Yield a text as an identifier may hold it; all but base64 in small letters."""
    small = piece.casefold()
    yield "", small
    yield "backwards", small[::-1]
    yield "in percent-encoding", quote(piece, safe="").casefold()
    for cased in dict.fromkeys([piece, piece.lower(), piece.upper()]):
        data = cased.encode()
        yield "in hexadecimal", data.hex()
        for shift in range(3):
            # What is not shared with the characters before and behind is left out.
            middle = slice(4 if shift else 0, -4)
            for code in (b64encode, urlsafe_b64encode):
                text = code(b"\0" * shift + data + b"\0\0").decode()[middle]
                if len(text) >= _LETTERS + 1:
                    yield "in base64", text
