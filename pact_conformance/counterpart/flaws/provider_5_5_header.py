"""Flaws of §5.5: which token is looked at first, the delegation header, and what a bad one gets."""

import re
from collections.abc import Awaitable, Callable

from starlette.requests import Request
from starlette.responses import Response

from pact_conformance.counterpart.flaws.registry import flaw
from pact_conformance.counterpart.flaws.under_delegation import VERIFIED, around_delegation
from pact_conformance.counterpart.provider.answers import encode
from pact_conformance.counterpart.provider.brand_agent import Authority
from pact_conformance.counterpart.provider.call import Call
from pact_conformance.counterpart.provider.configuration import BrandConfig
from pact_conformance.counterpart.provider.conversations import Conversation
from pact_conformance.counterpart.provider.delegation.token_checks import HEADER
from pact_conformance.counterpart.provider.provider import Provider
from pact_conformance.counterpart.provider.refusals import (
    A2ARefusal,
    BadDelegation,
    Refusal,
    Unauthenticated,
    invalid,
)
from pact_conformance.counterpart.provider.verifier import User
from pact_conformance.counterpart.substitution import a2a_error
from pact_conformance.wire.errors import envelope
from pact_conformance.wire.media_types import A2A_JSON, JSON

_CHALLENGE = 'Bearer realm="a2a", error="invalid_token"'

# Both tokens


def _refuse_good_tokens(provider: Provider, refusal: Callable[[], Refusal]) -> None:
    original = provider.delegation.authority

    def authority(
        provider: Provider, brand: BrandConfig, user: User | None, text: str
    ) -> Authority:
        original(provider, brand, user, text)
        raise refusal()

    provider.delegation.authority = authority


@flaw("5.4-refresh", "5.5-served")
def takes_bearer_for_a_part_of_the_delegation_token(provider: Provider) -> None:
    """The header's whole value is read as the token, so that none is ever good."""
    provider.delegation.read_header = lambda request: request.headers.get(HEADER)


@flaw("5.4-refresh", "5.5-served")
def refuses_a_message_with_two_tokens(provider: Provider) -> None:
    """A message under a good delegation token gets INVALID_PARAMS."""
    _refuse_good_tokens(provider, lambda: invalid("Send one token"))


@flaw("5.4-refresh", "5.5-served")
def breaks_down_over_a_good_delegation_token(provider: Provider) -> None:
    """A message under a good delegation token gets INTERNAL."""
    _refuse_good_tokens(provider, lambda: A2ARefusal("INTERNAL", "Out of order"))


@flaw("5.5-served", "5.5-step-up-context", "5.5-step-up-resolved")
def serves_one_message_of_a_conversation_under_delegation(provider: Provider) -> None:
    """A further message as the same Brand user gets INVALID_PARAMS."""
    check = provider.conduct.check_brand_user

    def check_brand_user(conversation: Conversation, authority: Authority | None) -> None:
        check(conversation, authority)
        if authority is not None and conversation.brand_user == authority.brand_user:
            raise invalid("Begin another conversation")

    provider.conduct.check_brand_user = check_brand_user


@flaw("5.5-jwt-first")
def takes_a_delegation_token_for_authentication(provider: Provider) -> None:
    """Who sends a good delegation token needs no good JWT of a personal agent."""
    known = provider.gates["caller_is_known"]

    async def caller_is_known(provider: Provider, call: Call) -> None:
        try:
            await known(provider, call)
        except Unauthenticated:
            call.user = _user_of(provider, call)
            if call.user is None:
                raise

    provider.gates.replace("caller_is_known", caller_is_known)


@flaw("5.5-jwt-first")
def needs_no_agent_beside_a_delegation_token(provider: Provider) -> None:
    """Without an Authorization header a good delegation token is enough."""
    known = provider.gates["caller_is_known"]

    async def caller_is_known(provider: Provider, call: Call) -> None:
        if "authorization" not in call.request.headers:
            call.user = _user_of(provider, call)
        if call.user is None:
            await known(provider, call)

    provider.gates.replace("caller_is_known", caller_is_known)


def _user_of(provider: Provider, call: Call) -> User | None:
    """Return a User of the personal agent to which the grant of a request's token was given."""
    if call.brand is None or call.operation is None or not call.operation.takes_delegation:
        return None
    for agent in provider.verifier.agents:
        user = User(agent, "delegated")
        try:
            text = provider.delegation.read_header(call.request)
            if text is not None:
                provider.delegation.authority(provider, call.brand, user, text)
                return user
        except BadDelegation:
            continue
    return None


@flaw("5.5-jwt-first-challenge")
def looks_at_the_delegation_token_first(provider: Provider) -> None:
    """The delegation token is verified before the personal-agent JWT."""

    async def header_is_no_nonsense(provider: Provider, call: Call) -> None:
        if call.operation is not None and call.operation.takes_delegation:
            text = provider.delegation.read_header(call.request)
            if text is not None and text.count(".") != 2:
                raise BadDelegation("segments")

    provider.gates.add(header_is_no_nonsense, before="caller_is_known")


