"""Delegated authority, put together from its parts (§5)."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from pact_conformance.counterpart.provider.brand_agent import Authority, Reply, Turn
from pact_conformance.counterpart.provider.configuration import BrandConfig
from pact_conformance.counterpart.provider.conversations import Conversation
from pact_conformance.counterpart.provider.delegation import (
    acting,
    delegation_tokens,
    device_authorization,
    grants,
    metadata,
    receipts,
    redeeming,
    refreshing,
    routes,
    step_up,
    token_checks,
    token_endpoint,
)
from pact_conformance.counterpart.provider.delegation.codes import Codes, DeviceCode
from pact_conformance.counterpart.provider.delegation.consent import Consent
from pact_conformance.counterpart.provider.delegation.oauth_requests import OAuthRequest
from pact_conformance.counterpart.provider.delegation.signing import SigningKeys
from pact_conformance.counterpart.provider.operations import Operations

if TYPE_CHECKING:
    from starlette.requests import Request

    from pact_conformance.counterpart.provider.provider import Provider
    from pact_conformance.counterpart.provider.verifier import User

Sign = Callable[["Provider", str, dict[str, Any], str], str]
"""Signs claims for the Brand with an id, with a `typ`."""


class Delegation:
    """The parts of §5. Each is an attribute, so that another may be put in its place."""

    def __init__(self) -> None:
        # §5.1 Card and metadata
        self.routes = routes.routes()
        self.issuer: Callable[[Provider, str], str] = metadata.issuer
        self.metadata = metadata.members()
        self.keys = SigningKeys()

        # §5.3 Getting a token
        self.codes = Codes()
        self.login_link: Callable[..., str] = device_authorization.login_link
        self.device_rules = device_authorization.device_rules()
        self.device_response = device_authorization.device_response()
        self.token_rules = token_endpoint.token_rules()
        self.grant_types: dict[str, token_endpoint.GrantType] = {
            metadata.DEVICE_CODE: redeeming.redeem_device_code,
            metadata.REFRESH_TOKEN: refreshing.refresh,
        }
        self.find_device_code: Callable[[Provider, OAuthRequest], DeviceCode] = (
            redeeming.find_device_code
        )
        self.device_code_rules = redeeming.device_code_rules()
        self.token_response = token_endpoint.token_response()
        self.consent = Consent()
        self.grants = grants.Grants()

        # §5.4 Delegation token
        self.token_claims = delegation_tokens.token_claims()
        self.mint_token: token_endpoint.TokenMember = delegation_tokens.mint_token
        self.sign: Sign = sign
        self.refresh_tokens = refreshing.RefreshTokens()
        self.find_refresh_token: Callable[[Provider, OAuthRequest], refreshing.RefreshToken] = (
            refreshing.find_refresh_token
        )
        self.refresh_rules = refreshing.refresh_rules()
        self.refreshed_scopes: Callable[
            [OAuthRequest, refreshing.RefreshToken], tuple[str, ...]
        ] = refreshing.refreshed_scopes
        self.rotate: Callable[[refreshing.RefreshToken], None] = refreshing.rotate

        # §5.5 Sending with it
        self.read_header: Callable[[Request], str | None] = token_checks.read_header
        self.authority: Callable[[Provider, BrandConfig, User | None, str], Authority] = (
            token_checks.authority
        )
        self.token_steps = token_checks.token_steps()
        self.read_authority: Callable[[token_checks.PresentedDelegation], Authority] = (
            token_checks.read_authority
        )
        self.needs: acting.Needs = acting.needed_scopes
        self.missing: Callable[[Turn, tuple[str, ...]], tuple[str, ...]] = acting.missing_scopes
        self.conclude: Callable[[Provider, Conversation, Turn, Reply, object], object] = conclude
        self.step_ups = step_up.StepUps()
        self.begin_step_up: Callable[[Provider, Conversation, Turn, Reply], step_up.StepUp] = (
            step_up.begin_step_up
        )
        self.mint_task_id: Callable[[], str] = step_up.mint_task_id
        self.task = step_up.task_members()
        self.task_status = step_up.task_status()
        self.task_metadata = step_up.task_metadata()

        # §5.6 Receipts
        self.receipt_claims = receipts.receipt_claims()
        self.receipt: Callable[[Provider, receipts.Served], dict[str, Any]] = receipts.receipt
        self.attach_receipt: Callable[[Any, dict[str, Any]], Any] = receipts.attach_receipt
        self.sign_receipt: Sign = sign

    def table(self, brand: BrandConfig | None, path: str) -> Operations | None:
        """Return the routes of a Brand's authorization server, where a path is below it."""
        is_below = brand is not None and brand.delegates and path.startswith(routes.BELOW)
        return self.routes if is_below else None


def sign(provider: "Provider", brand_id: str, claims: dict[str, Any], typ: str) -> str:
    """Sign claims with the first key of a Brand's authorization server (§5.4, §5.6)."""
    return provider.delegation.keys.of(brand_id)[0].sign(claims, typ)


def conclude(
    provider: "Provider", conversation: Conversation, turn: Turn, reply: Reply, answer: object
) -> object:
    """Return the answer to a turn under a delegation token: a step-up, or a reply with receipt.

    A step-up's task is the stored reply of its message too (§4.3): whoever sends again after the
    approval takes a new `messageId`.
    """
    delegation = provider.delegation
    if reply.missing_scopes:
        waiting = delegation.begin_step_up(provider, conversation, turn, reply)
        return {"task": step_up.step_up_task(provider, waiting)}
    assert turn.authority is not None
    now = provider.clock.now(turn.brand_id)
    served = receipts.Served(turn.brand_id, turn, turn.authority, reply, now)
    return delegation.attach_receipt(answer, delegation.receipt(provider, served))
