"""Subtle flaws of §5.3 and §6: how the forms of the OAuth endpoints are read."""

from collections.abc import Callable
from urllib.parse import unquote

from pact_conformance.counterpart.flaws.registry import subtle_flaw
from pact_conformance.counterpart.provider.configuration import BrandConfig
from pact_conformance.counterpart.provider.delegation.codes import DeviceCode
from pact_conformance.counterpart.provider.delegation.oauth_requests import OAuthRequest
from pact_conformance.counterpart.provider.provider import Provider
from pact_conformance.counterpart.provider.refusals import OAuthRefusal

_KNOWN = frozenset(
    {"grant_type", "device_code", "refresh_token", "client_id", "scope", "client_secret"}
)


def _look_at_forms(provider: Provider, look: Callable[[OAuthRequest], object]) -> None:
    """Let `look` see, and change, each form once it was read."""

    def the_form_is_looked_at(_provider: Provider, request: OAuthRequest) -> None:
        look(request)

    for rules in (provider.delegation.device_rules, provider.delegation.token_rules):
        rules.add(the_form_is_looked_at, before="no_parameter_stands_twice")


def _compare_clients(provider: Provider, normalized: Callable[[str], str]) -> None:
    """Compare the client_id with the issuer of the token after something was done to both."""

    def client_is_the_caller(_provider: Provider, request: OAuthRequest) -> None:
        named = request.get("client_id")
        if named is not None and normalized(named) != normalized(request.user.issuer):
            raise OAuthRefusal("invalid_request", "client_id is not the caller's")

    for rules in (provider.delegation.device_rules, provider.delegation.token_rules):
        rules.replace("client_is_the_caller", client_is_the_caller)


def _read_scopes(provider: Provider, read: Callable[[str], str]) -> None:
    """Rewrite the scope of a device authorization request before it is looked at."""

    def scopes_are_given(_provider: Provider, request: OAuthRequest) -> None:
        request.pairs = [
            (name, read(value) if name == "scope" else value) for name, value in request.pairs
        ]
        if not request.scopes:
            raise OAuthRefusal("invalid_scope", "scope is missing")

    provider.delegation.device_rules.replace("scopes_are_given", scopes_are_given)


@subtle_flaw("5.3-unknown-device-code", "5.3-unknown-scope")
def refuses_parameters_that_it_does_not_know(provider: Provider) -> None:
    """A parameter that OAuth does not know is refused, where RFC 8628 §3.1 has it ignored."""

    def look(request: OAuthRequest) -> None:
        if not {name for name, _ in request.pairs} <= _KNOWN:
            raise OAuthRefusal("invalid_request", "A parameter is unknown")

    _look_at_forms(provider, look)


@subtle_flaw("5.3-unknown-device-code")
def insists_on_the_grant_type_first(provider: Provider) -> None:
    """The grant_type has to be the first parameter of a token request."""

    def look(request: OAuthRequest) -> None:
        names = [name for name, _ in request.pairs]
        if "grant_type" in names[1:]:
            raise OAuthRefusal("invalid_request", "grant_type is missing")

    _look_at_forms(provider, look)


@subtle_flaw("5.3-client-id")
def compares_clients_without_their_case(provider: Provider) -> None:
    """A client_id may differ from the issuer by its case."""
    _compare_clients(provider, str.lower)


@subtle_flaw("5.3-client-id")
def compares_clients_without_a_slash_at_the_end(provider: Provider) -> None:
    """A client_id may have slashes behind the issuer."""
    _compare_clients(provider, lambda it: it.rstrip("/"))


@subtle_flaw("5.3-client-id", "5.3-unknown-scope", "5.3-unknown-device-code")
def undoes_percent_encoding_twice(provider: Provider) -> None:
    """What a parameter holds is percent-decoded once more."""

    def look(request: OAuthRequest) -> None:
        request.pairs = [(name, unquote(value)) for name, value in request.pairs]

    _look_at_forms(provider, look)


@subtle_flaw("5.3-unknown-scope")
def knows_scopes_without_their_case(provider: Provider) -> None:
    """A scope may differ from that of the card by its case."""
    _read_scopes(provider, str.lower)


@subtle_flaw("5.3-unknown-scope")
def takes_commas_between_scopes(provider: Provider) -> None:
    """Scopes may have commas between them."""
    _read_scopes(provider, lambda it: it.replace(",", " "))


@subtle_flaw("6-oauth-errors")
def breaks_down_at_an_escape_of_no_utf_8(provider: Provider) -> None:
    """A form whose percent-encoding stands for no characters gets 500."""

    def body_is_a_form(provider: Provider, request: OAuthRequest) -> None:
        if b"%ff" in request.body.lower():
            request.body.decode("ascii")
            raise RuntimeError("no such character")
        read(provider, request)

    read = provider.delegation.token_rules["body_is_a_form"]
    for rules in (provider.delegation.device_rules, provider.delegation.token_rules):
        rules.replace("body_is_a_form", body_is_a_form)


@subtle_flaw("6-oauth-grant-type")
def knows_grant_types_by_their_end(provider: Provider) -> None:
    """Whatever ends in device_code is the device code grant."""

    def look(request: OAuthRequest) -> None:
        usual = next(it for it in provider.delegation.grant_types if it.endswith("device_code"))
        request.pairs = [
            (name, usual if name == "grant_type" and value.endswith("device_code") else value)
            for name, value in request.pairs
        ]

    _look_at_forms(provider, look)


def _find_code(provider: Provider, is_meant: Callable[[DeviceCode, str], bool]) -> None:
    """Find a device code by something else than all of it."""
    find = provider.delegation.find_device_code
    issued: list[DeviceCode] = []
    mint = provider.delegation.device_response["device_code"]

    def shown(provider: Provider, brand: BrandConfig, code: DeviceCode) -> object:
        issued.append(code)
        return mint(provider, brand, code)

    provider.delegation.device_response["device_code"] = shown

    def find_device_code(provider: Provider, request: OAuthRequest) -> DeviceCode:
        asked = request.get("device_code") or ""
        found = (code for code in reversed(issued) if is_meant(code, asked))
        return next(found, None) or find(provider, request)

    provider.delegation.find_device_code = find_device_code


@subtle_flaw("5.3-unknown-device-code")
def finds_a_device_code_by_its_beginning(provider: Provider) -> None:
    """Half of a device code is enough to be known by."""
    _find_code(provider, lambda code, asked: len(asked) > 15 and code.device_code.startswith(asked))


@subtle_flaw("5.3-unknown-device-code")
def takes_the_user_code_for_a_device_code(provider: Provider) -> None:
    """The short code for the User, which can be guessed, is as good as the device code."""
    _find_code(provider, lambda code, asked: code.user_code == asked)
