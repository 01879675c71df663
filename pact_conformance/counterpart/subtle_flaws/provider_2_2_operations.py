"""Subtle flaws of §2.2: how queries and ids are read."""

import re
from collections.abc import Callable
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from pact_conformance.counterpart.flaws.registry import subtle_flaw
from pact_conformance.counterpart.provider.call import Call
from pact_conformance.counterpart.provider.provider import Provider
from pact_conformance.counterpart.provider.refusals import invalid

if TYPE_CHECKING:
    from starlette.datastructures import QueryParams

    from pact_conformance.counterpart.provider.delegation.step_up import StepUp


def _read_page_size(provider: Provider, read: Callable[[str], int | None]) -> None:
    """Let `read` say what a page size is; where it says nothing it is read as ever."""
    original = provider.page_size

    def page_size(query: "QueryParams") -> int:
        size = read(query.get("pageSize", ""))
        if size is not None and 1 <= size <= 100:
            return size
        return original(query)

    provider.page_size = page_size


@subtle_flaw("2.2-page-size-invalid")
def reads_page_sizes_as_its_language_does(provider: Provider) -> None:
    """A pageSize may have underscores between its digits."""

    def read(value: str) -> int | None:
        return int(value) if re.fullmatch(r"[0-9]+(_[0-9]+)+", value) else None

    _read_page_size(provider, read)


@subtle_flaw("2.2-page-size-invalid")
def cuts_page_sizes_to_32_bits(provider: Provider) -> None:
    """Of a pageSize of more than 32 bits the last 32 count."""

    def read(value: str) -> int | None:
        return int(value) % 2**32 if re.fullmatch(r"[0-9]{10,30}", value) else None

    _read_page_size(provider, read)


@subtle_flaw("2.2-page-size-range")
def serves_no_page_between_64_and_100(provider: Provider) -> None:
    """A pageSize from 65 to 99 is refused."""
    original = provider.page_size

    def page_size(query: "QueryParams") -> int:
        size = original(query)
        if 64 < size < 100:
            raise invalid("pageSize must be 1 to 64, or 100")
        return size

    provider.page_size = page_size


@subtle_flaw("2.2-list-filters", "6-client-errors")
def breaks_down_at_a_day_that_no_calendar_has(provider: Provider) -> None:
    """A time of the right form on the 30th of February gets 500."""
    original = provider.check_filters
    form = re.compile(r"(\d{4})-(\d\d)-(\d\d)T\d\d:\d\d:\d\d(\.\d+)?Z")

    def check_filters(query: "QueryParams") -> None:
        found = form.fullmatch(query.get("statusTimestampAfter", ""))
        if found is not None:
            datetime(int(found[1]), int(found[2]), int(found[3]), tzinfo=UTC)
        original(query)

    provider.check_filters = check_filters


@subtle_flaw("6-client-errors")
def breaks_down_at_a_nul_in_the_id_of_a_task(provider: Provider) -> None:
    """An id with U+0000 in it, which databases do not store, gets 500."""
    original = provider.find_task

    def find_task(provider: Provider, call: Call) -> "StepUp":
        if "\0" in call.path_members["id"]:
            raise RuntimeError("no such text in the database")
        return original(provider, call)

    provider.find_task = find_task


@subtle_flaw("2.2-get-task", "2.2-cancel-task")
def refuses_a_tilde_in_the_id_of_a_task(provider: Provider) -> None:
    """The id of a task with a tilde in it, which URLs may have, is refused as invalid."""
    original = provider.find_task

    def find_task(provider: Provider, call: Call) -> "StepUp":
        if "~" in call.path_members["id"]:
            raise invalid("The id has characters that no id has")
        return original(provider, call)

    provider.find_task = find_task
