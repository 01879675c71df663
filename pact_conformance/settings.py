"""What a tester sets: option, then environment, then `pact-conformance.toml`, in this order.

`load` answers with frozen `Settings` or raises `BadSetting` with one line that names the setting,
what was expected, what came, and where it was set. Nothing is sent before.
"""

import difflib
import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal, Self
from urllib.parse import urlsplit

from pydantic import (
    BaseModel,
    Field,
    PrivateAttr,
    SecretStr,
    ValidationError,
    ValidationInfo,
    field_validator,
    model_validator,
)
from pydantic_core import ErrorDetails
from pydantic_settings import (
    BaseSettings,
    InitSettingsSource,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    TomlConfigSettingsSource,
)

from pact_conformance.file_tables import Account, ApproverFields, Hooks, names_file
from pact_conformance.options import BY_KEY, TABLE
from pact_conformance.subject.origins import origin, origin_named
from pact_conformance.subject.stage_address import StageTls, StageUrl, check_stage
from pact_conformance.subject.ways import (
    AgentWay,
    ApproverWay,
    check_agent_is_known,
    check_url,
)

DEFAULT_FILE = "pact-conformance.toml"
WELL_KNOWN = "/.well-known/agent-card.json"

# What `provider` may say instead of a URL.
WORDS = frozenset({"mock", "any", "reference"})

# What a tester may declare that the subject never does; a check that needs it is not applicable.
ABSENCES = (
    "brand_domain",
    "closing",
    "rate_limits",
    "disabling",
    "rotation",
    "refresh",
    "revocation",
    "step_up",
)


class BadSetting(ValueError):  # noqa: N818 - it is the setting that is bad; pytest says "ERROR:"
    """A setting that the run cannot start with, in one line for the tester."""


