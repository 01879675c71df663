"""Keys of personal agents: fetched when needed and no more, taken soon, forgotten in time."""

from dataclasses import replace
from http import HTTPStatus

from pact_conformance import expect
from pact_conformance.gate import Gate
from pact_conformance.rig import Rig, advice
from pact_conformance.spares import Lent
from pact_conformance.subject.rate_limit import Patience
from pact_conformance.tokens.keys import SigningKey
from pact_conformance.verdicts import Deviation, Untested
from pact_conformance.wire.messages import new_id

from ..provider.key_sets import Awaited
from .changing_keys import Followed, quick, soon

# Tokens of a storm, made beforehand and sent one after the other: who fetches once for all that
# wait at the same time fetches for each of these.
TOKENS = 48

# Who fetches for each token does so in every storm. Who does it once in a while does it more often
# in one that a slow machine draws out, so the storm with the fewest fetches counts.
STORMS = 3
MOST_SHARE = 0.8

# Some minutes at most, whatever the stated cache time.
LONGEST = 330.0


@advice("hardening-new-key")
def test_a_new_key_is_taken_for_itself(followed: Followed) -> None:
    awaited = min(followed.taken, key=lambda it: (not it.waited.came, it.waited.seconds))
    _must_have_come(awaited, "a token of a new key to be taken")
    expect.measured("from publication until taken", awaited.waited.seconds, "s")

    expect.that(
        quick(awaited, followed.cache_seconds),
        f"a new key to be taken within {soon(followed.cache_seconds):.3g} s, "
        f"long before a cache of {followed.cache_seconds:.3g} s has run out",
        f"{awaited.waited.seconds:.3g} s after it was published, in {len(followed.taken)} tries",
    )


@advice("hardening-stale-key")
def test_a_withdrawn_key_is_forgotten_by_itself(followed: Followed) -> None:
    if followed.refused is None:
        raise Untested("no new key was taken, so none can go", do="see hardening-new-key")
    _must_have_come(followed.refused, "a token of a withdrawn key to be refused")
    seconds = followed.refused.waited.seconds
    expect.measured("from withdrawal until refused", seconds, "s")

    expect.that(
        seconds <= LONGEST,
        "a withdrawn key to be refused within some minutes",
        f"{seconds:.0f} s after it was withdrawn",
    )


def _must_have_come(awaited: Awaited, expected: str) -> None:
    if awaited.waited.came:
        return
    if not awaited.patience.enough:
        raise awaited.patience.too_short()
    seconds = awaited.waited.seconds
    expect.measured("waited in vain", seconds, "s")
    raise Deviation(expected, f"the contrary, {seconds:.3g} s after the change")


@advice("hardening-jwks-storm")
def test_unknown_keys_cause_few_fetches(pact_rig: Rig, gate: Gate) -> None:
    with pact_rig.spares.lend("advising") as lent:
        _ = lent.keys
        gate.lets_in(lent.caller)
        if not lent.keys.fetches:
            raise Untested(
                "the Provider has not fetched the personal agent's keys from this run",
                do="register {PA_JWKS_URL}/spare/jwks.json for PA_SPARE_ISSUER",
            )
        storms = [_storm(pact_rig, gate, lent)]
        while storms[-1][1] > MOST_SHARE * storms[-1][0] and len(storms) < STORMS:
            storms.append(_storm(pact_rig, gate, lent))
    sent, fetched = min(storms, key=lambda it: it[1] / it[0])
    expect.measured("tokens with unknown keys", sent)
    expect.measured("fetches of the JWKS meanwhile", fetched)

    expect.that(
        fetched <= MOST_SHARE * sent,
        "a few fetches, however many unknown keys are named",
        f"{fetched} for {sent} tokens",
    )


def _storm(pact_rig: Rig, gate: Gate, lent: Lent) -> tuple[int, int]:
    """Return how many tokens were sent, and how often the keys were fetched meanwhile."""
    provider = pact_rig.provider_of(pact_rig.card, lent.caller)
    provider.patience = Patience(0)  # who limits the rate has stopped the storm
    key = SigningKey.generate("ES256")
    tokens = [
        lent.caller.token(
            lent.caller.user(provider.probing_user()),
            key=replace(key, kid=new_id("unknown")),
            forgery="kid-unknown-by-stranger",
        )
        for _ in range(TOKENS)
    ]
    sent, before = 0, lent.keys.fetches
    for token in tokens:
        sent += 1
        if gate.knock(token, provider=provider).status == HTTPStatus.TOO_MANY_REQUESTS:
            break
    # What is fetched in the background arrives while a good token is verified.
    gate.knock(lent.caller.token(lent.caller.user("after-the-storm")))
    return sent, lent.keys.fetches - before
