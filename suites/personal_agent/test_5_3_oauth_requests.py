"""§5.3 Every request to an authorization server: who sends it, and as what."""

from collections.abc import Iterator

import pytest

from pact_conformance import expect
from pact_conformance.grants import Tried
from pact_conformance.rig import requirement
from pact_conformance.subject.seen import Seen
from pact_conformance.subject.stage import Stage
from pact_conformance.verdicts import Deviation, Untested
from pact_conformance.wire.oauth import DEVICE_CODE_GRANT, REFRESH_TOKEN_GRANT

from .delegating_tokens import Acted, Renewed

_FORM = "application/x-www-form-urlencoded"

_PARAMETERS = frozenset(
    {"client_id", "scope", "grant_type", "device_code", "refresh_token", "client_assertion"}
)

# What the Provider may hold against a token that the agent could not know.
_NOT_ITS_FAULT = "disabled"


def _asked(stage: Stage, one_turn: Tried[Acted]) -> Iterator[Seen]:
    """Yield each request to an OAuth endpoint.

    Raises:
        Untested: there is none.
    """
    found = [it for it in stage.everything() if it.operation in {"device_authorization", "token"}]
    if not found:
        one_turn.had()
        raise Untested("no OAuth request came", do="see 5.1-agent-finds-scheme")
    yield from found


@requirement("5.3-agent-client-auth")
@pytest.mark.last
def test_every_oauth_request_has_the_jwt(
    stage: Stage, one_turn: Tried[Acted], expiring_token: Tried[Renewed]
) -> None:
    del expiring_token
    wanted = "Authorization: Bearer with the personal-agent JWT"
    for seen in _asked(stage, one_turn):
        expect.that(seen.token is not None, wanted, f"none at {_named(seen)}")
        verified = seen.verified
        if verified is not None and not verified.ok and _NOT_ITS_FAULT not in verified.why:
            raise Deviation(wanted, f"one at {_named(seen)} that is refused: {verified.why}")


@requirement("5.3-agent-client-id")
@pytest.mark.last
def test_the_client_id_is_the_issuer(
    stage: Stage, one_turn: Tried[Acted], expiring_token: Tried[Renewed]
) -> None:
    del expiring_token
    forms = [it for it in _asked(stage, one_turn) if _PARAMETERS.intersection(dict(it.form))]
    if not forms:
        raise Untested("no request was a form", do="see 5.3-agent-form")
    for seen in forms:
        client_id, issuer = seen.parameter("client_id"), stage.address.issuer
        if client_id is None and _is_refresh(seen):
            expect.note("a refresh names no client_id, as RFC 6749 §6 has it")
            continue
        got = "none" if client_id is None else repr(client_id)
        expect.that(client_id == issuer, f"client_id {issuer}", f"{got} at {_named(seen)}")


@requirement("5.3-agent-form")
@pytest.mark.last
def test_every_oauth_request_is_a_form_of_rfc_8628(
    stage: Stage, one_turn: Tried[Acted], expiring_token: Tried[Renewed]
) -> None:
    del expiring_token
    for seen in _asked(stage, one_turn):
        where = f" at {_named(seen)}"
        expect.that(seen.method == "POST", "POST", seen.method + where)
        kind = (seen.header("content-type") or "none").partition(";")[0].strip().lower()
        expect.that(kind == _FORM, _FORM, kind + where)
        query = seen.url.partition("?")[2]
        in_query = [it for it in _PARAMETERS if f"{it}=" in query]
        expect.that(not in_query, "parameters in the body", f"{in_query} in the query{where}")
        names = [name for name, _ in seen.form]
        twice = sorted({it for it in names if names.count(it) > 1})
        expect.that(not twice, "each parameter once", f"{', '.join(twice)} several times{where}")
        if seen.operation == "token":
            _is_a_grant(seen)


def _is_a_grant(seen: Seen) -> None:
    """Demand the parameters of a poll or of a refresh (RFC 8628 §3.4, RFC 6749 §6)."""
    grant_type = seen.parameter("grant_type")
    needed = {DEVICE_CODE_GRANT: "device_code", REFRESH_TOKEN_GRANT: "refresh_token"}
    expect.that(
        grant_type in needed,
        f"grant_type {DEVICE_CODE_GRANT} or {REFRESH_TOKEN_GRANT}",
        repr(grant_type),
    )
    name = needed[str(grant_type)]
    expect.that(bool(seen.parameter(name)), f"{name} beside grant_type {grant_type}", "none")


def _is_refresh(seen: Seen) -> bool:
    return seen.parameter("grant_type") == REFRESH_TOKEN_GRANT


def _named(seen: Seen) -> str:
    begins = seen.operation == "device_authorization"
    endpoint = "device authorization endpoint" if begins else "token endpoint"
    return f"the {endpoint} ({seen.exchange_id})"
