"""§6 Errors: what the OAuth endpoints answer is OAuth's (RFC 6749 §5.2).

That no answer of theirs has A2A's envelope is a journal rule.
"""

import secrets

import pytest

from pact_conformance import expect
from pact_conformance.delegation import Delegation
from pact_conformance.rig import requirement
from pact_conformance.wire.oauth import DEVICE_CODE_GRANT, REFRESH_TOKEN_GRANT

USER = "errs"


@requirement("6-oauth-errors")
@pytest.mark.parametrize("lacking", ["device_code", "refresh_token"])
def test_a_missing_parameter_gets_an_error_of_oauth(delegation: Delegation, lacking: str) -> None:
    kind = DEVICE_CODE_GRANT if lacking == "device_code" else REFRESH_TOKEN_GRANT
    server = delegation.server
    form = [("grant_type", kind), ("client_id", server.provider.caller.issuer)]

    expect.oauth_error(server.post(server.delegation.token_url, form, user=USER))


@requirement("6-oauth-errors")
def test_an_unknown_refresh_token_gets_an_error_of_oauth(delegation: Delegation) -> None:
    expect.oauth_error(delegation.server.refresh(secrets.token_urlsafe(32), user=USER))


@requirement("6-oauth-grant-type")
@pytest.mark.parametrize("kind", ["missing", "password", "client_credentials"])
def test_a_missing_or_unknown_grant_type_is_refused(delegation: Delegation, kind: str) -> None:
    server = delegation.server
    form = [("client_id", server.provider.caller.issuer)]
    if kind != "missing":
        form.append(("grant_type", kind))
    if kind == "password":
        form += [("username", "somebody"), ("password", secrets.token_urlsafe(12))]

    answer = server.post(server.delegation.token_url, form, user=USER)

    expect.oauth_error(answer, "invalid_request", "unsupported_grant_type")
