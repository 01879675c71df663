"""A Brand's agent that talks as a model does: never twice the same, in its own time.

It reads nothing of the scripted agent's phrases but a goodbye. The protocol is all that one can
hold on to with it, as with a Brand in production.
"""

import asyncio
import random
import secrets

from pact_conformance.counterpart.provider.brand_agent import Reply, Turn

_GREETINGS = ("Hi!", "Hello there.", "Thanks for reaching out.", "Good to hear from you!", "Sure.")
_FINDINGS = (
    "I had a look at what you wrote about “{topic}”.",
    "So this is about “{topic}”, if I understand you right.",
    "I can help with “{topic}”.",
    "Regarding “{topic}”: that is a question we get now and then.",
)
_OUTCOMES = (
    "I have noted it as {reference}, and it should be settled by {day}.",
    "Our people at {brand} will see to it under {reference}.",
    "Your reference is {reference}; nothing else is needed from you.",
    "It will take until {day}, I am afraid ({reference}).",
)
_QUESTIONS = (
    "Could you tell me the order number for {reference}?",
    "Which e-mail address did you order with? I would put it under {reference}.",
    "Before I open {reference}: is that the order you placed last {day}?",
)
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday")
_ASKS_BACK = 0.3


class ModelAgent:
    """Answers in ever other words.

    Args:
        think_seconds: the longest that an answer takes; none takes less than half of it.
    """

    def __init__(self, *, think_seconds: float) -> None:
        self._think_seconds = think_seconds
        self._random = random.Random(secrets.randbits(64))  # noqa: S311 - words, no secrets

    async def __call__(self, turn: Turn) -> Reply:
        """Answer one turn; only a goodbye of the User ends the conversation."""
        await asyncio.sleep(self._think_seconds * self._random.uniform(0.5, 1.0))
        if turn.text.strip().casefold().startswith("goodbye"):
            farewell = self._fill("{greeting} Goodbye, and take care ({reference}).", turn)
            return Reply(farewell, closes=True, id=_reply_id())
        choose = self._random.choice
        rest = choose(_QUESTIONS if self._random.random() < _ASKS_BACK else _OUTCOMES)
        text = self._fill(f"{{greeting}} {choose(_FINDINGS)} {rest}", turn)
        return Reply(text, id=_reply_id())

    def _fill(self, template: str, turn: Turn) -> str:
        return template.format(
            greeting=self._random.choice(_GREETINGS),
            topic=" ".join(turn.text.split()[:6]),
            brand=turn.brand_name,
            day=self._random.choice(_DAYS),
            reference=f"{secrets.choice('ABCDEFGH')}-{secrets.randbelow(10**9):09d}",
        )


def _reply_id() -> str:
    """Return an id of a reply, in one of the forms that such ids have."""
    forms = (f"msg_{secrets.token_urlsafe(18)}", secrets.token_hex(16), f"r.{secrets.randbits(63)}")
    return secrets.choice(forms)
