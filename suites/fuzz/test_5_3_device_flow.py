"""§5.3 Getting a token: forms for the OAuth endpoints with named changes, by the thousand."""

from pact_conformance.fuzz.fuzzing import Fuzzing
from pact_conformance.rig import fuzzed


@fuzzed(
    "oauth-forms",
    "5.3-client-id",
    "5.3-unknown-scope",
    "5.3-unknown-device-code",
    "6-oauth-errors",
    "6-oauth-grant-type",
)
def test_oauth_forms_get_what_is_due(fuzzing: Fuzzing) -> None:
    fuzzing.run("oauth-forms")
