"""What variants of delegation do to a Provider, in one line each."""

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from starlette.responses import Response

from pact_conformance.counterpart.provider.answers import encode
from pact_conformance.counterpart.provider.call import Call
from pact_conformance.counterpart.provider.delegation.token_endpoint import Issue
from pact_conformance.counterpart.provider.provider import Provider
from pact_conformance.counterpart.provider.refusals import OAuthRefusal
from pact_conformance.counterpart.substitution import Document
from pact_conformance.wire.media_types import JSON


def change_brands(provider: Provider, **members: Any) -> None:  # noqa: ANN401 - of any member
    """Let every Brand have other members of its configuration."""
    changed = {brand_id: replace(brand, **members) for brand_id, brand in provider.brands.items()}
    provider.brands = changed


def change_token_response(provider: Provider, change: Callable[[Document, Issue], None]) -> None:
    """Let `change` work on each token response before it is written."""
    original, issues = provider.answers.oauth_result, list[Issue]()
    access_token = provider.delegation.token_response["access_token"]

    def noted(provider: Provider, issue: Issue) -> object:
        issues.append(issue)
        return access_token(provider, issue)

    def result(value: Any) -> Any:  # noqa: ANN401 - a JSON value
        if "access_token" in value:
            change(value, issues.pop())
        return original(value)

    provider.delegation.token_response["access_token"] = noted
    provider.answers.oauth_result = result


def change_oauth_errors(
    provider: Provider, change: Callable[[Document, OAuthRefusal], object]
) -> None:
    """Let `change` work on the body of each OAuth error."""
    original = provider.answers.oauth_error

    def error(refusal: OAuthRefusal) -> Response:
        response = original(refusal)
        body = json.loads(bytes(response.body))
        change(body, refusal)
        kept = {"Cache-Control": response.headers["Cache-Control"]}
        return Response(encode(body), response.status_code, kept, JSON)

    provider.answers.oauth_error = error


def is_oauth(call: Call) -> bool:
    """Say whether a request is for one of the two OAuth endpoints."""
    return call.operation is not None and call.operation.name in ("device authorization", "token")


def change_page(
    provider: Provider, name: str, change: Callable[[str, Mapping[str, Any]], str]
) -> None:
    """Let `change` work on the HTML of a page, knowing what it shows."""
    render = provider.pages.render

    def rendered(which: str, view: Mapping[str, Any]) -> str:
        html = render(which, view)
        return change(html, view) if which == name else html

    provider.pages.render = rendered
