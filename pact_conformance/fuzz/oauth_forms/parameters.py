"""Changes of which parameters a form has (RFC 6749 §3.2 and §5.2, RFC 8628 §3.1 and §3.4)."""

from collections.abc import Callable, Mapping

from pact_conformance.fuzz.entering import kind
from pact_conformance.fuzz.kind import Kind, OneOf, Whole
from pact_conformance.fuzz.oauth_forms.draft import PENDING, Draft, Endpoint, Pair
from pact_conformance.fuzz.oauth_forms.entering import ERRORS, READ
from pact_conformance.wire.oauth import DEVICE_CODE_GRANT

_GRANT_TYPE = "6-oauth-grant-type"
_NOT_SERVED = frozenset({"invalid_request", "unsupported_grant_type", "unauthorized_client"})

# Parameters that OAuth does not know for these requests: to be ignored (RFC 8628 §3.1).
_UNKNOWN = (
    *("x-unheard-of", "foo", "utf8", "_", "a.b", "a b", "a[]", "a[b]", "caf\u00e9", "\u6ce8"),
    *("\U0001f600", "a" * 200, "0", "-", "pact:hint", "https://a.example/p", "submit", "lang"),
    *("grant-type", "deviceCode", "scopes", "client", "issuer", "sub"),
)
_VALUES = (
    "1",
    "",
    " ",
    "a b",
    "a=b&c",
    "%",
    "+",
    "\u00e9",
    "\U0001f600",
    "null",
    "a" * 1000,
)
# Parameters of other requests of OAuth, which a Provider may know and dislike here.
_OF_OTHERS = (
    *("code", "redirect_uri", "username", "password", "assertion", "client_secret", "state"),
    *("client_assertion", "client_assertion_type", "audience", "resource", "code_verifier"),
    *("code_challenge", "nonce", "prompt", "login_hint", "request", "dpop_jkt", "access_token"),
    *("token", "token_type_hint", "subject_token", "user_code", "response_type", "actor_token"),
    *("authorization_details", "__proto__", "constructor", "toString", "", "Client_ID", "SCOPE"),
    *("client_id ", " client_id", "client_id[]", "client_id\0", "Grant_Type", "device_code[]"),
)
_GRANT_TYPES = (
    *("password", "client_credentials", "device_code", "null", "*"),
    *("urn:ietf:params:oauth:grant-type:", "urn:ietf:params:oauth:grant_type:device_code"),
    *("refresh", "refresh-token", "refreshtoken", "0"),
    *("Refresh_Token", "REFRESH_TOKEN", "__proto__", "constructor", "\u00e9", "a" * 3000, "\0"),
    *(DEVICE_CODE_GRANT.upper(), DEVICE_CODE_GRANT[:-1], f"{DEVICE_CODE_GRANT}s"),
    *(f"{DEVICE_CODE_GRANT} refresh_token", f"{DEVICE_CODE_GRANT},refresh_token"),
    *(f"{DEVICE_CODE_GRANT}\0", f"{DEVICE_CODE_GRANT}%00", f'"{DEVICE_CODE_GRANT}"'),
    *(DEVICE_CODE_GRANT.replace("device_code", "device\uff3fcode"), DEVICE_CODE_GRANT[4:]),
)
# What the device grant was called in its drafts, and is still known by to some.
_OLD_DEVICE_GRANT = "http://oauth.net/grant_type/device/1.0"

# Grants that a Brand's authorization server may have for others: nothing comes of them here.
_GRANTS_OF_OTHERS = (
    *("authorization_code", "implicit", "urn:ietf:params:oauth:grant-type:jwt-bearer"),
    *("urn:ietf:params:oauth:grant-type:saml2-bearer", "urn:openid:params:grant-type:ciba"),
    "urn:ietf:params:oauth:grant-type:token-exchange",
    _OLD_DEVICE_GRANT,
)
_GRANT_TYPES_WITH_BLANKS = (
    f"{DEVICE_CODE_GRANT} ",
    f" {DEVICE_CODE_GRANT}",
    f"{DEVICE_CODE_GRANT}\n",
)
_ORDERS: Mapping[str, Callable[[list[Pair]], list[Pair]]] = {
    "from last to first": lambda it: it[::-1],
    "with the first at the end": lambda it: [*it[1:], *it[:1]],
    "with the last at the start": lambda it: [*it[-1:], *it[:-1]],
}
_CODES: Mapping[Endpoint, str] = {"token": "device_code", "refresh": "refresh_token"}


def _aimed(endpoint: Endpoint) -> Callable[[Draft], None]:
    return lambda draft: draft.aim(endpoint)


def _extra(draft: Draft, name: str, value: str) -> None:
    draft.pairs.append((name, value))


def _first(draft: Draft, name: str) -> None:
    draft.pairs.insert(0, (name, "1"))


def _many(draft: Draft, number: int) -> None:
    draft.pairs += [(f"x-unheard-of-{at}", "1") for at in range(number)]


def _too_many(draft: Draft, number: int) -> None:
    draft.bare |= {400, 413}
    _many(draft, number)


def _ordered(draft: Draft, how: str) -> None:
    draft.pairs = _ORDERS[how](draft.pairs)


def _without(draft: Draft, name: str, how: str) -> None:
    if how == "empty":
        draft.set(name, "")
    else:
        draft.set(name)


def _of_no_grant(draft: Draft, how: str) -> None:
    _without(draft, "grant_type", how)
    draft.refusals = _NOT_SERVED


def _of_grant(draft: Draft, value: str) -> None:
    draft.set("grant_type", value)
    draft.refusals = _NOT_SERVED


