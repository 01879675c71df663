"""Opening a run: the personal agents it plays, the built-in counterpart, the preflight."""

import dataclasses
import difflib
import secrets
from collections.abc import Callable
from contextlib import ExitStack, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, get_args

import pytest

from pact_conformance.counterpart.roles import Role
from pact_conformance.rig import CONTROLLER, Rig
from pact_conformance.session.embedded import Embedded, supplied
from pact_conformance.session.folder import JOURNAL, fresh
from pact_conformance.session.launching import launches
from pact_conformance.session.masking import masked
from pact_conformance.session.publishing import publish_all
from pact_conformance.settings import Settings
from pact_conformance.subject import preflight
from pact_conformance.subject.approver.manual import Person
from pact_conformance.subject.discovery import Found, find
from pact_conformance.subject.findings import Finding
from pact_conformance.subject.plan import Plan, Purpose, Registration, Spare
from pact_conformance.tokens.jwks_server import JwksServer
from pact_conformance.tokens.keys import keys_from_json
from pact_conformance.verdicts import Inconclusive

if TYPE_CHECKING:
    from pact_conformance.session.acting import Acting


class Opened:
    """An open run of the controller; `close` ends what it started.

    Args:
        settings: of the tester.
        folder: of the report.
        begin: is called when nothing is left but to look at the subject; it puts a report into the
            folder in place of that of an earlier run.
        shared: workers are going to check.
        person: who is at the terminal, where somebody has to be.
        tried: whoever opens it tries the personal agent for himself.

    Raises:
        pytest.UsageError: a key that cannot be read, or a folder that cannot be written.
        DiskFull: there is no room in the folder; a report of an earlier run stands.
    """

    def __init__(
        self,
        settings: Settings,
        folder: Path,
        *,
        begin: Callable[[], None] = lambda: None,
        shared: bool = False,
        person: Person | None = None,
        tried: bool = False,
    ) -> None:
        self._stack = ExitStack()
        self._tried = tried
        try:
            _known_names(settings)
            # Before anything else begins here: the processes are forked off where that is possible.
            self._launches = launches(settings.embedded + settings.tests_agent, self._stack)
            self.settings, plan = self._subject(settings, partial(fresh, folder, begin))
            self._acting = self._agent(self.settings, folder)
            if self._acting is not None:
                self.settings = self._acting.supplied(self.settings)
                plan = dataclasses.replace(plan, stage=self._acting.address)
            self.rig = Rig(self.settings, plan, folder / JOURNAL, worker=CONTROLLER, shared=shared)
            self._stack.callback(self.rig.close)
            self.rig.person = person
            self.plan = self._seen(plan)
            self.rig.adopt(self.plan)
        except BaseException:
            self._stack.close()
            raise

    def drain(self) -> None:
        """See that the journal has everything that reached the stage.

        Raises:
            JournalUnwritable: for instance because the disk is full.
        """
        if self._acting is not None:
            with suppress(Inconclusive):  # where the stage has ended the checks have said so
                self.rig.stage.sightings.read_on()

    def _agent(self, settings: Settings, folder: Path) -> "Acting | None":
        """Start the stage for a personal agent under test, and the built-in one, if it is that.

        Raises:
            pytest.UsageError: an address is not to be had.
        """
        if not settings.tests_agent:
            return None
        # What only runs against a Provider need not load.
        from pact_conformance.session.acting import Acting  # noqa: PLC0415

        try:
            return self._stack.enter_context(Acting(settings, folder, self._launches.pop()))
        except OSError as error:
            raise pytest.UsageError(f"E2E_MOCK_LISTEN: {error}") from None

    def _seen(self, plan: Plan) -> Plan:
        """Return the plan with what is seen of the subjects before the first check."""
        if self._acting is not None:
            finding = self._agent_finding()
            plan = dataclasses.replace(
                plan, agent_offers=self.rig.agent_offers(), agent_finding=finding
            )
            if self.rig.shared or finding is not None:
                # The worker that drives the agent starts it for itself.
                self.rig.agent.close()
        if not self.settings.tests_provider:
            return plan
        seen = preflight.run(
            lambda: find(
                self.rig.client,
                self.settings.card_urls(self.settings.provider),
                self.rig.patience,
            ),
            self._find_with_token,
            lambda: (
                find(self.rig.client, self.settings.other_card_urls, self.rig.patience)
                if self.settings.other_card_urls
                else None
            ),
            self.rig.provider_of,
            self.settings.unknown_brand,
            allow_origins=self.settings.allow_origins,
        )
        if seen.finding is not None:
            seen = dataclasses.replace(seen, finding=masked(seen.finding, self.rig.mask))
        return dataclasses.replace(plan, preflight=seen)

    def _agent_finding(self) -> Finding | None:
        """Return what is amiss with all that the personal agent under test does."""
        finding = None if self._tried else self.rig.agent_finding()
        return None if finding is None else masked(finding, self.rig.mask)

    def _find_with_token(self) -> Found:
        """Look for the card as the personal agent: only after it was refused to anybody."""
        caller = self.rig.caller
        bearer = f"Bearer {caller.token(caller.user('reads-the-card')).text}"
        return find(
            self.rig.client,
            self.settings.card_urls(self.settings.provider)[:1],
            headers=[("Authorization", bearer)],
        )

    def _subject(self, settings: Settings, fresh: Callable[[], None]) -> tuple[Settings, Plan]:
        """Return the settings with the subject's addresses, and the personal agents to play."""
        seed = secrets.token_hex(8)
        if not settings.tests_provider:
            fresh()
            return settings, Plan(seed=seed)
        if settings.embedded:
            fresh()
            embedded = self._stack.enter_context(
                Embedded(
                    settings.mock_flaws,
                    settings.mock_variants,
                    think=settings.mock_think,
                    launch=self._launches.pop(),
                )
            )
            plan = embedded.plan(seed, open_audience=settings.open_audience)
            return supplied(settings, plan.settings), plan
        plan = Plan(
            primary=_registration(settings, ""),
            other=_registration(settings, "other_"),
            disabled=_registration(settings, "disabled_"),
            spares=_spares(settings),
            seed=seed,
        )
        if settings.jwks_listen and plan.primary is not None:
            server = self._stack.enter_context(_listening(settings))
            plan = publish_all(server, settings, plan)
        fresh()
        return settings, plan

    def close(self) -> None:
        """Stop the counterpart and close the connections."""
        self._stack.close()


