"""A grant that is revoked (§5.5), and what is served under it from then on."""

import time
from dataclasses import dataclass

from pact_conformance.delegation import Delegation
from pact_conformance.grants import Tried, let_pass, tried
from pact_conformance.journal.answer import Answer
from pact_conformance.rig import conversation
from pact_conformance.subject.provider import GREETING, Provider

from ..provider.acting import act

# After the hook's answer the token is tried at once, then after pauses of so many seconds. The
# built-in Provider has told everybody when its hook answers.
AFTER = (0.0, 0.5, 1.5, 3.0)

USER = "revokes"


@dataclass(frozen=True)
class Ended:
    """A grant that was revoked: a message before, and those after until one was refused."""

    before: Answer
    after: tuple[Answer, ...]
    seconds: float
    """From the hook's answer until the last of them was answered."""

    @property
    def served(self) -> int:
        """How many messages were served after the revocation."""
        return sum(it.is_success for it in self.after)


@conversation(turns=1 + len(AFTER), hardening=True)
def ended(provider: Provider, delegation: Delegation) -> Tried[Ended]:
    """A grant of its own is revoked by hook, and tried until it is refused."""
    return tried(lambda: _end(provider, delegation))


def _end(provider: Provider, delegation: Delegation) -> Ended:
    hooks = delegation.hooks
    hooks.need("revoke_grant")
    scope = delegation.scopes[-1]
    grant = delegation.grants.get((scope,), USER, account=delegation.second_account)
    before = act(provider, grant, GREETING).answer
    hooks.call("revoke_grant", grantId=grant.claim("grant_id"), user=grant.claim("sub"))
    started, after = time.monotonic(), list[Answer]()
    for pause in AFTER:
        if pause and not delegation.has_clock:
            let_pass(pause, "for the Provider to take note of the revocation")
        after.append(act(provider, grant, GREETING).answer)
        if not after[-1].is_success:
            break
    return Ended(before, tuple(after), time.monotonic() - started)
