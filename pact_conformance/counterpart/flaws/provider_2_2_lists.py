"""Flaws of §2.2: the list of tasks."""

from starlette.datastructures import QueryParams
from starlette.responses import Response

from pact_conformance.counterpart.flaws.registry import flaw
from pact_conformance.counterpart.provider.call import Call
from pact_conformance.counterpart.provider.provider import Provider
from pact_conformance.counterpart.provider.refusals import A2ARefusal, invalid
from pact_conformance.counterpart.provider.tasks import LARGEST_PAGE_SIZE, check_filters, page_size
from pact_conformance.counterpart.substitution import (
    TASK,
    a2a,
    answering,
    change_list,
    refusing,
)


@flaw("2.2-list-tasks")
def refuses_to_list_tasks(provider: Provider) -> None:
    """GET tasks gets UNSUPPORTED_OPERATION."""
    provider.operations.handle("list", refusing("UNSUPPORTED_OPERATION"))


@flaw("2.2-list-tasks", "6-envelope")
def does_not_implement_the_list(provider: Provider) -> None:
    """GET tasks gets 501."""
    provider.operations.handle("list", answering(lambda: Response(status_code=501)))


@flaw("2.2-list-tasks")
def does_not_route_the_list(provider: Provider) -> None:
    """GET tasks gets a plain 404."""
    provider.operations.drop("list")


@flaw("2.2-list-tasks")
def lists_tasks_as_a_bare_array(provider: Provider) -> None:
    """GET tasks gets an array in place of a ListTasksResponse."""

    async def handle(provider: Provider, call: Call) -> Response:
        await listed(provider, call)
        return a2a([])

    listed = provider.operations["list"].handle
    provider.operations.handle("list", handle)


@flaw("2.2-list-tasks")
def leaves_out_an_empty_array_of_tasks(provider: Provider) -> None:
    """An empty list has no member `tasks`."""
    change_list(provider, lambda answer: answer.pop("tasks"))


@flaw("2.2-list-tasks")
def leaves_out_an_empty_page_token(provider: Provider) -> None:
    """The last page has no member `nextPageToken`."""
    change_list(provider, lambda answer: answer.pop("nextPageToken"))


@flaw("2.2-list-tasks")
def sends_null_for_an_empty_page_token(provider: Provider) -> None:
    """The last page has null as `nextPageToken`."""
    change_list(provider, lambda answer: answer.update(nextPageToken=None))


@flaw("2.2-list-tasks", "4.2-no-task")
def lists_a_task_of_somebody(provider: Provider) -> None:
    """The list holds a completed task that the caller did not start."""
    change_list(provider, lambda answer: answer.update(tasks=[TASK], totalSize=1))


@flaw("2.2-list-members-zero")
def leaves_out_a_total_of_zero(provider: Provider) -> None:
    """An empty list has no member `totalSize`."""
    change_list(provider, lambda answer: answer.pop("totalSize"))


@flaw("2.2-page-size-default")
def pages_by_20(provider: Provider) -> None:
    """Without a page size in the request it is 20."""
    provider.page_size = lambda query: page_size(query) if "pageSize" in query else 20


@flaw("2.2-page-size-default")
def pages_by_100(provider: Provider) -> None:
    """Without a page size in the request it is 100."""
    provider.page_size = lambda query: page_size(query) if "pageSize" in query else 100


def _refuse_page_size(provider: Provider, *sizes: str) -> None:
    def checked(query: QueryParams) -> int:
        if query.get("pageSize") in sizes:
            raise invalid("pageSize is out of range")
        return page_size(query)

    provider.page_size = checked


@flaw("2.2-page-size-range")
def refuses_a_page_of_1(provider: Provider) -> None:
    """The page size 1 is refused."""
    _refuse_page_size(provider, "1")


@flaw("2.2-page-size-range")
def refuses_a_page_of_100(provider: Provider) -> None:
    """The page size 100 is refused."""
    _refuse_page_size(provider, "100")


