"""§3.1 Registration: what a Provider keeps of a personal agent, and what it does not ask for.

Nothing here is a turn. Where keys change or an agent is disabled, a registration of its own pays.
"""

from collections.abc import Iterator
from http import HTTPStatus
from urllib.parse import urlsplit

import pytest

from pact_conformance import expect
from pact_conformance.gate import Gate
from pact_conformance.rig import Rig, requirement
from pact_conformance.settings import Settings
from pact_conformance.subject.hooks import Hooks
from pact_conformance.subject.preflight import Preflight
from pact_conformance.subject.waiting import wait_until
from pact_conformance.tokens.caller import Caller
from pact_conformance.tokens.forgeries import Forgery, control_for, forge, load
from pact_conformance.tokens.keys import SigningKey
from pact_conformance.tokens.token import Token
from pact_conformance.verdicts import Deviation, Untested
from pact_conformance.wire.messages import new_id

from .conversations import Turn
from .key_sets import Assorted, Awaited, Rotation, Unreachable

# A key is expected to be seen within some minutes; disabling shows within some seconds.
SOME_MINUTES = 300.0
SOME_SECONDS = 5.0
AT_ONCE = 1.0

NOBODY = "https://personal-agent.invalid"


def _spellings(issuer: str) -> Iterator[tuple[str, str]]:
    """Yield other spellings of an issuer, by what is changed."""
    parts = urlsplit(issuer)
    host = parts.netloc
    port = {"https": 443, "http": 80}.get(parts.scheme, 443)
    without = issuer.removesuffix("/")
    yield "trailing-slash", without if issuer.endswith("/") else f"{issuer}/"
    yield "case-of-host", issuer.replace(host, host.swapcase(), 1)
    yield "case-of-scheme", issuer.replace(parts.scheme, parts.scheme.upper(), 1)
    yield "default-port", "" if parts.port else issuer.replace(host, f"{host}:{port}", 1)
    yield "percent-encoding", f"{without[:-1]}%{ord(without[-1:] or '/'):02X}"
    yield "sub-path", f"{without}/sub"
    yield "dot-segment", f"{without}/."
    yield "fragment", f"{issuer}#"


SPELLINGS = [name for name, _ in _spellings("https://agent.example")]


@requirement("3.1-issuer-exact")
@pytest.mark.parametrize("spelling", SPELLINGS)
def test_another_spelling_of_the_issuer_is_another_issuer(
    gate: Gate, caller: Caller, settings: Settings, spelling: str
) -> None:
    issuer = dict(_spellings(caller.issuer))[spelling]
    if not issuer or issuer == caller.issuer:
        expect.absent(f"{caller.issuer} has no such spelling")
    if settings.open_audience is not None:
        expect.absent("an open Provider may know another personal agent by that issuer")

    expect.unauthorized(
        gate.refused(
            caller.token(
                caller.user("spells-the-issuer"),
                claims={"iss": issuer},
                forgery=f"issuer-{spelling}",
            )
        )
    )


@requirement("3.1-unknown-issuer")
@pytest.mark.parametrize("key", ["fresh", "with-a-known-kid", "registered"])
def test_an_issuer_that_nobody_registered_is_refused(
    gate: Gate, caller: Caller, settings: Settings, key: str
) -> None:
    kid = caller.key().kid if key == "with-a-known-kid" else new_id("nobody")
    signer = caller.key() if key == "registered" else SigningKey.generate("ES256", kid=kid)
    answer = gate.refused(
        caller.token(
            caller.user("of-nobody"),
            key=signer,
            claims={"iss": NOBODY},
            forgery="issuer-unknown",
        )
    )

    if settings.open_audience is not None:
        # An open Provider looks for the keys, and may fail at that.
        expect.not_accepted(answer)
    else:
        expect.unauthorized(answer)


