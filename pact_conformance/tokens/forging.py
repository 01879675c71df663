"""Carries out what the data says of a forgery: makes it, and its control, for a caller."""

import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import Any

from cryptography.x509 import Certificate

from pact_conformance.tokens import certificates
from pact_conformance.tokens.assemble import Segments, Signer, sign, sign_hmac
from pact_conformance.tokens.caller import LIFETIME, MISSING, Caller, Change, NoKeyError
from pact_conformance.tokens.forgery import Forgery, UnforgeableError
from pact_conformance.tokens.jwks_server import JwksServer
from pact_conformance.tokens.keys import SigningKey
from pact_conformance.tokens.tampering import SECRETS, SEGMENTS, SIGNATURES, TEXTS
from pact_conformance.tokens.token import Token
from pact_conformance.tokens.values import Scene, resolve

_ATTEMPTS = 200
_PROCESS = secrets.token_hex(4)


def control_for(
    forgery: Forgery, caller: Caller, user: str | None = None, *, other: Caller | None = None
) -> Token:
    """Return a good token that differs from the forgery in nothing but what is forged.

    Raises:
        LookupError: a need is not met; see `Forgery.lacks`.
    """
    base, _ = _pair(forgery, caller, other)
    key = base.key(forgery.control.get("alg"))
    return base.token(user, key=key, **_times(forgery, base.clock()))


def forge(
    forgery: Forgery,
    caller: Caller,
    *,
    user: str | None = None,
    other: Caller | None = None,
    server: JwksServer | None = None,
    clock_uncertainty: float = 1.0,
) -> Token:
    """Make a forgery of a caller's token.

    Args:
        forgery: what to make.
        caller: the personal agent whose token is forged.
        user: the `sub`, as in `Caller.token`.
        other: a second registered personal agent, for forgeries that need one.
        server: where keys are published that a forgery points to.
        clock_uncertainty: how far the Provider's clock may be from the caller's, in seconds.

    Raises:
        UnforgeableError: of this caller's values the forgery would be a good token.
        LookupError: a need is not met; see `Forgery.lacks`.
    """
    unmet = forgery.lacks(caller, other, server)
    if unmet:
        raise LookupError(f"the forgery {forgery.id} needs {', '.join(unmet)}")
    base, counterpart = _pair(forgery, caller, other)
    attempt = _Attempt(forgery, base, counterpart, server, user, clock_uncertainty)
    for _ in range(_ATTEMPTS):
        try:
            return attempt.make()
        except _SameAgain:
            continue
    raise UnforgeableError(f"{forgery.id} would change nothing in a token of {caller.issuer}")


class _SameAgain(Exception):  # noqa: N818 - no error: the next token may have what this one lacks
    """A rewrite had nothing to rewrite in this token."""


