"""How much there is to guess of codes, by what is seen of some."""

import math
import string
from collections.abc import Callable, Sequence

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


# So many codes show which characters they are made of, and which of them never change.
CODES = 4

# In four codes some digit is the same by chance once in a hundred times, in eight once in a
# million.
MORE_CODES = 8


def enough(another: Callable[[int], str], least: float) -> tuple[str, ...]:
    """Return codes: some, and more where those do not show as many bits as there should be.

    Args:
        another: gets one, told its number.
        least: bits.
    """
    codes = tuple(map(another, range(CODES)))
    if bits_of(codes) >= least:
        return codes
    return (*codes, *map(another, range(CODES, MORE_CODES)))


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
