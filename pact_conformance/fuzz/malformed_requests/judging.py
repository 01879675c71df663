"""What an answer to a malformed request shows, and whether it is what is due (§2.2, §4.1, §6)."""

from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from pact_conformance.expect.answers import describe
from pact_conformance.fuzz.family import Fate, Trial
from pact_conformance.fuzz.kind import Due
from pact_conformance.fuzz.malformed_requests.draft import Draft
from pact_conformance.journal.answer import Answer
from pact_conformance.subject.probe import bought_a_turn
from pact_conformance.wire.errors import is_a2a_body

# What a server in front of the Provider answers by itself where it does not like a request, or does
# not get it through. No Provider is blamed for any of them.
_OF_A_SERVER = frozenset(
    {101, 403, 406, 408, 411, 413, 414, 417, 421, 425, 426, 429, 431, 451, 501, 505, 506, 510, 511}
)
# Of these a Provider itself has the word where a request is HTTP's everyday fare.
_OF_THE_PROVIDER = frozenset({403, 406, 501})
_OF_A_GATEWAY = frozenset({502, 503, 504, *range(520, 531)})

REFUSED = "INVALID_PARAMS"
"""The reason of what is malformed (§6)."""


@dataclass(frozen=True)
class Verdict:
    """What an answer shows: what was due where it was not that, and how it was read."""

    fate: Fate
    expected: str = ""
    warning: str = ""


def judged(answer: Answer, draft: Draft, due: Due, said: str) -> Trial:
    """Return what came of a request, judged by what is due to it."""
    found = _Reading(answer, draft, due, said).verdict()
    got = describe(answer) if found.expected else ""
    return Trial(found.fate, found.expected, got, found.warning, answer.exchange_id)


@dataclass(frozen=True)
class _Reading:
    answer: Answer
    draft: Draft
    due: Due
    said: str

    def verdict(self) -> Verdict:
        if self.answer.status == HTTPStatus.TOO_MANY_REQUESTS or self._is_of_a_gateway:
            return Verdict("undecided")
        if bought_a_turn(self.answer):
            return Verdict("accepted", "a refusal: there is nothing in it to be answered")
        if self.draft.unrouted:
            return self._unrouted()
        return self._routed() if self.reason is not None or self._is_list else self._bare()

    @property
    def reason(self) -> str | None:
        """The reason of the A2A error that came; None where none did."""
        error = self.answer.error
        return None if error is None or self.answer.status < 400 else error.reason

    @property
    def _is_of_a_gateway(self) -> bool:
        return self.answer.status in _OF_A_GATEWAY and self.answer.error is None

    @property
    def _is_list(self) -> bool:
        return self.answer.status == HTTPStatus.OK and not self.draft.reason

    @property
    def _is_of_http(self) -> bool:
        return self.draft.layer == "http"

    def _unrouted(self) -> Verdict:
        """Judge a request that is no operation: 404 or 405 without A2A's body (§2.2)."""
        status = self.answer.status
        expected = "404 or 405 without an A2A body"
        if is_a2a_body(self.answer.json):
            return Verdict("accepted", expected)
        if status in _OF_A_SERVER or 300 <= status < 400 or status == 401:
            return Verdict("undecided")
        return Verdict("refused", "" if status in {400, 404, 405, 415} else expected)

    def _routed(self) -> Verdict:
        """Judge an answer that is A2A's."""
        is_read = self.reason == (self.draft.reason or None)
        may_be = {self.draft.reason, REFUSED, *self.draft.reasons}
        if self.draft.reason == REFUSED:
            is_as_due = self.reason in may_be
            return Verdict("refused", "" if is_as_due else self._expected(may_be))
        if self.due == "accepted":
            return self._accepted(is_read=is_read)
        if self.due == "refused":
            may_be -= {self.draft.reason}
        fate: Fate = "accepted" if is_read else "refused"
        if (self.reason or "") not in may_be:
            return Verdict(fate, self._expected(may_be))
        return Verdict(fate, warning=self._warning(is_read=is_read))

    def _accepted(self, *, is_read: bool) -> Verdict:
        if not is_read:
            return Verdict("refused", self._expected({self.draft.reason}))
        body: Any = self.answer.json
        if self.draft.reason:
            return Verdict("accepted")
        if not isinstance(body, dict) or body.get("tasks") != []:
            return Verdict("accepted", "200 with an empty list of tasks")
        asked = self.draft.page_size
        if asked is not None and body.get("pageSize") not in {asked, 0, None}:
            return Verdict("accepted", f"200 with an empty list and pageSize {asked}")
        return Verdict("accepted")

    def _warning(self, *, is_read: bool) -> str:
        if self.due == "warn-if-accepted" and is_read:
            return f"accepted: {self.said}"
        if self.due == "warn-if-refused" and not is_read:
            return f"refused: {self.said}"
        return ""

    def _bare(self) -> Verdict:
        """Judge an answer without A2A's form: a server's in front, or one that has to have it."""
        status = self.answer.status
        may_be = {self.draft.reason, REFUSED, *self.draft.reasons}
        is_told = self.due == "refused" and self.draft.reason != REFUSED
        expected = self._expected(may_be - ({self.draft.reason} if is_told else set()))
        if status == HTTPStatus.UNAUTHORIZED and self.draft.of_scheme:
            return Verdict("refused", warning=self._warning(is_read=False))
        of_a_server = _OF_A_SERVER - (frozenset() if self._is_of_http else _OF_THE_PROVIDER)
        if status in self.draft.bare | of_a_server:
            return Verdict("undecided")
        if status >= HTTPStatus.INTERNAL_SERVER_ERROR:
            return Verdict("undecided", expected)
        if self.due == "accepted":
            return Verdict("refused", self._expected({self.draft.reason}))
        if self._is_of_http and (status >= 300 or self._may_be_served):
            return Verdict("refused" if status >= 400 else "undecided")
        return Verdict("undecided", expected)

    @property
    def _may_be_served(self) -> bool:
        return self.draft.asks or self.draft.method == "GET"

    def _expected(self, reasons: set[str]) -> str:
        named = " or ".join(sorted(it for it in reasons if it))
        served = "" not in reasons
        if served:
            return f"the A2A error {named}"
        return f"200 with a list, or the A2A error {named}" if named else "200 with a list of tasks"
