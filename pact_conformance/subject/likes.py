"""Ids that nobody has, of the form of one that somebody has.

A Provider may look at the form of an id before it looks for it, so an unknown one of another form
would be answered differently without anything being told.
"""

import re
import secrets
import string
import uuid

_UUID = re.compile(r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
# The most specific class comes first: a hexadecimal id stays one.
_CLASSES = (string.digits, string.ascii_lowercase, string.ascii_uppercase)

# Of ids with fewer letters and digits many are held, be it by whoever asks: they are counted.
_FEWEST = 8


def like(held: str) -> str:
    """Return an id of the same length and classes of characters, separators kept.

    A UUID gives a UUID of version 4; letters of an id that is hexadecimal stay hexadecimal. Of one
    so short that others like it are held too, the last letter or digit is drawn out.
    """
    if _UUID.fullmatch(held):
        made = str(uuid.uuid4())
        return made.upper() if held.upper() == held else made
    bare = re.sub(r"[^0-9A-Za-z]", "", held)
    hexadecimal = bool(bare) and all(char in string.hexdigits for char in bare)
    drawn_out = (bare[-1:] or "0") * max(0, _FEWEST - len(bare)) * 2
    return "".join(_another(char, hexadecimal=hexadecimal) for char in held + drawn_out)


def some_like(held: str) -> tuple[str, ...]:
    """Return three such ids: among the answers to them chance and meaning can be told apart."""
    return like(held), like(held), like(held)


def _another(char: str, *, hexadecimal: bool) -> str:
    for members in _CLASSES:
        if char in members:
            if hexadecimal and members is not string.digits:
                members = members[:6]  # noqa: PLW2901 - a to f
            return secrets.choice(members)
    return char
