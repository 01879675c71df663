"""A stage in a process of its own, and a personal agent to act on it, by httpx and PyJWT."""

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

import httpx

from pact_conformance.counterpart.provider.configuration import ProviderConfig
from pact_conformance.counterpart.provider.serving import RunningProvider, start
from pact_conformance.journal.mask import Mask
from pact_conformance.subject.stage import Scene, Stage
from pact_conformance.subject.stage_address import StageAddress
from tests.counterpart.agent import AUDIENCE, Agent

DEVICE_CODE = "urn:ietf:params:oauth:grant-type:device_code"
READ, CANCEL, CHANGE = "orders:read", "orders:cancel", "addresses:change"


@dataclass
class Acting:
    """Everything that a test of the stage needs."""

    stage: Stage
    running: RunningProvider
    agent: Agent
    client: httpx.Client = field(default_factory=lambda: httpx.Client(trust_env=False))

    def card(self, scene: Scene) -> dict[str, Any]:
        document: dict[str, Any] = self.client.get(scene.card).json()
        return document

    def say(
        self,
        scene: Scene,
        text: str = "Hello",
        *,
        user: str = "user-1",
        delegation: str | None = None,
        url: str | None = None,
        **members: object,
    ) -> httpx.Response:
        headers = {**self.agent.bearer(user), "A2A-Version": "1.0"}
        if delegation is not None:
            headers["X-A2A-User-Delegation"] = f"Bearer {delegation}"
        message = {
            "messageId": uuid.uuid4().hex,
            "role": "ROLE_USER",
            "parts": [{"text": text}],
            **members,
        }
        url = url or f"{scene.interface.removesuffix('/')}/message:send"
        return self.client.post(url, json={"message": message}, headers=headers)

    def form(self, url: str, **fields: str) -> httpx.Response:
        sent = {"client_id": self.agent.issuer, **fields}
        return self.client.post(url, data=sent, headers=self.agent.bearer())

    def begin(self, scene: Scene, *scopes: str) -> dict[str, Any]:
        answer = self.form(f"{scene.issuer}/device_authorization", scope=" ".join(scopes or [READ]))
        codes: dict[str, Any] = answer.json()
        return codes

    def poll(self, scene: Scene, codes: dict[str, Any]) -> dict[str, Any]:
        code = codes["device_code"]
        answer = self.form(f"{scene.issuer}/token", grant_type=DEVICE_CODE, device_code=code)
        told: dict[str, Any] = answer.json()
        return told

    def token(self, scene: Scene, *scopes: str) -> dict[str, Any]:
        """Go through a flow that the script approves."""
        return self.poll(scene, self.begin(scene, *scopes))


@contextmanager
def acting(config: ProviderConfig | None = None, *, ca_file: str | None = None) -> Iterator[Acting]:
    agent = Agent()
    with agent.published() as registration:
        config = replace(
            config or ProviderConfig(),
            stage=True,
            brands=(),
            agents=(registration,),
            audience=AUDIENCE,
            jwks_refetch_interval=0.05,
        )
        with start(config) as running:
            where = StageAddress(
                control=running.control,
                base=running.base,
                audience=AUDIENCE,
                issuer=agent.issuer,
                jwks=registration.jwks_uri,
                other=running.other,
                ca_file=ca_file,
            )
            stage = Stage(where, Mask())
            acts = Acting(stage, running, agent)
            try:
                yield acts
            finally:
                acts.client.close()
                stage.close()
