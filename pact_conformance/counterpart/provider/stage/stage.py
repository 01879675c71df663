"""The stage put together: a Provider whose Brands are opened and scripted while it runs."""

import secrets
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from pact_conformance.counterpart.provider.configuration import BrandConfig
from pact_conformance.counterpart.provider.domain import Domain
from pact_conformance.counterpart.provider.stage import directing
from pact_conformance.counterpart.provider.stage.places import Host, Layout, Place, Places
from pact_conformance.counterpart.provider.stage.scene import Scene
from pact_conformance.counterpart.provider.stage.script import Script, read_script
from pact_conformance.counterpart.provider.stage.seen import Records
from pact_conformance.counterpart.provider.verifier import fractions_are_dropped

if TYPE_CHECKING:
    from pact_conformance.counterpart.provider.provider import Provider

SITES = "/sites/"
"""Below this path are the sites of Brands that have no domain of their own."""

_NO_PORT = 1 << 16
"""From here on numbers are no ports; they tell Brands' sites apart that have none."""

_CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


class Stage:
    """What a staged Provider has beside a Provider's parts.

    Args:
        provider: whose parts are wrapped.
        other: the URL of the second host; None where the stage has one alone.
        other_port: where that listens.
    """

    def __init__(
        self, provider: "Provider", *, other: str | None = None, other_port: int | None = None
    ) -> None:
        self.provider = provider
        self.hosts = {"main": provider.base} | ({"other": other} if other is not None else {})
        self.other_port = other_port
        self.scenes: dict[str, Scene] = {}
        self.places = Places()
        self.records = Records()
        self.open_listener: Callable[[], tuple[str, int]] | None = None
        """Opens one more port, and returns its URL and number; None: there are none."""
        # A Provider may refuse these; the agent that sends them keeps to PACT all the same.
        provider.verifier.steps.add(fractions_are_dropped, before="is_issued")
        directing.direct(self)
        provider.control.hooks |= {
            "open_brand": self._open_brand,
            "close_brand": self._close_brand,
            "decide": directing.decide,
        }

    def scene(self, brand_id: str | None) -> Scene | None:
        """Return the scene of a Brand; None for one that was not opened on the stage."""
        return self.scenes.get(brand_id or "")

    def host(self, port: int | None) -> Host:
        """Return which of the hosts a port of ours belongs to."""
        return "other" if port is not None and port == self.other_port else "main"

    def open(self, script: Script) -> Scene:
        """Open a Brand.

        Raises:
            ValueError: its places are taken, or this stage does not have what it needs.
        """
        brand = _brand(script)
        layout = self._layout(brand.id, script)
        needed = {layout.interface.host, *(place.host for place in layout.endpoints.values())}
        if not needed <= set(self.hosts):
            raise ValueError("this stage has no other host")
        self._check_context_ids(script)
        if script.domain is not None and self.open_listener is None:
            raise ValueError("this stage has no domains for Brands")
        self.places.add(layout)
        scene = Scene(script, layout, self.hosts, self._site(brand.id, script))
        self.provider.brands[brand.id] = brand
        self.scenes[brand.id] = scene
        return scene

    def _open_brand(self, _provider: "Provider", asked: Any) -> dict[str, Any]:  # noqa: ANN401 - JSON
        """Open a Brand by its `script`, and say where it is."""
        scene = self.open(read_script(asked.get("script", {})))
        return {
            "brandId": scene.brand_id,
            "card": scene.card,
            "interface": scene.interface,
            "domain": scene.domain,
            "issuer": scene.issuer,
            "since": self.records.next,
        }

    def _close_brand(self, _provider: "Provider", asked: Any) -> None:  # noqa: ANN401 - JSON
        """End the script of a `brandId`, and let go of what was seen there.

        The Brand itself stays: whoever is late comes to it, and to nobody else.
        """
        scene = self.scene(str(asked.get("brandId")))
        if scene is None:
            raise ValueError("there is no such brandId")
        scene.end()
        self.records.forget(scene.brand_id)

    def _check_context_ids(self, script: Script) -> None:
        if not script.context_ids:
            return
        taken = {it for scene in self.scenes.values() for it in scene.script.context_ids}
        wanted = script.context_ids
        if taken & set(wanted) or len(set(wanted)) < len(wanted):
            raise ValueError("a context id of the script is taken")

    def _layout(self, brand_id: str, script: Script) -> Layout:
        card_path = self.provider.card_path
        interface = Place(script.interface_host, script.interface_path or f"/a2a/{brand_id}")
        host = script.endpoints.host or interface.host
        return Layout(
            brand_id=brand_id,
            card=Place("main", script.card_path or f"/a2a/{brand_id}{card_path}"),
            interface=interface,
            card_path=card_path,
            endpoints={name: Place(host, path) for name, path in script.endpoints_paths().items()},
        )

    def _site(self, brand_id: str, script: Script) -> str | None:
        """Give a Brand its site; return its URL where it is a domain of its own."""
        domains = self.provider.domains
        if script.domain is not None and self.open_listener is not None:
            url, port = self.open_listener()
            domains.add(brand_id, Domain(url, port))
            return url
        site = f"{self.hosts.get('other', self.provider.base)}{SITES}{brand_id}"
        domains.add(brand_id, Domain(site, _NO_PORT + len(self.scenes)))
        return None


def _brand(script: Script) -> BrandConfig:
    """Return the Brand of a script as the Provider hosts it."""
    return BrandConfig(
        id="01JD4M7Q2Z" + "".join(secrets.choice(_CROCKFORD) for _ in range(16)),
        name=script.name,
        domain_serves_card=script.domain is not None and script.domain.serves,
        scopes=script.scopes if script.delegates else {},
        device_code_seconds=script.device_code_seconds,
        poll_interval=5.0 if script.interval is None else script.interval,
        token_seconds=script.token_seconds,
        grant_seconds=script.grant_seconds,
    )
