"""What a check is handed: the Provider, the callers, the conversations, the agent under test."""

import time
from collections.abc import Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest

from pact_conformance.conversations import Conversations, conversation
from pact_conformance.delegation import Delegation
from pact_conformance.families import (
    advice,
    delegation_forged,
    delegation_headed,
    forged,
    forged_at_another_door,
    fuzzed,
    requirement,
    shaped,
)
from pact_conformance.gate import Gate
from pact_conformance.journal.answer import Answer
from pact_conformance.journal.client import NoAnswer, RecordingClient
from pact_conformance.journal.exchange import Operation
from pact_conformance.journal.mask import Mask
from pact_conformance.journal.remembering import RememberingJournal
from pact_conformance.settings import WELL_KNOWN, Settings
from pact_conformance.spares import Spares
from pact_conformance.subject.approver.manual import Person
from pact_conformance.subject.bought import BoughtTurns
from pact_conformance.subject.control import Controls
from pact_conformance.subject.discovery import fetch, unknown_brand
from pact_conformance.subject.hooks import Hooks
from pact_conformance.subject.ledger import Ledger
from pact_conformance.subject.once import Once
from pact_conformance.subject.origins import may_get_tokens
from pact_conformance.subject.plan import Plan, Registration
from pact_conformance.subject.preflight import Preflight
from pact_conformance.subject.provider import Provider
from pact_conformance.subject.rate_limit import Patience
from pact_conformance.subject.stage import Stage
from pact_conformance.subject.turns import Turns
from pact_conformance.tokens.caller import Caller
from pact_conformance.tokens.jwks_server import JwksServer
from pact_conformance.tokens.keys import keys_from_json
from pact_conformance.verdicts import (
    SEE_FINDING,
    Inconclusive,
    NotApplicable,
    Unsettled,
    Untested,
    open_notebook,
)
from pact_conformance.wire.card import Card

if TYPE_CHECKING:
    from pact_conformance.subject.agent import AgentUnderTest
    from pact_conformance.subject.findings import Finding

Judged = tuple[str, str]
"""A role and a profile: `provider`, `identity`."""

__all__ = [
    "RIG",
    "Gate",
    "Judged",
    "Rig",
    "advice",
    "conversation",
    "delegation_forged",
    "delegation_headed",
    "forged",
    "forged_at_another_door",
    "fuzzed",
    "requirement",
    "shaped",
]


# The file beside the journal in which the processes of a run enter their turns.
LEDGER = "turns.ndjson"

# The file beside it that keeps processes from changing the spare registration at the same time.
SPARE_LOCK = "spare.lock"

# What was started for the whole run, whatever the preflight saw.
_STARTED = frozenset({"agent", "stage"})

# What the process calls itself that controls the run: it writes down what the stage has seen.
CONTROLLER = "main"


