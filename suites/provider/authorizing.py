"""Device flows that checks share (§5.3): each sign-in of the User is played once for all of them.

Whoever signs in costs a person seconds, where a person plays the User; so there are few flows, and
each shows what it can. The order matters in one way: where a grant covers a request consent may be
skipped, so whatever looks at the consent page comes before the grant that covers it.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

from pact_conformance.delegation import Delegation
from pact_conformance.grants import Flow, Grant, Grants, Tried, tried
from pact_conformance.journal.answer import Answer
from pact_conformance.rig import Rig, conversation
from pact_conformance.subject.approver import Done, Page, Step
from pact_conformance.subject.authorization_server import AuthorizationServer
from pact_conformance.subject.provider import Provider
from pact_conformance.verdicts import Untested

# The User who delegates: all turns under delegation are of one User, whose grants they are.
USER = "delegates"

SKIPPED = (
    "consent was skipped, as an unexpired grant of an earlier run allows: nothing of it was seen"
)
# A shorter value of a form is no secret that a session could rest on.
LEAST_SECRET = 16

DO_REVOKE = (
    "run again with hooks.revoke_grant, which ends the grants of each run; or use other accounts"
)


@conversation(turns=0, together=0)
def began(delegation: Delegation) -> Flow:
    """A device flow that nobody approves."""
    return delegation.grants.begin(delegation.scopes, "begins")


@conversation(turns=0, together=0)
def denied(delegation: Delegation) -> Tried[Grant]:
    """A flow that the User refuses, signed in with the second account where there is one.

    It shows, too, whether an earlier grant of that account covers the first scope.
    """
    return tried(
        lambda: delegation.grants.get(
            (delegation.first,),
            "is-denied",
            deny=True,
            account=delegation.second_account,
            session="fresh",
        )
    )


@conversation(turns=0, together=0)
def none_ticked(delegation: Delegation) -> Tried[Grant]:
    """A flow in which the User unchecks every box and sends the form."""
    return tried(
        lambda: delegation.grants.get(delegation.scopes, "ticks-none", approve=frozenset())
    )


@dataclass(frozen=True)
class Returned:
    """The way back from the login with what brought the User back, which was then used twice."""

    flow: Flow
    done: Done
    held: Step
    once: Page
    twice: Page


@conversation(turns=0, together=0)
def returned(delegation: Delegation) -> Tried[Returned]:
    """The assertion of a login is held back, then posted twice by browsers without a session."""
    return tried(lambda: _returned(delegation))


def _returned(delegation: Delegation) -> Returned:
    flow = delegation.grants.begin((delegation.second,), "returns-twice")
    done, held = _held_back(delegation, flow, "return")
    approver = delegation.approver
    return Returned(flow, done, held, approver.repost(held), approver.repost(held))


@dataclass(frozen=True)
class Rebound:
    """The assertion of one flow, posted for another."""

    flow: Flow
    other: Flow
    page: Page
    poll: Answer


@conversation(turns=0, together=0)
def rebound(delegation: Delegation, returned: Tried[Returned]) -> Tried[Rebound]:
    """What brought the User back for one flow is posted with the user code of another."""
    del returned
    return tried(lambda: _rebound(delegation))


def _rebound(delegation: Delegation) -> Rebound:
    grants = delegation.grants
    flow = grants.begin((delegation.second,), "lends-assertion")
    other = grants.begin((delegation.first,), "takes-assertion")
    _, held = _held_back(delegation, flow, "return")
    codes = (flow.text("user_code"), other.text("user_code"))
    page = delegation.approver.repost(
        held,
        url=_exchanged(held.url, *codes),
        fields={name: _exchanged(value, *codes) for name, value in held.fields.items()},
    )
    return Rebound(flow, other, page, grants.poll(other))


def _exchanged(text: str, old: str, new: str) -> str:
    """Put one user code in the place of another, with or without its dash."""
    return text.replace(old, new).replace(old.replace("-", ""), new.replace("-", ""))


@dataclass(frozen=True)
class Unattended:
    """A consent form that was sent by a browser in which nobody had logged in."""

    flow: Flow
    page: Page
    poll: Answer


@conversation(turns=0, together=0)
def unattended(delegation: Delegation) -> Tried[Unattended]:
    """The consent form is filled in by the User, and sent by a browser without a session."""
    return tried(lambda: _unattended(delegation))


def _unattended(delegation: Delegation) -> Unattended:
    flow = delegation.grants.begin(delegation.scopes, "is-unattended")
    _, held = _held_back(delegation, flow, "consent")
    page = delegation.approver.repost(_without_session(flow, held))
    return Unattended(flow, page, delegation.grants.poll(flow))


def _without_session(flow: Flow, held: Step) -> Step:
    """Return a form without what may stand for the session of whoever was shown it.

    PACT does not ask for cookies: a Provider may keep the login in a secret of the form as well.
    """
    told = {flow.text("user_code"), *flow.scopes}
    pairs = tuple(it for it in held.pairs if it[1] in told or len(it[1]) < LEAST_SECRET)
    return replace(held, pairs=pairs, fields=dict(pairs))


def _held_back(delegation: Delegation, flow: Flow, what: str) -> tuple[Done, Step]:
    """Have the User go so far that the next request would bring them back, or would consent.

    Raises:
        Untested: this approver does not see the way, or there was no such request on it.
    """
    if not delegation.approver.sees_steps:
        raise Untested(
            f"the approver {delegation.approver.name} does not show the way of the browser",
            do="set E2E_APPROVER to form or browser",
        )
    done = delegation.grants.play(flow, hold_back=what, session="fresh")
    if done.held is None:
        if done.decided == "skipped":
            raise Untested(SKIPPED, do=DO_REVOKE)
        raise Untested("the way from the login to the consent has no such POST on it")
    return done, done.held


@dataclass(frozen=True)
class Begun:
    """A flow of the agent whose grant will be spoilt, and what the User saw before deciding."""

    grants: Grants
    flow: Flow
    looked: Tried[Done]
    other: Tried[Provider]


@conversation(turns=0, together=0)
def begun_elsewhere(pact_rig: Rig, delegation: Delegation) -> Tried[Begun]:
    """A flow of another personal agent, if there is one, looked at before any grant is there."""
    return tried(lambda: _begin_elsewhere(pact_rig, delegation))


def _begin_elsewhere(pact_rig: Rig, delegation: Delegation) -> Begun:
    other = tried(lambda: pact_rig.provider_of(pact_rig.card, pact_rig.other_caller))
    grants = delegation.grants if other.value is None else delegation.grants_of(other.value)
    flow = grants.begin((delegation.first,), "spends")
    return Begun(grants, flow, tried(lambda: grants.play(flow, look_only=True)), other)


@dataclass(frozen=True)
class Part:
    """A flow for two scopes of which the User approves one, and a grant of that scope alone."""

    asked: Grant
    narrow: Grant
    """The same, unless more was granted than was to be."""


@conversation(turns=0, together=0)
def part(
    delegation: Delegation,
    denied: Tried[Grant],
    none_ticked: Tried[Grant],
    begun_elsewhere: Tried[Begun],
) -> Tried[Part]:
    """The User unchecks one of two scopes: the first grant, after what looks at consent without."""
    del denied, none_ticked, begun_elsewhere
    return tried(lambda: _part(delegation))


def _part(delegation: Delegation) -> Part:
    first = delegation.first
    asked = delegation.grants.get(
        delegation.scopes, USER, approve=frozenset({first}), session="fresh"
    )
    narrow = tried(lambda: asked.scopes == {first})
    if narrow.value:
        return Part(asked, asked)
    return Part(asked, delegation.grants.get((first,), USER))


@conversation(turns=0, together=0)
def both(
    delegation: Delegation,
    part: Tried[Part],
    denied: Tried[Grant],
    none_ticked: Tried[Grant],
    rebound: Tried[Rebound],
    unattended: Tried[Unattended],
    begun_elsewhere: Tried[Begun],
) -> Tried[Grant]:
    """The same User and account approve both scopes, of which one is granted already."""
    del part, denied, none_ticked, rebound, unattended, begun_elsewhere
    return tried(lambda: delegation.grants.get(delegation.scopes, USER))


@conversation(turns=0, together=0)
def other_account(delegation: Delegation, both: Tried[Grant]) -> Tried[Grant]:
    """The same User signs in with another Brand account, for a scope that is granted already."""
    del both

    def get() -> Grant:
        delegation.need_second_account()
        return delegation.grants.get((delegation.first,), USER, account=1, session="fresh")

    return tried(get)


@dataclass(frozen=True)
class Elsewhere:
    """An approved code of another Brand: what it got here, and the grant that it got there."""

    here: Answer
    grant: Grant


@conversation(turns=0, together=0)
def at_other_brand(pact_rig: Rig, delegation: Delegation) -> Tried[Elsewhere]:
    """A flow at another Brand of the Provider; its code is polled at this Brand first."""
    return tried(lambda: _at_other_brand(pact_rig, delegation))


def _at_other_brand(pact_rig: Rig, delegation: Delegation) -> Elsewhere:
    grants = delegation.grants_of(pact_rig.other_provider)
    scopes = tuple(grants.server.delegation.scopes)[:1]
    if not scopes:
        raise Untested("the second Brand lists no scope", do="set E2E_OTHER_BRAND to another")
    flow = grants.begin(scopes, "goes-elsewhere")
    done = grants.play(flow)
    here = delegation.server.redeem(flow.device_code, user=flow.user)
    return Elsewhere(here, grants.settle(flow, done))


@dataclass(frozen=True)
class Spent:
    """A grant to be spoilt: its code and refresh token were also tried by a stranger, and twice."""

    code_by_stranger: Tried[Answer]
    code_misnamed: Answer
    """The poll of its own agent with another's client_id."""
    grant: Grant
    code_again: Answer
    refresh_by_stranger: Tried[Answer]


