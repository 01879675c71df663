"""§3.2 Personal-agent JWT: tokens with named changes, one or several, by the thousand."""

from pact_conformance.fuzz.fuzzing import Fuzzing
from pact_conformance.rig import fuzzed


@fuzzed(
    "forged-tokens",
    "3.2-alg",
    "3.2-signature",
    "3.2-keys-only-jwks",
    "3.2-crit",
    "3.2-kid-no-bypass",
    "3.2-iss",
    "3.2-sub",
    "3.2-aud",
    "3.2-iat-present",
    "3.2-iat-future",
    "3.2-exp-present",
    "3.2-exp-lifetime",
    "3.2-exp-expired",
    "3.2-jti-optional",
    "3.2-extra-members",
    "3.2-compact-jws",
)
def test_forged_tokens_get_what_is_due(fuzzing: Fuzzing) -> None:
    fuzzing.run("forged-tokens")
