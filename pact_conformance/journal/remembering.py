"""A journal with its last exchanges at hand."""

from collections import OrderedDict
from pathlib import Path

from pact_conformance.journal.exchange import Exchange
from pact_conformance.journal.journal import Journal

# So many exchanges are kept in memory, for the curl line of a failure.
RECENT = 256


class RememberingJournal(Journal):
    """A journal that also keeps the last exchanges at hand, for the text of a failure."""

    def __init__(self, path: Path, worker: str) -> None:
        super().__init__(path, worker)
        self.recent: OrderedDict[str, Exchange] = OrderedDict()

    def record(self, exchange: Exchange) -> None:
        """Append one exchange and remember it."""
        super().record(exchange)
        self.recent[exchange.id] = exchange
        while len(self.recent) > RECENT:
            self.recent.popitem(last=False)
