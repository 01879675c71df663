"""Secrets that are known by value, and which of them stand in a text.

A run of device flows gives thousands of texts that stand for a secret. To look for each by itself
would take longer than the exchange; so they are found by their last characters, which is one look
at each place of the text, however many there are.
"""

from collections import OrderedDict
from collections.abc import Collection, Iterable, Mapping

_TAIL = 4
_FEW = 256
"""So many texts are sooner looked for one by one."""


class Known:
    """Texts that stand for secrets, with what is written instead; the oldest are let go.

    Args:
        most: how many are kept; all, if None.
    """

    def __init__(self, most: int | None = None) -> None:
        self._most = most
        self._marks: OrderedDict[str, str] = OrderedDict()
        self._by_tail: dict[str, set[str]] = {}

    def __len__(self) -> int:
        return len(self._marks)

    def keep(self, forms: Iterable[str], mark: str) -> None:
        """Know the forms of a secret from now on."""
        for form in forms:
            self._marks[form] = mark
            self._marks.move_to_end(form)
            self._by_tail.setdefault(form[-_TAIL:], set()).add(form)
        while self._most is not None and len(self._marks) > self._most:
            self._forget(self._marks.popitem(last=False)[0])

    def _forget(self, form: str) -> None:
        tail = form[-_TAIL:]
        self._by_tail[tail].discard(form)
        if not self._by_tail[tail]:
            del self._by_tail[tail]

    def among(self, tails: Collection[str]) -> dict[str, str]:
        """Return what ends in one of these tails."""
        found = self._by_tail.keys() & tails
        return {form: self._marks[form] for tail in found for form in self._by_tail[tail]}

    def all(self) -> Mapping[str, str]:
        """Return everything that is known."""
        return self._marks


def hits(known: Iterable[Known], text: str) -> dict[str, str]:
    """Return the known texts that stand in a text; where two know one, the later says its mark."""
    sources = list(known)
    if sum(map(len, sources)) <= _FEW:
        candidates = [source.all() for source in sources]
    else:
        tails = {text[at : at + _TAIL] for at in range(len(text))}
        candidates = [source.among(tails) for source in sources]
    return {form: mark for marks in candidates for form, mark in marks.items() if form in text}
