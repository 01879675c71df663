"""Changes of the Agent Card (§2.1) that an agent without delegation meets as well."""

from typing import Any

from pact_conformance.fuzz.family import Impossible
from pact_conformance.fuzz.hostile_answers.draft import Draft
from pact_conformance.fuzz.hostile_answers.entering import (
    kind,
    more,
    odd,
    otherwise_written,
    typed,
    valued,
    without,
)
from pact_conformance.fuzz.hostile_answers.writing import Raw, Twice, written
from pact_conformance.fuzz.kind import Kind, OneOf

_INFORMATIONAL, _NO_INTERFACE = "2.1-agent-informational", "2.1-agent-no-interface"
_JSON = "2-agent-http-json"
_SCHEME = "securitySchemes.paJwt.httpAuthSecurityScheme"

_PLACES = (
    "",
    "name",
    "description",
    "supportedInterfaces",
    "supportedInterfaces.0",
    "supportedInterfaces.0.url",
    "supportedInterfaces.0.protocolBinding",
    "supportedInterfaces.0.protocolVersion",
    "provider",
    "version",
    "capabilities",
    "securitySchemes",
    "securitySchemes.paJwt",
    _SCHEME,
    f"{_SCHEME}.scheme",
    f"{_SCHEME}.bearerFormat",
    "securityRequirements",
    "securityRequirements.0",
    "securityRequirements.0.schemes",
    "securityRequirements.0.schemes.paJwt",
    "skills",
    "skills.0",
)
_OBJECTS = (
    "",
    "supportedInterfaces.0",
    "provider",
    "capabilities",
    "securitySchemes.paJwt",
    _SCHEME,
    "securityRequirements.0",
    "skills.0",
)

# A2A requires a name, and who reads ProtoJSON may take the empty text for none.
_EMPTY = {"an empty text": ""}
_NAMES = {
    "a text in another script": "ﺪﻋﻢ \u202e\u200f ☂",
    "markup": "<script>alert(1)</script>&amp;",
    "a text of 300 characters": "x" * 300,
    "a text with lines": "Example\r\nCo.\t",
}

# Skills for nothing that is said, or none at all.
_SKILLS: dict[str, Any] = {
    "one for plants": [
        {"id": "pots", "name": "Pots", "description": "When to repot.", "tags": ["plants"]}
    ],
    "one with examples": [
        {"id": "o", "name": "O", "description": "O.", "tags": ["o"], "examples": ["Hello"],
         "inputModes": ["text/plain"], "outputModes": ["text/plain"]}
    ],
}  # fmt: skip

# Optional by A2A, and harmless.
_EXTRAS = {
    "documentationUrl": "https://docs.example/",
    "iconUrl": "https://icons.example/i.png",
}

# What an agent may look at: signatures that nobody can verify, and how cards were before 1.0.
_DOUBTFUL_EXTRAS: dict[str, Any] = {
    "signatures": [{"protected": "eyJhbGciOiJFUzI1NiJ9", "signature": "AAAA"}],
    "preferredTransport": "JSONRPC",
    "url": "https://old.example/rpc",
    "protocolVersion": "0.3.0",
    "additionalInterfaces": [{"url": "https://old.example/rpc", "transport": "JSONRPC"}],
    "supportsAuthenticatedExtendedCard": True,
    "security": [{"paJwt": []}],
}

# Beside the one interface that is ours; where these lead is nobody's place.
_OTHERS = {
    "JSON-RPC": ("JSONRPC", "1.0"),
    "gRPC": ("GRPC", "1.0"),
    "HTTP+JSON 0.3": ("HTTP+JSON", "0.3"),
    "HTTP+JSON 2.0": ("HTTP+JSON", "2.0"),
    "a binding that nobody knows": ("x-carrier-pigeon", "1.0"),
    "HTTP+JSON 1.0 in other words": ("HTTP + JSON", "v1"),
}

_OTHER_VERSIONS = (
    "0.3", "2.0", "11.0", "0.1.0", "10", "latest", "",
)  # fmt: skip
# None of them is 1.0; an agent may know that another minor version breaks nothing.
_MINOR_VERSIONS = ("1.07", "1.00001", "1.01", "01.1", "1.x")
_DOUBTFUL_VERSIONS = ("1.0.0", "1.0.1", "1", "v1.0", " 1.0", "1.0 ", "1.00", "1.0-rc1", "1.1")
_OTHER_BINDINGS = ("JSONRPC", "GRPC", "HTTP", "HTTP+JSONRPC", "JSON", "HTTP+JSON+X", "")
_DOUBTFUL_BINDINGS = ("http+json", "HTTP+JSON ", "HTTP_JSON", "HTTP%2BJSON")

