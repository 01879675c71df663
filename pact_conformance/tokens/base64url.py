"""Base64url without padding (RFC 7515 §2), the alphabet of every JOSE segment."""

from base64 import urlsafe_b64decode, urlsafe_b64encode


def encode(data: bytes) -> str:
    """Return bytes as base64url without padding."""
    return urlsafe_b64encode(data).rstrip(b"=").decode("ascii")


def decode(text: str) -> bytes:
    """Return the bytes of base64url; padding may be there or not.

    Raises:
        ValueError: the text has a character or a length that base64url cannot have.
    """
    if not text.isascii() or not set(text.rstrip("=")) <= _ALPHABET:
        raise ValueError("not base64url")
    bare = text.rstrip("=")
    return urlsafe_b64decode(bare + "=" * (-len(bare) % 4))


def integer(text: str) -> int:
    """Return a number in the form of a JWK member (RFC 7518 §2, Base64urlUInt)."""
    return int.from_bytes(decode(text), "big")


def from_integer(number: int, size: int | None = None) -> str:
    """Return a number in the form of a JWK member, in the fewest bytes or in `size` of them."""
    return encode(number.to_bytes(size or max(1, (number.bit_length() + 7) // 8), "big"))


_ALPHABET = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
