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
from pact_conformance.expect.likeness import indistinguishable
from pact_conformance.expect.messages import reply, reply_or_task, served, stored_reply
from pact_conformance.expect.remarks import absent, note, that, warn, warn_unless
from pact_conformance.expect.tasks import empty_task_list
from pact_conformance.expect.tokens import fate

__all__ = [
    "a2a_error",
    "a2a_result",
    "absent",
    "empty_task_list",
    "fate",
    "indistinguishable",
    "no_server_error",
    "not_accepted",
    "not_served",
    "note",
    "past_authentication",
    "reply",
    "reply_or_task",
    "served",
    "settled",
    "status",
    "stored_reply",
    "that",
    "unauthorized",
    "unrouted",
    "warn",
    "warn_unless",
]
