"""Whatever an adapter answers is judged, and nothing in it harms the suite."""

import json

import pytest
from hypothesis import given
from hypothesis import settings as examples
from hypothesis import strategies as st

from pact_conformance.subject.agent import Broke
from pact_conformance.subject.agent.contract import MEMBERS, gave_up, held, judge, turn
from tests.wire.json_values import json_values

NAMES = sorted(
    {"id", "conversation", "receipts", "error", *(it for of in MEMBERS.values() for it in of)}
)
TURN = st.fixed_dictionaries({"text": st.text()}) | st.fixed_dictionaries({"link": st.text()})


@examples(max_examples=300, deadline=None)
@given(
    st.sampled_from(sorted(MEMBERS)),
    json_values()
    | st.dictionaries(st.sampled_from(NAMES), json_values() | TURN | st.none() | st.text()),
)
def test_any_answer_is_judged(operation: str, value: object) -> None:
    try:
        told = judge(operation, value)
    except Broke as error:
        json.dumps(error.reason, ensure_ascii=False).encode()
        return
    match operation:
        case "say" | "sign_in" | "go_on":
            assert turn(told).conversation is None or told["conversation"]
        case "connect":
            assert told.get("brand") or isinstance(gave_up(told).reason, str)
        case "holds":
            assert held(told).scopes == tuple(told["scopes"])


@pytest.mark.parametrize(
    ("told", "said"),
    [
        ({"id": 1, "reply": {"text": "\ud800"}}, "half a character"),
        ({"id": 1, "reply": {"text": b"x"}}, "is no JSON: Object of type bytes"),
        ({"id": 1, "error": "\ud800"}, "half a character"),
        ({"id": 1, "reply": {"text": "x"}, "conversation": {1}}, "is no JSON"),
    ],
)
def test_what_cannot_be_written_down_is_no_answer(told: object, said: str) -> None:
    with pytest.raises(Broke) as caught:
        judge("say", told)

    assert said in caught.value.reason
