"""The verbs of the specification: what a check demands of an answer.

Each returns what it has read or raises `Deviation`, with expected and got; an answer of a gateway
in between (502 to 504 without an A2A error) or a rate limit settles nothing: `Inconclusive`.
"""

from pact_conformance.expect.answers import (
    a2a_error,
    a2a_result,
    no_server_error,
    not_accepted,
    not_served,
    past_authentication,
    settled,
    status,
    unauthorized,
    unrouted,
)
from pact_conformance.expect.delegation import (
    Receipt,
    StepUp,
    bad_delegation,
    no_receipt,
    receipt,
    step_up,
    stepped_up,
)
from pact_conformance.expect.likeness import indistinguishable
from pact_conformance.expect.messages import reply, reply_or_task, served, stored_reply
from pact_conformance.expect.oauth import (
    DeviceCodes,
    TokenResponse,
    device_response,
    oauth_error,
    oauth_refusal,
    token_response,
)
from pact_conformance.expect.remarks import absent, measured, note, that, warn, warn_unless
from pact_conformance.expect.tasks import empty_task_list
from pact_conformance.expect.tokens import fate, header_fate

__all__ = [
    "DeviceCodes",
    "Receipt",
    "StepUp",
    "TokenResponse",
    "a2a_error",
    "a2a_result",
    "absent",
    "bad_delegation",
    "device_response",
    "empty_task_list",
    "fate",
    "header_fate",
    "indistinguishable",
    "measured",
    "no_receipt",
    "no_server_error",
    "not_accepted",
    "not_served",
    "note",
    "oauth_error",
    "oauth_refusal",
    "past_authentication",
    "receipt",
    "reply",
    "reply_or_task",
    "served",
    "settled",
    "status",
    "step_up",
    "stepped_up",
    "stored_reply",
    "that",
    "token_response",
    "unauthorized",
    "unrouted",
    "warn",
    "warn_unless",
]
