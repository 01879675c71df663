"""The compact JWS serialization and its JSON, read strictly (RFC 7515 §7.1, §5.2, RFC 7519 §4).

PyJWT forgives padding, stray bits and duplicate members. Whatever is forgiven gives one token many
spellings, and two readers two meanings; so nothing is.
"""

import base64
import json
import re
from typing import Any

_BASE64URL = re.compile(r"[A-Za-z0-9_-]*")


def decode_segment(segment: str) -> bytes:
    """Decode base64url without padding, and with nothing in the bits that carry no data.

    Raises:
        ValueError: the segment is not the one spelling of its bytes (RFC 7515 §2, RFC 4648 §3.5).
    """
    if not _BASE64URL.fullmatch(segment) or len(segment) % 4 == 1:
        raise ValueError("not base64url")
    decoded = base64.urlsafe_b64decode(segment + "=" * (-len(segment) % 4))
    if base64.urlsafe_b64encode(decoded).rstrip(b"=").decode() != segment:
        raise ValueError("base64url with stray bits")
    return decoded


def read_object(data: bytes) -> dict[str, Any]:
    """Read a JSON object in UTF-8 that has no member twice and no NaN or Infinity.

    Raises:
        ValueError: it is something else.
    """
    try:
        value = json.loads(
            data.decode("utf-8"),
            object_pairs_hook=_unique_members,
            parse_constant=_refuse_constant,
        )
    except RecursionError:
        raise ValueError("JSON nested too deeply") from None
    if not isinstance(value, dict):
        raise ValueError("no JSON object")  # noqa: TRY004 - the text's fault, not the program's
    return value


def _unique_members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise ValueError("a member stands twice")
    return members


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON")
