"""§5.5 Sending with a delegation token, and what follows when it is refused."""

import pytest

from pact_conformance import expect
from pact_conformance.grants import Tried
from pact_conformance.rig import requirement
from pact_conformance.subject.stage import Stage
from pact_conformance.verdicts import Deviation, Untested

from .delegating import DELEGATION, told
from .delegating_tokens import Acted, Refused
from .granting import issues


@requirement("5.5-agent-both-tokens")
def test_a_message_has_both_tokens(one_turn: Tried[Acted]) -> None:
    acted = one_turn.had()
    wanted = "a message with X-A2A-User-Delegation: Bearer and the token that was got"
    if not acted.messages:
        raise Deviation(wanted, f"no message: {told(acted.who.log[-1])}")
    message = acted.messages[-1]
    values = message.all(DELEGATION)
    expect.that(len(values) == 1, wanted, f"{len(values)} such headers")
    scheme, _, token = values[0].partition(" ")
    expect.that(scheme.casefold() == "bearer", wanted, f"the scheme {scheme[:20]!r}")
    expect.warn_unless(scheme == "Bearer", f"Bearer is written {scheme!r}")
    given = acted.who.tokens  # it may have been renewed meanwhile
    expect.that(token.strip() in given, wanted, "another token")
    own = message.token

    expect.that(
        own is not None and own.text not in given,
        "the personal-agent JWT in Authorization",
        "no Bearer token" if own is None else "the delegation token",
    )


@requirement("5.5-agent-both-tokens")
@pytest.mark.last
def test_no_delegation_token_is_anywhere_else(stage: Stage, one_turn: Tried[Acted]) -> None:
    everything = stage.everything()
    for issue in issues(everything):
        for seen in everything[issue.seen.n :]:
            others = (value for name, value in seen.headers if name.lower() != DELEGATION)
            places = {
                "the URL": seen.url,
                "the body": seen.body,
                "another header": " ".join(others),
            }
            found = [place for place, text in places.items() if issue.token in text]
            expect.that(
                not found,
                "the delegation token in X-A2A-User-Delegation alone",
                f"in {', '.join(found)} of {seen.operation} ({seen.exchange_id})",
            )
    one_turn.had()


@requirement("5.5-agent-delegation-refused")
def test_a_refused_token_is_not_sent_on(revoked_grant: Refused) -> None:
    tried = [it for it in revoked_grant.refused if it.operation == "message:send"]
    with_it = [it for it in tried if it.delegation == revoked_grant.token]
    if not with_it:
        expect.note("the agent did not send the revoked token, so nothing was refused")
    later = [it for it in revoked_grant.later if it.delegation == revoked_grant.token]

    # A second try may be about something else; after that the agent knows.
    expect.that(
        len(with_it) <= 2 and not later,
        "no further message with the refused token",
        f"{len(with_it)} in the turn that was refused, {len(later)} in the next one",
    )


@requirement("5.5-agent-delegation-refused")
def test_a_plain_401_does_not_end_the_grant(plainly_refused: Refused) -> None:
    challenged = [it for it in plainly_refused.refused if it.answer and it.answer.status == 401]
    later = [it for it in plainly_refused.later if it.operation == "message:send"]
    if not challenged or not later:
        raise Untested(
            f"no turn came after the 401: {told(plainly_refused.who.log[-1])}",
            do="see 3.4-agent-401",
        )

    expect.that(
        any(it.delegation is not None for it in later),
        "the next turn under the delegation token as before",
        "none with it",
    )
