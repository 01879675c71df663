"""What becomes of a personal agent's tokens when its published keys change (§3.1).

These take time on the Provider's side and cost no turn, so they run beside the conversations. Each
leaves the set as it was.
"""

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from pact_conformance.gate import Gate
from pact_conformance.journal.answer import Answer
from pact_conformance.rig import Rig, conversation
from pact_conformance.settings import Settings
from pact_conformance.spares import Lent
from pact_conformance.subject.waiting import Waited, wait_until
from pact_conformance.tokens import base64url
from pact_conformance.tokens.keys import SigningKey
from pact_conformance.verdicts import Inconclusive, Untested, open_notebook
from pact_conformance.wire.messages import new_id

# After the stated cache time has passed, so much more for the fetch and for clocks.
MARGIN_SECONDS = 0.5
MARGIN_SHARE = 0.1

# Where the cache time is too long to wait for, a Provider that follows at once is seen to.
AT_ONCE_SECONDS = 5.0

# A check keeps this share of its time for what it does besides waiting.
OWN_SHARE = 0.2


@dataclass(frozen=True)
class Patience:
    """How long a change of keys is waited for, and whether that is longer than the cache time."""

    seconds: float
    enough: bool

    def too_short(self) -> Untested:
        """Return what a check ends with that would have had to wait longer."""
        return Untested(
            f"the Provider may keep keys for longer than the {self.seconds:.0f} s that were waited",
            do="set jwks_cache_s to the cache time of the Provider (a short one, for a test), and "
            "raise --pact-max-wait and E2E_TEST_TIMEOUT_MS above it",
        )


def patience(settings: Settings) -> Patience:
    """Return how long to wait: the cache time and a margin, where the settings allow that."""
    wanted = settings.jwks_cache_s * (1 + MARGIN_SHARE) + MARGIN_SECONDS
    allowed = min(settings.max_wait, (open_notebook().left or wanted) * (1 - OWN_SHARE))
    if wanted <= allowed:
        return Patience(wanted, enough=True)
    return Patience(min(allowed, AT_ONCE_SECONDS), enough=False)


@dataclass(frozen=True)
class Awaited:
    """A change of keys that was waited for, and how long that was possible."""

    waited: Waited
    patience: Patience


def _fresh(name: str) -> SigningKey:
    return SigningKey.generate("ES256", kid=new_id(name))


@contextmanager
def _published(lent: Lent, entries: list[Any]) -> Iterator[None]:
    """Have entries in the set while the block runs."""
    lent.keys.add(entries)
    try:
        yield
    finally:
        lent.keys.remove(entries)


def _knock(gate: Gate, lent: Lent, key: SigningKey | None = None) -> Answer:
    user = lent.caller.user(gate.provider.probing_user())
    return gate.knock(lent.caller.token(user, key=key))


def _taken(gate: Gate, lent: Lent, key: SigningKey, longest: Patience) -> Awaited:
    """Wait until the Provider takes what a key of the set signs."""
    waited = wait_until(
        lambda: gate.opened(_knock(gate, lent, key)),
        longest=longest.seconds,
        why="for the Provider to read the new key",
    )
    return Awaited(waited, longest)


@dataclass(frozen=True)
class Rotation:
    """A key that came to the set and went again."""

    taken: Awaited
    refused: Awaited | None
    """None where it was never taken."""


@conversation(turns=0, together=0)
def rotation(pact_rig: Rig) -> Rotation:
    """A second key is published beside the first, and withdrawn when a third one comes."""
    gate, longest = pact_rig.gate, patience(pact_rig.settings)
    with pact_rig.spares.lend("rotating") as lent:
        second, third = _fresh("second"), _fresh("third")
        gate.lets_in(lent.caller)
        with _published(lent, [second.public_jwk()]):
            taken = _taken(gate, lent, second, longest)
        if not taken.waited.came:
            return Rotation(taken, None)
        with _published(lent, [third.public_jwk()]):
            longest = patience(pact_rig.settings)
            return Rotation(taken, _withdrawn(gate, lent, second, third, longest))