@requirement("3.1-disabled")
def test_a_disabled_agent_is_refused(pact_rig: Rig, gate: Gate) -> None:
    pact_rig.declared_absent("disabling")
    hooks, spares = pact_rig.hooks, pact_rig.spares
    has_hooks = hooks.has("disable_agent") and hooks.has("enable_agent")
    by_hook = has_hooks and spares.has("disabling")
    if not by_hook and pact_rig.plan.disabled is None:
        raise Untested(
            "a disabled personal agent is needed",
            do="set PA_DISABLED_ISSUER and PA_DISABLED_PRIVATE_JWK, or hooks.disable_agent and "
            "hooks.enable_agent with PA_SPARE_ISSUER and PA_SPARE_PRIVATE_JWK",
        )
    if pact_rig.plan.disabled is not None:
        disabled = pact_rig.disabled_caller
        expect.unauthorized(gate.refused(disabled.token(disabled.user("of-the-disabled"))))
    if by_hook:
        with spares.lend("disabling") as lent:
            _is_refused_while_disabled(gate, hooks, lent.caller)


def _is_refused_while_disabled(gate: Gate, hooks: Hooks, caller: Caller) -> None:
    gate.lets_in(caller)
    try:
        hooks.call("disable_agent", issuer=caller.issuer)
        waited = wait_until(
            lambda: gate.knock(_good(gate, caller)).status == HTTPStatus.UNAUTHORIZED,
            longest=SOME_SECONDS,
            why="for the personal agent to be disabled",
        )
    finally:
        hooks.call("enable_agent", issuer=caller.issuer)
        # Whoever has the registration next finds it as it was.
        wait_until(
            lambda: gate.opened(gate.knock(_good(gate, caller))),
            longest=SOME_SECONDS,
            why="for the personal agent to be enabled",
        )
    if not waited.came:
        raise Deviation(
            "401 from when the personal agent is disabled", f"none for {waited.seconds:.0f} s"
        )
    if waited.seconds > AT_ONCE:
        expect.note(f"refused {waited.seconds:.1f} s after it was disabled")


def _good(gate: Gate, caller: Caller, key: SigningKey | None = None) -> Token:
    return caller.token(caller.user(gate.provider.probing_user()), key=key)


@requirement("3.1-one-audience")
def test_one_audience_serves_at_all_brands(pact_rig: Rig, gate: Gate) -> None:
    other = pact_rig.other_provider
    expect.past_authentication(gate.knock())

    expect.past_authentication(gate.knock(provider=other))


@requirement("3.1-audience-not-card-url")
@pytest.mark.parametrize("place", ["card", "interface", "origin"])
def test_the_audience_is_not_made_of_urls(
    gate: Gate, caller: Caller, preflight: Preflight, place: str
) -> None:
    interface = gate.provider.interface.url
    parts = urlsplit(interface)
    origin = f"{parts.scheme}://{parts.netloc}"
    url = {"card": preflight.card_url, "interface": interface, "origin": origin}[place]
    if caller.audience.rstrip("/") == url.rstrip("/"):
        if place == "origin":
            expect.absent("the Provider's origin is the audience that it assigned")
        raise Deviation(f"an audience that is not the {place} URL", caller.audience)

    expect.unauthorized(
        gate.refused(
            caller.token(
                caller.user("derives-the-audience"),
                claims={"aud": url},
                forgery=f"audience-{place}-url",
            )
        )
    )


@requirement("3.1-no-user-registration")
def test_a_user_whom_nobody_registered_is_served(gate: Gate, opening: Turn) -> None:
    expect.past_authentication(gate.knock(user=new_id("user")))
    # This run made up the User of the opening, too. That its agent may fail is for other checks.
    expect.that(opening.answer.status != 401, "service for a new User", "401")
    opening.must_be_served()


@requirement("3.1-keys-registered-only")
@pytest.mark.parametrize("kid", ["of-its-own", "of-a-known-key"])
def test_a_key_that_is_published_nowhere_is_refused(gate: Gate, caller: Caller, kid: str) -> None:
    known = caller.key().kid if kid == "of-a-known-key" else None
    key = SigningKey.generate("ES256", kid=known or new_id("k"))

    expect.unauthorized(
        gate.refused(caller.token(caller.user("k"), key=key, forgery="key-unpublished"))
    )


@requirement("3.1-keys-registered-only")
def test_a_key_that_another_agent_published_is_refused(
    pact_rig: Rig, gate: Gate, caller: Caller
) -> None:
    if pact_rig.plan.other is None:
        expect.absent("no other personal agent is given; 3.2-agent-binding says what to set")
    key = pact_rig.other_caller.key()

    expect.unauthorized(
        gate.refused(caller.token(caller.user("k"), key=key, forgery="key-of-another-agent"))
    )