@flaw("2.2-page-size-range")
def caps_a_page_at_50(provider: Provider) -> None:
    """The page size 100 is taken for 50."""
    provider.page_size = lambda query: min(page_size(query), 50)


def _take_page_size(provider: Provider, size: str, meant: int) -> None:
    def checked(query: QueryParams) -> int:
        return meant if query.get("pageSize") == size else page_size(query)

    provider.page_size = checked


@flaw("2.2-page-size-invalid")
def accepts_a_page_of_101(provider: Provider) -> None:
    """The page size 101 is accepted."""
    _take_page_size(provider, "101", 101)


@flaw("2.2-page-size-invalid")
def caps_a_page_of_any_size(provider: Provider) -> None:
    """Page sizes above 100 are taken for 100."""

    def capped(query: QueryParams) -> int:
        size = query.get("pageSize", "")
        too_large = size.isdecimal() and int(size) > LARGEST_PAGE_SIZE
        return LARGEST_PAGE_SIZE if too_large else page_size(query)

    provider.page_size = capped


@flaw("2.2-page-size-invalid")
def takes_a_page_of_0_for_the_default(provider: Provider) -> None:
    """The page size 0 is taken as not given."""
    _take_page_size(provider, "0", 50)


@flaw("2.2-page-size-invalid")
def accepts_a_negative_page_size(provider: Provider) -> None:
    """The page size -1 is accepted."""
    _take_page_size(provider, "-1", 50)


@flaw("2.2-page-size-invalid")
def ignores_a_page_size_that_is_no_number(provider: Provider) -> None:
    """A page size of letters is taken as not given."""

    def lenient(query: QueryParams) -> int:
        return page_size(query) if query.get("pageSize", "0")[-1:].isdecimal() else 50

    provider.page_size = lambda query: lenient(query) if "pageSize" in query else 50


@flaw("2.2-page-size-invalid", "6-client-errors")
def breaks_down_at_a_page_size_that_is_no_number(provider: Provider) -> None:
    """A page size of letters gets an internal error."""

    def naive(query: QueryParams) -> int:
        if not query.get("pageSize", "0").lstrip("-").isdecimal():
            raise A2ARefusal("INTERNAL", "Cannot read pageSize")
        return page_size(query)

    provider.page_size = naive


@flaw("2.2-page-size-invalid")
def refuses_a_bad_page_size_as_unsupported(provider: Provider) -> None:
    """A bad page size gets UNSUPPORTED_OPERATION."""

    def other_reason(query: QueryParams) -> int:
        try:
            return page_size(query)
        except A2ARefusal:
            raise A2ARefusal("UNSUPPORTED_OPERATION", "Unsupported page size") from None

    provider.page_size = other_reason


@flaw("2.2-list-filters")
def refuses_the_filter_by_context(provider: Provider) -> None:
    """A list asked by contextId is refused as unsupported."""

    def refuse(query: QueryParams) -> None:
        if "contextId" in query:
            raise A2ARefusal("UNSUPPORTED_OPERATION", "Cannot filter by contextId")
        check_filters(query)

    provider.check_filters = refuse


@flaw("2.2-list-filters")
def refuses_every_filter(provider: Provider) -> None:
    """A list asked by any of A2A's filters is refused."""

    def refuse(query: QueryParams) -> None:
        if query.keys() - {"pageSize", "tenant", "A2A-Version"}:
            raise invalid("Unknown parameter")

    provider.check_filters = refuse


@flaw("2.2-list-filters")
def breaks_down_at_a_malformed_filter(provider: Provider) -> None:
    """A malformed filter gets an internal error."""

    def naive(query: QueryParams) -> None:
        try:
            check_filters(query)
        except A2ARefusal:
            raise A2ARefusal("INTERNAL", "Cannot read the filter") from None

    provider.check_filters = naive
