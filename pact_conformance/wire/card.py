"""The Agent Card (§2.1, §5.1) as a view that answers PACT's questions.

A card comes from the subject, so anything may stand anywhere in it. What has another shape than the
protocol gives it is read as absent; whether a card is sound is for `schema.problems` to say.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

BINDING = "HTTP+JSON"
VERSION = "1.0"


@dataclass(frozen=True)
class Interface:
    """One entry of `supportedInterfaces`; a missing text is empty."""

    url: str
    protocol_binding: str
    protocol_version: str
    tenant: str | None = None

    @property
    def speaks_pact(self) -> bool:
        """Whether this is the transport that PACT is written for (§2.1)."""
        return self.protocol_binding == BINDING and self.protocol_version == VERSION


@dataclass(frozen=True)
class Delegation:
    """The offer of delegated authority: an `oauth2SecurityScheme` with a device code flow (§5.1).

    A missing text is empty: the offer stands, and the checks of §5.1 judge it.
    """

    scheme: str
    device_authorization_url: str
    token_url: str
    refresh_url: str | None
    scopes: Mapping[str, str] = field(hash=False)
    """Scope id → the description that consent shows (§5.2)."""
    metadata_url: str


@dataclass(frozen=True)
class Card:
    """An Agent Card and the URL it was read from."""

    document: object = field(hash=False)
    url: str

    @cached_property
    def interfaces(self) -> tuple[Interface, ...]:
        """All entries of `supportedInterfaces` that are objects, in order."""
        entries = _items(_member(self.document, "supportedInterfaces"))
        return tuple(
            Interface(
                url=_text(entry, "url") or "",
                protocol_binding=_text(entry, "protocolBinding") or "",
                protocol_version=_text(entry, "protocolVersion") or "",
                tenant=_text(entry, "tenant"),
            )
            for entry in entries
            if isinstance(entry, dict)
        )

    @cached_property
    def interface(self) -> Interface | None:
        """The interface to talk to: chosen by binding and version, not by position (§2.1)."""
        return next((entry for entry in self.interfaces if entry.speaks_pact), None)

    @cached_property
    def jwt_schemes(self) -> tuple[str, ...]:
        """The names of the personal-agent JWT's schemes, found by shape; the name is free (§2.1).

        HTTP compares the scheme without regard to case (RFC 9110 §11.1), and so does this.
        """
        return tuple(name for name, scheme in self._schemes.items() if _is_jwt(scheme))

    @cached_property
    def jwt_spellings(self) -> frozenset[str]:
        """How the card spells `scheme` in the JWT's schemes; `Bearer` is expected."""
        held = (_member(self._schemes[name], "httpAuthSecurityScheme") for name in self.jwt_schemes)
        return frozenset(_text(http, "scheme") or "" for http in held)

    @cached_property
    def jwt_alone(self) -> bool:
        """Whether one `securityRequirements` entry names the JWT's scheme and nothing else."""
        return self.jwt_form is not None

    @cached_property
    def jwt_form(self) -> Literal["list", "no list", "other"] | None:
        """How the entry with the JWT alone writes its value; None where there is no such entry.

        `list` is `{"list": […]}`, `no list` the empty object, `other` anything else. Among several
        entries the first written with a list counts.
        """
        forms = [
            _form(next(iter(entry.values())))
            for entry in self.requirements
            if len(entry) == 1 and next(iter(entry)) in self.jwt_schemes
        ]
        return "list" if "list" in forms else next(iter(forms), None)

    @cached_property
    def requirements(self) -> tuple[Mapping[str, object], ...]:
        """The `schemes` of each `securityRequirements` entry, in order."""
        entries = _items(_member(self.document, "securityRequirements"))
        found = (_member(entry, "schemes") for entry in entries)
        return tuple(schemes for schemes in found if isinstance(schemes, dict))

    @cached_property
    def delegation(self) -> Delegation | None:
        """The offer of delegated authority to take up, or None (§5.1).

        Among several it is the first that has both endpoints, else the first.
        """
        offers = self.delegations
        whole = (it for it in offers if it.device_authorization_url and it.token_url)
        return next(whole, next(iter(offers), None))

    @cached_property
    def delegations(self) -> tuple[Delegation, ...]:
        """All offers of delegated authority, in order."""
        offers = []
        for name, scheme in self._schemes.items():
            oauth = _member(scheme, "oauth2SecurityScheme")
            flow = _member(_member(oauth, "flows"), "deviceCode")
            if isinstance(flow, dict):
                offers.append(_delegation(name, oauth, flow))
        return tuple(offers)

    @cached_property
    def delegation_beside_jwt(self) -> bool:
        """Whether one entry names exactly the JWT's scheme and the delegation's (§5.1)."""
        pairs = [{name, it.scheme} for name in self.jwt_schemes for it in self.delegations]
        return any(set(entry) in pairs for entry in self.requirements)

    def capability(self, name: str) -> bool:
        """Say whether `capabilities` declares one; absent counts as not (A2A)."""
        return _member(_member(self.document, "capabilities"), name) is True

    @cached_property
    def _schemes(self) -> Mapping[str, object]:
        schemes = _member(self.document, "securitySchemes")
        return schemes if isinstance(schemes, dict) else {}


def _delegation(name: str, oauth: object, flow: object) -> Delegation:
    return Delegation(
        scheme=name,
        device_authorization_url=_text(flow, "deviceAuthorizationUrl") or "",
        token_url=_text(flow, "tokenUrl") or "",
        refresh_url=_text(flow, "refreshUrl"),
        scopes=_texts(_member(flow, "scopes")),
        metadata_url=_text(oauth, "oauth2MetadataUrl") or "",
    )


def _is_jwt(scheme: object) -> bool:
    http = _member(scheme, "httpAuthSecurityScheme")
    is_bearer = (_text(http, "scheme") or "").casefold() == "bearer"
    return is_bearer and _text(http, "bearerFormat") == "JWT"


def _form(value: object) -> Literal["list", "no list", "other"]:
    if isinstance(value, dict):
        if isinstance(value.get("list"), list):
            return "list"
        if "list" not in value:
            return "no list"
    return "other"


def _member(value: object, name: str) -> Any:  # noqa: ANN401 - whatever the subject wrote there
    return value.get(name) if isinstance(value, dict) else None


def _items(value: object) -> list[object]:
    return value if isinstance(value, list) else []


def _text(value: object, name: str) -> str | None:
    found = _member(value, name)
    return found if isinstance(found, str) else None


def _texts(value: object) -> Mapping[str, str]:
    if not isinstance(value, dict):
        return {}
    return {name: text for name, text in value.items() if isinstance(text, str)}
