"""§3.4 Failure: a 401 without an A2A body."""

from collections.abc import Mapping

import pytest

from pact_conformance import expect
from pact_conformance.rig import requirement

from .failing import Failing
from .telling import must_end, must_tell


@requirement("3.4-agent-401")
@pytest.mark.parametrize("form", ["empty", "text"])
def test_a_401_is_no_reply(locked_out: Mapping[str, Failing], form: str) -> None:
    failing = locked_out[form]

    expect.that(bool(failing.turn.messages), "a message", failing.play.came_to)
    must_end(failing.turn)
    must_tell(failing.turn, *filter(None, [failing.body]))
