"""The Provider, put together from its parts."""

import sys
import traceback
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from pact_conformance.counterpart.provider import card, gates, message_rules, sending, tasks
from pact_conformance.counterpart.provider.answers import Answers
from pact_conformance.counterpart.provider.brand_agent import BrandAgent, ScriptedAgent
from pact_conformance.counterpart.provider.brand_site.login import Login
from pact_conformance.counterpart.provider.call import Call, bearer_token
from pact_conformance.counterpart.provider.clock import Clock
from pact_conformance.counterpart.provider.conditions import Conditions
from pact_conformance.counterpart.provider.configuration import BrandConfig, ProviderConfig
from pact_conformance.counterpart.provider.control import Control
from pact_conformance.counterpart.provider.conversations import Conversations
from pact_conformance.counterpart.provider.delegation.acting import acting
from pact_conformance.counterpart.provider.delegation.delegation import Delegation
from pact_conformance.counterpart.provider.discovery import Discovery
from pact_conformance.counterpart.provider.domain import Domains, Site, site
from pact_conformance.counterpart.provider.fetching import Fetcher
from pact_conformance.counterpart.provider.keys import KeySource
from pact_conformance.counterpart.provider.model_agent import ModelAgent
from pact_conformance.counterpart.provider.operations import CARD, operations
from pact_conformance.counterpart.provider.pages import Pages
from pact_conformance.counterpart.provider.rate import Rates
from pact_conformance.counterpart.provider.refusals import A2ARefusal, Refusal
from pact_conformance.counterpart.provider.verifier import Verifier

if TYPE_CHECKING:
    from starlette.datastructures import QueryParams

    from pact_conformance.counterpart.provider.delegation.step_up import StepUp

Respond = Callable[[Call], Awaitable[Response]]
Around = Callable[[Call, Respond], Awaitable[Response]]
"""Stands around the answering of every request: may act before and after, or answer itself."""


class Provider:
    """A PACT Provider: its parts, each a small thing of its own, and how a request is answered.

    The parts are attributes, so that whoever assembles a Provider may put another in: another
    Brand agent, another store, another card.
    """

    def __init__(self, config: ProviderConfig, base: str) -> None:
        self.config = config
        self.base = base
        self.interface: Callable[[str], str] = lambda brand_id: f"{base}/a2a/{brand_id}"
        """Gives the interface URL of a Brand."""
        self.card_url: Callable[[str], str] = lambda brand_id: (
            f"{base}/a2a/{brand_id}{self.card_path}"
        )
        """Gives the URL of a Brand's card (§2.1)."""
        self.brands = {brand.id: brand for brand in config.brands}
        self.clock = Clock(offsets={brand.id: brand.clock_offset for brand in config.brands})

        # §2 Transport
        self.card: Callable[[BrandConfig, str], dict[str, Any]] = card.agent_card
        self.card_path = CARD
        self.domains = Domains()
        self.site: Site = site
        self.operations = operations()
        self.gates = gates.gates()
        self.check_version: Callable[[str], None] = gates.check_version
        self.page_size: Callable[[QueryParams], int] = tasks.page_size
        self.check_filters: Callable[[QueryParams], None] = tasks.check_filters
        self.own_tasks: Callable[[Provider, Call], list[StepUp]] = tasks.own_tasks
        self.find_task: Callable[[Provider, Call], StepUp] = tasks.find_task

        # §3 Personal-agent identity
        self.is_open: Callable[[str | None], bool] = self._is_open
        """Says whether a Brand lets personal agents in that nobody registered (§3.1)."""
        self.bearer_token: Callable[[Request], str] = bearer_token
        self.fetcher = Fetcher(ca_file=config.ca_file)
        self.verifier = Verifier(
            agents={agent.issuer: agent for agent in config.agents},
            audience=config.audience,
            keys=KeySource(
                max_age=config.jwks_max_age,
                refetch_interval=config.jwks_refetch_interval,
                fetch=self.fetcher.fetch,
                clock=self.clock.now,
            ),
            discovery=Discovery(
                max_age=config.jwks_max_age,
                retry_interval=config.jwks_refetch_interval,
                fetch=self.fetcher.fetch,
                clock=self.clock.now,
            ),
        )

        # §4 Messages
        self.check_content_type: Callable[[str | None], None] = sending.check_content_type
        self.read_submission = sending.read_submission
        self.rules = message_rules.rules()
        self.conversations = Conversations()
        self.conduct = sending.Conduct()
        self.conditions = Conditions()
        self.brand_agent: BrandAgent
        if config.think_seconds is None:
            self.employ(ScriptedAgent(slow_seconds=config.slow_seconds))
        else:
            self.employ(ModelAgent(think_seconds=config.think_seconds))

        # §5 Delegated authority
        self.delegation = Delegation()
        self.pages = Pages()
        self.login = Login()

        # §6 Errors, limits, and what stands around every answer
        self.answers = Answers()
        self.rates = Rates(
            user=config.user_rate, agent=config.agent_rate, seconds=config.rate_seconds
        )
        self.around: list[Around] = []

        # What the protocol cannot do
        self.control = Control()
        self.control_base = base

    @property
    def control_url(self) -> str:
        """The URL of the control endpoint."""
        return self.control_base + self.control.path

    def employ(self, agent: BrandAgent) -> None:
        """Let an agent answer for the Brands, under the conditions that are switched on."""
        self.brand_agent = self.conditions.around(acting(self, agent))

    def _is_open(self, brand_id: str | None) -> bool:
        brand = self.brands.get(brand_id or "")
        return self.config.open or (brand is not None and brand.open)

    async def respond(self, call: Call) -> Response:
        """Answer a request; what stands around is entered in order."""
        respond: Respond = self._answer
        for around in reversed(self.around):
            respond = _entered(respond, around)
        return await respond(call)

    async def aclose(self) -> None:
        """Close what is open."""
        await self.fetcher.aclose()

    async def _answer(self, call: Call) -> Response:
        try:
            for gate in self.gates:
                await gate(self, call)
            assert call.operation is not None
            return await call.operation.handle(self, call)
        except Refusal as refusal:
            return self.answers.to(refusal)
        except ClientDisconnect:
            raise
        except Exception:  # noqa: BLE001 - whatever broke, the caller gets §6's answer for it
            traceback.print_exc(file=sys.stderr)
            if call.operation is not None and not call.operation.is_a2a:
                return self.answers.oauth_failure()
            return self.answers.error(A2ARefusal("INTERNAL", "The Provider is out of order"))


def _entered(inner: Respond, around: Around) -> Respond:
    async def respond(call: Call) -> Response:
        return await around(call, inner)

    return respond
