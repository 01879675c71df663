"""Flaws of §6: when the Provider fails, and when it is asked too often."""

from collections.abc import Callable

from starlette.responses import Response

from pact_conformance.counterpart.flaws.registry import flaw
from pact_conformance.counterpart.provider.provider import Provider
from pact_conformance.counterpart.provider.refusals import A2ARefusal, RateLimited
from pact_conformance.counterpart.substitution import a2a, a2a_error, change_errors, map_reason

# Failures


@flaw("6-internal", "6-envelope")
def fails_without_envelope(provider: Provider) -> None:
    """A failure of the Brand's agent gets a plain 500."""
    original = provider.answers.error

    def error(refusal: A2ARefusal) -> Response:
        failed = refusal.reason == "INTERNAL"
        return Response("Internal Server Error", status_code=500) if failed else original(refusal)

    provider.answers.error = error


@flaw("6-internal")
def hides_a_failure_of_the_agent(provider: Provider) -> None:
    """A failure of the Brand's agent gets 200 with an excuse."""
    original = provider.answers.error
    message = {"messageId": "r", "contextId": "c", "role": "ROLE_AGENT", "parts": [{"text": "?"}]}

    def error(refusal: A2ARefusal) -> Response:
        failed = refusal.reason == "INTERNAL"
        return a2a({"message": message}) if failed else original(refusal)

    provider.answers.error = error


def _fail_as(provider: Provider, answer: Callable[[], Response]) -> None:
    original = provider.answers.error

    def error(refusal: A2ARefusal) -> Response:
        return answer() if refusal.reason == "INTERNAL" else original(refusal)

    provider.answers.error = error


@flaw("6-internal")
def blames_the_caller_for_a_failure(provider: Provider) -> None:
    """A failure of the Brand's agent gets INVALID_PARAMS."""
    _fail_as(provider, lambda: a2a_error("INVALID_PARAMS"))


@flaw("6-internal")
def calls_a_failure_an_unsupported_operation(provider: Provider) -> None:
    """A failure of the Brand's agent gets UNSUPPORTED_OPERATION."""
    _fail_as(provider, lambda: a2a_error("UNSUPPORTED_OPERATION"))


@flaw("6-internal", "6-envelope")
def fails_as_a_framework(provider: Provider) -> None:
    """A failure of the Brand's agent gets 500 with a framework's JSON."""
    body = b'{"detail":"Internal Server Error"}'
    _fail_as(provider, lambda: Response(body, 500, media_type="application/json"))


@flaw("6-internal", "6-table")
def sends_failures_with_503(provider: Provider) -> None:
    """INTERNAL comes with 503 and UNAVAILABLE."""
    map_reason(provider, "INTERNAL", 503, "UNAVAILABLE")


@flaw("6-internal", "6-table")
def sends_failures_with_200(provider: Provider) -> None:
    """INTERNAL comes with 200 and OK."""
    map_reason(provider, "INTERNAL", 200, "OK")


@flaw("6-table")
def calls_the_status_of_a_failure_unknown(provider: Provider) -> None:
    """INTERNAL has the status name UNKNOWN."""
    map_reason(provider, "INTERNAL", 500, "UNKNOWN")


@flaw("6-code")
def repeats_another_code_in_a_failure(provider: Provider) -> None:
    """The code of an INTERNAL is 13, its number in gRPC."""
    change_errors(provider, lambda body: body["error"].update(code=13), reason="INTERNAL")


# Rate limits


@flaw("6-429-retry-after")
def limits_the_rate_without_saying_until_when(provider: Provider) -> None:
    """A 429 has no Retry-After."""
    provider.answers.rate_limited = lambda _refusal: Response(status_code=429)


@flaw("6-429-retry-after")
def says_soon_in_retry_after(provider: Provider) -> None:
    """The Retry-After of a 429 is neither a number nor a date."""
    _say_in_retry_after(provider, "soon")


@flaw("6-429-retry-after")
def says_a_negative_time_in_retry_after(provider: Provider) -> None:
    """The Retry-After of a 429 is -1."""
    _say_in_retry_after(provider, "-1")


@flaw("6-429-retry-after")
def says_a_fraction_in_retry_after(provider: Provider) -> None:
    """The Retry-After of a 429 has a fraction of a second."""
    _say_in_retry_after(provider, "0.5")


def _say_in_retry_after(provider: Provider, text: str) -> None:
    headers = {"Retry-After": text}
    provider.answers.rate_limited = lambda _refusal: Response(status_code=429, headers=headers)


@flaw("6-429-no-envelope")
def sends_an_envelope_with_a_429(provider: Provider) -> None:
    """A 429 has an A2A error as its body."""

    def limited(refusal: RateLimited) -> Response:
        response = a2a_error("RATE_LIMITED", 429, "RESOURCE_EXHAUSTED")
        response.headers["Retry-After"] = str(refusal.retry_after)
        return response

    provider.answers.rate_limited = limited
