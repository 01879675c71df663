"""Verbs for what the OAuth endpoints answer (§5.3, §6; RFC 6749 §5, RFC 8628 §3.2 and §3.5)."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pact_conformance.expect.answers import describe, settled, status
from pact_conformance.journal.answer import Answer
from pact_conformance.verdicts import Deviation
from pact_conformance.wire.schema import problems

_SECRETS = ("device_code", "user_code", "access_token", "refresh_token", "verification_uri")
"""Members whose values are not shown, not even in part, when they are not what they should be."""


@dataclass(frozen=True)
class DeviceCodes:
    """The answer that begins a device flow (RFC 8628 §3.2)."""

    device_code: str = field(repr=False)
    user_code: str = field(repr=False)
    verification_uri: str = field(repr=False)
    link: str | None = field(repr=False)
    """`verification_uri_complete`; None where it is left out, which 5.3 does not allow."""
    expires_in: float
    """Seconds."""
    interval: float
    """Seconds between polls; 5 where the answer has none."""


@dataclass(frozen=True)
class TokenResponse:
    """The answer that gives a token (RFC 6749 §5.1); only what every one has is judged."""

    access_token: str = field(repr=False)
    body: Mapping[str, Any] = field(repr=False, hash=False)

    @property
    def refresh_token(self) -> str | None:
        """The refresh token; None where there is none, or no text."""
        found = self.body.get("refresh_token")
        return found if isinstance(found, str) and found else None

    @property
    def expires_in(self) -> float | None:
        """Seconds until the token expires; None where no number says so."""
        found = self.body.get("expires_in")
        is_number = isinstance(found, int | float) and not isinstance(found, bool)
        return float(found) if is_number and found is not None else None

    @property
    def scopes(self) -> frozenset[str] | None:
        """The ids in `scope`; None where the member is left out, or no text."""
        found = self.body.get("scope")
        return frozenset(found.split()) if isinstance(found, str) else None


def oauth_error(answer: Answer, *codes: str) -> str:
    """Demand an OAuth error with one of these codes, any if none is named; return its code.

    It has 400, or 401 with `invalid_client` (RFC 6749 §5.2), and `error` is a text in a JSON
    object, which A2A's envelope never is. The texts beside it are free.
    """
    settled(answer)
    wanted = f"the OAuth error {' or '.join(codes)}" if codes else "an OAuth error"
    body = answer.json
    if not isinstance(body, dict) or problems({"error": body.get("error")}, "oauth-error"):
        raise Deviation(wanted, describe(answer))
    code = str(body["error"])
    if codes and code not in codes:
        raise Deviation(wanted, f"{answer.status} with the OAuth error {code}")
    if answer.status != 400 and (answer.status, code) != (401, "invalid_client"):
        raise Deviation(
            f"{wanted} with 400, or 401 with invalid_client",
            f"{answer.status} with the OAuth error {code}",
        )
    return code


def oauth_refusal(answer: Answer) -> None:
    """Demand 401, whatever its body, or an OAuth error, whatever its code."""
    if settled(answer).status != 401:
        oauth_error(answer)


def device_response(answer: Answer) -> DeviceCodes:
    """Demand the answer that begins a device flow, and return it.

    That it has `verification_uri_complete` is a requirement of its own.
    """
    body = _sound(answer, "device-authorization-response", "a device authorization response")
    interval = body.get("interval")
    return DeviceCodes(
        device_code=body["device_code"],
        user_code=body["user_code"],
        verification_uri=body["verification_uri"],
        link=body.get("verification_uri_complete"),
        expires_in=body["expires_in"],
        interval=5 if interval is None else interval,
    )


def token_response(answer: Answer) -> TokenResponse:
    """Demand a Bearer access token, and return the response.

    What else it has, `scope` for instance, is judged by requirements of their own.
    """
    body = _sound(answer, "token-response", "a token response", only=("access_token", "token_type"))
    kind = body["token_type"]
    if kind.lower() != "bearer":
        raise Deviation("a token_type of Bearer, in any case", f"the token_type {kind!r}")
    return TokenResponse(body["access_token"], body)


def _sound(
    answer: Answer, schema: str, name: str, *, only: tuple[str, ...] = ()
) -> Mapping[str, Any]:
    """Demand 200 with a JSON object that a schema finds nothing wrong with.

    Args:
        answer: to judge.
        schema: of the body.
        name: of what is expected.
        only: members that alone are looked at.
    """
    body = status(answer, 200).json
    if not isinstance(body, dict):
        raise Deviation(f"{name} in JSON", describe(answer))
    looked_at = {key: body[key] for key in only if key in body} if only else body
    wrong = problems(looked_at, schema)
    if wrong:
        raise Deviation(name, "; ".join(map(_unsaid, wrong)))
    return body


def _unsaid(problem: str) -> str:
    """Take the value out of a line about a secret: a part of one is known by no mask."""
    member = problem.partition(":")[0]
    if member.startswith(_SECRETS):
        return f"{member}: not the text that it must be"
    return problem