# Nothing can be sent there, or what is sent there is as the card says.
_URLS = (
    "", "/", "x", "//", "http:", "http://", "http:///a", "http://[::1", "http://127.0.0.1:99999/",
    "http://127.0.0.1:x/", "ftp://127.0.0.1/a", "file:///etc/passwd", "javascript:alert(1)",
    "data:text/plain,x", "http://\u0000/", "http://a b/", "http://-/", "http://xn--/", "https://é/",
    "http://%zz/", "http://127.0.0.1\\@127.0.0.1/", "gopher://x", f"http://{'a' * 300}/",
    "HTTP+JSON", "http://0x7f.1.1.1.1/", "http://[fe80::1%25eth0]/",
)  # fmt: skip


def _another_interface(draft: Draft, which: str, where: str) -> None:
    binding, version = _OTHERS[which]
    url = draft.names.elsewhere("interface")
    entry = {"url": url, "protocolBinding": binding, "protocolVersion": version}
    interfaces = draft.card.document["supportedInterfaces"]
    interfaces.insert(0 if where == "before" else len(interfaces), entry)


def _extra(draft: Draft, name: str) -> None:
    draft.card.document[name] = {**_EXTRAS, **_DOUBTFUL_EXTRAS}[name]


def _set_scheme(draft: Draft, name: str) -> None:
    schemes = draft.card.document["securitySchemes"]
    schemes["paJwt"] = {
        "no scheme": None,
        "an API key": {"apiKeySecurityScheme": {"location": "header", "name": "X-Api-Key"}},
        "Basic": {"httpAuthSecurityScheme": {"scheme": "Basic"}},
        "Digest": {"httpAuthSecurityScheme": {"scheme": "Digest", "bearerFormat": "JWT"}},
        "OpenID Connect": {
            "openIdConnectSecurityScheme": {"openIdConnectUrl": "https://id.example/"}
        },
        "mutual TLS": {"mtlsSecurityScheme": {}},
        "an opaque Bearer token": {
            "httpAuthSecurityScheme": {"scheme": "Bearer", "bearerFormat": "opaque"}
        },
    }[name]
    if schemes["paJwt"] is None:
        del schemes["paJwt"]


def _twice(draft: Draft, name: str) -> None:
    document = draft.card.document
    document[name] = Twice(document[name], document[name])