def _listening(settings: Settings) -> JwksServer:
    address = str(settings.jwks_listen)
    try:
        return JwksServer(address, public_url=settings.jwks_url)
    except OSError as error:
        raise pytest.UsageError(f"PA_JWKS_LISTEN: cannot listen on {address}: {error}") from None


def _registration(settings: Settings, prefix: str) -> Registration | None:
    issuer = getattr(settings, f"{prefix}issuer")
    keys = getattr(settings, f"{prefix}private_jwk")
    if issuer is None or keys is None:
        return None
    audience = getattr(settings, f"{prefix}audience") or settings.audience
    try:
        keys_from_json(keys.get_secret_value())
    except ValueError as error:
        raise pytest.UsageError(f"PA_{prefix.upper()}PRIVATE_JWK: {error}") from None
    return Registration(issuer, audience or "", keys.get_secret_value())


def _spares(settings: Settings) -> dict[Purpose, Spare]:
    """Return what checks may change: the spare registration, if there is one.

    The second one is no stand-in: whether its keys are read from the suite nobody has said.
    """
    spare = _registration(settings, "spare_")
    return {} if spare is None else dict.fromkeys(get_args(Purpose), Spare(spare, "spare"))


def _known_names(settings: Settings) -> None:
    """See that every flaw and variant that a built-in counterpart is to have exists.

    Raises:
        pytest.UsageError: one does not.
    """
    wanted: tuple[tuple[str, tuple[str, ...], Role], ...] = (
        ("--pact-mock-flaws", settings.mock_flaws, "provider"),
        ("--pact-mock-variants", settings.mock_variants, "provider"),
        ("--pact-agent-flaws", settings.agent_flaws, "personal-agent"),
        ("--pact-agent-variants", settings.agent_variants, "personal-agent"),
    )
    if not any(given for _, given, _ in wanted):
        return
    # All of them are loaded to find one.
    from pact_conformance.counterpart import (  # noqa: PLC0415
        advice_flaws,
        flaws,
        subtle_flaws,
        variants,
    )

    for option, given, role in wanted:
        is_variant = option.endswith("variants")
        rooms = (variants,) if is_variant else (flaws, subtle_flaws, advice_flaws)
        known = {name: it for room in rooms for name, it in room.of(role).items()}
        for name in given:
            if name not in known:
                close = difflib.get_close_matches(name, known, n=3)
                hint = f"; did you mean {' or '.join(close)}?" if close else ""
                listed = "flaws --variants" if is_variant else "flaws"
                raise pytest.UsageError(
                    f"{option}: there is nothing called {name!r}{hint} "
                    f"(`pact-conformance {listed}` lists them)"
                )
