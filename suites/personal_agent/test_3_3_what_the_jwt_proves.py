"""§3.3 What the personal-agent JWT proves: the Brand asks the User, and the agent relays.

That no credentials pass through the agent cannot be seen from outside.
"""

from pact_conformance import expect
from pact_conformance.rig import requirement

from .playing import Play, context_of, told
from .talking import NUMBER


@requirement("3.3-agent-relays-answers")
def test_what_the_brand_asks_is_answered_by_the_user(first_conversation: Play) -> None:
    asked, answered = first_conversation.first, first_conversation.second
    question = asked.question

    relayed = [it for it in answered.messages if NUMBER in it.body]
    expect.that(bool(relayed), f"a message with {NUMBER}", lambda: told(answered.outcome))
    meanwhile = [it for it in asked.behind if it.message.get("contextId") == context_of(question)]
    # What the User has said already is no answer in their place.
    answers = [it for it in meanwhile if asked.text not in it.body]
    expect.warn_unless(not answers, "the agent answered before the User had")