@flaw("5.5-jwt-first-challenge")
def names_the_delegation_token_whatever_is_bad(provider: Provider) -> None:
    """A 401 to a request with a delegation header always has the challenge for that token."""

    async def around(call: Call, proceed: Callable[[Call], Awaitable[Response]]) -> Response:
        response = await proceed(call)
        if response.status_code == 401 and HEADER in call.request.headers:
            response.headers["WWW-Authenticate"] = _CHALLENGE
        return response

    provider.around.append(around)


# A bad header that passes for none


def _overlook(provider: Provider, is_overlooked: Callable[[list[str]], bool]) -> None:
    """Let some values of the header pass for no header."""
    original = provider.delegation.read_header

    def read_header(request: Request) -> str | None:
        values = request.headers.getlist(HEADER)
        return None if is_overlooked(values) else original(request)

    provider.delegation.read_header = read_header


@flaw(
    *VERIFIED,
    "5.5-challenge",
    "5.5-other-brand-user",
    "5.5-retry-other-user",
    "5.6-receipt",
)
def never_looks_at_the_delegation_header(provider: Provider) -> None:
    """Every message is served under §3 alone."""
    _overlook(provider, lambda _: True)


@flaw(*VERIFIED, "5.5-challenge")
def goes_on_without_a_bad_delegation_token(provider: Provider) -> None:
    """A message with a bad delegation token is served as if it had none."""

    async def gate(_provider: Provider, call: Call, proceed: Callable[[], Awaitable[None]]) -> None:
        try:
            await proceed()
        except BadDelegation:
            call.authority = None

    around_delegation(provider, gate)


@flaw("5.5-malformed")
def overlooks_a_delegation_header_without_bearer(provider: Provider) -> None:
    """A header that does not begin with Bearer passes for absent."""

    def is_other(values: list[str]) -> bool:
        return len(values) == 1 and not values[0].lower().startswith("bearer")

    _overlook(provider, is_other)


@flaw("5.5-malformed")
def overlooks_bearer_without_a_token(provider: Provider) -> None:
    """A header with the scheme alone passes for absent."""
    _overlook(provider, lambda values: values == ["Bearer"])


@flaw("5.5-malformed")
def overlooks_the_token_null(provider: Provider) -> None:
    """A header with the token null passes for absent."""
    _overlook(provider, lambda values: values == ["Bearer null"])


@flaw("5.5-challenge", "5.5-malformed")
def overlooks_what_is_no_jwt(provider: Provider) -> None:
    """A Bearer token without the dots of a JWT passes for absent."""
    _overlook(provider, lambda values: bool(values) and "." not in values[0])


@flaw("5.5-malformed")
def overlooks_the_scheme_basic(provider: Provider) -> None:
    """A header with the credentials of another scheme passes for absent."""
    _overlook(provider, lambda values: values[:1] == ["Basic amFuZTpzZWNyZXQ="])


@flaw("5.5-malformed")
def overlooks_two_delegation_headers(provider: Provider) -> None:
    """Two lines of the header pass for none."""
    _overlook(provider, lambda values: len(values) > 1)


@flaw("5.5-malformed")
def takes_a_delegation_token_without_its_scheme(provider: Provider) -> None:
    """A good token without Bearer before it is taken."""
    _read_by(provider, re.compile(r"(?:bearer +)?([^\s,]+)", re.IGNORECASE))


@flaw("5.5-malformed")
def takes_a_delegation_token_behind_any_scheme(provider: Provider) -> None:
    """A good token is taken whatever scheme stands before it."""
    _read_by(provider, re.compile(r"\w+ +([^\s,]+)"))


def _read_by(provider: Provider, pattern: re.Pattern[str]) -> None:
    original = provider.delegation.read_header

    def read_header(request: Request) -> str | None:
        values = request.headers.getlist(HEADER)
        match = pattern.fullmatch(values[0]) if len(values) == 1 else None
        return original(request) if match is None else match[1]

    provider.delegation.read_header = read_header


@flaw("5.5-malformed")
def reads_the_first_three_segments(provider: Provider) -> None:
    """What stands behind the third segment of a delegation token is not looked at."""
    original = provider.delegation.read_header

    def read_header(request: Request) -> str | None:
        text = original(request)
        return None if text is None else ".".join(text.split(".")[:3])

    provider.delegation.read_header = read_header


