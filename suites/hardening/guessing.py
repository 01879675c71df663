"""How much there is to guess of codes, by what is seen of some."""

import math
import string
from collections.abc import Sequence

# Kinds of characters that codes are made of, the fewest first.
_ALPHABETS: Sequence[str] = (
    string.digits,
    string.hexdigits[:16],
    string.ascii_lowercase,
    string.ascii_lowercase + string.digits,
    string.ascii_letters,
    string.ascii_letters + string.digits,
    string.ascii_letters + string.digits + "-_",
)


def bits_of(codes: Sequence[str]) -> float:
    """Return the bits that codes have at most: places that change, and the kinds of characters.

    Whether letters are large or small counts for nothing where all are the same.
    """
    bare = list(codes)
    if all(it == it.upper() for it in bare):
        bare = [it.lower() for it in bare]
    shortest = min(map(len, bare))
    changing = [place for place in range(shortest) if len({it[place] for it in bare}) > 1]
    used = {it[place] for it in bare for place in changing}
    size = next((len(it) for it in _ALPHABETS if used <= set(it)), 95)
    return len(changing) * math.log2(size)