@requirement("3.1-keys-registered-only")
def test_a_key_that_is_published_elsewhere_is_refused(
    pact_rig: Rig, gate: Gate, settings: Settings
) -> None:
    if pact_rig.plan.stray is None:
        expect.absent("nothing below the issuer's URL is served by this suite")
    if settings.open_audience is not None:
        expect.absent("an open Provider may find keys by discovery")
    stray = pact_rig.caller_of(pact_rig.plan.stray)

    expect.unauthorized(
        gate.refused(stray.token(stray.user("k"), forgery="key-published-elsewhere"))
    )


@requirement("3.1-new-key")
def test_a_key_that_was_added_is_taken(rotation: Rotation) -> None:
    _came(rotation.taken, "a token of a key that the set has now to be taken")
    seconds = rotation.taken.waited.seconds
    expect.warn_unless(
        seconds <= SOME_MINUTES, f"a key that was added is only taken after {seconds:.0f} s"
    )


@requirement("3.1-withdrawn-key")
def test_a_key_that_was_withdrawn_is_refused(rotation: Rotation) -> None:
    if rotation.refused is None:
        raise Untested("no added key was taken, so none can go", do="see 3.1-new-key")

    _came(rotation.refused, "401 for a token of a key that the set has no more")


@requirement("3.1-foreign-keys-in-set")
def test_keys_of_other_kinds_do_not_keep_a_good_one_out(assorted: Assorted) -> None:
    _came(assorted.of_other_kinds, "a token of the good key among others to be taken")


@requirement("3.1-foreign-keys-in-set")
def test_entries_that_are_no_keys_are_passed_over(assorted: Assorted) -> None:
    if not assorted.of_other_kinds.waited.came:
        raise Untested("even sound keys keep a good one out")
    expect.warn_unless(
        assorted.unreadable.waited.came,
        "a good key is not taken while its set holds entries that cannot be read (RFC 7517 §5)",
    )


def _came(awaited: Awaited, expected: str) -> None:
    """Demand that a change of keys showed; where nobody could wait long enough, it is untested."""
    if awaited.waited.came:
        return
    if not awaited.patience.enough:
        raise awaited.patience.too_short()
    raise Deviation(expected, f"the contrary, {awaited.waited.seconds:.0f} s after the change")


@requirement("3.1-jwks-unreachable")
def test_no_token_is_taken_while_its_keys_cannot_be_fetched(unreachable: Unreachable) -> None:
    for answer in unreachable.answers.values():
        expect.not_accepted(answer)


@requirement("3.1-open-policy")
def test_an_open_provider_verifies_whoever_comes(
    pact_rig: Rig, gate: Gate, settings: Settings
) -> None:
    if settings.open_audience is None:
        expect.absent("PA_OPEN_AUDIENCE does not say that the Provider takes the unregistered")
    if pact_rig.plan.stranger is None:
        raise Untested(
            "the suite has to serve the keys of an agent that nobody registered",
            do="set PA_JWKS_LISTEN and PA_JWKS_URL",
        )
    stranger = pact_rig.caller_of(pact_rig.plan.stranger)
    if not gate.opened(gate.knock(_good(gate, stranger))):
        expect.absent("a good token of an unregistered personal agent is refused")

    taken = [it.id for it in _refusable() if _is_taken(gate, stranger, it)]
    expect.that(not taken, "401 for each forgery of an unregistered agent", ", ".join(taken))


def _refusable() -> Iterator[Forgery]:
    """Yield the forgeries that need nothing but a caller, and have to be refused by all."""
    for forgery in load():
        if forgery.result == "refused" and set(forgery.needs) <= {"es256"}:
            yield forgery


def _is_taken(gate: Gate, stranger: Caller, forgery: Forgery) -> bool:
    user = stranger.user(gate.provider.probing_user())
    if not gate.opened(gate.knock(control_for(forgery, stranger, user))):
        raise Untested(f"the control of {forgery.id} is refused")
    token = forge(forgery, stranger, user=user, clock_uncertainty=gate.uncertainty)
    return gate.opened(gate.knock(token))