@flaw("5.5-malformed")
def takes_a_receipt_for_a_delegation_token(provider: Provider) -> None:
    """A receipt, which the same keys sign, gives what its grant gives."""
    original = provider.delegation.token_steps["signature_is_ours"]
    steps = provider.delegation.token_steps

    def signature_is_ours(provider: Provider, token: object) -> None:
        original(provider, token)  # type: ignore[arg-type]
        claims = token.claims  # type: ignore[attr-defined]
        grant = provider.delegation.grants.get(str(claims.get("grantId")))
        if grant is not None:
            claims |= {
                "iss": provider.delegation.issuer(provider, grant.brand_id),
                "aud": provider.interface(grant.brand_id),
                "sub": grant.brand_user,
                "client_id": grant.client_id,
                "scope": " ".join(grant.scopes),
                "grant_id": grant.id,
                "exp": grant.expires_at,
            }

    steps.replace("signature_is_ours", signature_is_ours)


@flaw("5.5-challenge", "5.5-malformed", "6-client-errors")
def breaks_down_over_what_is_no_jwt(provider: Provider) -> None:
    """A delegation token without three segments gets INTERNAL."""
    original = provider.delegation.authority

    def authority(
        provider: Provider, brand: BrandConfig, user: User | None, text: str
    ) -> Authority:
        if text.count(".") != 2:
            raise A2ARefusal("INTERNAL", "Out of order")
        return original(provider, brand, user, text)

    provider.delegation.authority = authority


# What a bad one gets


def _answer_bad_ones(provider: Provider, response: Callable[[], Response]) -> None:
    provider.answers.bad_delegation = lambda _refusal: response()


def _challenge(provider: Provider, value: str) -> None:
    _answer_bad_ones(provider, lambda: Response(None, 401, {"WWW-Authenticate": value}))


@flaw("5.5-challenge")
def challenges_a_delegation_token_like_a_jwt(provider: Provider) -> None:
    """A bad delegation token gets the plain challenge of §3.4."""
    _challenge(provider, 'Bearer realm="a2a"')


@flaw("5.5-challenge")
def challenges_with_another_realm(provider: Provider) -> None:
    """The challenge for a bad delegation token has a realm of its own."""
    _challenge(provider, 'Bearer realm="delegation", error="invalid_token"')


@flaw("5.5-challenge")
def challenges_without_a_realm(provider: Provider) -> None:
    """The challenge for a bad delegation token has no realm."""
    _challenge(provider, 'Bearer error="invalid_token"')


@flaw("5.5-challenge")
def challenges_with_insufficient_scope(provider: Provider) -> None:
    """The challenge for a bad delegation token has the error insufficient_scope."""
    _challenge(provider, 'Bearer realm="a2a", error="insufficient_scope"')


@flaw("5.5-challenge")
def challenges_with_a_scheme_of_its_own(provider: Provider) -> None:
    """The challenge for a bad delegation token has the scheme Delegation."""
    _challenge(provider, 'Delegation realm="a2a", error="invalid_token"')


@flaw("5.5-challenge")
def does_not_challenge_a_bad_delegation_token(provider: Provider) -> None:
    """The 401 for a bad delegation token has no WWW-Authenticate."""
    _answer_bad_ones(provider, lambda: Response(None, 401))


@flaw("5.5-challenge")
def tells_the_error_in_the_body_alone(provider: Provider) -> None:
    """The 401 for a bad delegation token has its error in OAuth's JSON, not in the challenge."""
    body = encode({"error": "invalid_token"})
    headers = {"WWW-Authenticate": 'Bearer realm="a2a"'}
    _answer_bad_ones(provider, lambda: Response(body, 401, headers, JSON))


@flaw("5.5-no-a2a-body")
def explains_a_bad_delegation_token_in_an_a2a_error(provider: Provider) -> None:
    """The 401 for a bad delegation token has an A2A error with UNAUTHENTICATED."""
    body = envelope("UNAUTHENTICATED", "Bad token", http=401, status="UNAUTHENTICATED")
    headers = {"WWW-Authenticate": _CHALLENGE}
    _answer_bad_ones(provider, lambda: Response(encode(body), 401, headers, A2A_JSON))


@flaw("5.5-no-a2a-body")
def explains_a_bad_delegation_token_in_plain_json(provider: Provider) -> None:
    """The 401 for a bad delegation token has code, status and message of AIP-193 in JSON."""
    error = {"code": 401, "status": "UNAUTHENTICATED", "message": "Bad token"}
    headers = {"WWW-Authenticate": _CHALLENGE}
    _answer_bad_ones(provider, lambda: Response(encode({"error": error}), 401, headers, JSON))


@flaw(*VERIFIED, "5.5-challenge", "6-envelope")
def forbids_what_a_bad_delegation_token_asks_for(provider: Provider) -> None:
    """A bad delegation token gets 403."""
    headers = {"WWW-Authenticate": _CHALLENGE}
    _answer_bad_ones(provider, lambda: Response(None, 403, headers))


@flaw(*VERIFIED, "5.5-challenge")
def takes_a_bad_delegation_token_for_invalid_params(provider: Provider) -> None:
    """A bad delegation token gets INVALID_PARAMS."""
    _answer_bad_ones(provider, lambda: a2a_error("INVALID_PARAMS"))
