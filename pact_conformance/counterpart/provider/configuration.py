"""What an operator tells the Provider: its Brands, the registered personal agents, where to listen.

In JSON the members have the names of PACT §3.1 where it has one (`issuer`, `jwksUri`, `audience`,
`enabled`), and camel case everywhere.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from types import MappingProxyType
from typing import Any, Self, TypeVar

from pact_conformance.wire.text import is_blank

T = TypeVar("T")


@dataclass(frozen=True, kw_only=True)
class AccountConfig:
    """A customer of a Brand, who signs in at the Brand's own site (§5.3)."""

    username: str
    password: str = field(repr=False)
    user: str
    """The User's id at the Brand, the `sub` of delegation tokens (§5.4)."""


DEFAULT_SCOPES: Mapping[str, str] = MappingProxyType(
    {
        "orders:read": "Look up your orders and their status",
        "orders:cancel": "Cancel an order that has not shipped",
        "addresses:change": "Change the address that an order is sent to",
    }
)

DEFAULT_ACCOUNTS = (
    AccountConfig(username="jane", password="jane-secret", user="jane-4471"),  # noqa: S106 - made up
    AccountConfig(username="omar", password="omar-secret", user="omar-1208"),  # noqa: S106 - made up
)


@dataclass(frozen=True, kw_only=True)
class BrandConfig:
    """A Brand that the Provider hosts (§1)."""

    id: str
    """The `brandId` that the Provider assigned."""
    name: str
    clock_offset: float = 0.0
    """Seconds by which this Brand's clock differs from the machine's."""
    domain_listen: str | None = "localhost:0"
    """Host and port of the Brand's own site; None: it has none."""
    domain_url: str | None = None
    """The URL by which others reach that site, where it is not the address listened on."""
    domain_serves_card: bool = False
    """Whether that site serves the card itself instead of redirecting to the Provider's."""
    open: bool = False
    """Whether this Brand lets personal agents in that nobody registered (§3.1)."""
    scopes: Mapping[str, str] = field(default_factory=lambda: DEFAULT_SCOPES, hash=False)
    """Scope id → description (§5.2); empty: the Brand offers no delegation."""
    accounts: tuple[AccountConfig, ...] = DEFAULT_ACCOUNTS
    """Who can sign in at the Brand's site."""
    device_code_seconds: float = 600.0
    """How long a device code and its user code live (§5.3)."""
    poll_interval: float = 5.0
    """Seconds that lie at least between two polls of one device code (RFC 8628 §3.5)."""
    token_seconds: float = 3600.0
    """How long a delegation token lives (§5.4)."""
    grant_seconds: float = 2_592_000.0
    """How long a grant lasts, and can be refreshed."""
    session_seconds: float = 3600.0
    """How long a sign-in lasts, at the Brand's site and on the consent pages."""

    def __post_init__(self) -> None:
        # One value stands for every Provider of a process, so nobody may change it in place.
        object.__setattr__(self, "scopes", MappingProxyType(dict(self.scopes)))

    @property
    def delegates(self) -> bool:
        """Whether the Brand offers delegation (§5.1): it has scopes, and a site to sign in at."""
        return bool(self.scopes) and self.domain_listen is not None


@dataclass(frozen=True, kw_only=True)
class AgentConfig:
    """The registration of a personal agent (§3.1)."""

    issuer: str
    jwks_uri: str
    enabled: bool = True
    audience: str | None = None
    """An audience of this registration's own; None: the Provider's."""


DEFAULT_BRANDS = (
    BrandConfig(id="01JD4M7Q2ZC8T5V9X3B6N1K0WA", name="Fernweh Outfitters"),
    BrandConfig(id="01JD4M7Q2ZH3R8Y6P0S5G4E2JB", name="Kestrel Airways"),
)


