"""OAuth forms at a Brand's authorization server: no User decides anything."""

import re
import secrets
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from pact_conformance.fuzz import controls
from pact_conformance.fuzz.example import Example
from pact_conformance.fuzz.family import Exhausted, Impossible, Trial, Unanswered
from pact_conformance.fuzz.kind import Kind
from pact_conformance.fuzz.oauth_forms.draft import Draft, Endpoint, Known
from pact_conformance.fuzz.oauth_forms.judging import began, code_of, judged
from pact_conformance.fuzz.oauth_forms.kinds import KINDS
from pact_conformance.fuzz.of_kinds import OfKinds
from pact_conformance.fuzz.pace import Pace
from pact_conformance.grants import error_of
from pact_conformance.journal.answer import Answer
from pact_conformance.journal.client import NoAnswer
from pact_conformance.subject.authorization_server import AuthorizationServer
from pact_conformance.subject.likes import like
from pact_conformance.subject.provider import Provider
from pact_conformance.subject.rate_limit import Patience
from pact_conformance.verdicts import Inconclusive, Unsettled, Untested

if TYPE_CHECKING:
    from pact_conformance.rig import Rig

# Device flows that nobody will decide are cheap for a Provider, but not free: so many begin at
# most, those among them whose codes are made look-alikes of.
MOST_BEGUN = 30

# A code is looked at for this part of its lifetime.
GOOD_FOR = 0.5
SHORTEST_LIFETIME = 60.0

OTHER = "https://another-agent.example"
"""The issuer of nobody, where there is no second personal agent."""


class OAuthForms(OfKinds):
    """The family, ready to be tried on a Brand's authorization server.

    Args:
        rig: of the run.
        pace: is slowed down by a rate limit.

    Raises:
        NotApplicable: the card offers no delegation.
        Untested: the card lists no scope, or a poll with an unknown code does not get what is due.
    """

    known = KINDS
    good = "5.3-unknown-device-code"

    def __init__(self, rig: "Rig", pace: Pace) -> None:
        provider = rig.provider
        patience = Patience(rig.settings.max_wait, sleep=pace.told_to_wait)
        asking = Provider(rig.client, provider.card, provider.caller, patience, rig.turns)
        self._server: AuthorizationServer = AuthorizationServer(asking, rig.settings.allow_origins)
        self._provider = asking
        self._begun = 0
        self._pending: tuple[tuple[str, str], float] | None = None
        self._nothings: dict[Endpoint, str] = {}
        scopes = tuple(it for it in self._server.delegation.scopes if it.strip())
        if not scopes:
            raise Untested("the card lists no scope", do="see 5.2-scopes-on-card")
        self._known = Known(
            issuer=provider.caller.issuer,
            other=_other(rig),
            scopes=scopes,
            unknown_scope=_unknown(scopes),
            unknown_code=secrets.token_urlsafe(32),
            pending=self._codes,
            of_nothing=self._of_nothing,
        )
        self.kinds: Sequence[Kind[Draft]] = tuple(KINDS.all.values())

    def control(self) -> None:
        """See that a good poll with a code that nobody issued gets what is due.

        Raises:
            Inconclusive: it does not.
        """
        draft = Draft(self._known, refused=False)
        answer = self._sent(draft)
        if error_of(answer) not in draft.accepted:
            raise controls.failed(
                "a poll with an unknown code",
                answer,
                do="see 5.3-unknown-device-code, then run again",
            )

    def attempt(self, example: Example) -> Trial:
        """Send the request of an example.

        Raises:
            Impossible: of this Brand's values it cannot be made, or HTTP has no such request.
            Unanswered: no answer came.
            Exhausted: too many device flows began.
        """
        due, said = KINDS.due_to(example), KINDS.said(example)
        draft = Draft(self._known, refused=due in {"refused", "warn-if-accepted"})
        for kind, change in KINDS.of(example):
            kind.apply(draft, *change.values)
        if _SUSPECT.search(" ".join(part for pair in draft.pairs for part in pair)):
            draft.bare |= {400, 403, 406}
        try:
            answer = self._sent(draft)
        except Inconclusive as error:
            if not isinstance(error.__cause__, NoAnswer):
                raise
            raise Unanswered(_without_answer(draft, error.__cause__)) from error
        self._count(answer)
        return judged(answer, draft, due, said)

    def _sent(self, draft: Draft) -> Answer:
        delegation = self._server.delegation
        url = {
            "token": delegation.token_url,
            "refresh": self._server.refresh_url,
            "device": delegation.device_authorization_url,
        }[draft.endpoint]
        if draft.query:
            url += ("&" if "?" in url else "?") + "&".join(draft.query)
        try:
            return self._server.send(
                draft.method,
                url,
                user=self._provider.probing_user(),
                headers=draft.lines,
                content=draft.content,
            )
        except ValueError as error:
            raise Impossible(str(error)) from error

    def _codes(self) -> tuple[str, str]:
        """Return the codes of a flow that nobody decides, begun some time ago at most."""
        if self._pending is not None and time.monotonic() < self._pending[1]:
            return self._pending[0]
        answer = self._server.begin(self._known.scopes[:1], user=self._provider.probing_user())
        self._count(answer)
        body: Any = answer.json
        codes = [body.get(it) if isinstance(body, dict) else None for it in _CODES]
        if not began(answer) or not all(isinstance(it, str) and it for it in codes):
            raise Impossible("no device flow begins")
        lasts = body.get("expires_in")
        seconds = lasts if isinstance(lasts, int | float) else SHORTEST_LIFETIME
        made = (str(codes[0]), str(codes[1]))
        self._pending = (made, time.monotonic() + GOOD_FOR * float(seconds))
        return made

    def _of_nothing(self, endpoint: Endpoint) -> str:
        """Return the code that an endpoint answers to an empty form; it is asked once."""
        if endpoint not in self._nothings:
            draft = Draft(self._known, refused=True)
            draft.endpoint, draft.write = endpoint, lambda _: b""
            answer = self._sent(draft)
            self._count(answer)
            self._nothings[endpoint] = code_of(answer) or ""
        return self._nothings[endpoint]

    def _count(self, answer: Answer) -> None:
        self._begun += began(answer)
        if self._begun >= MOST_BEGUN:
            raise Exhausted(
                f"{self._begun} device flows began, which nobody will decide",
                do="mend what was found, then run again",
            )


_CODES = ("device_code", "user_code")

# What firewalls in front of a Provider take for an attack, and answer as they like.
_SUSPECT = re.compile(r"[<\x00-\x1f]|--|%00|@evil|\.\*|&#|\[object|__proto__|constructor")


def _other(rig: "Rig") -> str:
    try:
        return rig.other_caller.issuer
    except Unsettled:
        return OTHER


def _unknown(scopes: Sequence[str]) -> str:
    made = like(scopes[0])
    while made in scopes:
        made += "x"
    return made


def _without_answer(draft: Draft, error: NoAnswer) -> Trial:
    """Return what it is that no answer came: a connection may be ended by a server in front."""
    if error.failure.kind == "closed" and (draft.of_http or 413 in draft.bare):
        return Trial("undecided", exchange=error.exchange_id)
    return Trial("undecided", "an answer", f"none, twice: {error}", exchange=error.exchange_id)
