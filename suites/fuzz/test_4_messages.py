"""§4.2, §4.3, §5.4 to §5.6: conversations of several Users, held against a model of the text."""

from pact_conformance.fuzz.fuzzing import Fuzzing
from pact_conformance.rig import fuzzed


@fuzzed(
    "conversations",
    "4.1-minimal-message",
    "4.2-context-minted",
    "4.2-context-continued",
    "4.2-foreign-user",
    "4.2-foreign-agent",
    "4.2-foreign-brand",
    "4.2-closed",
    "4.2-closed-foreign",
    "4.2-no-task",
    "4.3-stored-reply",
    "4.3-first-message",
    "4.3-older-message",
    "4.3-per-context",
    "4.3-stranger",
)
def test_whole_conversations_get_what_is_due(fuzzing: Fuzzing) -> None:
    fuzzing.run("conversations")