def _of_grant_of_others(draft: Draft, value: str) -> None:
    draft.set("grant_type", value)
    # What such a grant lacks is invalid_grant to some; only who looked for a device code says that
    # it expired.
    draft.accepted -= {"invalid_grant", *(draft.accepted if value == _OLD_DEVICE_GRANT else ())}


def _of_no_code(endpoint: Endpoint) -> Callable[[Draft, str], None]:
    def apply(draft: Draft, how: str) -> None:
        draft.aim(endpoint)
        _without(draft, _CODES[endpoint], how)
        # To one that there is not, the same may come as to one that is unknown.
        draft.accepted = PENDING

    return apply


def _of_no_client(draft: Draft, how: str) -> None:
    _without(draft, "client_id", how)


def _of_no_scope(draft: Draft, how: str) -> None:
    draft.aim("device")
    _without(draft, "scope", how)


def _twice(draft: Draft, name: str, how: str) -> None:
    own = draft.get(name)
    other = {"client_id": draft.known.other, "scope": draft.known.unknown_scope}.get(name, "other")
    values = {"the same": (own, own), "another behind": (own, other), "another first": (other, own)}
    draft.set(name, *values[how])
    # Which of them is read is open, and so is what is named first.
    draft.accepted = frozenset()


def _twice_at_device(draft: Draft, name: str) -> None:
    draft.aim("device")
    own = draft.get(name)
    draft.set(name, own, own)


_HOW = OneOf(("missing", "empty"))

PARAMETERS: tuple[Kind[Draft], ...] = (
    kind(
        "device",
        "a device authorization request",
        "accepted",
        "5.3-unknown-scope",
        _aimed("device"),
        "endpoint",
    ),
    kind("refresh", "a refresh", "accepted", ERRORS, _aimed("refresh"), "endpoint"),
    kind(
        "extra",
        "a parameter `{0}` that OAuth does not know, with the value `{1}`",
        "accepted",
        READ,
        _extra,
        "extra",
        takes=[OneOf(_UNKNOWN), OneOf(_VALUES)],
    ),
    kind(
        "extra-first",
        "a parameter `{0}` before all others, which OAuth does not know",
        "accepted",
        READ,
        _first,
        "extra",
        takes=[OneOf(_UNKNOWN)],
    ),
    kind(
        "extra-many",
        "{0} parameters that OAuth does not know",
        "accepted",
        READ,
        _many,
        "extra-many",
        takes=[Whole(1, 20)],
    ),
    kind(
        "extra-too-many",
        "{0} parameters that OAuth does not know",
        "either",
        ERRORS,
        _too_many,
        "extra-many",
        takes=[OneOf((100, 300, 2000))],
    ),
    kind(
        "extra-of-others",
        "the parameter `{0}` of another request",
        "either",
        ERRORS,
        _extra,
        "extra",
        takes=[OneOf(_OF_OTHERS), OneOf(("a", "", "https://a.example/"))],
    ),
    kind(
        "order",
        "parameters in another order ({0})",
        "accepted",
        READ,
        _ordered,
        "order",
        takes=[OneOf(tuple(_ORDERS))],
    ),
    kind(
        "no-grant-type",
        "a grant_type that is {0}",
        "refused",
        _GRANT_TYPE,
        _of_no_grant,
        "grant_type",
        "endpoint",
        takes=[_HOW],
    ),
    kind(
        "grant-type",
        "the grant_type `{0}`",
        "refused",
        _GRANT_TYPE,
        _of_grant,
        "grant_type",
        "endpoint",
        takes=[OneOf(_GRANT_TYPES)],
    ),
    kind(
        "grant-type-of-others",
        "the grant_type `{0}`",
        "refused",
        _GRANT_TYPE,
        _of_grant_of_others,
        "grant_type",
        "endpoint",
        takes=[OneOf(_GRANTS_OF_OTHERS)],
    ),
    kind(
        "grant-type-blanks",
        "the grant_type `{0}`",
        "warn-if-accepted",
        _GRANT_TYPE,
        _of_grant,
        "grant_type",
        "endpoint",
        takes=[OneOf(_GRANT_TYPES_WITH_BLANKS)],
    ),
    *(
        kind(
            f"no-{name.replace('_', '-')}",
            f"a {name} that is {{0}}",
            "refused",
            ERRORS,
            _of_no_code(endpoint),
            "endpoint",
            "code",
            takes=[_HOW],
        )
        for endpoint, name in _CODES.items()
    ),
    kind(
        "no-client-id",
        "a client_id that is {0}",
        "either",
        ERRORS,
        _of_no_client,
        "client_id",
        takes=[_HOW],
    ),
    kind(
        "no-scope",
        "a scope that is {0}",
        "either",
        ERRORS,
        _of_no_scope,
        "endpoint",
        "scope",
        takes=[_HOW],
    ),
    kind(
        "twice",
        "two {0}, {1}",
        "either",
        ERRORS,
        _twice,
        "client_id",
        "grant_type",
        "code",
        "scope",
        takes=[
            OneOf(("client_id", "grant_type", "device_code", "refresh_token", "scope")),
            OneOf(("the same", "another behind", "another first")),
        ],
    ),
    kind(
        "twice-at-device",
        "the same {0} twice, in a form that is otherwise good",
        "warn-if-accepted",
        ERRORS,
        _twice_at_device,
        "endpoint",
        "client_id",
        "scope",
        takes=[OneOf(("client_id", "scope"))],
    ),
)
"""The kinds of changes of which parameters there are."""
