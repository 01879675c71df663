"""Grants (§5.3): device flows as a personal agent goes through them, with somebody as the User.

A flow is begun, the approver plays the User, and the code is redeemed no faster than the interval
allows. What keeps a grant from coming about is no verdict on what depends on it: the check that is
about it says what is wrong, and the others are untested and point there.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from pact_conformance.journal.answer import Answer
from pact_conformance.subject.approver import Done, Errand
from pact_conformance.subject.authorization_server import AuthorizationServer
from pact_conformance.subject.origins import origin
from pact_conformance.tokens.delegation import DelegationToken, read
from pact_conformance.verdicts import (
    Inconclusive,
    NotApplicable,
    Unsettled,
    Untested,
    open_notebook,
)
from pact_conformance.waits import pause, waiting

if TYPE_CHECKING:
    from pact_conformance.delegation import Delegation

T = TypeVar("T")

# What RFC 8628 §3.2 lets a client assume where the answer names no interval, in seconds.
USUAL_INTERVAL = 5.0

# A Provider may take note of an approval a moment after the User's page says so.
POLLS = 3

# What polls get while nothing is decided (RFC 8628 §3.5).
UNDECIDED = frozenset({"authorization_pending", "slow_down"})

# How much longer than the interval is waited, in seconds: clocks tick unevenly, and some Providers
# draw the line of slow_down a second later than they say.
GRACE = 1.2


@dataclass(frozen=True)
class Flow:
    """A device flow that was begun: who asked for what, and the answer (RFC 8628 §3.2)."""

    server: AuthorizationServer
    user: str
    scopes: tuple[str, ...]
    begun: Answer

    def member(self, name: str) -> Any:  # noqa: ANN401 - whatever the subject wrote there
        """Return a member of the answer, None where it has no such."""
        body: Any = self.begun.json
        return body.get(name) if isinstance(body, dict) else None

    def text(self, name: str) -> str:
        """Return a member that has to be a text.

        Raises:
            Untested: it is none; 5.3-device-authorization says what came.
        """
        found = self.member(name)
        if not isinstance(found, str) or not found:
            raise Untested(
                f"the device flow did not begin: no {name} came",
                do="see 5.3-device-authorization and 5.3-verification-uri-complete",
            )
        return found

    @property
    def device_code(self) -> str:
        """What the personal agent polls with."""
        return self.text("device_code")

    @property
    def interval(self) -> float:
        """Seconds that have to lie between polls."""
        found = self.member("interval")
        is_number = isinstance(found, int | float) and not isinstance(found, bool)
        return float(found) if is_number and found >= 0 else USUAL_INTERVAL

    def errand(self, **what: Any) -> Errand:  # noqa: ANN401 - the errand's own parts
        """Return what the User is asked to do: by default to approve everything."""
        described: Mapping[str, str] = self.server.delegation.scopes
        return Errand(
            link=self.text("verification_uri_complete"),
            user_code=str(self.member("user_code") or ""),
            scopes={it: described.get(it, "") for it in self.scopes},
            brand=self.server.brand,
            **what,
        )


@dataclass(frozen=True)
class Grant:
    """What came of a flow: what the User saw and did, and the answer to the poll after it."""

    flow: Flow
    done: Done
    answer: Answer

    @cached_property
    def body(self) -> Mapping[str, Any]:
        """The members of the token response.

        Raises:
            Untested: there is none; 5.3-token says what came.
        """
        body: Any = self.answer.json
        if self.answer.status != 200 or not isinstance(body, dict):
            raise Untested("no token was got", do="see 5.3-token")
        return body

    @property
    def token(self) -> str:
        """The delegation token as it goes on the wire."""
        found = self.body.get("access_token")
        if not isinstance(found, str) or not found:
            raise Untested("the token response has no access_token", do="see 5.3-token")
        return found

    @property
    def refresh_token(self) -> str:
        """The refresh token.

        Raises:
            NotApplicable: there is none, as PACT allows.
        """
        found = self.body.get("refresh_token")
        if not isinstance(found, str) or not found:
            raise NotApplicable("no refresh token was given, which PACT does not require")
        return found

    @cached_property
    def read(self) -> DelegationToken:
        """The delegation token, taken apart.

        Raises:
            Untested: it is no JWT; 5.4-signature says so.
        """
        try:
            return read(self.token)
        except ValueError as error:
            raise Untested(f"the token cannot be read: {error}", do="see 5.4-signature") from error

    def claim(self, name: str) -> Any:  # noqa: ANN401 - whatever the subject wrote there
        """Return a claim of the token, None where it has no such."""
        return self.read.claims.get(name)

    @property
    def scopes(self) -> frozenset[str]:
        """What the token grants, by its own words."""
        scope = self.claim("scope")
        return frozenset(scope.split() if isinstance(scope, str) else ())


@dataclass
class Grants:
    """Gets grants at one Brand's authorization server.

    Args:
        delegation: of the run.
        server: the Brand's authorization server, as one of the personal agents reaches it.
    """

    delegation: "Delegation"
    server: AuthorizationServer
    _polled: dict[str, float] = field(default_factory=dict)
    _slower: dict[str, float] = field(default_factory=dict)

    def begin(self, scopes: Sequence[str], user: str) -> Flow:
        """Begin a device flow; whether its answer is any good is for the checks of it."""
        answer = self.server.begin(scopes, user=user)
        return Flow(self.server, user, tuple(scopes), answer)

    def play(self, flow: Flow, **what: Any) -> Done:  # noqa: ANN401 - the errand's own parts
        """Have the User follow the link and decide.

        Raises:
            Inconclusive: the approver could not, with what the page said.
            Untested: there is no approver, or no link to follow.
        """
        approver = self.delegation.approver
        with waiting(f"for the User to sign in and decide ({approver.name})"):
            return approver.play(flow.errand(**what))

    def get(self, scopes: Sequence[str], user: str, **what: Any) -> Grant:  # noqa: ANN401 - likewise
        """Go through a whole flow: begin, have the User decide, redeem."""
        flow = self.begin(scopes, user)
        return self.settle(flow, self.play(flow, **what))

    def settle(self, flow: Flow, done: Done) -> Grant:
        """Redeem after the User has come to the end of the way.

        Raises:
            Inconclusive: the way ended without the consent page, or with a form that was not
                understood, and nothing is decided; or somebody only says that it is.
        """
        answer = self.redeem(flow)
        if (done.decided == "skipped" or done.unfinished) and error_of(answer) in UNDECIDED:
            where = "" if done.final is None else f" at {origin(done.final.url)}"
            how = "with a form that is not understood" if done.unfinished else "without consent"
            raise Inconclusive(
                f"the User's way ended{where} {how}, and nothing is decided",
                do="follow the link by hand, or set E2E_APPROVER to another approver",
            )
        if not self.delegation.approver.sees_pages and error_of(answer) in UNDECIDED:
            # Whoever tells of pages may be mistaken about the button, and the Provider is not.
            raise Inconclusive(
                f"the approver {self.delegation.approver.name} says {done.decided}, and the "
                "Provider still waits for the User",
                do="see that it really presses the button on the consent page",
            )
        return Grant(flow, done, answer)

    def poll(self, flow: Flow) -> Answer:
        """Ask once for the token, after the interval since the last poll of this code."""
        self.wait(flow)
        return self.hurry(flow)

    def hurry(self, flow: Flow) -> Answer:
        """Ask once for the token, whatever the interval says."""
        answer = self.server.redeem(flow.device_code, user=flow.user)
        self._polled[flow.device_code] = self.delegation.time_at(self.server.provider)
        self.delegation.keep_in_mind(self.server, answer)
        if error_of(answer) == "slow_down":
            # RFC 8628 §3.5: from now on five seconds more.
            slower = self._slower.get(flow.device_code, 0.0)
            self._slower[flow.device_code] = slower + 5.0
        return answer

    def wait(self, flow: Flow) -> None:
        """Let the interval pass that has to lie between two polls of this code."""
        last = self._polled.get(flow.device_code)
        if last is None:
            return
        asked = flow.interval + self._slower.get(flow.device_code, 0.0)
        left = last + asked + GRACE - self.delegation.time_at(self.server.provider)
        if left > 0:
            why = f"polling every {asked:.0f} s as the Provider asks"
            self.delegation.pass_time(self.server.provider, left, why)

    def redeem(self, flow: Flow) -> Answer:
        """Ask for the token after the User has decided, a few times while it is still pending."""
        answer = self.poll(flow)
        for _ in range(POLLS - 1):
            if error_of(answer) not in UNDECIDED:
                break
            answer = self.poll(flow)
        return answer

    def refreshed(self, grant: Grant, scopes: Sequence[str] | None = None) -> Grant:
        """Return the grant with what a refresh gives.

        Raises:
            NotApplicable: there is no refresh token.
        """
        answer = self.server.refresh(grant.refresh_token, user=grant.flow.user, scopes=scopes)
        return replace(grant, answer=answer)


def error_of(answer: Answer) -> str:
    """Return the OAuth error code of an answer; empty where it has none."""
    body: Any = answer.json
    error = body.get("error") if isinstance(body, dict) else None
    return error if isinstance(error, str) else ""


def let_pass(seconds: float, why: str) -> None:
    """Wait for real, where the other side's clock cannot be moved.

    Args:
        seconds: to wait.
        why: what people are told meanwhile.

    Raises:
        Inconclusive: the deadline of the check comes before.
    """
    left = open_notebook().left
    if left is not None and left < seconds:
        raise Inconclusive(
            f"{seconds:.0f} s have to pass, and the check may take {left:.0f} s more",
            do="raise E2E_TEST_TIMEOUT_MS",
        )
    pause(seconds, why)


@dataclass(frozen=True)
class Tried(Generic[T]):
    """What was tried, or what kept it from coming about: for those who only wait for it to end."""

    value: T | None
    problem: Unsettled | None = None

    def had(self) -> T:
        """Return it.

        Raises:
            Unsettled: what kept it from coming about.
        """
        if self.problem is not None:
            raise self.problem
        assert self.value is not None
        return self.value


def tried(get: Callable[[], T]) -> Tried[T]:
    """Try something, and keep what ends it without a verdict on the subject."""
    try:
        return Tried(get())
    except Unsettled as problem:
        return Tried(None, problem)
