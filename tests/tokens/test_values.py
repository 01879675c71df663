import pytest

from pact_conformance.tokens.caller import MISSING
from pact_conformance.tokens.values import Scene, resolve

SCENE = Scene(
    now=1000.5,
    issued=900,
    uncertainty=2.0,
    names={"audience": "aud"},
    embedded={"jwk": lambda: {"kty": "EC"}},
)


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("{audience}", "{audience}"),
        (7, 7),
        ([1], [1]),
        ({"missing": True}, MISSING),
        ({"json": "null"}, None),
        ({"json": '{"a": [1.5]}'}, {"a": [1.5]}),
        ({"now": 45}, 1046),
        ({"now": -45}, 955),
        ({"now": -31, "uncertainty": -1}, 967),
        ({"iat": 300}, 1200),
        ({"iat": 0, "as": "string"}, "900"),
        ({"iat": 0, "as": "fraction"}, 900.5),
        ({"text": "{audience}/"}, "aud/"),
        ({"texts": ["{audience}", "b"]}, ["aud", "b"]),
        ({"embedded": "jwk"}, {"kty": "EC"}),
    ],
)
def test_a_written_value_stands_for_one(written: object, value: object) -> None:
    assert resolve(written, SCENE) == value


@pytest.mark.parametrize("written", [{"nil": True}, {"text": "{nobody}"}, {"embedded": "jku"}])
def test_an_unknown_word_or_name_is_an_error(written: object) -> None:
    with pytest.raises(KeyError):
        resolve(written, SCENE)