@dataclass(frozen=True, kw_only=True)
class ProviderConfig:
    """Everything that is fixed when the Provider starts."""

    brands: tuple[BrandConfig, ...] = DEFAULT_BRANDS
    agents: tuple[AgentConfig, ...] = ()
    audience: str = "mock-provider-7f3c"
    """What the Provider assigns to personal agents as `aud`; opaque (§3.1)."""
    listen: str = "127.0.0.1:0"
    """Host and port; port 0 lets the system choose."""
    public_url: str | None = None
    """The base URL that callers use, where it differs from the address listened on."""
    root_path: str = ""
    """The path below which everything is served, without a slash at its end."""
    slow_seconds: float = 2.0
    """How long the scripted agent takes its time when it is asked to."""
    think_seconds: float | None = None
    """Given: the Brands' agents talk like a model, and take up to so long for each reply."""
    jwks_max_age: float = 300.0
    """Seconds after which a fetched JWKS is fetched again; failing that, its keys are dropped."""
    jwks_refetch_interval: float = 1.0
    """Seconds that lie at least between two fetches of one JWKS, whatever `kid` is named."""
    open: bool = False
    """Whether personal agents that nobody registered are let in, their keys being found by
    discovery (§3.1)."""
    user_rate: int = 0
    """How many requests of one User a Brand serves within `rate_seconds`; 0: as many as come."""
    agent_rate: int = 0
    """How many requests of one personal agent; 0: as many as come."""
    rate_seconds: float = 1.0
    """The time within which requests are counted."""
    stage: bool = False
    """Whether Brands are opened and scripted while it runs, and everything that arrives is kept."""
    tls_certificate: str | None = None
    """The file of the certificate (chain) in PEM; None: plain HTTP."""
    tls_key: str | None = None
    """The file of its private key in PEM."""
    tls_made: bool = False
    """Whether a CA and a certificate are made at the start; the CA is announced."""
    ca_file: str | None = None
    """The file of CAs that are trusted beside the public ones, where keys are fetched."""
    max_body: int = 1 << 20
    """The longest request body in bytes that is read."""

    @property
    def address(self) -> tuple[str, int]:
        """The host and port to listen on."""
        return split_address(self.listen)

    @property
    def scheme(self) -> str:
        """The scheme of the addresses that are listened on."""
        return "https" if self.tls_certificate is not None or self.tls_made else "http"

    def to_json(self) -> str:
        """Return the configuration as one line of JSON."""
        return json.dumps(_as_json(self), ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Read a configuration; members left out have their defaults.

        Raises:
            ValueError: the text is no JSON object, or a member is unknown, missing or of another
                type; the message says which.
        """
        members = _members(cls, json.loads(text), "the configuration")
        for name, kind in (("brands", BrandConfig), ("agents", AgentConfig)):
            if name in members:
                entries = members[name]
                if not isinstance(entries, list):
                    raise ValueError(f"{name} must be an array")
                members[name] = tuple(_read(kind, it, f"an entry of {name}") for it in entries)
        config = cls(**members)
        for listen in (config.listen, *(brand.domain_listen for brand in config.brands)):
            if listen is not None and not re.fullmatch(r".+:\d{1,5}", listen):
                raise ValueError(f"where to listen must be HOST:PORT, not {listen!r}")
        return config


def split_address(listen: str) -> tuple[str, int]:
    """Return the host and the port of `HOST:PORT`."""
    host, _, port = listen.rpartition(":")
    return host.strip("[]"), int(port)


def _read(kind: type[T], value: object, where: str) -> T:
    members = _members(kind, value, where)
    if "accounts" in members:
        accounts = members["accounts"]
        if not isinstance(accounts, list):
            raise ValueError(f"{where}: accounts must be an array")
        members["accounts"] = tuple(
            _read(AccountConfig, it, f"{where}: accounts") for it in accounts
        )
    if "scopes" in members:
        try:
            check_scopes(members["scopes"])
        except ValueError as error:
            raise ValueError(f"{where}: {error}") from None
    try:
        return kind(**members)
    except TypeError as error:
        raise ValueError(f"{where}: {error}") from None


_TYPES: Mapping[object, tuple[type, ...]] = {
    str: (str,),
    str | None: (str, type(None)),
    float: (int, float),
    float | None: (int, float, type(None)),
    int: (int,),
    bool: (bool,),
}


def _members(kind: type, value: object, where: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise ValueError(f"{where} must be a JSON object")  # noqa: TRY004 - the text's fault
    known = {_camel(field.name): field for field in fields(kind)}
    found: dict[str, Any] = {}
    for name, member in value.items():
        field = known.get(name)
        if field is None:
            raise ValueError(f"{where} has an unknown member {name!r}; known: {', '.join(known)}")
        types = _TYPES.get(field.type)
        if types is not None and not isinstance(member, types):
            raise ValueError(f"{where}: {name} must be {field.type}")
        found[field.name] = member
    return found


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(part.capitalize() for part in rest)


def check_scopes(scopes: object) -> None:
    """Refuse scopes that OAuth cannot carry (RFC 6749 §3.3), or that tell the User nothing.

    Raises:
        ValueError: they are no map from ids to texts; the message says what is wrong.
    """
    if not isinstance(scopes, dict):
        raise ValueError("scopes must be an object")  # noqa: TRY004 - the text's fault
    for scope, description in scopes.items():
        if not re.fullmatch(r"[\x21\x23-\x5B\x5D-\x7E]+", scope):
            raise ValueError(f"a scope cannot be called {scope!r}")
        if not isinstance(description, str) or is_blank(description):
            raise ValueError(f"the description of {scope} must be a text")


def _as_json(value: object) -> object:
    if is_dataclass(value):
        return {_camel(it.name): _as_json(getattr(value, it.name)) for it in fields(value)}
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, list | tuple):
        return [_as_json(item) for item in value]
    return value