class Rig:
    """What one process of a run works with."""

    def __init__(
        self,
        settings: Settings,
        plan: Plan,
        journal: Path,
        *,
        worker: str,
        shared: bool = False,
    ) -> None:
        self.settings = settings
        self.shared = shared
        self._controls = worker == CONTROLLER
        self.person: Person | None = None
        self._stack = ExitStack()
        self.bought = BoughtTurns()
        self.mask = Mask()
        for registration in plan.registrations:
            self._hide(registration)
        for name, value in settings.headers.items():
            self.mask.add(value.get_secret_value(), f"header {name}")
        for how in settings.hooks.model_dump().values():
            self.mask.add(how or "", "hook")
        self.journal = RememberingJournal(journal, worker)
        self.client = RecordingClient(
            self.journal,
            self.mask,
            deadline=settings.deadline,
            verify=True if settings.ca_file is None else str(settings.ca_file),
            extra_headers=[(k, v.get_secret_value()) for k, v in settings.headers.items()],
            extra_to=settings.names_origin_of,
        )
        self.patience = Patience(settings.max_wait)
        self.controls = Controls()
        self.adopt(plan)
        self.turns = Turns(
            Ledger(
                journal.with_name(LEDGER),
                limit=settings.max_turns,
                worker=worker,
                shared=shared,
            )
        )
        self.conversations = Conversations(
            partial(getattr, self),
            seconds=settings.deadline,
            turns=self.turns,
            # A process that ends in one conversation takes with it what the others rest on.
            alone={"agent"} if (settings.agent or "").startswith("cmd:") else (),
        )

    def adopt(self, plan: Plan) -> None:
        """Take over what the preflight saw."""
        self.plan = plan
        derived = [name for name in self.__dict__ if hasattr(type(self), name)]
        kept = _STARTED if plan.agent_finding is None else _STARTED - {"agent"}
        for name in derived:
            if name not in kept:
                del self.__dict__[name]

    def _hide(self, registration: Registration) -> None:
        """Have every private member of the keys masked wherever it might appear."""
        for key in keys_from_json(registration.keys):
            for name, value in key.private_jwk().items():
                if name in {"d", "p", "q", "dp", "dq", "qi", "k"}:
                    self.mask.add(str(value), "private-key")

    @property
    def pact_rig(self) -> "Rig":
        """Itself, for conversations that need what they may not find."""
        return self

    @property
    def preflight(self) -> Preflight:
        """What was seen of the subject before the first check."""
        return self.plan.preflight

    @property
    def built_in(self) -> bool:
        """Whether the built-in mock Provider is the subject: the settings have its URL then."""
        return self.plan.clock_card is not None

    def now(self) -> float:
        """Return the time by the Provider's clock, as far as it is known, in epoch seconds."""
        return time.time() + self.preflight.clock_offset

    def _caller(self, registration: Registration | None, variable: str, who: str) -> Caller:
        if registration is None:
            raise Untested(
                f"{who} is needed", do=f"set {variable}_ISSUER and {variable}_PRIVATE_JWK"
            )
        return self.caller_of(registration)

    def caller_of(self, registration: Registration) -> Caller:
        """Return the suite playing a registered personal agent."""
        return Caller(
            registration.issuer,
            registration.audience,
            keys_from_json(registration.keys),
            clock=self.now,
            seed=self.plan.seed.encode(),
        )

    @Once
    def caller(self) -> Caller:
        """The registered personal agent that the suite plays."""
        return self._caller(self.plan.primary, "PA", "a registered personal agent")

    @Once
    def other_caller(self) -> Caller:
        """A second one."""
        return self._caller(self.plan.other, "PA_OTHER", "a second registered personal agent")

    @Once
    def disabled_caller(self) -> Caller:
        """One that the Provider has disabled."""
        return self._caller(self.plan.disabled, "PA_DISABLED", "a disabled personal agent")

    @Once
    def spares(self) -> Spares:
        """Registrations that checks may change."""
        lock = self.journal.path.with_name(SPARE_LOCK)
        return Spares(self.plan, self.settings.absent, self.caller_of, lock=lock)

    @Once
    def hooks(self) -> Hooks:
        """What the tester gave to do what the protocol cannot."""
        return Hooks(
            self.settings.hooks.model_dump(),
            self.settings.absent,
            interface=self.provider.interface.url,
            seconds=self.settings.deadline,
            ca_file=self.settings.ca_file,
        )

    @Once
    def card(self) -> Card:
        """The card of the Brand under test."""
        finding = self.preflight.finding
        if finding is not None and finding.blocks == "card":
            raise Untested(f"{SEE_FINDING}{finding.id}", do=finding.do)
        return Card(self.preflight.card, self.preflight.card_url)

    @Once
    def other_card(self) -> Card:
        """The card of a second Brand of the same Provider."""
        if self.preflight.other_card_url is None:
            raise Untested("a second Brand of the Provider is needed", do="set E2E_OTHER_BRAND")
        if self.preflight.other_card is None:
            raise Untested(
                f"the second Brand has no card: {self.preflight.other_problem}",
                do="correct E2E_OTHER_BRAND",
            )
        return Card(self.preflight.other_card, self.preflight.other_card_url)

    def provider_of(
        self, card: Card, caller: Caller | None = None, *, caused: bool = False
    ) -> Provider:
        """Return the Provider as reached through a card.

        Args:
            card: of one of its Brands.
            caller: by default the registered personal agent that the suite plays.
            caused: the suite makes it fail on purpose.
        """
        return Provider(
            self.client, card, caller or self.caller, self.patience, self.turns, caused=caused
        )

    @Once
    def provider(self) -> Provider:
        """The Provider under test, behind authentication."""
        card = self.card
        finding = self.preflight.finding
        if finding is not None:
            raise Untested(f"{SEE_FINDING}{finding.id}", do=finding.do)
        return self.provider_of(card)

    @Once
    def other_provider(self) -> Provider:
        """The second Brand of the Provider, behind authentication."""
        if self.other_card.interface is None:
            raise Untested("the second Brand has no interface", do="correct E2E_OTHER_BRAND")
        if not may_get_tokens(
            self.other_card.interface.url, self.provider.interface.url, self.settings.allow_origins
        ):
            raise Untested(
                "the second Brand's interface is at another origin, and tokens would go there",
                do=f"if it is the Provider's: --pact-allow-origins={self.other_card.interface.url}",
            )
        if self.other_card.interface.url == self.provider.interface.url:
            raise Untested("both Brands have one interface url", do="see 2.1-card-per-brand")
        return self.provider_of(self.other_card)

    @property
    def judges_delegated(self) -> bool:
        """Whether PACT Delegated is judged: asked for, or offered by the card and not left out."""
        if self.settings.profile != "auto":
            return self.settings.profile == "delegated"
        return Card(self.preflight.card, self.preflight.card_url).delegation is not None

    @property
    def judged(self) -> frozenset[Judged]:
        """The roles and profiles that the run judges."""
        found: set[Judged] = set()
        if self.settings.tests_provider:
            found.add(("provider", "identity"))
            found |= {("provider", "delegated")} if self.judges_delegated else set()
        if self.settings.tests_agent:
            found.add(("personal-agent", "identity"))
            found |= {("personal-agent", "delegated")} if self._agent_is_delegated else set()
        return frozenset(found)

    @property
    def _agent_is_delegated(self) -> bool:
        """Whether PACT Delegated is judged of the agent: asked for, or offered by its adapter."""
        if self.settings.profile != "auto":
            return self.settings.profile == "delegated"
        return "sign_in" in self.plan.agent_offers

    @Once
    def delegation(self) -> Delegation:
        """Delegated authority at the Brand under test (§5)."""
        return Delegation(self)

    @Once
    def stage(self) -> Stage:
        """The stage on which the personal agent under test acts."""
        if self.plan.stage is None:
            raise Untested("a personal agent under test is needed", do="set E2E_AGENT")
        return Stage(self.plan.stage, self.mask, self.journal if self._controls else None)

    @Once
    def agent(self) -> "AgentUnderTest":
        """The personal agent under test."""
        # Not a Provider's cost.
        from pact_conformance.subject.agent import agent_of  # noqa: PLC0415

        _ = self.stage
        finding = self.plan.agent_finding
        if finding is not None:
            raise Untested(f"{SEE_FINDING}{finding.id}", do=finding.do)
        return agent_of(
            self.settings,
            self.client,
            self.mask,
            folder=self.journal.path.parent,
            person=self.person,
        )

    def agent_offers(self) -> tuple[str, ...]:
        """Return the operations that the agent's adapter offers; none where it does not answer."""
        try:
            return self.agent.operations
        except Unsettled:
            return ()

    def agent_finding(self) -> "Finding | None":
        """Return what is amiss with all that the agent does; nobody is called to the terminal."""
        # Not a Provider's cost.
        from pact_conformance.subject.agent import preflight  # noqa: PLC0415

        if self.settings.agent == "manual":
            return None
        fetch = partial(self.client.exchange, "GET", operation="jwks", purpose="preflight")
        return preflight.run(self.agent, self.stage, fetch)

    @Once
    def gate(self) -> Gate:
        """The authentication gate with its probe."""
        return Gate(self)

    @Once
    def jku_server(self) -> JwksServer | None:
        """Where a forgery's `jku` and `x5u` may point, if the Provider can reach this machine."""
        host = urlsplit(self.provider.interface.url).hostname or ""
        if host not in {"localhost", "127.0.0.1", "::1"}:
            return None
        return self._stack.enter_context(JwksServer())

    def read_card(
        self, url: str, *, operation: Operation = "card", authorization: str | None = None
    ) -> Answer:
        """GET a card as anybody may, following redirects; `authorization` goes to the first hop.

        Raises:
            Inconclusive: no answer came.
        """
        headers = [] if authorization is None else [("Authorization", authorization)]
        return self.read(url, "read the Agent Card", operation=operation, headers=headers)

    def read(
        self,
        url: str,
        purpose: str,
        *,
        operation: Operation = "other",
        headers: Sequence[tuple[str, str]] = (),
    ) -> Answer:
        """GET a document as anybody may, following redirects.

        Raises:
            Inconclusive: no answer came.
        """
        try:
            answer = fetch(
                self.client,
                url,
                operation=operation,
                headers=headers,
                patience=self.patience,
                purpose=purpose,
            )[-1]
        except NoAnswer as error:
            raise Inconclusive(str(error), do=f"see that {url} can be reached") from error
        open_notebook().exchanges.append(answer.exchange_id)
        return answer

    def unknown_interface(self) -> str | None:
        """Return the interface URL of a Brand that nobody has, if one can be made up."""
        made_up = unknown_brand(self.provider.interface.url)
        given = self.settings.unknown_brand
        if made_up is None and given is not None and given.endswith(WELL_KNOWN):
            return given.removesuffix(WELL_KNOWN)
        return made_up

    def declared_absent(self, name: str) -> None:
        """End a check of something that the tester declares absent, for the stated reason.

        Raises:
            NotApplicable: the settings have it under `[absent]`.
        """
        reason = self.settings.absent.get(name)
        if reason is not None:
            raise NotApplicable(f"declared absent: {reason}")

    def close(self) -> None:
        """Close connections and let conversations end."""
        self.conversations.close()
        if "delegation" in self.__dict__:
            self.delegation.close()
        for name in ("agent", "stage", "hooks"):
            if name in self.__dict__:
                getattr(self, name).close()
        self._stack.close()
        self.client.close()
        self.journal.close()


RIG: pytest.StashKey[Rig] = pytest.StashKey()
