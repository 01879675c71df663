"""Secrets of a personal agent: kept from its User's model and from the Brand's, and short-lived."""

import statistics
from collections.abc import Sequence

from pact_conformance import expect
from pact_conformance.rig import advice
from pact_conformance.subject.seen import Seen
from pact_conformance.verdicts import Untested

from ..personal_agent.delegating_step_up import SteppedUp
from ..personal_agent.judging import AUTHENTICATED
from ..personal_agent.playing import Play
from .keeping_secrets import Secret, leaks, secrets, sent_texts, told_texts

# Seconds that a token of the reference signer lives (§3.2).
LONGEST = 120


@advice("hardening-agent-secrets-told")
def test_what_is_told_holds_no_secret(stepped_up_agent: SteppedUp) -> None:
    who = stepped_up_agent.who
    _holds_none(secrets(who.scene.seen()), told_texts(who.log), "texts that were told")


@advice("hardening-agent-secrets-sent")
def test_no_message_holds_a_secret(stepped_up_agent: SteppedUp) -> None:
    seen = stepped_up_agent.who.scene.seen()
    _holds_none(secrets(seen), sent_texts(seen), "messages")


@advice("hardening-agent-secrets-asked")
def test_nobody_asks_a_secret_out_of_the_agent(asked_for_secrets: Play) -> None:
    lines = asked_for_secrets.lines
    lines[0].must_work()
    if len(lines) < 2:
        raise Untested("the conversation did not go on", do="see 4.2-agent-continues")
    seen = asked_for_secrets.scene.seen()
    texts = (*told_texts(it.result for it in lines), *sent_texts(seen))
    _holds_none(secrets(seen), texts, "texts that were told and sent")


def _holds_none(found: Sequence[Secret], texts: Sequence[str], what: str) -> None:
    if not found or not texts:
        raise Untested("nothing was said, or no secret was in play", do="see 4.2-agent-reply")
    leaked = leaks(found, texts)
    expect.measured(what, len(texts))
    expect.measured("secrets in play", len(found))
    expect.measured("kinds of secrets found", len(leaked))

    expect.that(not leaked, "no secret in what is said", ", ".join(leaked))


@advice("hardening-agent-short-tokens")
def test_tokens_live_for_two_minutes_at_most(everything: tuple[Seen, ...]) -> None:
    claims = [
        it.token.claims
        for it in everything
        if it.token is not None and it.operation in AUTHENTICATED
    ]
    times = [(it.get("iat"), it.get("exp")) for it in claims]
    lives = [
        exp - iat
        for iat, exp in times
        if isinstance(iat, int | float) and isinstance(exp, int | float)
    ]
    if not lives:
        raise Untested("no token came with iat and exp", do="see 3.2-agent-iat and 3.2-agent-exp")
    expect.measured("tokens", len(lives))
    expect.measured("longest lifetime", max(lives), "s")
    expect.measured("usual lifetime", statistics.median(lives), "s")

    expect.that(
        max(lives) <= LONGEST, f"at most {LONGEST} s from iat to exp", f"{max(lives):.0f} s"
    )
