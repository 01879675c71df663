"""Flaws of §3.2: where a token is taken from, and that every request needs one."""

import base64
import binascii
import re
from collections.abc import Callable

from starlette.requests import Request

from pact_conformance.counterpart.flaws.registry import flaw
from pact_conformance.counterpart.provider.call import Call, bearer_token
from pact_conformance.counterpart.provider.gates import caller_is_known
from pact_conformance.counterpart.provider.provider import Provider
from pact_conformance.counterpart.provider.refusals import Unauthenticated
from pact_conformance.counterpart.provider.verifier import User

UNAUTHENTICATED_MESSAGES = (
    "3.2-bearer-required",
    "3.2-bearer-header",
    "3.2-each-request",
    "3.4-status",
    "3.4-before-body",
    "3.4-nothing-revealed",
)
"""What a Provider does not meet that serves messages without a token."""


def _open(provider: Provider, *operations: str) -> None:
    """Serve operations to callers without an Authorization header, too."""

    async def anybody_may_call(provider: Provider, call: Call) -> None:
        assert call.operation is not None
        has_none = "authorization" not in call.request.headers
        if has_none and call.operation.name in operations:
            call.user = User(issuer="", sub="anonymous")
            return
        await caller_is_known(provider, call)

    provider.gates.replace("caller_is_known", anybody_may_call)


@flaw("3.2-bearer-header", "3.2-bearer-required", "3.4-before-body", "3.4-nothing-revealed")
def serves_messages_without_a_token(provider: Provider) -> None:
    """message:send needs no token."""
    _open(provider, "send")


@flaw("3.2-bearer-required")
def lists_tasks_without_a_token(provider: Provider) -> None:
    """GET tasks needs no token."""
    _open(provider, "list")


@flaw("3.2-bearer-required")
def looks_up_tasks_without_a_token(provider: Provider) -> None:
    """GET tasks/{id} needs no token."""
    _open(provider, "get")


@flaw("3.2-bearer-required")
def cancels_tasks_without_a_token(provider: Provider) -> None:
    """tasks/{id}:cancel needs no token."""
    _open(provider, "cancel")


@flaw("3.2-bearer-required")
def refuses_to_stream_without_asking_for_a_token(provider: Provider) -> None:
    """message:stream gets its A2A error without a token."""
    _open(provider, "stream")


@flaw("3.2-bearer-required")
def refuses_to_subscribe_without_asking_for_a_token(provider: Provider) -> None:
    """tasks/{id}:subscribe gets its A2A error without a token."""
    _open(provider, "subscribe", "subscribe by GET")


@flaw("3.2-bearer-required")
def refuses_push_configs_without_asking_for_a_token(provider: Provider) -> None:
    """The operations on push configs get their A2A error without a token."""
    _open(
        provider,
        "create push config",
        "list push configs",
        "get push config",
        "delete push config",
    )


@flaw("3.2-bearer-required")
def refuses_the_extended_card_without_asking_for_a_token(provider: Provider) -> None:
    """The extended card gets its A2A error without a token."""
    _open(provider, "extended card")


def _also_take(provider: Provider, find: Callable[[Request], str | None]) -> None:
    """Take a token from elsewhere when the Authorization header has none."""

    def token_of(request: Request) -> str:
        try:
            return bearer_token(request)
        except Unauthenticated:
            found = find(request)
            if not found:
                raise
            return found

    provider.bearer_token = token_of


@flaw("3.2-bearer-header")
def takes_a_token_from_the_query(provider: Provider) -> None:
    """A token in the query parameter access_token is accepted."""
    _also_take(provider, lambda request: request.query_params.get("access_token"))


@flaw("3.2-bearer-header")
def takes_a_token_from_a_cookie(provider: Provider) -> None:
    """A token in any cookie is accepted."""
    _also_take(provider, lambda request: next(iter(request.cookies.values()), None))


@flaw("3.2-bearer-header")
def takes_a_token_from_another_header(provider: Provider) -> None:
    """A token in another header that names a bearer is accepted."""

    def find(request: Request) -> str | None:
        for name, value in request.headers.items():
            found = re.fullmatch(r"(?i)(?:bearer\s+)?([\w-]+\.[\w-]+\.[\w-]*)", value)
            if found is not None and name != "authorization":
                return found[1]
        return None

    _also_take(provider, find)


@flaw("3.2-bearer-header")
def takes_a_token_as_a_basic_password(provider: Provider) -> None:
    """A token as the password of Basic authentication is accepted."""

    def find(request: Request) -> str | None:
        scheme, _, value = request.headers.get("authorization", "").partition(" ")
        try:
            name_and_password = base64.b64decode(value).decode()
        except (binascii.Error, ValueError):
            return None
        return name_and_password.partition(":")[2] if scheme.lower() == "basic" else None

    _also_take(provider, find)


@flaw("3.2-bearer-header")
def takes_a_token_with_any_scheme(provider: Provider) -> None:
    """A token in the Authorization header is accepted with another scheme or none."""
    _also_take(provider, lambda request: request.headers.get("authorization", "").split(" ")[-1])


@flaw("3.2-bearer-case")
def wants_bearer_in_this_spelling(provider: Provider) -> None:
    """The scheme of the Authorization header is compared with case."""

    def token_of(request: Request) -> str:
        if not request.headers.get("authorization", "").startswith("Bearer "):
            raise Unauthenticated("scheme")
        return bearer_token(request)

    provider.bearer_token = token_of


@flaw(
    "3.2-bearer-header",
    "3.2-bearer-required",
    "3.2-each-request",
    "3.4-before-body",
    "3.4-nothing-revealed",
)
def authenticates_a_connection_once(provider: Provider) -> None:
    """A request without a token is served as the last good one on its connection."""
    known: dict[object, User] = {}

    async def the_connection_is_known(provider: Provider, call: Call) -> None:
        connection = call.request.scope.get("client")
        if "authorization" not in call.request.headers and connection in known:
            call.user = known[connection]
            return
        await caller_is_known(provider, call)
        if call.user is not None:
            known[connection] = call.user

    provider.gates.replace("caller_is_known", the_connection_is_known)
