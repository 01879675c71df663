"""How soon a Provider follows where a personal agent changes its keys (§3.1), as time goes by."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from pact_conformance.gate import Gate
from pact_conformance.journal.answer import Answer
from pact_conformance.rig import Rig, conversation
from pact_conformance.spares import Lent
from pact_conformance.subject.waiting import Waited, wait_until
from pact_conformance.tokens.keys import SigningKey
from pact_conformance.wire.messages import new_id

from ..provider.key_sets import Awaited, patience

# So often a new key is published: where one was met late, the next says whether by chance.
TIMES = 3


@dataclass(frozen=True)
class Followed:
    """A Provider's way with keys that came and went."""

    taken: tuple[Awaited, ...]
    """How long each new key took to be taken, until one was quick."""
    refused: Awaited | None
    """How long a withdrawn one took to be refused, with nobody naming another; None where none was
    taken."""
    cache_seconds: float


@conversation(turns=0, together=0, hardening=True)
def followed(pact_rig: Rig) -> Followed:
    """A key is published and used, then withdrawn, and nothing else is asked meanwhile."""
    gate, settings = pact_rig.gate, pact_rig.settings
    with pact_rig.spares.lend("advising") as lent:
        taken: list[Awaited] = []
        for _ in range(TIMES):
            key = SigningKey.generate("ES256", kid=new_id("comes-and-goes"))
            gate.lets_in(lent.caller)
            _knock(gate, lent, None)  # the set is fetched before the key is in it
            with _published(lent, key):
                longest = patience(settings)
                taken.append(Awaited(_until_taken(gate, lent, key, longest.seconds), longest))
            if quick(taken[-1], settings.jwks_cache_s) or not taken[-1].waited.came:
                break
        refused = None
        if taken[-1].waited.came:
            longest = patience(settings)
            waited = wait_until(
                lambda: not gate.opened(_knock(gate, lent, key)),
                longest=longest.seconds,
                why="for the Provider to forget a withdrawn key by itself",
            )
            refused = Awaited(waited, longest)
        return Followed(tuple(taken), refused, settings.jwks_cache_s)


def quick(awaited: Awaited, cache_seconds: float) -> bool:
    """Say whether a new key was taken for itself, and not since a cache had run out."""
    return awaited.waited.came and awaited.waited.seconds < soon(cache_seconds)


def soon(cache_seconds: float) -> float:
    """Return the seconds within which a new key is taken that was asked for: at most a minute."""
    return min(60.0, cache_seconds / 2)


def _until_taken(gate: Gate, lent: Lent, key: SigningKey, longest: float) -> Waited:
    return wait_until(
        lambda: gate.opened(_knock(gate, lent, key)),
        longest=longest,
        why="for the Provider to read the new key",
    )


def _knock(gate: Gate, lent: Lent, key: SigningKey | None) -> Answer:
    user = lent.caller.user(gate.provider.probing_user())
    return gate.knock(lent.caller.token(user, key=key))


@contextmanager
def _published(lent: Lent, key: SigningKey) -> Iterator[None]:
    lent.keys.add([key.public_jwk()])
    try:
        yield
    finally:
        lent.keys.remove([key.public_jwk()])
