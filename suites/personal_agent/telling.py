"""What the User is told of a turn that came to nothing (§2.2, §3.4, §6).

An agent may say so in its own words, also as a reply: models do. What must not be is that what
stands in a failure is shown as what the Brand's agent has said, or that nothing is shown at all.
"""

import re

from pact_conformance import expect
from pact_conformance.subject.agent import Reply

from .playing import BOUNDED, Said, short, told

# What marks a text as the raw body of an answer.
_MARKUP = re.compile(r"</?(html|body|h1|p)\b[^>]*>|\"error\"\s*:|\"details\"\s*:", re.IGNORECASE)


def must_tell(said: Said, *bodies: str, alone: bool = False) -> None:
    """Demand that the User was told that a turn failed.

    Args:
        said: the turn.
        bodies: the texts in what the Brand answered.
        alone: they may be quoted, and may only not be all that is said.

    Raises:
        Deviation: the User was shown something else, or the agent's process has ended.
        Broke: the agent did not answer.
    """
    expect.that(said.died is None, "the User to be told that it failed", said.died)
    result = said.outcome
    if not isinstance(result, Reply):
        return
    expect.that(bool(result.text.strip()), "the User to be told that it failed", "an empty reply")
    raw = _MARKUP.search(result.text)
    expect.that(raw is None, "no reply of the Brand", f"the body as its reply: {told(result)}")
    for body in bodies:
        shown = (
            _plain(body) == _plain(result.text) if alone else _plain(body) in _plain(result.text)
        )
        expect.that(not shown, "no reply of the Brand", f"the body as its reply: {told(result)}")
    expect.note(f"the agent tells it by a reply: {short(result.text)}")


def must_end(said: Said) -> None:
    """Demand that a message was not sent without end.

    Raises:
        Deviation: it was.
        Broke: the agent did not answer.
    """
    count = len(said.messages)
    expect.that(count <= BOUNDED, "a bounded number of messages", f"{count} for one turn")
    expect.that(said.died is None, "the turn to end", said.died)
    _ = said.outcome


def _plain(text: str) -> str:
    """Return the words of a text alone: without markup, punctuation and white space."""
    return " ".join(re.findall(r"\w+", re.sub(r"<[^>]*>", " ", text).casefold()))
