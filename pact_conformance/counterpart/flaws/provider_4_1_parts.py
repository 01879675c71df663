"""Flaws of §4.1: the parts of a message."""

from collections.abc import Callable

from pact_conformance.counterpart.flaws.registry import flaw
from pact_conformance.counterpart.flaws.request_rules import Message, refuse_if, repair
from pact_conformance.counterpart.provider.message_rules import CONTENTS, Submission, contents_of
from pact_conformance.counterpart.provider.provider import Provider
from pact_conformance.counterpart.provider.refusals import A2ARefusal, invalid
from pact_conformance.counterpart.substitution import a2a_error, answer_rule
from pact_conformance.wire.text import is_blank


def _with_text(message: Message) -> None:
    if not message.get("parts"):
        message["parts"] = [{"text": "(nothing)"}]


@flaw("4.1-parts")
def accepts_a_message_without_parts(provider: Provider) -> None:
    """A message with no parts is served."""
    repair(provider, "message_has_its_shape", _with_text)


@flaw("4.1-parts", "4.1-body", "6-client-errors")
def breaks_down_at_parts_that_are_no_array(provider: Provider) -> None:
    """A message whose parts are no array gets an internal error."""

    def naive(submission: Submission) -> None:
        if not isinstance(submission.message.get("parts"), list):
            raise A2ARefusal("INTERNAL", "Cannot iterate")

    provider.rules.add(naive, before="message_has_its_shape")


@flaw("4.1-parts")
def takes_a_part_for_an_array_of_one(provider: Provider) -> None:
    """A message whose parts are one object is served."""

    def change(message: Message) -> None:
        if isinstance(message.get("parts"), dict):
            message["parts"] = [message["parts"] or {"text": "?"}]

    repair(provider, "message_has_its_shape", change)


@flaw("4.1-parts")
def refuses_no_parts_as_unsupported(provider: Provider) -> None:
    """A message with an empty array of parts gets UNSUPPORTED_OPERATION."""

    def there_is_a_part(submission: Submission) -> None:
        if not submission.parts:
            raise A2ARefusal("UNSUPPORTED_OPERATION", "No parts")

    provider.rules.add(there_is_a_part, before="parts_are_text")


def _accept_blank(provider: Provider, is_accepted: Callable[[str], bool]) -> None:
    def change(message: Message) -> None:
        texts = [part["text"] for part in message.get("parts") or []]
        if texts and any(is_blank(text) and is_accepted(text) for text in texts):
            message["parts"] = [{"text": "(blank)"}]

    repair(provider, "some_text_is_not_blank", change)


@flaw("4.1-blank-text")
def accepts_an_empty_text(provider: Provider) -> None:
    """A message with nothing but the empty text is served."""
    _accept_blank(provider, lambda text: text == "")


@flaw("4.1-blank-text")
def accepts_spaces_as_text(provider: Provider) -> None:
    """A message with nothing but spaces is served."""
    _accept_blank(provider, lambda text: text != "" and not text.strip(" "))


@flaw("4.1-blank-text")
def accepts_line_ends_and_tabs_as_text(provider: Provider) -> None:
    """A message with nothing but line ends and tabs is served."""
    _accept_blank(provider, lambda text: any(character in text for character in "\r\n\t\v\f"))


@flaw("4.1-blank-text")
def knows_only_the_white_space_of_ascii(provider: Provider) -> None:
    """A message with nothing but white space outside of ASCII is served."""
    _accept_blank(provider, lambda text: not text.isascii())


@flaw("4.1-blank-text")
def refuses_blank_text_as_a_content_type(provider: Provider) -> None:
    """A message with nothing but blank text gets CONTENT_TYPE_NOT_SUPPORTED."""

    def text_is_not_blank(submission: Submission) -> None:
        if submission.parts and all(is_blank(part["text"]) for part in submission.parts):
            raise A2ARefusal("CONTENT_TYPE_NOT_SUPPORTED", "Blank")

    provider.rules.add(text_is_not_blank, before="some_text_is_not_blank")


@flaw("4.1-blank-beside-text")
def refuses_a_blank_part_beside_text(provider: Provider) -> None:
    """A message with a blank part is refused, whatever the others are."""
    refuse_if(
        provider,
        lambda document: any(is_blank(part["text"]) for part in document["message"]["parts"]),
    )


def _drop_parts(provider: Provider, *kinds: str, alone: bool) -> None:
    """Pass over parts of some kinds, beside text or where they stand alone."""

    def change(message: Message) -> None:
        parts = message.get("parts") or []
        kept = [part for part in parts if not {*kinds} & {*contents_of(part)}]
        has_text = any("text" in contents_of(part) for part in parts)
        if len(kept) < len(parts) and has_text is not alone:
            message["parts"] = kept or [{"text": "(attachment)"}]

    repair(provider, "parts_are_text", change)


@flaw("4.1-part-kinds-mixed")
def ignores_data_beside_text(provider: Provider) -> None:
    """A data part beside text is passed over."""
    _drop_parts(provider, "data", alone=False)


@flaw("4.1-part-kinds-mixed")
def ignores_files_beside_text(provider: Provider) -> None:
    """A raw or url part beside text is passed over."""
    _drop_parts(provider, "raw", "url", alone=False)


@flaw("4.1-part-kinds-mixed")
def refuses_other_parts_beside_text_as_invalid(provider: Provider) -> None:
    """A part of another kind beside text gets INVALID_PARAMS."""

    def there_is_only_text(submission: Submission) -> None:
        kinds = {kind for part in submission.parts for kind in contents_of(part)}
        if "text" in kinds and kinds - {"text"}:
            raise invalid("Only text parts")

    provider.rules.add(there_is_only_text, before="parts_are_text")


@flaw("4.1-part-kinds-alone")
def serves_other_parts_alone(provider: Provider) -> None:
    """A message whose only part is no text is served."""
    _drop_parts(provider, *CONTENTS[1:], alone=True)


@flaw("4.1-part-kinds-alone")
def refuses_other_parts_alone_as_unsupported(provider: Provider) -> None:
    """A message whose only part is no text gets UNSUPPORTED_OPERATION."""

    def there_is_some_text(submission: Submission) -> None:
        if submission.parts and not any("text" in contents_of(it) for it in submission.parts):
            raise A2ARefusal("UNSUPPORTED_OPERATION", "No text")

    provider.rules.add(there_is_some_text, before="parts_are_text")


@flaw("6-table")
def refuses_other_parts_with_415(provider: Provider) -> None:
    """A part of another kind gets 415, as A2A 1.0.0 had it."""
    answer_rule(
        provider,
        "parts_are_text",
        lambda: a2a_error("CONTENT_TYPE_NOT_SUPPORTED", 415, "INVALID_ARGUMENT"),
    )
