"""Signs a token for a tester's shell: a good one, or the forged one that an example is."""

from pydantic import SecretStr

from pact_conformance.fuzz.example import NoExample, parse
from pact_conformance.fuzz.family import Impossible
from pact_conformance.options import BY_KEY
from pact_conformance.settings import Settings
from pact_conformance.tokens.caller import Caller, NoKeyError
from pact_conformance.tokens.keys import keys_from_json
from pact_conformance.tokens.token import Token


class CannotSign(ValueError):  # noqa: N818 - it says what is the case
    """Something is missing that a token is signed with, in one line."""


def token(settings: Settings, *, sub: str | None = None, alg: str | None = None) -> Token:
    """Return a fresh token of the registered personal agent.

    Args:
        settings: who signs, and by `example` what is forged.
        sub: the User; by default one made up.
        alg: ES256 or RS256; by default that of the key.

    Raises:
        CannotSign: no personal agent is set, its keys cannot be read, or the example is none.
    """
    needed = ("issuer", "audience", "private_jwk")
    unset = [BY_KEY[key].name for key in needed if getattr(settings, key) is None]
    if unset:
        verb = "is" if len(unset) == 1 else "are"
        raise CannotSign(
            f"{', '.join(unset)} {verb} not set: a token is signed as a personal agent"
        )
    try:
        caller = _caller(settings.issuer, settings.audience, settings.private_jwk)
        if settings.example is None:
            return caller.token(sub, alg=alg)
    except (ValueError, NoKeyError) as error:
        raise CannotSign(f"{BY_KEY['private_jwk'].name}: {error}") from None
    return _forged(settings, caller, sub)


def _caller(issuer: str | None, audience: str | None, keys: SecretStr | None) -> Caller:
    private = "" if keys is None else keys.get_secret_value()
    return Caller(issuer or "", audience or "", keys_from_json(private))


def _forged(settings: Settings, caller: Caller, sub: str | None) -> Token:
    # A good token needs none of it.
    from pact_conformance.fuzz.families import kinds_of  # noqa: PLC0415
    from pact_conformance.fuzz.forged_tokens.kinds import NAME  # noqa: PLC0415
    from pact_conformance.fuzz.forged_tokens.making import Maker  # noqa: PLC0415

    other = None
    if settings.other_issuer is not None:
        audience = settings.other_audience or settings.audience
        other = _caller(settings.other_issuer, audience, settings.other_private_jwk)
    try:
        example = parse(str(settings.example))
        if example.family != NAME:
            kinds_of(example.family).of(example)
            return caller.token(sub)  # in other families the token is good
        return Maker(caller, other).make(example, sub or caller.user("someone"))
    except (NoExample, Impossible) as error:
        raise CannotSign(f"--example: {error}") from None