def _spoilt(draft: Draft, how: str) -> None:
    ways = {
        "a second card behind it": lambda text: f"{text}{written({})}",
        "a comma too many": lambda text: f"{text[:-1]},}}",
        "a comment before it": lambda text: f"// the card\n{text}",
        "nothing of it": lambda _: "",
        "half of it": lambda text: text[: len(text) // 2],
        "a page around it": lambda text: f"<html><pre>{text}</pre></html>",
        "an array around it": lambda text: f"[{text}]",
        "a byte order mark before it": lambda text: f"\ufeff{text}",
        "a text of it": written,
        "NUL behind it": lambda text: f"{text}\u0000",
    }
    draft.card.rewrite = ways[how]


_SPOILT = (
    "a second card behind it", "a comma too many", "a comment before it", "nothing of it",
    "half of it", "a page around it", "an array around it", "a byte order mark before it",
    "a text of it", "NUL behind it",
)  # fmt: skip


def _status(draft: Draft, status: int) -> None:
    draft.card.status = status


def _large(draft: Draft, size: str) -> None:
    if not isinstance(draft.card.document, dict):
        raise Impossible("what is no object has no member to grow by")
    letters = {"100 KB": 100_000, "600 KB": 600_000}[size]
    draft.card.document["x-padding"] = Raw(f'"{"x" * letters}"')


CARDS: tuple[Kind[Draft], ...] = (
    more("card", "card", _OBJECTS, "the card"),
    otherwise_written("card", "card", "the card", _JSON),
    typed("card", "card", "the card",
          ("application/json; charset=utf-8", "Application/JSON"), "accepted", _JSON),
    kind("card-extra", "the card has `{0}`, which A2A knows", "accepted", _INFORMATIONAL, _extra,
         "card.extra", takes=[OneOf(tuple(_EXTRAS))]),
    kind("card-extra-doubtful", "the card has `{0}`, which some look at", "either", _INFORMATIONAL,
         _extra, "card.extra", takes=[OneOf(tuple(_DOUBTFUL_EXTRAS))]),
    kind("card-another-interface", "an interface of {0} {1} the one of HTTP+JSON 1.0", "accepted",
         "2.1-agent-picks-by-binding", _another_interface, "card.document",
         takes=[OneOf(tuple(_OTHERS)), OneOf(("behind", "before"))]),
    valued("card", "card-name", "the card's `name` is {0}", "accepted", _INFORMATIONAL, "card",
           "name", _NAMES),
    valued("card", "card-name-empty", "the card's `name` is {0}", "warn-if-refused",
           _INFORMATIONAL, "card", "name", _EMPTY),
    valued("card", "card-description", "the card's `description` is {0}", "accepted",
           _INFORMATIONAL, "card", "description", {**_EMPTY, **_NAMES}),
    valued("card", "card-skills", "the card's `skills` are {0}", "accepted", _INFORMATIONAL,
           "card", "skills", _SKILLS),
    valued("card", "card-no-skills", "the card's `skills` are {0}", "warn-if-refused",
           _INFORMATIONAL, "card", "skills", {"an empty array": []}),
    without("card", "card-without", "card", ("description", "provider"), "the card",
            "accepted", _INFORMATIONAL),
    without("card", "card-without-more", "card", ("name", "version", "skills", "capabilities",
            "defaultInputModes", "defaultOutputModes", "provider.url", "skills.0.description",
            "skills.0.tags"), "the card", "warn-if-refused",
            _INFORMATIONAL),
    valued("card", "card-capability", "the card's `capabilities` are {0}", "accepted",
           _INFORMATIONAL, "card", "capabilities",
           {"empty": {},
            "with extensions": {"extensions": [{"uri": "https://x.example/", "required": False}]}}),
    # Who is offered streaming may stream (§2.2), and nobody does that here.
    valued("card", "card-capability-more", "the card's `capabilities` are {0}", "either",
           _INFORMATIONAL, "card", "capabilities",
           {"all true": {"streaming": True, "pushNotifications": True,
                         "extendedAgentCard": True}}),
    valued("card", "card-version", "the interface's `protocolVersion` is `{0}`", "refused",
           "2.1-agent-picks-by-version", "card", "supportedInterfaces.0.protocolVersion",
           _OTHER_VERSIONS),
    valued("card", "card-version-minor", "the interface's `protocolVersion` is `{0}`",
           "warn-if-accepted", "2.1-agent-picks-by-version", "card",
           "supportedInterfaces.0.protocolVersion", _MINOR_VERSIONS),
    valued("card", "card-version-doubtful", "the interface's `protocolVersion` is `{0}`", "either",
           "2.1-agent-picks-by-version", "card", "supportedInterfaces.0.protocolVersion",
           _DOUBTFUL_VERSIONS),
    valued("card", "card-binding", "the interface's `protocolBinding` is `{0}`", "refused",
           "2.1-agent-picks-by-binding", "card", "supportedInterfaces.0.protocolBinding",
           _OTHER_BINDINGS),
    valued("card", "card-binding-doubtful", "the interface's `protocolBinding` is `{0}`", "either",
           "2.1-agent-picks-by-binding", "card", "supportedInterfaces.0.protocolBinding",
           _DOUBTFUL_BINDINGS),
    valued("card", "card-no-interface", "the card's `supportedInterfaces` are {0}", "refused",
           _NO_INTERFACE, "card", "supportedInterfaces",
           {"empty": [], "null": None, "an object": {}, "a text": "HTTP+JSON",
            "an array of null": [None], "an array of an empty object": [{}]}),
    without("card", "card-no-interface-member", "card",
            ("supportedInterfaces", "supportedInterfaces.0.protocolBinding",
             "supportedInterfaces.0.protocolVersion", "supportedInterfaces.0.url"),
            "the card", "refused", _NO_INTERFACE),
    valued("card", "card-url", "the interface's `url` is `{0}`", "either",
           "2.1-agent-interface-url", "card", "supportedInterfaces.0.url", _URLS),
    kind("card-scheme", "the card asks for {0} and no JWT", "warn-if-accepted",
         "2.1-agent-no-jwt-scheme", _set_scheme, "card.document",
         takes=[OneOf(("no scheme", "an API key", "Basic", "Digest", "OpenID Connect",
                       "mutual TLS", "an opaque Bearer token"))]),
    valued("card", "card-scheme-case", "the JWT's `scheme` is `{0}`", "warn-if-refused",
           "2.1-agent-scheme-by-shape", "card", f"{_SCHEME}.scheme", ("bearer", "BEARER")),
    valued("card", "card-requirements", "the card's `securityRequirements` are {0}", "either",
           "2.1-agent-scheme-by-shape", "card", "securityRequirements",
           {"empty": [], "of no scheme": [{"schemes": {}}], "of an unknown one":
            [{"schemes": {"other": {"list": []}}}]}),
    kind("card-twice", "the card has `{0}` twice", "either", _JSON, _twice, "card.document",
         takes=[OneOf(("supportedInterfaces", "securitySchemes", "name"))]),
    odd("card", "card", _PLACES, "the card", _NO_INTERFACE),
    kind("card-spoilt", "the card is served with {0}", "either", _JSON, _spoilt, "card.body",
         takes=[OneOf(_SPOILT)]),
    kind("card-large", "the card has {0} more than it needs", "either", _INFORMATIONAL, _large,
         "card.size", takes=[OneOf(("100 KB", "600 KB"))]),
    kind("card-not-found", "the card comes with status 404", "refused", "2.1-agent-unknown-brand",
         lambda draft: _status(draft, 404), "card.status"),
    kind("card-status", "the card comes with status {0}", "either", "2.1-agent-unknown-brand",
         _status, "card.status",
         takes=[OneOf((201, 203, 206, 400, 401, 403, 410, 418, 429, 500, 503))]),
    typed("card", "card", "the card", ("application/a2a+json", "text/plain", "text/html", "",
          "application/xml", "x"), "either", _JSON, id_="card-type-other"),
)  # fmt: skip