@conversation(turns=0, together=0)
def spent(
    delegation: Delegation, begun_elsewhere: Tried[Begun], both: Tried[Grant]
) -> Tried[Spent]:
    """A grant of another personal agent, if there is one, that everybody tries to use.

    It is got with an account of which the suite's own agent holds a grant already.
    """
    del both
    return tried(lambda: _spend(delegation, begun_elsewhere.had()))


def _spend(delegation: Delegation, begun: Begun) -> Spent:
    owners, flow, ours = begun.grants, begun.flow, delegation.server

    def stranger(asks: Callable[[AuthorizationServer], Answer]) -> Tried[Answer]:
        if begun.other.problem is not None:
            return Tried(None, begun.other.problem)
        return tried(lambda: asks(ours))

    done = owners.play(flow)
    code_by_stranger = stranger(lambda us: us.redeem(flow.device_code, user=flow.user))
    another = "https://another-agent.example"
    misnamed = owners.server.redeem(flow.device_code, user=flow.user, client_id=another)
    # Whoever takes a wrong client_id has redeemed the code: that was the first time then.
    redeemed = misnamed if misnamed.status == 200 else owners.settle(flow, done).answer
    grant = Grant(flow, done, redeemed)
    code_again = owners.hurry(flow)
    refresh_by_stranger = stranger(lambda us: us.refresh(grant.refresh_token, user=flow.user))
    return Spent(code_by_stranger, misnamed, grant, code_again, refresh_by_stranger)


@conversation(turns=0, together=0)
def run_out(delegation: Delegation) -> Tried[Answer]:
    """A code that expires by hook before anybody approves it, and a poll with it."""
    return tried(lambda: _run_out(delegation))


def _run_out(delegation: Delegation) -> Answer:
    hooks = delegation.hooks
    hooks.need("expire_code")
    flow = delegation.grants.begin(delegation.scopes, "runs-out")
    hooks.call("expire_code", userCode=flow.text("user_code"), deviceCode=flow.device_code)
    return delegation.grants.hurry(flow)


@dataclass(frozen=True)
class Polled:
    """A code that is polled while nobody has decided: at first, at once again, and after a wait."""

    flow: Flow
    first: Answer
    hurried: Answer
    later: Answer


@conversation(turns=0, together=0)
def polled(delegation: Delegation) -> Polled:
    """A flow that nobody approves, polled once, too soon, and as told."""
    grants = delegation.grants_of(delegation.clock_provider)
    flow = grants.begin(tuple(grants.server.delegation.scopes)[:1], "polls")
    return Polled(flow, grants.poll(flow), grants.hurry(flow), grants.poll(flow))
