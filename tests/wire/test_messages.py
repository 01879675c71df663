import re

from pact_conformance.wire.messages import new_id, send_request, user_message
from pact_conformance.wire.schema import problems


def test_ids_are_short_plain_and_never_the_same() -> None:
    ids = {new_id("retry") for _ in range(1000)}

    assert len(ids) == 1000
    assert all(re.fullmatch(r"retry-[a-z0-9-]+", it) and len(it) <= 64 for it in ids)


def test_a_first_message_has_no_context() -> None:
    message = user_message("Hello")

    assert message.keys() == {"messageId", "role", "parts"}
    assert message["parts"] == [{"text": "Hello"}]


def test_a_further_message_names_its_context() -> None:
    message = user_message("Hello", message_id="m-1", context_id="c-1", metadata={"a": 1})

    assert message["messageId"] == "m-1"
    assert message["contextId"] == "c-1"
    assert message["metadata"] == {"a": 1}


def test_a_request_fits_its_schema() -> None:
    request = send_request(user_message("Hello"), configuration={"historyLength": 0})

    assert problems(request, "send-message-request") == []
