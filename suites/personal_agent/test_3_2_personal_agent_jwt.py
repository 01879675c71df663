"""§3.2 Personal-agent JWT: every token that reached the stage, and the `sub` of each User."""

import pytest

from pact_conformance import expect
from pact_conformance.rig import Rig, requirement
from pact_conformance.subject.agent import AgentUnderTest, User
from pact_conformance.subject.seen import PaToken, Seen
from pact_conformance.subject.stage import Stage
from pact_conformance.verdicts import Inconclusive, Untested

from .conversing import Crossing
from .judging import AUTHENTICATED, each_of, each_token
from .people import ROSALIND
from .personal_data import found_in, hashed_in
from .playing import Play, returned, short, subs, told
from .publishing import key_set, signer

SKEW = 30.0

LONGEST = 300


@pytest.mark.last
@requirement("3.2-agent-bearer")
def test_every_request_carries_the_jwt(everything: tuple[Seen, ...]) -> None:
    def wrong(request: Seen) -> str | None:
        given = request.all("authorization")
        if len(given) != 1:
            return f"{len(given)} Authorization headers"
        if request.token is None:
            return f"Authorization of the scheme {given[0].partition(' ')[0][:20]!r}"
        segments = request.token.text.split(".")
        return None if len(segments) == 3 and all(segments) else "what is no compact JWS"

    each_of(everything, AUTHENTICATED, wrong, "Authorization: Bearer with one compact JWS")


@pytest.mark.last
@requirement("3.2-agent-alg")
def test_every_token_is_signed_with_es256_or_rs256(everything: tuple[Seen, ...]) -> None:
    def wrong(_request: Seen, token: PaToken) -> str | None:
        alg = token.header.get("alg")
        return None if alg in ("ES256", "RS256") else f"alg {alg!r}"

    each_token(everything, wrong, "ES256 or RS256")


@pytest.mark.last
@requirement("3.2-agent-kid")
def test_every_token_names_a_published_key(
    pact_rig: Rig, stage: Stage, everything: tuple[Seen, ...]
) -> None:
    _ = key_set(pact_rig, stage)

    def wrong(request: Seen, token: PaToken) -> str | None:
        if "kid" not in token.header:
            return "no kid"
        known = request.verified is not None and request.verified.kid_published
        return None if known else f"kid {short(str(token.header['kid']), 40)!r}"

    each_token(everything, wrong, "a kid of the published set")


@pytest.mark.last
@requirement("3.2-agent-signature")
def test_every_signature_verifies_with_a_published_key(
    pact_rig: Rig, stage: Stage, everything: tuple[Seen, ...]
) -> None:
    keys = key_set(pact_rig, stage)

    def wrong(request: Seen, token: PaToken) -> str | None:
        if token.header.get("alg") not in ("ES256", "RS256"):
            return None  # that is 3.2-agent-alg's to say
        if request.verified is not None and request.verified.signature_good:
            return None
        try:
            signer(token, keys)
        except ValueError as error:
            return str(error)
        return None

    each_token(everything, wrong, "a signature by a published key")


@pytest.mark.last
@requirement("3.2-agent-iss")
def test_every_token_has_the_registered_issuer(stage: Stage, everything: tuple[Seen, ...]) -> None:
    issuer = stage.address.issuer

    def wrong(_request: Seen, token: PaToken) -> str | None:
        iss = token.claims.get("iss")
        return None if iss == issuer else f"iss {iss!r}"

    each_token(everything, wrong, f"iss {issuer!r}")


@pytest.mark.last
@requirement("3.2-agent-sub")
def test_every_token_has_a_sub(everything: tuple[Seen, ...]) -> None:
    def wrong(_request: Seen, token: PaToken) -> str | None:
        sub = token.claims.get("sub")
        if isinstance(sub, str):
            return None if sub.strip() else "a blank sub"
        return "no sub" if sub is None else f"a sub that is a {type(sub).__name__}"

    each_token(everything, wrong, "a sub that is a string and not blank")


@requirement("3.2-agent-sub-stable")
def test_a_user_keeps_the_sub_over_time_conversations_and_brands(
    third_turn: Play, crossing: Crossing
) -> None:
    found = subs(
        [
            *third_turn.messages,
            *crossing.of(crossing.here, ROSALIND.id),
            *crossing.of(crossing.there, ROSALIND.id),
        ]
    )

    if len(found) > 1:
        _is_one_process(third_turn, crossing.here, crossing.there)
    expect.that(len(found) == 1, "one sub", f"{len(found)} for one User")


def _is_one_process(*plays: Play) -> None:
    """End what compares Users, where the agent has ended between their turns.

    Raises:
        Inconclusive: it has; whether it would know them after an orderly start is another question.
    """
    if len({said.lost for acted in plays for said in acted.lines if said.messages}) > 1:
        raise Inconclusive(
            "the agent's process has ended between the turns, and was started again",
            do="see what made it end: agent.stderr.log beside the report",
        )


@pytest.mark.last
@requirement("3.2-agent-sub-stable")
def test_a_user_keeps_the_sub_when_the_agent_starts_again(
    agent: AgentUnderTest, third_turn: Play
) -> None:
    third_turn.must_begin()
    if not agent.offers("restart"):
        expect.absent("the agent's adapter cannot start it again")
    agent.restart()

    again = returned(agent, third_turn.scene)
    again.go_on(ROSALIND, "Is there any news?", after=third_turn.first)

    if not subs(again.last.messages):
        raise Untested(f"nothing came after the restart: {told(again.last.outcome)}")
    found = subs(again.messages)
    expect.that(len(found) == 1, "one sub", f"{len(found)} for one User")


