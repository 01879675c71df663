"""The keys that a personal agent publishes, read as a Provider reads them (§3.1)."""

import contextlib
from http import HTTPStatus
from typing import Any

from pact_conformance.journal.answer import Answer
from pact_conformance.rig import Rig, conversation
from pact_conformance.subject.seen import PaToken
from pact_conformance.subject.stage import Stage
from pact_conformance.tokens import base64url
from pact_conformance.tokens.verifying import verify_signature
from pact_conformance.verdicts import Unsettled, Untested


@conversation(turns=0, together=0)
def awake(pact_rig: Rig) -> None:
    """The agent has been started, by the process that has it do everything."""
    wake(pact_rig)


def wake(rig: Rig) -> None:
    """See that the agent runs, if it can: it may serve its keys itself."""
    with contextlib.suppress(Unsettled):
        rig.agent.wake()


def published_at(rig: Rig, stage: Stage) -> Answer:
    """GET the agent's JWK Set without a token.

    Raises:
        Inconclusive: no answer came.
    """
    wake(rig)
    return rig.read(stage.address.jwks, "read the agent's JWK Set")


def keys_in(answer: Answer) -> list[Any] | None:
    """Return the entries of a JWK Set; None where the answer holds none."""
    body: Any = answer.json
    keys = body.get("keys") if isinstance(body, dict) else None
    return keys if answer.status == HTTPStatus.OK and isinstance(keys, list) else None


def key_set(rig: Rig, stage: Stage) -> dict[str, Any]:
    """Return the agent's JWK Set.

    Raises:
        Untested: there is none.
        Inconclusive: no answer came.
    """
    keys = keys_in(published_at(rig, stage))
    if keys is None:
        raise Untested("the agent publishes no JWK Set", do="see 3.1-agent-jwks")
    return {"keys": keys}


def signer(token: PaToken, keys: dict[str, Any]) -> object:
    """Return the published key that has signed a token.

    Raises:
        ValueError: none has; the message says why.
    """
    signed, _, signature = token.text.rpartition(".")
    return verify_signature(token.header, signed.encode(), base64url.decode(signature), keys)
