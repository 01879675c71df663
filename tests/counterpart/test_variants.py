import asyncio
import itertools

import pytest

from pact_conformance.catalogue import load
from pact_conformance.counterpart import variants
from pact_conformance.counterpart.variants import Variant
from pact_conformance.wire.card import Card
from pact_conformance.wire.errors import is_a2a_body
from pact_conformance.wire.messages import send_request, user_message
from tests.counterpart.probes import Pieces, difference
from tests.counterpart.showing import value
from tests.counterpart.world import FIRST, UNKNOWN, World, visit

VARIANTS = list(variants.of("provider").values())

# What shows in time, or only to who changes the keys, was never registered, or sends odd things.
UNSEEN = {
    "fetches-keys-for-each-token",
    "is-open-to-whoever-serves-keys",
    "redirects-from-a-slash-too-many",
    "refuses-json-that-few-can-hold",
    "skips-a-byte-order-mark",
    "stands-behind-a-strict-proxy",
    "takes-50-ms-for-each-answer",
    "takes-ids-of-64-plain-characters-at-most",
    "takes-its-time-for-each-reply",
    "takes-parameters-without-the-blanks-around-them",
    "takes-the-last-of-members-that-stand-twice",
    "takes-the-last-of-parameters-that-stand-twice",
    "verifies-the-signature-last",
}


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.name)
def test_a_variant_conforms_in_the_ordinary(variant: Variant) -> None:
    asyncio.run(visit(variant.apply, _converse))


async def _converse(world: World) -> None:
    users = (f"user-{number}" for number in itertools.count())

    def headers() -> dict[str, str]:
        return world.agent.bearer(next(users)) | {"A2A-Version": "1.0"}

    answer = await world.client.get(f"/a2a/{FIRST}/.well-known/agent-card.json")
    card = Card(answer.json(), str(answer.url))
    assert card.interface is not None
    assert card.jwt_alone
    url, tenant = card.interface.url.rstrip("/"), card.interface.tenant
    query = "" if tenant is None else f"?tenant={tenant}"
    more = {} if tenant is None else {"tenant": tenant}

    listed = await world.client.get(f"{url}/tasks{query}", headers=headers())
    assert (listed.status_code, listed.json()["tasks"]) == (200, [])

    body = send_request(user_message("Grüße 🦆"), **more)
    talked = headers()
    first = await world.client.post(f"{url}/message:send", json=body, headers=talked)
    assert first.status_code == 200
    context = first.json()["message"]["contextId"]
    assert first.json()["message"]["role"] == "ROLE_AGENT"
    user = first.request.headers["authorization"]
    assert user

    body = send_request(user_message("x", context_id=context), **more)
    foreign = await world.client.post(f"{url}/message:send", json=body, headers=headers())
    assert foreign.json()["error"]["details"][0]["reason"] == "INVALID_PARAMS"

    refused = await world.client.get(f"{url}/tasks{query}")
    nobody = await world.ask("GET", "/tasks", brand=UNKNOWN)
    nothing = await world.client.get(f"{url}/nothing")
    assert refused.status_code == 401
    assert nobody.status_code in (404, 405)
    assert nothing.status_code in (404, 405)
    assert not any(is_a2a_body(value(answer)) for answer in (refused, nobody, nothing))


def _shows(variant: Variant) -> bool:
    """Say whether the probes see a variant: nothing of delegation, nor where it is served."""
    of_delegation = variant.apply.__module__.rpartition(".")[2].startswith("delegation_")
    return variant.name not in UNSEEN and not of_delegation and variant.deploy is None


@pytest.mark.parametrize(
    "variant",
    [variant for variant in VARIANTS if _shows(variant)],
    ids=lambda variant: variant.name,
)
def test_a_variant_shows(variant: Variant, honest: Pieces) -> None:
    assert difference(variant.apply, honest) is not None


def test_every_id_that_a_variant_warns_about_is_in_the_catalogue() -> None:
    warned = {identifier for variant in variants.ALL.values() for identifier in variant.warns}

    assert warned <= load().requirements.keys()


def test_every_variant_says_what_it_does() -> None:
    for variant in variants.ALL.values():
        assert variant.description.endswith("."), variant.name


def test_an_unknown_name_is_an_error() -> None:
    with pytest.raises(KeyError, match="no variant called 'x'"):
        variants.named("x")
