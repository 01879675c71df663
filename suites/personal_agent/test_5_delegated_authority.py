"""§5 Delegated authority: what a Brand that does not offer it is spared."""

from pact_conformance import expect
from pact_conformance.rig import requirement
from pact_conformance.subject.seen import Seen
from pact_conformance.verdicts import Untested

from .delegating import DELEGATION
from .granting import is_oauth


@requirement("5-agent-not-offered")
def test_a_brand_without_delegation_is_talked_to_with_the_jwt_alone(
    without_delegation: tuple[Seen, ...],
) -> None:
    seen = without_delegation
    oauth = [f"{it.method} {it.path}" for it in seen if is_oauth(it)]
    expect.that(not oauth, "no OAuth request at this Brand", "; ".join(oauth))
    headed = [it.n for it in seen if it.all(DELEGATION)]
    expect.that(not headed, "no X-A2A-User-Delegation at this Brand", f"{len(headed)} with it")
    if not any(it.operation == "message:send" for it in seen):
        raise Untested("the agent sent this Brand nothing", do="see 2.2-agent-send-url")
