"""The device flow as the client runs it (RFC 8628, §5.3)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from pact_conformance.counterpart.personal_agent import documents
from pact_conformance.counterpart.personal_agent.delegation.oauth import OAuthError
from pact_conformance.counterpart.personal_agent.failure import Failure, Unanswered
from pact_conformance.counterpart.personal_agent.results import NeedsSignIn
from pact_conformance.counterpart.personal_agent.store import Grant, Relation, SignIn, Waiting
from pact_conformance.wire.oauth import DEVICE_CODE_GRANT

if TYPE_CHECKING:
    from pact_conformance.counterpart.personal_agent.personal_agent import PersonalAgent

DEFAULT_INTERVAL = 5.0
"""Seconds between two polls where the Brand gives none (RFC 8628 §3.2)."""

SLOWER_BY = 5.0
"""Seconds that `slow_down` adds (RFC 8628 §3.5)."""

LOST_POLLS = 3
"""How many polls in a row may get no answer."""


@dataclass(frozen=True)
class DeviceRequest:
    """What is asked for."""

    relation: Relation
    scopes: tuple[str, ...]


DeviceField = Callable[["PersonalAgent", DeviceRequest], str | None]
PollField = Callable[["PersonalAgent", Relation, SignIn], str | None]
PollReaction = Callable[["PersonalAgent", Relation, SignIn], None]
"""Acts on an error of the token endpoint: returns to go on polling, or raises Failure."""


def device_form() -> dict[str, DeviceField]:
    """Return the fields of the device authorization request, each by itself."""
    return {
        "client_id": lambda agent, request: agent.delegation.client_id(agent, request.relation),
        "scope": lambda _agent, request: " ".join(request.scopes),
    }


def poll_form() -> dict[str, PollField]:
    """Return the fields of a poll, each by itself."""
    return {
        "grant_type": lambda _agent, _relation, _sign_in: DEVICE_CODE_GRANT,
        "device_code": lambda _agent, _relation, sign_in: sign_in.device_code,
        "client_id": lambda agent, relation, _sign_in: agent.delegation.client_id(agent, relation),
    }


def ask(
    agent: "PersonalAgent", relation: Relation, scopes: Sequence[str] | None, waiting: Waiting
) -> NeedsSignIn:
    """Begin a device flow, and return the link for the User; what waits for it is kept.

    Raises:
        Failure: it cannot be begun.
    """
    wanted = agent.delegation.wanted_scopes(agent, relation, scopes)
    sign_in = agent.delegation.begin(agent, relation, wanted)
    sign_in.waiting = waiting
    agent.store.sign_ins[relation.key] = sign_in
    return NeedsSignIn(sign_in.link, sign_in.scopes, waiting.conversation.handle)


def begin(agent: "PersonalAgent", relation: Relation, scopes: tuple[str, ...]) -> SignIn:
    """Ask for a device code.

    Raises:
        Failure: there is none.
    """
    request = DeviceRequest(relation, scopes)
    fields = {it: field(agent, request) for it, field in agent.delegation.device_form.items()}
    form = {name: value for name, value in fields.items() if value is not None}
    url = agent.delegation.endpoints(agent, relation).device_authorization
    answer = agent.delegation.post(agent, relation, url, form)
    return agent.delegation.read_sign_in(agent, request, answer)


def read_sign_in(
    agent: "PersonalAgent",
    request: DeviceRequest,
    answer: Any,  # noqa: ANN401 - a JSON object
) -> SignIn:
    """Return the device flow that a device authorization response begins.

    Raises:
        Failure: what the flow needs is not there.
    """
    device_code = documents.text(answer, "device_code")
    link = agent.delegation.login_link(answer)
    if device_code is None or link is None:
        raise Failure("the Brand has answered without a device code or a link to its login")
    now = agent.now(request.relation)
    interval = agent.delegation.interval(answer)
    lifetime = agent.delegation.code_lifetime(agent, answer)
    return SignIn(device_code, link, request.scopes, interval, now + interval, now + lifetime)


def login_link(answer: object) -> str | None:
    """Return the link for the User, as it is (§5.3); None: there is none that a browser opens."""
    link = documents.text(answer, "verification_uri_complete")
    try:
        parts = urlsplit(link or "")
    except ValueError:
        return None
    return link if parts.scheme in ("http", "https") and parts.netloc else None


def interval(answer: object) -> float:
    """Return the seconds between two polls: never under one, so that nobody is hammered."""
    found = documents.number(answer, "interval")
    return DEFAULT_INTERVAL if found is None or found < 0 else max(1.0, found)


def code_lifetime(agent: "PersonalAgent", answer: object) -> float:
    """Return for how many seconds the code is polled at most."""
    found = documents.number(answer, "expires_in")
    longest = agent.config.longest_sign_in
    return longest if found is None else min(found, longest)


def finish(agent: "PersonalAgent", relation: Relation, sign_in: SignIn) -> Grant:
    """Poll until the User has decided or the code is over, and return what was granted.

    Raises:
        Failure: nothing was.
    """
    lost = 0
    while True:
        agent.delegation.wait_to_poll(agent, relation, sign_in)
        try:
            answer = agent.delegation.poll(agent, relation, sign_in)
        except OAuthError as error:
            lost = 0
            agent.delegation.react_to_poll(agent, relation, sign_in, error.code)
        except Unanswered:
            # RFC 8628 §3.5: polls that get no answer become rarer.
            lost += 1
            sign_in.interval *= 2
            if lost >= LOST_POLLS:
                raise
        else:
            return agent.delegation.read_grant(agent, relation, answer, sign_in.scopes)
        sign_in.next_poll = agent.now(relation) + sign_in.interval


def wait_to_poll(agent: "PersonalAgent", relation: Relation, sign_in: SignIn) -> None:
    """Wait until the next poll may come.

    Raises:
        Failure: the code is over by then.
    """
    if sign_in.next_poll >= sign_in.expires_at:
        raise Failure("nobody has signed in while the link was good")
    agent.sleep(relation, sign_in.next_poll - agent.now(relation))
    if agent.now(relation) >= sign_in.expires_at:
        raise Failure("nobody has signed in while the link was good")


def poll(agent: "PersonalAgent", relation: Relation, sign_in: SignIn) -> Any:  # noqa: ANN401 - a JSON object
    """Ask for the token once, and return the token response.

    Raises:
        OAuthError: there is none, or not yet.
        Failure: anything else.
    """
    fields = agent.delegation.poll_form.items()
    values = {name: field(agent, relation, sign_in) for name, field in fields}
    form = {name: value for name, value in values.items() if value is not None}
    url = agent.delegation.endpoints(agent, relation).token
    return agent.delegation.post(agent, relation, url, form)


def poll_reactions() -> dict[str, PollReaction]:
    """Return what is done about the errors that a poll may get; any other one ends the flow."""
    return {
        "authorization_pending": go_on,
        "slow_down": slow_down,
        "access_denied": stop_denied,
        "expired_token": stop_expired,
    }


def react_to_poll(agent: "PersonalAgent", relation: Relation, sign_in: SignIn, code: str) -> None:
    """Act on the error of a poll.

    Raises:
        Failure: it ends the flow.
    """
    reaction = agent.delegation.poll_reactions.get(code)
    if reaction is None:
        raise OAuthError(code)
    reaction(agent, relation, sign_in)


def go_on(_agent: "PersonalAgent", _relation: Relation, _sign_in: SignIn) -> None:
    """Poll again: the User has not decided yet."""


def slow_down(_agent: "PersonalAgent", _relation: Relation, sign_in: SignIn) -> None:
    """Poll again, and from now on at longer intervals."""
    sign_in.interval += SLOWER_BY


def stop_denied(_agent: "PersonalAgent", _relation: Relation, _sign_in: SignIn) -> None:
    """End the flow.

    Raises:
        Failure: always.
    """
    raise Failure("the User has refused (access_denied)")


def stop_expired(_agent: "PersonalAgent", _relation: Relation, _sign_in: SignIn) -> None:
    """End the flow.

    Raises:
        Failure: always.
    """
    raise Failure("the link is no longer good (expired_token)")
