"""§3.1 Registration: the agent's keys, its issuer, and the one audience that it is assigned."""

from http import HTTPStatus
from typing import Any
from urllib.parse import urlsplit

import pytest

from pact_conformance import expect
from pact_conformance.expect.answers import describe
from pact_conformance.journal.answer import Answer
from pact_conformance.rig import Rig, requirement
from pact_conformance.subject.agent import AgentUnderTest
from pact_conformance.subject.origins import is_private
from pact_conformance.subject.seen import Seen
from pact_conformance.subject.stage import Stage
from pact_conformance.tokens.verifying import published
from pact_conformance.verdicts import Deviation, Untested

from .judging import each_of
from .people import ROSALIND
from .playing import GREETING, SAFE, Play, play
from .publishing import key_set, keys_in, published_at, signer, wake

PRIVATE = frozenset({"d", "p", "q", "dp", "dq", "qi", "oth", "k"})

WELL_KNOWN = "/.well-known/openid-configuration"

# What may come before the first message: looking for the Brand, and the sign-in of §5.
BEFORE = frozenset({"card", "domain", "metadata", "jwks", "device_authorization", "token"})


@pytest.mark.usefixtures("awake")
@requirement("3.1-agent-jwks")
def test_a_key_that_fits_is_published(pact_rig: Rig, stage: Stage) -> None:
    answer = published_at(pact_rig, stage)

    keys = keys_in(answer)
    expect.that(keys is not None, "200 with JSON and an array `keys`", describe(answer))
    fit = list(published({"keys": keys}))
    expect.that(bool(fit), "a key fit for ES256 or RS256", f"{len(keys or [])} others")


@pytest.mark.usefixtures("awake")
@requirement("3.1-agent-jwks-public")
def test_public_keys_alone_are_published(pact_rig: Rig, stage: Stage) -> None:
    keys = [it for it in key_set(pact_rig, stage)["keys"] if isinstance(it, dict)]

    private = sorted({name for key in keys for name in PRIVATE & key.keys()})
    expect.that(not private, "no private member", ", ".join(private))
    symmetric = [it for it in keys if it.get("kty") == "oct"]
    expect.that(not symmetric, "no symmetric key", f"{len(symmetric)} of them")


@requirement("3.1-agent-jwks-https")
def test_the_key_set_is_at_an_https_url(stage: Stage) -> None:
    url = urlsplit(stage.address.jwks)
    if is_private(url.hostname or ""):
        expect.absent(f"{url.hostname} is a private test host")

    expect.that(url.scheme == "https", "an https URL", f"{url.scheme}://{url.hostname}")


@pytest.mark.last
@requirement("3.1-agent-rotation")
def test_a_new_key_is_published_before_it_signs(
    pact_rig: Rig, stage: Stage, agent: AgentUnderTest, third_turn: Play
) -> None:
    third_turn.must_begin()
    before = key_set(pact_rig, stage)
    agent.rotate_key()

    acted = play(stage, agent)
    acted.say(ROSALIND, GREETING)
    after = key_set(pact_rig, stage)

    tokens = [it.token for it in acted.messages if it.token is not None]
    if not tokens:
        raise Untested(f"no token came after the rotation: {acted.came_to()}")
    try:
        key = signer(tokens[-1], after)
    except ValueError as error:
        raise Deviation("a token signed by a key of the published set", str(error)) from error
    if key in before["keys"]:
        raise Untested("the key from before has signed", do="let rotate_key change the key")


@pytest.mark.last
@requirement("3.1-agent-no-shared-secret")
def test_no_secret_is_sent(everything: tuple[Seen, ...]) -> None:
    operations = {it.operation for it in everything} - {"login", "page"}

    each_of(everything, operations, _secret_in, "a signature alone")


def _secret_in(request: Seen) -> str | None:
    if (request.header("authorization") or "").lower().startswith("basic "):
        return "Basic credentials"
    body = request.json
    held = {name for name, _ in request.form} | (set(body) if isinstance(body, dict) else set())
    if "client_secret" in held:
        return "client_secret"
    alg = "" if request.token is None else str(request.token.header.get("alg"))
    return f"a token under {alg}" if alg.upper().startswith("HS") else None


@requirement("3.1-agent-one-audience")
def test_all_brands_of_a_provider_get_the_same_audience(
    first_conversation: Play, newcomer: Play
) -> None:
    found = []
    for acted in (first_conversation, newcomer):
        tokens = [it.token for it in acted.messages if it.token is not None]
        if not tokens:
            raise Untested(f"no token came: {acted.came_to()}", do="see 3.2-agent-bearer")
        found += [it.claims.get("aud") for it in tokens]

    expect.that(all(it == found[0] for it in found), "one aud", f"{found[0]!r} and {found[-1]!r}")


@requirement("3.1-agent-no-user-registration")
def test_a_new_user_talks_to_a_new_brand_at_once(newcomer: Play) -> None:
    seen = newcomer.scene.seen()
    sent = [it for it in seen if it.operation == "message:send"]
    before = seen if not sent else seen[: seen.index(sent[0])]

    others = [it for it in before if it.operation not in BEFORE and it.method not in SAFE]
    told = ", ".join(f"{it.method} {it.path}" for it in others)
    expect.that(not others, "a message at once", told)
    newcomer.first.must_be_answered()


@pytest.mark.usefixtures("awake")
@requirement("3.1-agent-oidc-discovery")
def test_discovery_leads_to_the_same_keys(pact_rig: Rig, stage: Stage) -> None:
    issuer = stage.address.issuer
    if urlsplit(issuer).scheme not in {"http", "https"}:
        expect.absent("the issuer is no URL of HTTP")
    wake(pact_rig)
    answer = pact_rig.read(issuer.rstrip("/") + WELL_KNOWN, "look for OIDC discovery")
    if answer.status == HTTPStatus.NOT_FOUND:
        expect.absent("there is no OIDC discovery")

    found = _discovered(answer)
    told = "it is no JSON object" if found is None else ""
    if found is not None and found.get("issuer") != issuer:
        told = f"its issuer is {found.get('issuer')!r}"
    elif found is not None and found.get("jwks_uri") != stage.address.jwks:
        told = f"its jwks_uri is {found.get('jwks_uri')!r}"
    if told:
        expect.note(f"there is a document of OIDC discovery, but {told}")


def _discovered(answer: Answer) -> dict[str, Any] | None:
    found: Any = answer.json
    return found if answer.status == HTTPStatus.OK and isinstance(found, dict) else None
