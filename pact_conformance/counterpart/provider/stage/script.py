"""What a Brand on the stage does otherwise than an honest one: its script, as JSON (`open_brand`).

Every member may be left out. `docs/stage.md` says what each is for.
"""

from typing import Annotated, Any, Literal, Self, TypeAlias, get_args

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    JsonValue,
    ValidationError,
    model_validator,
)
from pydantic.alias_generators import to_camel

from pact_conformance.counterpart.provider.configuration import DEFAULT_SCOPES, check_scopes

Operation: TypeAlias = Literal[
    "card",
    "message:send",
    "message:stream",
    "tasks",
    "tasks/{id}",
    "tasks/{id}:cancel",
    "tasks/{id}:subscribe",
    "push-config",
    "extended-card",
    "device_authorization",
    "token",
    "metadata",
    "jwks",
    "login",
    "page",
    "domain",
    "unmatched",
    "other-brand",
]
"""What a request was for; `page` is what a User's browser asks the Provider for (§5.3)."""

SHORT_NAMES = {"list": "tasks", "get": "tasks/{id}", "cancel": "tasks/{id}:cancel"}
"""Short for operations, in scripts alone."""

Fault: TypeAlias = Literal[
    "signature", "claims", "foreign-key", "grant", "brand", "scopes", "user", "missing", "new-key"
]
"""What is wrong with a receipt (§5.6); nothing is with one that is signed by a new key."""


def _alone_or_several(value: object) -> object:
    return value if value is None or isinstance(value, list | tuple) else [value]


def _several(value: object) -> object:
    return tuple(value) if isinstance(value, list) else value


class _Part(BaseModel):
    model_config = ConfigDict(
        alias_generator=to_camel, extra="forbid", frozen=True, strict=True, allow_inf_nan=False
    )


class Answer(_Part):
    """An answer in place of the honest one, or what is changed about the honest one."""

    status: int | None = Field(default=None, ge=200, le=599)
    headers: dict[str, str | list[str]] = Field(default_factory=dict)
    """They take the place of those with their names; the rest stays."""
    body: JsonValue = None
    """JSON; null is none."""
    text: str | None = None
    content_type: str | None = None
    patch: JsonValue = None
    """A merge patch over the JSON of the honest answer (RFC 7396)."""
    close: bool = False
    """The connection ends without an answer."""
    process: bool = False
    """The request is processed though its answer is another one, or none."""
    delay: float = Field(default=0.0, ge=0, le=600)
    """Seconds from when the answer is known until it is sent."""
    always: bool = False
    """It is given to every request from here on."""

    @property
    def replaces(self) -> bool:
        """Whether nothing of the honest answer is left."""
        given = self.body is not None or self.text is not None or self.status is not None
        return self.close or (given and self.patch is None)

    @property
    def processes(self) -> bool:
        """Whether the Provider processes the request."""
        return self.process or not self.replaces


class DomainScript(_Part):
    """What the Brand's own domain has at the card's standard place (§2.1)."""

    serves: bool = False
    redirect: Literal[301, 302, 303, 307, 308] | None = None

    @model_validator(mode="after")
    def _does_one(self) -> Self:
        if self.serves == (self.redirect is not None):
            raise ValueError("domain has either serves or redirect")
        return self


class Endpoints(_Part):
    """Paths of the OAuth endpoints, where they follow no pattern (§5.1)."""

    device_authorization: str | None = Field(default=None, alias="device_authorization")
    token: str | None = None
    metadata: str | None = None
    jwks: str | None = None
    host: Literal["main", "other"] | None = None
    """Where these are; None: where the interface is."""


class Decision(_Part):
    """What the User decides, without a browser."""

    auto: list[str] | Literal["all"] | None = None
    """The scopes that are approved of those asked for; null: the User does nothing."""
    deny: bool = False
    after_polls: int = Field(default=0, ge=0)
    """So many polls find the User undecided."""
    account: int = Field(default=0, ge=0)
    """Which of the Brand's accounts it is."""


class ReceiptFault(_Part):
    """Something wrong with receipts."""

    of: int | Literal["all"] = "all"
    """Which receipt of the Brand, counted from 1."""
    fault: Fault


Answers = Annotated[tuple[Answer | None, ...], BeforeValidator(_several)]


