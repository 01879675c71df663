"""Legal ways of parsers with what is no JSON: they may accept it (RFC 8259 §9), or refuse it."""

import json
from collections.abc import Callable

from pact_conformance.counterpart.provider.message_rules import Submission
from pact_conformance.counterpart.provider.provider import Provider
from pact_conformance.counterpart.variants.registry import variant


def _rewrite(provider: Provider, rewrite: Callable[[bytes], bytes]) -> None:
    """Let a body be rewritten before it is read."""

    def the_body_is_rewritten(submission: Submission) -> None:
        submission.body = rewrite(submission.body)

    provider.rules.add(the_body_is_rewritten, before="body_is_json")


@variant("4.1-body")
def reads_one_value_of_a_body(provider: Provider) -> None:
    """What stands behind the first JSON value of a body is not looked at."""

    def rewrite(body: bytes) -> bytes:
        try:
            text = body.decode()
            start = len(text) - len(text.lstrip(" \t\r\n"))
            _, end = json.JSONDecoder(strict=False).raw_decode(text, start)
        except (ValueError, RecursionError):
            return body
        return text[:end].encode()

    _rewrite(provider, rewrite)


@variant("4.1-body")
def replaces_bytes_that_are_no_utf_8(provider: Provider) -> None:
    """U+FFFD stands for each byte of a body that is no UTF-8."""
    _rewrite(provider, lambda body: body.decode(errors="replace").encode())
