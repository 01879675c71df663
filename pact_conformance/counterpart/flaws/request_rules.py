"""What flaws of §4.1 do to the rules that a request is held against."""

from collections.abc import Callable
from typing import Any

from pact_conformance.counterpart.provider.message_rules import Submission
from pact_conformance.counterpart.provider.provider import Provider
from pact_conformance.counterpart.provider.refusals import A2ARefusal
from pact_conformance.counterpart.substitution import a2a_error, answer_rule

Message = dict[str, Any]


def repair(provider: Provider, rule: str, change: Callable[[Message], object]) -> None:
    """Let `change` mend a message before a rule would refuse it."""

    def the_message_is_mended(submission: Submission) -> None:
        change(submission.message)

    provider.rules.add(the_message_is_mended, before=rule)


def rewrite_body(provider: Provider, rewrite: Callable[[bytes], bytes]) -> None:
    """Let a body be rewritten before it is read."""

    def the_body_is_rewritten(submission: Submission) -> None:
        submission.body = rewrite(submission.body)

    provider.rules.add(the_body_is_rewritten, before="body_is_json")


def refuse_if(
    provider: Provider,
    is_refused: Callable[[dict[str, Any]], object],
    reason: str = "",
) -> None:
    """Refuse further requests, after all other rules."""

    def the_request_is_to_our_taste(submission: Submission) -> None:
        if is_refused(submission.document):
            raise A2ARefusal(reason or "INVALID_PARAMS", "Not served")

    provider.rules.add(the_request_is_to_our_taste)


def refuse_as(provider: Provider, rule: str, reason: str) -> None:
    """Give what breaks one rule another reason."""
    answer_rule(provider, rule, lambda: a2a_error(reason))
