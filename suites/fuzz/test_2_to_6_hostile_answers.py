"""§2 to §6 for a personal agent: what it makes of answers with named changes, by the thousand."""

from pact_conformance.fuzz.fuzzing import Fuzzing
from pact_conformance.rig import fuzzed


@fuzzed(
    "hostile-answers",
    "2-agent-http-json",
    "2-agent-a2a-json",
    "2.1-agent-unknown-brand",
    "2.1-agent-picks-by-binding",
    "2.1-agent-picks-by-version",
    "2.1-agent-no-interface",
    "2.1-agent-interface-url",
    "2.1-agent-scheme-by-shape",
    "2.1-agent-informational",
    "2.2-agent-send-url",
    "2.2-agent-unknown-brand",
    "3.2-agent-aud",
    "3.4-agent-401",
    "4.2-agent-context-opaque",
    "4.2-agent-reply",
    "4.2-agent-closed",
    "5-agent-not-offered",
    "5.1-agent-finds-scheme",
    "5.1-agent-endpoints",
    "5.3-agent-form",
    "5.3-agent-shows-link",
    "5.3-agent-no-fetch",
    "5.3-agent-pending",
    "5.3-agent-reads-scope",
    "5.4-agent-token-unchanged",
    "5.4-agent-one-brand",
    "5.5-agent-both-tokens",
    "5.5-agent-step-up",
    "6-agent-errors",
    "6-agent-plain-errors",
)
def test_hostile_answers_get_what_is_due(fuzzing: Fuzzing) -> None:
    fuzzing.run("hostile-answers")
