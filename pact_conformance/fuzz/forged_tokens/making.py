"""Makes the token of an example for a personal agent, fresh each time."""

import secrets
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from pact_conformance.fuzz.example import Example
from pact_conformance.fuzz.family import Impossible, Unlucky
from pact_conformance.fuzz.forged_tokens.draft import Draft, members, signer
from pact_conformance.fuzz.forged_tokens.kinds import KINDS
from pact_conformance.fuzz.kind import Kind
from pact_conformance.tokens.caller import LIFETIME, Caller
from pact_conformance.tokens.token import Token

# Some servers and gateways take no longer header than 8 KiB, whatever is in it.
LONGEST = 6000

BASES = ("ES256", "RS256")

# What takes a signature of some luck is tried so often.
ATTEMPTS = 20


class Maker:
    """Makes tokens.

    Args:
        caller: whose tokens.
        other: a second registered personal agent, if there is one.
        bases: the algorithms whose good tokens get through, by which examples may be signed.
        uncertainty: how far the Provider's clock may be from the caller's, in seconds.
        is_open: whether the Provider lets in whoever serves keys, as far as its tester says.
    """

    def __init__(
        self,
        caller: Caller,
        other: Caller | None = None,
        *,
        bases: Sequence[str] = BASES,
        uncertainty: float = 1.0,
        is_open: bool = False,
    ) -> None:
        self.caller = caller
        self._other = other
        self._uncertainty = uncertainty
        held = {key.alg for key in caller.keys}
        self.bases = [alg for alg in bases if alg in held]
        self.there = {f"published:{key.alg}" for key in caller.keys}
        self.there |= {alg.lower() for alg in self.bases}
        self.there |= {"other-caller"} if other is not None else set()
        self.there |= set() if is_open else {"closed"}

    def possible(self) -> list[Kind[Draft]]:
        """Return the kinds whose needs are met."""
        return [kind for kind in KINDS.all.values() if kind.needs <= self.there]

    def make(self, example: Example, user: str) -> Token:
        """Return a fresh token of an example.

        Raises:
            Impossible: it would be as if nothing was changed, or too long to be sent.
            NoExample: see `Kinds.of`.
        """
        for _ in range(ATTEMPTS - 1):
            with suppress(Unlucky):
                return self._made(example, user)
        return self._made(example, user)

    def _made(self, example: Example, user: str) -> Token:
        changes = KINDS.of(example)
        draft = self._draft(self._base(kind for kind, _ in changes), user)
        for kind, change in changes:
            kind.apply(draft, *change.values)
        text = draft.text
        if len(text) > LONGEST:
            raise Impossible(f"a token of {len(text)} characters")
        said = KINDS.said(example)
        return Token(text, f"fuzzed: {said}", said, draft.use_within)

    def _base(self, kinds: Any) -> str:  # noqa: ANN401 - an iterable of kinds
        needed = {need.upper() for kind in kinds for need in kind.needs} & set(self.bases)
        return min(needed) if needed else self.bases[0]

    def _draft(self, alg: str, user: str) -> Draft:
        key = self.caller.key(alg)
        now = int(self.caller.clock())
        header: dict[str, object] = {"alg": key.alg, "kid": key.kid, "typ": "JWT"}
        if key.kid is None:
            del header["kid"]
        claims: dict[str, object] = {
            "iss": self.caller.issuer,
            "sub": user,
            "aud": self.caller.audience,
            "iat": now,
            "exp": now + LIFETIME,
            "jti": secrets.token_urlsafe(12),
        }
        return Draft(
            caller=self.caller,
            other=self._other,
            key=key,
            now=now,
            uncertainty=self._uncertainty,
            header=members(header),
            claims=members(claims),
            sign=signer(key),
        )
