"""Looks at what reached a Brand in a scene: whether anything went where it does not belong."""

from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import urlsplit

from pact_conformance.fuzz.hostile_answers.draft import Draft
from pact_conformance.fuzz.hostile_answers.making import confided
from pact_conformance.subject.seen import Seen

DELEGATION = "x-a2a-user-delegation"

# Where the agent's own JWT has business, or none comes to harm by it.
_AT_HOME = frozenset(
    {
        "message:send",
        "message:stream",
        "tasks",
        "tasks/{id}",
        "tasks/{id}:cancel",
        "tasks/{id}:subscribe",
        "push-config",
        "extended-card",
        "device_authorization",
        "token",
        "metadata",
        "jwks",
    }
)

_UNCHANGED = "5.5-agent-both-tokens"

# Where a secret belongs: the operation, and the header or the field of the form.
_BELONGS = {
    "device code": ("token", "device_code"),
    "refresh token": ("token", "refresh_token"),
}


@dataclass(frozen=True)
class Fault:
    """Something that an agent did, and that is wrong whatever is due to what it was answered."""

    requirement: str
    expected: str
    got: str
    warns: bool = False
    """It is no deviation from PACT's words, and surprises others all the same."""


def astray(seen: tuple[Seen, ...], made: Draft, audience: str) -> Iterator[Fault]:
    """Yield what went astray, the worst of each request first."""
    secrets = confided(made)
    for each in seen:
        yield from _opened_links(each)
        if each.header("x-evil") is not None:
            yield Fault(_UNCHANGED, "no header of the token's own making", "one")
        yield from _other_audience(each, audience)
        for what, secret in secrets.items():
            yield from _misplaced(each, what, secret, made)
        yield from _jwt_elsewhere(each, made)


def _opened_links(seen: Seen) -> Iterator[Fault]:
    if "/elsewhere/login" in seen.path:
        yield Fault(
            "5.3-agent-no-fetch",
            "no request for the login link",
            f"{seen.method} {_where(seen)}",
        )


def _other_audience(seen: Seen, audience: str) -> Iterator[Fault]:
    if seen.token is not None and seen.token.claims and seen.token.claims.get("aud") != audience:
        found = seen.token.claims.get("aud")
        yield Fault(
            "3.2-agent-aud",
            "the audience that was assigned in every JWT",
            f"the aud {found!r} at {_where(seen)}",
        )


def _misplaced(seen: Seen, what: str, secret: str, made: Draft) -> Iterator[Fault]:
    if not any(secret in text for text in _texts(seen)):
        return
    kind = what.removeprefix("the ").removeprefix("second ")
    home, name = _BELONGS.get(kind, ("", ""))
    if kind == "delegation token":
        others = (value for each, value in seen.headers if each.lower() != DELEGATION)
        is_whole = seen.operation in _AT_HOME and not any(
            secret in text for text in (seen.url, seen.body, *others)
        )
        requirement = "5.4-agent-one-brand" if _is_far(seen, made) else "5.5-agent-both-tokens"
    else:
        is_whole = seen.operation == home and seen.parameter(name) == secret
        requirement = "5.1-agent-endpoints"
    if is_whole or seen.url in made.opened:
        return
    place = DELEGATION if kind == "delegation token" else f"{name} at the {home} endpoint"
    is_near = not _is_far(seen, made) and seen.operation == "unmatched"
    expected, got = f"{what} in {place} alone", f"{what} at {_where(seen)}"
    yield Fault(requirement, expected, got, warns=is_near)


def _jwt_elsewhere(seen: Seen, made: Draft) -> Iterator[Fault]:
    """Say that the agent's JWT was sent to where no document of the Brand names.

    PACT does not say so in words, and the JWT is good for that one Provider alone: it warns.
    """
    is_home = seen.operation in _AT_HOME or seen.url in made.opened
    if seen.token is not None and not is_home and _is_far(seen, made):
        yield Fault(
            "2.2-agent-send-url",
            "the personal-agent JWT at the Brand's own endpoints alone",
            f"a JWT at {_where(seen)}",
            warns=True,
        )


def carries(seen: tuple[Seen, ...]) -> bool:
    """Say whether the last message came under a delegation token."""
    messages = [it for it in seen if it.message]
    return bool(messages) and messages[-1].delegation is not None


def _is_far(seen: Seen, made: Draft) -> bool:
    """Say whether a request went to another host than the Brand's."""
    return not seen.url.startswith(f"{made.names.base}/")


def _texts(seen: Seen) -> tuple[str, ...]:
    values = (value for _, value in seen.headers)
    fields = (value for _, value in seen.form)
    return (seen.url, seen.body, *values, *fields)


def _where(seen: Seen) -> str:
    """Return where a request came to, without what is random of the Brand's own."""
    begin = seen.path.find("/elsewhere")
    return seen.operation if begin < 0 else f"…{seen.path[begin:]} of {_host(seen)}"


def _host(seen: Seen) -> str:
    return urlsplit(seen.url).hostname or "no host"