class Settings(BaseSettings):
    """Everything that a tester can set; the table in `options` holds the words of each."""

    # An error's text never holds an input: it may be a key.
    model_config = SettingsConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)

    _file: Path | None = PrivateAttr(default=None)

    provider: str | None = None
    provider_url: str | None = None
    customer_id: str | None = None
    other_customer_id: str | None = None
    other_brand: str | None = None
    unknown_brand: str | None = None
    brand_domain: str | None = None
    issuer: str | None = None
    audience: str | None = None
    private_jwk: SecretStr | None = None
    other_issuer: str | None = None
    other_audience: str | None = None
    other_private_jwk: SecretStr | None = None
    disabled_issuer: str | None = None
    disabled_audience: str | None = None
    disabled_private_jwk: SecretStr | None = None
    spare_issuer: str | None = None
    spare_audience: str | None = None
    spare_private_jwk: SecretStr | None = None
    open_audience: str | None = None
    jwks_listen: str | None = None
    jwks_url: str | None = None
    approver: ApproverWay | None = None
    agent: AgentWay | None = None
    agent_issuer: str | None = None
    agent_jwks: str | None = None
    mock_listen: str | None = None
    mock_url: StageUrl | None = None
    mock_tls: StageTls | None = None
    allow_origins: tuple[str, ...] = ()
    mock_flaws: tuple[str, ...] = ()
    mock_variants: tuple[str, ...] = ()
    agent_flaws: tuple[str, ...] = ()
    agent_variants: tuple[str, ...] = ()
    mock_think: float | None = Field(default=None, ge=0, le=600)
    test_timeout_ms: int = Field(default=60_000, ge=100, le=3_600_000)
    profile: Literal["identity", "delegated", "auto"] = "auto"
    report: Path = Path("reports")
    summary: Path | None = None
    baseline: Path | None = None
    update_baseline: bool = False
    strict: bool = False
    complete: bool = False
    operations: Literal["strict", "lenient"] = "strict"
    max_turns: int | None = Field(default=None, ge=0)
    max_wait: float = Field(default=60.0, ge=0, le=3600)
    fuzz: int = Field(default=0, ge=0)
    seed: int = 1
    fuzz_rate: float | None = Field(default=None, gt=0, le=100_000)
    fuzz_asks: int | None = Field(default=None, ge=1)
    fuzz_turns: int | None = Field(default=None, ge=0)
    kept: Path | None = None
    example: str | None = None
    hardening: bool = False

    # Only the file holds these: they have parts, or nobody types them.
    prompts: dict[str, str] = Field(default_factory=dict)
    approver_fields: ApproverFields = Field(default_factory=ApproverFields)
    accounts: tuple[Account, ...] = ()
    hooks: Hooks = Field(default_factory=Hooks)
    absent: dict[str, str] = Field(default_factory=dict)
    ca_file: Path | None = None
    headers: dict[str, SecretStr] = Field(default_factory=dict)
    jwks_cache_s: float = Field(default=300.0, ge=0)

    @field_validator(
        "allow_origins",
        "mock_flaws",
        "mock_variants",
        "agent_flaws",
        "agent_variants",
        mode="before",
    )
    @classmethod
    def _splits_at_commas(cls, value: object) -> object:
        if isinstance(value, str):
            return tuple(name.strip() for name in value.split(",") if name.strip())
        return value

    @field_validator("provider", "other_brand", "brand_domain")
    @classmethod
    def _names_a_brand(cls, value: str | None, info: ValidationInfo) -> str | None:
        if value is None or (value in WORDS and info.field_name == "provider"):
            return value
        if value in WORDS:
            raise ValueError("expected an http(s) URL or a domain, not a word that stands for one")
        check_url(
            value if "://" in value else f"https://{value}", "expected an http(s) URL or a domain"
        )
        return value

    @field_validator("provider_url", "jwks_url", "agent_jwks", "mock_url", "unknown_brand")
    @classmethod
    def _is_http_url(cls, value: str | None) -> str | None:
        if value is not None:
            check_url(value, "expected an http(s) URL")
        return value

    @field_validator("jwks_listen", "mock_listen")
    @classmethod
    def _is_address(cls, value: str | None) -> str | None:
        if value is not None:
            seen = re.fullmatch(r"(?:\[[0-9a-fA-F:.]+\]|[^:\s]+):(\d{1,5})", value)
            if seen is None or int(seen[1]) > 65535:
                raise ValueError("expected HOST:PORT, for instance 127.0.0.1:8760")
        return value

    @field_validator(
        "private_jwk", "other_private_jwk", "disabled_private_jwk", "spare_private_jwk"
    )
    @classmethod
    def _reads_key_file(cls, value: SecretStr | None) -> SecretStr | None:
        """Replace `@file` with the file's text, so that workers need not see the file."""
        if value is None:
            return value
        if not value.get_secret_value().startswith("@"):
            if names_file(value.get_secret_value()):
                raise ValueError(f"a file is written @{value.get_secret_value()}")
            return value
        path = Path(value.get_secret_value()[1:]).expanduser()
        try:
            return SecretStr(path.read_text(encoding="utf-8"))
        except (OSError, UnicodeDecodeError) as error:
            raise ValueError(f"cannot read the key file {path}: {error}") from error

    @field_validator("accounts")
    @classmethod
    def _are_different_people(cls, value: tuple[Account, ...]) -> tuple[Account, ...]:
        for what in ("username", "user"):
            named = [it for it in (getattr(account, what) for account in value) if it is not None]
            if len(set(named)) < len(named):
                raise ValueError(f"two accounts have the {what} {named[0]!r}: give different ones")
        return value

    @field_validator("absent")
    @classmethod
    def _declares_known_absences(cls, value: dict[str, str]) -> dict[str, str]:
        for name, reason in value.items():
            if name not in ABSENCES:
                raise ValueError(f"nothing called {name!r} can be absent: {', '.join(ABSENCES)}")
            if not reason.strip():
                raise ValueError(f"{name} is declared absent without a reason")
        return value

    @field_validator("ca_file")
    @classmethod
    def _exists(cls, value: Path | None) -> Path | None:
        if value is not None and not value.is_file():
            raise ValueError(f"there is no file {value}")
        return value

    @model_validator(mode="before")
    @classmethod
    def _tests_both_counterparts_by_default(cls, given: dict[str, Any]) -> dict[str, Any]:
        """Without a subject the built-in counterparts of both roles are tested."""
        if given.get("provider") is not None or given.get("agent") is not None:
            return given
        return {**given, "provider": "mock", "agent": "mock"}

    @model_validator(mode="after")
    def _is_whole(self) -> Self:
        """Settings that only make sense together are there together."""
        if self.provider in WORDS - {"mock"} and not (self.provider_url and self.customer_id):
            raise ValueError(
                f"E2E_PROVIDER={self.provider} reads PROVIDER_URL and CUSTOMER_ID: set both"
            )
        if self.provider not in {None, "mock"}:
            for key in ("issuer", "audience", "private_jwk"):
                if getattr(self, key) is None:
                    raise ValueError(
                        f"{BY_KEY[key].name} is not set: the suite signs as a personal agent that "
                        f"{self.provider} knows; register one there and set PA_ISSUER, "
                        "PA_AUDIENCE and PA_PRIVATE_JWK"
                    )
            signs_in = self.approver in {"form", "browser"} and self.profile != "identity"
            if signs_in and not self.accounts:
                raise ValueError(
                    f"E2E_APPROVER={self.approver} signs in at the Brand: give it [[accounts]] in "
                    "pact-conformance.toml, or set E2E_APPROVER to another one"
                )
            if self.mock_flaws or self.mock_variants:
                raise ValueError(
                    "--pact-mock-flaws and --pact-mock-variants belong to the built-in Provider, "
                    f"and {self.provider} is to be tested"
                )
        if (self.agent_flaws or self.agent_variants) and self.agent != "mock":
            raise ValueError(
                "--pact-agent-flaws and --pact-agent-variants belong to the built-in personal "
                "agent, which is tested by E2E_AGENT=mock"
            )
        check_agent_is_known(self.agent, self.agent_issuer, self.agent_jwks)
        check_stage(self.mock_listen, self.mock_url, self.mock_tls)
        for who in ("other", "disabled", "spare"):
            issuer, key = getattr(self, f"{who}_issuer"), getattr(self, f"{who}_private_jwk")
            if (issuer is None) != (key is None):
                raise ValueError(
                    f"PA_{who.upper()}_ISSUER and PA_{who.upper()}_PRIVATE_JWK belong together"
                )
        return self

    @property
    def named_file(self) -> Path | None:
        """The file of `--pact-config`: what a command needs to be given again."""
        return self._file

    @property
    def deadline(self) -> float:
        """Seconds that one check may take."""
        return self.test_timeout_ms / 1000

    @property
    def embedded(self) -> bool:
        """Whether the built-in mock Provider is a subject of the run."""
        return self.provider == "mock"

    @property
    def tests_provider(self) -> bool:
        """Whether a Provider is a subject of the run."""
        return self.provider is not None

    @property
    def tests_agent(self) -> bool:
        """Whether a personal agent is a subject of the run."""
        return self.agent is not None

    @property
    def agent_embedded(self) -> bool:
        """Whether the built-in personal agent is a subject of the run."""
        return self.agent == "mock"

    def card_urls(self, brand: str | None) -> tuple[str, ...]:
        """Where the card of `brand` may be, in the order to try (§2.1)."""
        if brand is None:
            return ()
        if brand in {"any", "reference"}:
            return (f"{str(self.provider_url).rstrip('/')}/a2a/{self.customer_id}{WELL_KNOWN}",)
        url = brand if "://" in brand else f"https://{brand}"
        if urlsplit(url).path.endswith(".json"):
            return (url,)
        below = url.rstrip("/") + WELL_KNOWN
        return (below,) if urlsplit(url).path in {"", "/"} else (below, url)

    @property
    def brand_domain_card_url(self) -> str | None:
        """The standard place of the card, on the Brand's own domain (§2.1), if that is known."""
        if self.brand_domain is not None:
            origin = self.brand_domain
        elif self.provider is not None and self.provider not in WORDS:
            origin = self.provider.removesuffix(WELL_KNOWN)
        else:
            return None
        origin = origin if "://" in origin else f"https://{origin}"
        is_origin = urlsplit(origin).path in {"", "/"}
        return origin.rstrip("/") + WELL_KNOWN if is_origin else None

    def names_origin_of(self, url: str) -> bool:
        """Say whether a URL is at an origin that the tester named: there extra headers may go."""
        brand = () if self.provider == "mock" else self.card_urls(self.provider)
        named = [*brand, *self.other_card_urls, *self.allow_origins]
        named += [it for it in (self.provider_url, self.brand_domain, self.unknown_brand) if it]
        return origin(url) in {origin_named(it) for it in named}

    @property
    def other_card_urls(self) -> tuple[str, ...]:
        """Where the second Brand's card may be."""
        if self.other_brand is None and self.other_customer_id and self.provider_url:
            base = self.provider_url.rstrip("/")
            return (f"{base}/a2a/{self.other_customer_id}{WELL_KNOWN}",)
        return self.card_urls(self.other_brand)

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Option > environment > file; `load` hands the latter two in by name."""
        del env_settings, dotenv_settings, file_secret_settings
        given = dict(init_settings())
        environment = given.pop("_environment", {})
        file = given.pop("_file", None)
        return (
            InitSettingsSource(settings_cls, init_kwargs=given),
            InitSettingsSource(settings_cls, init_kwargs=environment),
            TomlConfigSettingsSource(settings_cls, toml_file=file),
        )


def load(
    options: Mapping[str, Any],
    *,
    environment: Mapping[str, str] | None = None,
    file: Path | None = None,
) -> Settings:
    """Fold options, environment and file into settings.

    Args:
        options: what the command line gave, by key; None means not given.
        environment: the shell's variables; `os.environ` unless given.
        file: the file of `--pact-config`; else `pact-conformance.toml` here, if it is there.

    Raises:
        BadSetting: one line that names the setting, what was expected and where it was set.
    """
    environment = os.environ if environment is None else environment
    if file is not None and not file.is_file():
        raise BadSetting(f"--pact-config: there is no file {file}")
    named = file
    file = file or (Path(DEFAULT_FILE) if Path(DEFAULT_FILE).is_file() else None)
    given = {key: value for key, value in options.items() if value is not None}
    shell = {
        option.key: environment[option.environment]
        for option in TABLE
        if option.environment and environment.get(option.environment)
    }
    try:
        settings = Settings(**given, _environment=shell, _file=file)  # type: ignore[call-arg]
    except ValidationError as error:
        raise BadSetting(_line(error.errors()[0], given, shell, file)) from error
    except (ValueError, OSError) as error:  # TOML that cannot be read
        raise BadSetting(f"{file}: {error}") from error
    settings._file = named  # noqa: SLF001 - its own
    return settings


# Keys whose values a message does not repeat, besides the secret ones of the table.
_UNSHOWN = frozenset({"accounts", "approver_fields", "headers", "hooks"})


def _line(
    error: ErrorDetails, given: Mapping[str, Any], shell: Mapping[str, str], file: Path | None
) -> str:
    """Put a validation error into one line; a secret's value is not repeated."""
    message = error["msg"].removeprefix("Value error, ")
    if not error["loc"]:
        return message
    key = str(error["loc"][0])
    option = BY_KEY.get(key)
    path = ".".join(map(str, error["loc"]))
    if error["type"] == "extra_forbidden":
        return f"{file}: unknown key {path!r}{_hint(error['loc'])}"
    where = _source(key, given, shell, file)
    value = error["input"]
    hidden = (option and option.secret) or key in _UNSHOWN or "@" in str(value)
    shown = "" if hidden or error["type"] == "missing" else f" {value!r}"
    return f"{option.name if option else path}{shown}: {message} (set by {where})"


def _hint(location: tuple[int | str, ...]) -> str:
    """Guess which key was meant where an unknown one stands."""
    wrong, above = str(location[-1]), str(location[0]) if len(location) > 1 else ""
    tables: dict[str, type[BaseModel]] = {
        "hooks": Hooks,
        "accounts": Account,
        "approver_fields": ApproverFields,
    }
    if above in tables:
        meant = {name: name for name in tables[above].model_fields}
    else:
        meant = {name: name for name in Settings.model_fields}
        meant |= {it.environment: it.key for it in TABLE if it.environment}
        meant |= {name: f"hooks.{name}" for name in Hooks.model_fields}
    close = difflib.get_close_matches(wrong, meant, n=1)
    return f"; did you mean {meant[close[0]]!r}?" if close else ""


def _source(key: str, given: Mapping[str, Any], shell: Mapping[str, str], file: Path | None) -> str:
    if key in given:
        return f"the option {BY_KEY[key].flag}" if key in BY_KEY else "an option"
    if key in shell:
        return "the environment"
    return f"the file {file}"
