"""What counts as blank text (§4.1), by Unicode and not by what Python happens to strip.

`str.isspace` also takes the four information separators U+001C to U+001F, which do not have the
White_Space property; a text of them is not blank by the standard.
"""

WHITE_SPACE = frozenset(
    "\t\n\v\f\r "
    "\u0085\u00a0\u1680"
    "\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000"
)
"""The characters with the property White_Space (Unicode, PropList.txt): a stable set of 25."""

ZERO_WIDTH = frozenset("\u200b\u200c\u200d\u2060\ufeff")
"""Characters that show nothing and yet are not White_Space: whether they count is open."""


def is_blank(text: str) -> bool:
    """Say whether a text holds nothing but White_Space; the empty text is blank."""
    return WHITE_SPACE.issuperset(text)