@pytest.mark.last
@requirement("3.2-agent-sub-stable")
def test_a_user_keeps_the_sub_when_the_key_changes(agent: AgentUnderTest, third_turn: Play) -> None:
    third_turn.first.must_work()
    if not agent.offers("rotate_key"):
        expect.absent("the agent's adapter cannot change its key")
    agent.rotate_key()

    again = third_turn.go_on(ROSALIND, "Thank you.", after=third_turn.first)

    if not subs(again.messages):
        raise Untested(f"nothing came after the rotation: {told(again.outcome)}")
    found = subs(third_turn.messages)
    expect.that(len(found) == 1, "one sub", f"{len(found)} for one User")


@requirement("3.2-agent-sub-per-user")
def test_two_users_have_two_subs(first_conversation: Play, newcomer: Play) -> None:
    ours, theirs = subs(first_conversation.messages), subs(newcomer.messages)
    if not ours or not theirs:
        raise Untested("there are not two subs", do="see 3.2-agent-sub")

    common = [it for it in theirs if it in ours]
    if common:
        _is_one_process(first_conversation, newcomer)
    expect.that(not common, "a sub of its own for each User", "one for both")


def _of_people(
    first_conversation: Play, newcomer: Play, crossing: Crossing | None = None
) -> list[tuple[User, str]]:
    """Return each User with each `sub` that stood for them."""
    plays = [first_conversation, newcomer, *([] if crossing is None else [crossing.here])]
    said = [it for acted in plays for it in acted.lines]
    pairs = [(it.user, sub) for it in said for sub in subs(it.messages) if isinstance(sub, str)]
    if not pairs:
        raise Untested("there is no sub to look at", do="see 3.2-agent-sub")
    return list(dict.fromkeys(pairs))


@requirement("3.2-agent-sub-opaque")
def test_no_personal_data_can_be_read_from_a_sub(first_conversation: Play, newcomer: Play) -> None:
    for user, sub in _of_people(first_conversation, newcomer):
        found = found_in(sub, user)

        expect.that(found is None, "a sub that tells nothing of the User", found)


@requirement("3.2-agent-sub-not-a-hash")
def test_no_sub_is_a_plain_hash_of_personal_data(first_conversation: Play, newcomer: Play) -> None:
    for user, sub in _of_people(first_conversation, newcomer):
        found = hashed_in(sub, user)

        expect.that(found is None, "a sub that no list of addresses leads to", found)


@pytest.mark.last
@requirement("3.2-agent-aud")
def test_every_token_has_the_assigned_audience(stage: Stage, everything: tuple[Seen, ...]) -> None:
    audience = stage.address.audience

    def wrong(_request: Seen, token: PaToken) -> str | None:
        aud = token.claims.get("aud")
        # That it is an array is 3.2-agent-aud-one-string's to say.
        values = aud if isinstance(aud, list) and aud else [aud]
        return None if all(it == audience for it in values) else f"aud {aud!r}"

    each_token(everything, wrong, f"aud {audience!r}")


@pytest.mark.last
@requirement("3.2-agent-aud-one-string")
def test_the_audience_is_one_string(everything: tuple[Seen, ...]) -> None:
    def wrong(_request: Seen, token: PaToken) -> str | None:
        aud = token.claims.get("aud")
        return (
            f"an aud that is a {type(aud).__name__}" if aud and not isinstance(aud, str) else None
        )

    each_token(everything, wrong, "an aud that is a string")


@pytest.mark.last
@requirement("3.2-agent-iat")
def test_every_token_says_when_it_was_made(everything: tuple[Seen, ...]) -> None:
    def wrong(request: Seen, token: PaToken) -> str | None:
        iat = _time(token, "iat")
        if iat is None:
            return _what(token, "iat")
        return None if iat <= request.at + SKEW else f"an iat {iat - request.at:.0f} s ahead"

    each_token(everything, wrong, "an iat that is a number and not in the future")


@pytest.mark.last
@pytest.mark.usefixtures("third_turn")
@requirement("3.2-agent-exp")
def test_no_token_is_sent_after_its_end(everything: tuple[Seen, ...]) -> None:
    def wrong(request: Seen, token: PaToken) -> str | None:
        exp = _time(token, "exp")
        if exp is None:
            return _what(token, "exp")
        return None if exp > request.at - SKEW else f"a token {request.at - exp:.0f} s past its end"

    each_token(everything, wrong, "an exp that is a number and has not passed")


@pytest.mark.last
@requirement("3.2-agent-lifetime")
def test_no_token_lives_longer_than_five_minutes(everything: tuple[Seen, ...]) -> None:
    def wrong(_request: Seen, token: PaToken) -> str | None:
        iat, exp = _time(token, "iat"), _time(token, "exp")
        if iat is None or exp is None:
            return None  # that is for the checks of these to say
        return None if exp - iat <= LONGEST else f"{exp - iat:.0f} s"

    each_token(everything, wrong, f"at most {LONGEST} s from iat to exp")


def _time(token: PaToken, claim: str) -> float | None:
    """Return a NumericDate; None where it is none."""
    value = token.claims.get(claim)
    # JSON's booleans are no numbers, but Python's are.
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return float(value)
    return None


def _what(token: PaToken, claim: str) -> str:
    value = token.claims.get(claim)
    return f"no {claim}" if value is None else f"{claim} {short(repr(value), 40)}"