class Script(_Part):
    """Everything that a Brand on the stage may do otherwise."""

    name: str = Field(default="Fernweh Outfitters", min_length=1)
    apart: bool = False
    """What comes to it is nothing by which the whole run is judged."""
    delegates: bool = True
    scopes: dict[str, str] = Field(default_factory=lambda: dict(DEFAULT_SCOPES))

    card_patch: JsonValue = None
    card: JsonValue = None
    card_path: str | None = None
    card_answers: Answers = ()
    interface_path: str | None = None
    interface_host: Literal["main", "other"] = "main"
    endpoints: Endpoints = Endpoints()
    domain: DomainScript | None = None

    answers: dict[str, Answers] = Field(default_factory=dict)
    context_ids: tuple[str, ...] = Field(default=(), strict=False)
    asks: Annotated[tuple[str, ...], BeforeValidator(_alone_or_several)] = Field(
        default=(), strict=False
    )

    interval: int | None = Field(default=5, ge=0, le=600)
    """Seconds between polls; null: none is named, and 5 s hold (RFC 8628 §3.2)."""
    device_code_seconds: float = Field(default=600.0, gt=0)
    token_seconds: float = Field(default=3600.0, gt=0)
    grant_seconds: float = Field(default=2_592_000.0, gt=0)
    refresh: bool = True
    rotate: bool = True
    token_claims: dict[str, JsonValue] = Field(default_factory=dict)
    token_padding: int = Field(default=0, ge=0, le=1 << 14)
    """So many characters more; what is sent as a header must stay below what servers read."""
    verification_query: str = ""
    approve: Annotated[tuple[Decision, ...] | None, BeforeValidator(_alone_or_several)] = Field(
        default=None, strict=False
    )
    """The User's decision in each flow that is polled, in order; the last one stays."""

    needs: dict[str, list[str]] | None = None
    step_up_durable: bool = True
    receipts: Annotated[tuple[ReceiptFault, ...], BeforeValidator(_alone_or_several)] = Field(
        default=(), strict=False
    )

    @model_validator(mode="after")
    def _is_possible(self) -> Self:
        check_scopes(self.scopes)
        for path in (self.card_path, self.interface_path, *self.endpoints_paths().values()):
            if path is not None and (not path.startswith("/") or path.strip("/") == ""):
                raise ValueError(f"a path begins with / and has a segment: {path!r}")
        known = {*get_args(Operation), *SHORT_NAMES}
        for name in self.answers:
            if name not in known:
                raise ValueError(f"no operation {name!r}; there are {', '.join(sorted(known))}")
        needed = {scope for scopes in (self.needs or {}).values() for scope in scopes}
        if not needed <= set(self.scopes):
            raise ValueError("needs names a scope that the Brand does not have")
        return self

    def endpoints_paths(self) -> dict[str, str]:
        """Return the paths of the OAuth endpoints that the script places, by their names."""
        names = ("device_authorization", "token", "metadata", "jwks")
        paths = {name: getattr(self.endpoints, name) for name in names}
        return {name: path for name, path in paths.items() if path is not None}


def read_script(value: object) -> Script:
    """Return a script.

    Raises:
        ValueError: it is none; the message says in a line what is wrong.
    """
    try:
        return Script.model_validate(value)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(it) for it in first["loc"])
        raise ValueError(f"script{where and f'.{where}'}: {first['msg']}") from None


def filled(value: Any, names: dict[str, str]) -> Any:  # noqa: ANN401 - a JSON value
    """Return JSON in whose strings `{name}` is replaced by what it stands for on this stage."""
    if isinstance(value, str):
        for name, text in names.items():
            value = value.replace(f"{{{name}}}", text)
        return value
    if isinstance(value, list):
        return [filled(item, names) for item in value]
    if isinstance(value, dict):
        return {filled(name, names): filled(member, names) for name, member in value.items()}
    return value


def merged(document: JsonValue, patch: JsonValue) -> JsonValue:
    """Return a document with a merge patch applied (RFC 7396 §2)."""
    if not isinstance(patch, dict):
        return patch
    result = dict(document) if isinstance(document, dict) else {}
    for name, member in patch.items():
        if member is None:
            result.pop(name, None)
        else:
            result[name] = merged(result.get(name), member)
    return result
