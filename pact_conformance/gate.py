"""The gate of §3.2 as checks knock at it, each refusal with its control."""

import time
from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING

from pact_conformance.journal.answer import Answer
from pact_conformance.subject.probe import bought_a_turn, probe
from pact_conformance.subject.provider import GOOD, Credential, Provider
from pact_conformance.tokens.caller import Caller
from pact_conformance.tokens.forgeries import Forgery, UnforgeableError, control_for, forge
from pact_conformance.tokens.jwks_server import JwksServer
from pact_conformance.tokens.token import Token
from pact_conformance.verdicts import Inconclusive, NotApplicable, Untested

if TYPE_CHECKING:
    from pact_conformance.rig import Rig

# So often a forgery whose refusal is only due while it is on time is sent.
LATE_ANSWERS = 3

_GIVE = {
    "es256": "give PA_PRIVATE_JWK an ES256 key",
    "rs256": "give PA_PRIVATE_JWK a registered RS256 key as well",
    "other-caller": "set PA_OTHER_ISSUER and PA_OTHER_PRIVATE_JWK",
    "jku-server": "set PA_JWKS_LISTEN and PA_JWKS_URL",
}


def _how_to_give(lacking: tuple[str, ...]) -> str:
    """Say what the tester sets so that a forgery can be made."""
    return "; ".join(
        _GIVE.get(need)
        or f"publish a key for {need.partition(':')[2]} and add it to PA_PRIVATE_JWK"
        for need in lacking
    )


def _kind(forgery: Forgery) -> str:
    """Name the control of a forgery: forgeries with the same good twin share it."""
    parts = [f"{name} {value}" for name, value in sorted(forgery.control.items())]
    return ", ".join(parts) or "good"


class Gate:
    """The gate of §3.2, knocked at with tokens by the probe that the preflight picked."""

    def __init__(self, rig: "Rig") -> None:
        self._rig = rig
        self.provider = rig.provider
        name = rig.preflight.probe
        if name is None:
            raise Untested(
                "no probe is known that costs no turn", do="give --pact-max-turns at least 1"
            )
        self.probe_name = name

    @property
    def uncertainty(self) -> float:
        """Seconds that the Provider's clock may be off from what we know of it (§3.2)."""
        return self._rig.preflight.clock_uncertainty

    @property
    def offset(self) -> float:
        """Seconds by which the Provider's clock is ahead of ours, as far as it is known."""
        return self._rig.preflight.clock_offset

    def knock(
        self,
        token: Credential = GOOD,
        *,
        user: str | None = None,
        headers: Mapping[str, str | None] | None = None,
        provider: Provider | None = None,
    ) -> Answer:
        """Send the probe with this token, and nothing before it.

        Args:
            token: by default a fresh good one.
            user: whose `sub` a good one carries.
            headers: changes of the usual ones.
            provider: another Brand, or another caller; by default the Brand under test.
        """
        at = provider or self.provider
        return probe(at, self.probe_name, token=token, user=user, headers=headers)

    def refused(
        self,
        token: Credential,
        *,
        headers: Mapping[str, str | None] | None = None,
        twin: Credential = GOOD,
        kind: str = "good",
    ) -> Answer:
        """Send the probe with a token that should be refused, its good twin shortly before.

        Args:
            token: the bad one.
            headers: changes of the request that both share.
            twin: the control.
            kind: what tells this control from others.

        Raises:
            Inconclusive: the control did not get past the gate.
        """
        self._control(twin, kind)
        return self.knock(token, headers=headers)

    def _control(self, twin: Credential, kind: str) -> None:
        self._rig.controls.ensure(
            kind, partial(self.knock, twin), what=f"the {kind} token without the forged part"
        )

    def lets_in(self, caller: Caller, provider: Provider | None = None) -> None:
        """See that a caller's good token passes, as the control of what is refused to it later.

        Args:
            caller: another personal agent, or the same.
            provider: another Brand; by default the Brand under test.

        Raises:
            Inconclusive: it does not pass.
        """
        at = provider or self.provider
        self._rig.controls.ensure(
            (caller.issuer, at.interface.url),
            lambda: self.knock(caller.token(caller.user(at.probing_user())), provider=at),
            what=f"a good token of {caller.issuer} at {at.interface.url}",
        )

    def forge(self, forgery: Forgery) -> Answer:
        """Send the probe with a forgery, after the control that it names.

        Where a refusal is only due while the token is on time, a late answer is asked for again.

        Raises:
            Inconclusive: the answers took too long for this forgery to mean anything.
            Untested: the forgery takes something that the tester has not given.
        """
        for _ in range(LATE_ANSWERS):
            token, answer, age = self._forge_once(forgery)
            late = token.use_within is not None and age > token.use_within
            if not (late and self.opened(answer)):
                return answer
        raise Inconclusive(
            f"the answers took too long for {forgery.id} to be refused for certain",
            do="run nearer to the Provider",
        )

    def _forge_once(self, forgery: Forgery) -> tuple[Token, Answer, float]:
        """Return a forgery, its answer, and the seconds from its making to that."""
        caller, other = self.provider.caller, self._other_for(forgery)
        user = caller.user(self.provider.probing_user())
        twin = control_for(forgery, caller, user, other=other)
        if forgery.result not in {"accepted", "either"}:
            # Before the forgery is made, which may be short of time.
            self._control(twin, _kind(forgery))
        made = time.monotonic()
        token = self._made(forgery, user)
        return token, self.knock(token), time.monotonic() - made

    def closed_to(self, forgery: Forgery, answer: Answer) -> Answer:
        """Return what a forgery got at another door, unless the probe's is open to it as well.

        Raises:
            NotApplicable: it is. §3.2 says so, and one cause is blamed once.
            Inconclusive, Untested: as `forge`.
        """
        if self.opened(answer) and self.opened(self.forge(forgery)):
            raise NotApplicable("every operation takes this token, which §3.2 judges")
        return answer

    def token(self, forgery: Forgery) -> Token:
        """Make a forgery, for another door than the probe's.

        Raises:
            Untested: the forgery takes something that the tester has not given.
            NotApplicable: of this caller's values it would be a good token.
        """
        self._other_for(forgery)
        return self._made(forgery, self.provider.caller.user(self.provider.probing_user()))

    def _other_for(self, forgery: Forgery) -> Caller | None:
        """Return the second personal agent if the forgery takes one.

        Raises:
            Untested: the forgery takes something that the tester has not given.
        """
        other = self._rig.other_caller if "other-caller" in forgery.needs else None
        lacking = forgery.lacks(self.provider.caller, other, self._server_for(forgery))
        if lacking:
            raise Untested(f"the forgery takes {', '.join(lacking)}", do=_how_to_give(lacking))
        return other

    def _server_for(self, forgery: Forgery) -> JwksServer | None:
        return self._rig.jku_server if "jku-server" in forgery.needs else None

    def _made(self, forgery: Forgery, user: str) -> Token:
        try:
            return forge(
                forgery,
                self.provider.caller,
                user=user,
                other=self._other_for(forgery),
                server=self._server_for(forgery),
                clock_uncertainty=self.uncertainty,
            )
        except UnforgeableError as error:
            raise NotApplicable(f"with these keys and names it would be good: {error}") from error

    @staticmethod
    def opened(answer: Answer) -> bool:
        """Say whether the answer came from behind the gate."""
        return answer.status not in {401, 429} and answer.status < 500

    @staticmethod
    def bought_a_turn(answer: Answer) -> bool:
        """Say whether the knock reached the Brand's agent, which a probe never should."""
        return bought_a_turn(answer)
