"""§4.1 Request, and the other operations of §2.2: requests with named changes, by the thousand."""

from pact_conformance.fuzz.fuzzing import Fuzzing
from pact_conformance.rig import fuzzed


@fuzzed(
    "malformed-requests",
    "2-request-json",
    "2.2-list-tasks",
    "2.2-page-size-range",
    "2.2-page-size-invalid",
    "2.2-list-filters",
    "2.2-get-task",
    "2.2-cancel-task",
    "2.2-unmatched-route",
    "2.2-wrong-method",
    "4.1-optional-members",
    "4.1-configuration",
    "4.1-role",
    "4.1-parts",
    "4.1-blank-text",
    "4.1-part-kinds-alone",
    "4.1-message-id",
    "4.1-body",
    "6-client-errors",
)
def test_malformed_requests_get_what_is_due(fuzzing: Fuzzing) -> None:
    fuzzing.run("malformed-requests")
