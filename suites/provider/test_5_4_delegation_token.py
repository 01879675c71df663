"""§5.4 Delegation token: its signature and claims, and what a refresh gives."""

from typing import Any

from pact_conformance import expect
from pact_conformance.delegation import Delegation
from pact_conformance.grants import Grant, Tried, tried
from pact_conformance.rig import Gate, Rig, requirement
from pact_conformance.tokens.caller import Caller
from pact_conformance.verdicts import Deviation, Untested

from .authorizing import Begun, Part, Spent
from .ending import Refreshed, Revoked

LIFETIME = 3600


@requirement("5.4-signature")
def test_the_token_is_signed_by_a_published_key(
    delegation: Delegation, part: Tried[Part], both: Tried[Grant]
) -> None:
    for grant in (part.had().narrow, both.had()):
        problem = _unverifiable(delegation, grant)
        if problem is not None:
            raise Deviation("a JWT signed by a key at the jwks_uri", problem)


def _unverifiable(delegation: Delegation, grant: Grant) -> str | None:
    """Say why no published key has signed a grant's token; None where one has."""
    try:
        delegation.server.verify(grant.token)
    except ValueError as error:
        return str(error)
    return None


@requirement("5.4-iss")
def test_the_issuer_is_that_of_the_metadata(delegation: Delegation, both: Tried[Grant]) -> None:
    issuer = delegation.server.issuer
    if not issuer:
        raise Untested("the metadata has no issuer", do="see 5.1-metadata")

    expect.that(both.had().claim("iss") == issuer, f"iss {issuer}", both.had().claim("iss"))


@requirement("5.4-aud")
def test_the_audience_is_the_interface_of_the_brand(
    delegation: Delegation, both: Tried[Grant]
) -> None:
    url = delegation.server.provider.interface.url
    aud = both.had().claim("aud")
    named = aud[0] if isinstance(aud, list) and len(aud) == 1 else aud

    expect.that(isinstance(named, str) and named.rstrip("/") == url.rstrip("/"), f"aud {url}", aud)
    expect.warn_unless(named == url, f"aud and the interface url differ by a slash: {named}")


@requirement("5.4-aud-one-string")
def test_the_audience_is_one_string(both: Tried[Grant]) -> None:
    aud = both.had().claim("aud")

    expect.that(isinstance(aud, str), "aud as a string", aud)


@requirement("5.4-sub")
def test_the_subject_is_the_account_and_not_the_agents_user(
    delegation: Delegation, caller: Caller, part: Tried[Part], both: Tried[Grant]
) -> None:
    grants = (part.had().narrow, both.had())
    subs = [grant.claim("sub") for grant in grants]

    expect.that(
        all(isinstance(sub, str) and sub for sub in subs),
        "sub as a text",
        " and ".join(map(str, subs)),
    )
    expect.that(subs[0] == subs[1], "one sub for two grants of one account", "two")
    expect.that(
        caller.user(grants[0].flow.user) not in subs,
        "the Brand's own id of the User",
        "the sub of the personal-agent JWT",
    )
    known = delegation.known_user(0)
    if known is None:
        expect.note("the id itself was not compared: set `user` in [[accounts]] to the Brand's own")
    else:
        expect.that(subs[0] == known, f"sub {known}, the id of that account", subs[0])


@requirement("5.4-sub")
def test_the_subject_is_the_same_for_another_user_of_an_agent(
    both: Tried[Grant], spent: Tried[Spent]
) -> None:
    grant = spent.had().grant

    expect.that(
        grant.claim("sub") == both.had().claim("sub"),
        "one sub for one account, whichever User of whichever agent asks",
        "another",
    )


@requirement("5.4-sub")
def test_the_subject_is_another_for_another_account(
    delegation: Delegation, both: Tried[Grant], other_account: Tried[Grant]
) -> None:
    sub = other_account.had().claim("sub")

    expect.that(sub != both.had().claim("sub"), "another sub for another account", "the same")
    known = delegation.known_user(1)
    if known is not None:
        expect.that(sub == known, f"sub {known}, the id of that account", sub)


@requirement("5.4-client-id")
def test_the_client_is_the_issuer_of_the_agent_that_asked(
    caller: Caller, both: Tried[Grant]
) -> None:
    found = both.had().claim("client_id")

    expect.that(found == caller.issuer, f"client_id {caller.issuer}", found)


@requirement("5.4-client-id")
def test_the_client_is_another_where_another_agent_asked(
    begun_elsewhere: Tried[Begun], spent: Tried[Spent]
) -> None:
    begun = begun_elsewhere.had()
    if begun.other.problem is not None:
        raise begun.other.problem
    issuer = begun.grants.server.provider.caller.issuer
    found = spent.had().grant.claim("client_id")

    expect.that(found == issuer, f"client_id {issuer}", found)


