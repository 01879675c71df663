"""The routes of a Brand's authorization server, below its interface URL (§5.1, §5.3)."""

from pact_conformance.counterpart.provider.delegation import consent_pages, grants_page
from pact_conformance.counterpart.provider.delegation.device_authorization import authorize_device
from pact_conformance.counterpart.provider.delegation.metadata import (
    METADATA,
    serve_jwks,
    serve_metadata,
)
from pact_conformance.counterpart.provider.delegation.token_endpoint import issue_token
from pact_conformance.counterpart.provider.operations import Handler, Operation, Operations

BELOW = "/oauth/"
_ROOT = "/oauth"


def routes() -> Operations:
    """Return the table: two endpoints for personal agents, documents and pages for everybody."""
    return Operations(
        _endpoint("device authorization", "/device_authorization", authorize_device),
        _endpoint("token", "/token", issue_token),
        _open("metadata", "GET", METADATA, serve_metadata),
        _open("jwks", "GET", "/jwks.json", serve_jwks),
        _open("return", "POST", "/return", consent_pages.take_assertion),
        _open("consent", "GET", "/consent", consent_pages.show_consent),
        _open("decide", "POST", "/consent", consent_pages.take_decision),
        _open("done", "GET", "/done", consent_pages.show_done),
        _open("grants", "GET", "/grants", grants_page.show_grants),
        _open("revoke", "POST", "/grants", grants_page.revoke_grant),
    )


def _endpoint(name: str, path: str, handle: Handler) -> Operation:
    return Operation(name, "POST", f"{_ROOT}{path}", handle, is_a2a=False)


def _open(name: str, method: str, path: str, handle: Handler) -> Operation:
    return Operation(name, method, f"{_ROOT}{path}", handle, public=True, is_a2a=False)
