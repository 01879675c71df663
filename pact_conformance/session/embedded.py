"""The embedded default: the mock Provider in a process of its own, knowing the suite's agents."""

import json
from collections.abc import Iterable, Mapping
from contextlib import ExitStack
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from types import TracebackType
from typing import Any, Self

from pact_conformance.counterpart.provider import serving
from pact_conformance.counterpart.provider.configuration import (
    DEFAULT_ACCOUNTS,
    DEFAULT_BRANDS,
    AgentConfig,
    BrandConfig,
    ProviderConfig,
)
from pact_conformance.counterpart.provider.delegation.acting import prompts
from pact_conformance.file_tables import Account, Hooks
from pact_conformance.session.launching import Launch
from pact_conformance.session.publishing import publish_elsewhere
from pact_conformance.settings import Settings
from pact_conformance.subject.plan import Plan, Purpose, Registration, Spare
from pact_conformance.tokens.jwks_server import JwksServer
from pact_conformance.tokens.keys import SigningKey

AUDIENCE = "urn:pact-conformance:mock-provider"

# The built-in Provider looks at a set again so soon that no check waits for it.
REFETCH_SECONDS = 0.05
CACHE_SECONDS = 1.0

# The Brand whose clock the suite moves, so that no check waits for a time to come. It is another
# Brand than the one under test, for all that is signed at one time would be old at the other.
CLOCK_BRAND = BrandConfig(id="01JD4M7Q2ZT9W7D1F4K8M2Q5CK", name="Meridian Books")

# Personal agents that each belong to one check, which changes them.
SPARES: tuple[Purpose, ...] = ("rotating", "assorted", "unreachable", "disabling", "advising")


def _keys(name: str, *algs: str) -> tuple[SigningKey, ...]:
    return tuple(SigningKey.generate(alg, kid=f"{name}-{alg.lower()}") for alg in algs)


@cache
def keys() -> dict[str, tuple[SigningKey, ...]]:
    """Return this process's keys for each personal agent, made once.

    Of the last three of the primary one a Provider takes no signature; it has to refuse them.
    """
    return {
        "primary": _keys("primary", "ES256", "RS256", "ES384", "ES512", "EdDSA"),
        "other": _keys("other", "ES256"),
        "disabled": _keys("disabled", "ES256"),
        "stray": _keys("stray", "ES256"),
        **{name: _keys(name, "ES256") for name in SPARES},
    }


class Embedded:
    """A running mock Provider that knows the suite's personal agents; a context manager."""

    def __init__(
        self,
        flaws: Iterable[str] = (),
        variants: Iterable[str] = (),
        *,
        think: float | None = None,
        launch: Launch = serving.start,
    ) -> None:
        self._stack = ExitStack()
        self._flaws, self._variants = tuple(flaws), tuple(variants)
        self._think = think
        self._launch = launch
        self.keys = keys()
        self.addresses: dict[str, Any] = {}
        self.clock_card: str | None = None

    def __enter__(self) -> Self:
        try:
            self.jwks = self._stack.enter_context(JwksServer("127.0.0.1:0"))
            for name, keys in self.keys.items():
                self.jwks.publish(name, keys)
            config = ProviderConfig(
                brands=(*DEFAULT_BRANDS, CLOCK_BRAND),
                audience=AUDIENCE,
                agents=tuple(
                    AgentConfig(
                        issuer=self.issuer(name),
                        jwks_uri=self.jwks.url(name),
                        enabled=name != "disabled",
                    )
                    for name in self.keys
                ),
                think_seconds=self._think,
                jwks_max_age=CACHE_SECONDS,
                jwks_refetch_interval=REFETCH_SECONDS,
            )
            self.stray = publish_elsewhere(self.jwks, self.issuer("stray"), AUDIENCE)
            running = self._stack.enter_context(self._launch(config, self._flaws, self._variants))
            self.clock_card = running.brands[2].card
            self.addresses = {
                "provider": running.brands[0].card,
                "other_brand": running.brands[1].card,
                "issuer": self.issuer("primary"),
                "audience": AUDIENCE,
                "provider_url": running.base,
                "customer_id": running.brands[0].id,
                "brand_domain": running.brands[0].domain,
                "jwks_cache_s": CACHE_SECONDS,
                "approver": "form",
                "accounts": [
                    {"username": it.username, "password": it.password, "user": it.user}
                    for it in DEFAULT_ACCOUNTS
                ],
                "prompts": prompts(DEFAULT_BRANDS[0]),
                "hooks": dict.fromkeys(Hooks.model_fields, running.control),
                **self._trusting(running.ca),
            }
        except BaseException:
            self._stack.close()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._stack.close()

    def _trusting(self, ca: str | None) -> dict[str, str]:
        """Return the setting by which the Provider's own CA is trusted, if it has one."""
        if ca is None:
            return {}
        file = Path(self._stack.enter_context(TemporaryDirectory()), "ca.pem")
        file.write_text(ca, encoding="ascii")
        return {"ca_file": str(file)}

    def issuer(self, name: str) -> str:
        """Return the issuer of one of the personal agents."""
        if name == "stray":  # what is published below this one can be fetched
            return f"{self.jwks.base_url}/stray-issuer"
        return f"https://{name}.personal-agent.example"

    def registration(self, name: str) -> Registration:
        """Return one of the personal agents with its private keys."""
        private = [key.private_jwk() for key in self.keys[name]]
        return Registration(self.issuer(name), AUDIENCE, json.dumps({"keys": private}))

    def plan(self, seed: str, *, open_audience: str | None = None) -> Plan:
        """Return whom the suite plays; with an audience for an open Provider, a stranger too."""
        stranger = None
        if open_audience is not None:
            issuer = f"{self.jwks.base_url}/unregistered"
            stranger = publish_elsewhere(self.jwks, issuer, open_audience)
        return Plan(
            primary=self.registration("primary"),
            other=self.registration("other"),
            disabled=self.registration("disabled"),
            spares={name: Spare(self.registration(name), name) for name in SPARES},
            stray=self.stray,
            stranger=stranger,
            jwks_control=self.jwks.control_url,
            clock_card=self.clock_card,
            settings=self.addresses,
            seed=seed,
        )


def supplied(settings: Settings, addresses: Mapping[str, Any]) -> Settings:
    """Return settings with what a plan adds to them: nothing, but where the subject is built in."""
    update = dict(addresses)
    if "hooks" in update:
        update["hooks"] = Hooks(**update["hooks"])
    if settings.approver is not None:
        update.pop("approver", None)  # a tester may see to it in another way
    if "ca_file" in update:
        update["ca_file"] = Path(update["ca_file"])
    if "accounts" in update:
        update["accounts"] = tuple(Account(**it) for it in update["accounts"])
    return settings.model_copy(update=update)