def _withdrawn(
    gate: Gate, lent: Lent, gone: SigningKey, new: SigningKey, longest: Patience
) -> Awaited:
    """Wait until a withdrawn key is refused; a new one gives the Provider a reason to look."""

    def is_refused() -> bool:
        _knock(gate, lent, new)
        return _knock(gate, lent, gone).status == 401

    return Awaited(
        wait_until(
            is_refused, longest=longest.seconds, why="for the Provider to miss the withdrawn key"
        ),
        longest,
    )


def of_other_kinds() -> list[dict[str, Any]]:
    """Return sound keys that nothing is signed with here, one of them with few members."""
    p384, ed25519, bare = (
        SigningKey.generate(alg, kid=new_id(alg.lower())).public_jwk()
        for alg in ("ES384", "EdDSA", "ES256")
    )
    modulus = base64url.encode(b"\xc1" + secrets.token_bytes(254) + b"\x01")
    return [
        p384,
        ed25519,
        {name: value for name, value in bare.items() if name not in {"kid", "alg", "use"}},
        {"kty": "RSA", "kid": new_id("rsa"), "use": "enc", "n": modulus, "e": "AQAB"},
        {"kty": "X-FUTURE", "kid": new_id("future"), "use": "sig", "pub": modulus},
    ]


def unreadable() -> list[Any]:
    """Return entries that are no public keys; RFC 7517 §5 says that they should be passed over."""
    cut = {n: v for n, v in _fresh("cut").public_jwk().items() if n != "y"}
    secret = {"kty": "oct", "kid": new_id("oct"), "alg": "HS256", "k": "bm90LWEtc2VjcmV0"}
    return [cut, secret, {"kid": new_id("no-kty")}]


@dataclass(frozen=True)
class Assorted:
    """A good key in company."""

    of_other_kinds: Awaited
    unreadable: Awaited


@conversation(turns=0, together=0)
def assorted(pact_rig: Rig) -> Assorted:
    """A good key comes to the set together with keys of other kinds, then with unreadable ones."""
    gate, longest = pact_rig.gate, patience(pact_rig.settings)
    with pact_rig.spares.lend("assorted") as lent:
        found = []
        for others in (of_other_kinds(), unreadable()):
            good = _fresh("good")
            with _published(lent, [*others, good.public_jwk()]):
                found.append(_taken(gate, lent, good, longest))
        # The control: alone, a good key is taken in that time.
        if not all(it.waited.came for it in found):
            good = _fresh("good")
            with _published(lent, [good.public_jwk()]):
                if not _taken(gate, lent, good, longest).waited.came:
                    raise longest.too_short()
        return Assorted(*found)


@dataclass(frozen=True)
class Unreachable:
    """Answers to tokens while the keys could not be fetched, by what was amiss with the set."""

    answers: dict[str, Answer]


@conversation(turns=0, together=0)
def unreachable(pact_rig: Rig) -> Unreachable:
    """The set cannot be fetched, and then again: only then its key's tokens are taken."""
    gate, longest = pact_rig.gate, patience(pact_rig.settings)
    failing = pact_rig.provider_of(pact_rig.card, caused=True)
    with pact_rig.spares.lend("unreachable") as lent:
        caller, key, keys = lent.caller, _fresh("never-fetched"), lent.keys
        answers = {}
        with _published(lent, [key.public_jwk()]):
            try:
                for status in (500, 404):
                    keys.fail(status)
                    token = caller.token(caller.user(failing.probing_user()), key=key)
                    answers[f"JWKS answers {status}"] = gate.knock(token, provider=failing)
            finally:
                keys.fail(None)
            control = _taken(gate, lent, key, longest)
        if not control.waited.came:
            raise Inconclusive(
                "the control failed: the key is not taken when its set can be fetched again",
                do=longest.too_short().do,
            )
        return Unreachable(answers)