@requirement("5.4-scope")
def test_the_scope_lists_what_was_approved(
    delegation: Delegation, part: Tried[Part], both: Tried[Grant]
) -> None:
    narrow, wide = part.had().narrow, both.had()
    for grant, wanted in ((narrow, {delegation.first}), (wide, set(delegation.scopes))):
        scope = grant.claim("scope")
        listed = scope.split(" ") if isinstance(scope, str) else []
        expect.that(
            set(listed) == wanted and len(listed) == len(wanted),
            f"scope with {' '.join(sorted(wanted))}, separated by spaces",
            scope,
        )


@requirement("5.4-grant-id")
def test_the_token_names_its_grant(both: Tried[Grant]) -> None:
    found = both.had().claim("grant_id")

    expect.that(isinstance(found, str) and bool(found), "grant_id as a text", found)


@requirement("5.4-grant-id")
def test_a_refresh_leaves_the_grant_its_id(refreshed: Tried[Refreshed]) -> None:
    found = refreshed.had()
    before, after = found.before.claim("grant_id"), found.grant.claim("grant_id")

    expect.that(after == before, f"grant_id {before}, as before the refresh", after)


@requirement("5.4-iat-exp")
def test_the_token_says_from_when_to_when_it_is_good(gate: Gate, both: Tried[Grant]) -> None:
    grant = both.had()
    begins: Any
    ends: Any
    begins, ends = (grant.claim(name) for name in ("iat", "exp"))
    for name, value in (("iat", begins), ("exp", ends)):
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        expect.that(is_number, f"{name} as a number", value)
    now = grant.answer.at + gate.offset
    expect.that(begins < ends, "exp after iat", f"iat {begins} and exp {ends}")
    expect.that(ends > now - gate.uncertainty, f"exp in the future, after {now:.0f}", f"exp {ends}")
    expect.that(
        abs(begins - now) < LIFETIME + gate.uncertainty + grant.answer.elapsed,
        f"iat in seconds since the epoch, about {now:.0f}",
        f"iat {begins}",
    )


@requirement("5.4-lifetime")
def test_the_token_lives_an_hour_at_most(both: Tried[Grant]) -> None:
    begins, ends = (both.had().claim(name) for name in ("iat", "exp"))
    if not isinstance(begins, int | float) or not isinstance(ends, int | float):
        raise Untested("the token has no times", do="see 5.4-iat-exp")

    expect.that(ends - begins <= LIFETIME, f"at most {LIFETIME} s", f"{ends - begins:.0f} s")


@requirement("5.4-refresh")
def test_a_refresh_gets_another_token_of_the_same_grant(
    pact_rig: Rig, delegation: Delegation, refreshed: Tried[Refreshed]
) -> None:
    pact_rig.declared_absent("refresh")
    found = refreshed.had()
    _ = found.before.token
    if tried(lambda: found.grant.token).problem is not None:
        expect.token_response(found.grant.answer)  # its token_type is judged by 5.3-token
    problem = _unverifiable(delegation, found.grant)
    # Where no token verifies, what is wrong is not the refresh but 5.4-signature.
    if problem is not None and _unverifiable(delegation, found.before) is None:
        raise Deviation("a JWT signed by a key at the jwks_uri", problem)
    for name in ("sub", "client_id", "aud", "iss"):
        before, after = found.before.claim(name), found.grant.claim(name)
        expect.that(after == before, f"{name} {before}, as before the refresh", after)
    expect.served(found.turn.had().answer)


@requirement("5.4-refresh-no-widening")
def test_a_refresh_gets_no_scope_that_was_not_approved(
    pact_rig: Rig, refreshed: Tried[Refreshed]
) -> None:
    pact_rig.declared_absent("refresh")
    found = refreshed.had()
    approved = found.before.scopes
    if not approved:
        raise Untested("the token does not say what was approved", do="see 5.4-scope")
    tried_wider = found.widened.value
    asked = [found.grant, *([tried_wider] if tried_wider is not None else [])]
    for grant in asked:
        if grant.answer.status != 200:
            expect.oauth_refusal(grant.answer)
            continue
        told = grant.body.get("scope")
        granted = grant.scopes | set(told.split() if isinstance(told, str) else ())
        expect.that(
            granted <= approved,
            f"at most {' '.join(sorted(approved))}, which the User approved",
            f"a token of {' '.join(sorted(granted))}",
        )


@requirement("5.4-refresh-agent-bound")
def test_a_refresh_token_is_worth_nothing_to_another_agent(
    pact_rig: Rig, spent: Tried[Spent]
) -> None:
    pact_rig.declared_absent("refresh")

    expect.oauth_refusal(spent.had().refresh_by_stranger.had())


@requirement("5.4-refresh-revoked")
def test_a_refresh_token_of_a_revoked_grant_gets_nothing(pact_rig: Rig, revoked: Revoked) -> None:
    pact_rig.declared_absent("refresh")
    pact_rig.declared_absent("revocation")

    expect.oauth_refusal(revoked.refresh.had())