@dataclass(frozen=True)
class _Attempt:
    """Everything that a forgery is made of; each making gives a fresh token."""

    forgery: Forgery
    base: Caller
    """Whose token is forged."""
    other: Caller | None
    server: JwksServer | None
    user: str | None
    uncertainty: float

    def make(self) -> Token:
        now = self.base.clock()
        scene = self._scene(now)
        header, claims = self._members("header", scene), self._members("claims", scene)
        self._assert_changed(header, claims)
        if self._sign.get("over") == "control":
            claims.setdefault("jti", secrets.token_urlsafe(12))
        margin = self.forgery.margin
        return self.base.token(
            self.user,
            key=self._signing_key(),
            header=header,
            claims=claims,
            **_times(self.forgery, now),
            change=self._change(now, claims.get("jti")),
            forgery=self.forgery.id,
            use_within=None if margin is None else margin - 1 - self.uncertainty,
        )

    @property
    def _sign(self) -> Mapping[str, Any]:
        """How it is signed; by default as its control is."""
        found: Mapping[str, Any] = self.forgery.change.get("sign", {})
        return found

    @property
    def _registered(self) -> SigningKey:
        return self.base.key(self.forgery.control.get("alg"))

    def _signing_key(self) -> SigningKey:
        registered = self._registered
        match self._sign:
            case {"published": alg}:
                return self.base.key(alg)
            case {"alg": alg}:
                return replace(registered, alg=alg)
            case {"key": "other"} if self.other is not None:
                return replace(_like(registered, self.other), kid=registered.kid)
            case {"key": name}:
                return replace(_unregistered(name, registered.alg), kid=registered.kid)
        return registered

    def _members(self, part: str, scene: Scene) -> dict[str, Any]:
        written = self.forgery.change.get(part, {})
        return {name: resolve(value, scene) for name, value in written.items()}

    def _assert_changed(self, header: Mapping[str, Any], claims: Mapping[str, Any]) -> None:
        """See that a value worked out from the caller's own is another one."""
        base, kid = self.base, self._registered.kid
        good = {"claims.iss": base.issuer, "claims.aud": base.audience}
        good["header.kid"] = kid or MISSING  # type: ignore[assignment]
        part, _, name = self.forgery.field.partition(".")
        forged = {"header": header, "claims": claims}.get(part, {})
        if name in forged and forged[name] == good.get(self.forgery.field, _NEVER):
            raise _SameAgain

    def _change(self, now: float, jti: str | None) -> Change:
        change = self.forgery.change
        rewritten = change.get("segment", {})
        return Change(
            header_text=_rewrite_json(change.get("header_json", {})),
            claims_text=_rewrite_json(change.get("claims_json", {})),
            payload=_rewrite_segment(rewritten.get("payload")),
            signer=self._signer(now, jti),
            signature=SIGNATURES[change["signature"]] if "signature" in change else None,
            text=_joiner(_rewrite_segment(rewritten.get("signature")), change.get("text")),
        )

    def _signer(self, now: float, jti: str | None) -> Signer | None:
        match self._sign:
            case {"hmac": alg, "secret": secret}:
                return partial(sign_hmac, alg, SECRETS[secret](self._registered))
            case {"over": "control" | "another" as which}:
                claims = {"jti": jti} if which == "control" else {}
                times = _times(self.forgery, now)
                signed = self.base.token(self.user, key=self._registered, claims=claims, **times)
                signing_input = signed.text.rpartition(".")[0].encode()
                return lambda _: sign(self._registered, signing_input)
        return None

    def _scene(self, now: float) -> Scene:
        base, other = self.base, self.other
        names = {
            "issuer": base.issuer,
            "audience": base.audience,
            "audience_swapped": base.audience.swapcase(),
            "audience_cut": base.audience[:-1],
            "kid": self._registered.kid or "",
        }
        if other is not None:
            names["other_kid"] = _like(self._registered, other).kid or ""
        issued = int(_times(self.forgery, now)["at"])
        return Scene(now, issued, self.uncertainty, names, self._embedded(now))

    def _embedded(self, now: float) -> dict[str, Callable[[], object]]:
        """Offer what a token can carry of keys: its maker's own, or one that nobody registered."""
        registered, server = self._registered, self.server
        name = f"{self.forgery.id}-{_PROCESS}"

        def key() -> SigningKey:
            return replace(_unregistered("embedded", registered.alg), kid=registered.kid)

        def certificate() -> Certificate:
            return certificates.self_signed(key(), at=now)

        offers: dict[str, Callable[[], object]] = {
            "jwk": lambda: key().public_jwk(),
            "x5c": lambda: certificates.chain(certificate()),
            "own-jwk": registered.public_jwk,
            "own-x5c": lambda: certificates.chain(certificates.self_signed(registered, at=now)),
        }
        if server is not None:
            offers["jku"] = lambda: server.publish(name, [key()])
            offers["x5u"] = lambda: server.publish_chain(name, certificates.pem(certificate()))
        return offers


_NEVER = object()


@cache
def _unregistered(_name: str, alg: str) -> SigningKey:
    """Return a key that no Provider knows: one for each name and algorithm in this process."""
    return SigningKey.generate(alg)


def _like(key: SigningKey, holder: Caller) -> SigningKey:
    """Return a holder's key for the algorithm of another, or its usual one where it has none."""
    try:
        return holder.key(key.alg)
    except NoKeyError:
        return holder.key()


def _pair(forgery: Forgery, caller: Caller, other: Caller | None) -> tuple[Caller, Caller | None]:
    """Return whose token is forged, and the other one."""
    if forgery.control.get("caller") != "other":
        return caller, other
    if other is None:
        raise LookupError(f"the forgery {forgery.id} needs other-caller")
    return other, caller


def _times(forgery: Forgery, now: float) -> dict[str, Any]:
    lifetime = forgery.control.get("lifetime", LIFETIME)
    return {"at": now + forgery.control.get("at", 0), "lifetime": lifetime}


def _rewrite_json(change: Mapping[str, str]) -> Callable[[str], str]:
    """Return what replaces the JSON of a header or claims, or adds members at its end."""
    if "text" in change:
        return lambda _: change["text"]
    if "append" in change:
        return lambda text: f"{text[:-1]},{change['append']}}}"
    return _same


def _rewrite_segment(name: str | None) -> Callable[[str], str]:
    if name is None:
        return _same

    def rewrite(segment: str) -> str:
        rewritten = SEGMENTS[name](segment)
        if rewritten == segment:
            raise _SameAgain
        return rewritten

    return rewrite


def _joiner(signature: Callable[[str], str], name: str | None) -> Callable[[Segments], str]:
    join: Callable[[Segments], str] = str if name is None else TEXTS[name]
    return lambda it: join(replace(it, signature=signature(it.signature)))


def _same(text: str) -> str:
    return text
