"""Limits of a Provider's own to what it takes, below which there is enough room (§4.1, §6)."""

import re

from pact_conformance.counterpart.provider.message_rules import Submission
from pact_conformance.counterpart.provider.provider import Provider
from pact_conformance.counterpart.provider.refusals import invalid
from pact_conformance.counterpart.variants.registry import variant

_LONGEST_TEXT = 16_000
_PLAIN_ID = re.compile(r"[A-Za-z0-9._:-]{1,64}")


@variant()
def takes_texts_of_16000_characters_at_most(provider: Provider) -> None:
    """A message with more than 16,000 characters of text gets INVALID_PARAMS."""

    def text_is_short(submission: Submission) -> None:
        if len(submission.text) > _LONGEST_TEXT:
            raise invalid(f"A message has {_LONGEST_TEXT} characters at most")

    provider.rules.add(text_is_short)


@variant()
def takes_ids_of_64_plain_characters_at_most(provider: Provider) -> None:
    """A messageId is refused that is longer than 64, or has more than letters, digits and signs."""

    def id_is_plain(submission: Submission) -> None:
        if not _PLAIN_ID.fullmatch(submission.message_id):
            raise invalid("This messageId cannot be used")

    provider.rules.add(id_is_plain, before="role_is_user")
