"""Wraps the parts of a Provider so that each Brand on the stage does as its script says.

For every other Brand the parts are what they were.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from starlette.responses import RedirectResponse, Response

from pact_conformance.counterpart.provider.brand_agent import Reply, Turn
from pact_conformance.counterpart.provider.configuration import BrandConfig
from pact_conformance.counterpart.provider.conversations import Conversation, Owner
from pact_conformance.counterpart.provider.delegation.codes import DeviceCode
from pact_conformance.counterpart.provider.delegation.oauth_requests import OAuthRequest
from pact_conformance.counterpart.provider.delegation.refreshing import RefreshToken
from pact_conformance.counterpart.provider.message_rules import Submission
from pact_conformance.counterpart.provider.operations import CARD
from pact_conformance.counterpart.provider.refusals import A2ARefusal
from pact_conformance.counterpart.provider.sessions import Session
from pact_conformance.counterpart.provider.stage import receipts
from pact_conformance.counterpart.provider.stage.script import Decision, merged

if TYPE_CHECKING:
    from starlette.requests import Request

    from pact_conformance.counterpart.provider.call import Call
    from pact_conformance.counterpart.provider.delegation.step_up import StepUp
    from pact_conformance.counterpart.provider.delegation.token_endpoint import Issue
    from pact_conformance.counterpart.provider.provider import Provider
    from pact_conformance.counterpart.provider.stage.scene import Scene
    from pact_conformance.counterpart.provider.stage.stage import Stage


def direct(stage: "Stage") -> None:
    """Wrap every part that a script can change."""
    for wrap in (
        _addresses,
        _cards,
        _sites,
        _metadata,
        _conversations,
        _agents,
        _flows,
        _tokens,
        _step_ups,
        receipts.direct,
    ):
        wrap(stage)


def _addresses(stage: "Stage") -> None:
    """The URLs of a Brand are where its layout has them."""
    provider, delegation = stage.provider, stage.provider.delegation
    interface, card_url, issuer = provider.interface, provider.card_url, delegation.issuer

    def of(brand_id: str, otherwise: Callable[[], str], ours: "Callable[[Scene], str]") -> str:
        scene = stage.scene(brand_id)
        return otherwise() if scene is None else ours(scene)

    provider.interface = lambda brand: of(brand, lambda: interface(brand), lambda it: it.interface)
    provider.card_url = lambda brand: of(brand, lambda: card_url(brand), lambda it: it.card)
    delegation.issuer = lambda host, brand: of(
        brand, lambda: issuer(host, brand), lambda it: it.issuer
    )


def _cards(stage: "Stage") -> None:
    """The card names the Brand's places, and is what the script makes of it."""
    honest = stage.provider.card

    def card(brand: BrandConfig, base: str) -> dict[str, Any]:
        scene = stage.scene(brand.id)
        document: Any = honest(brand, base)
        if scene is None:
            return dict(document)
        now = stage.provider.clock.now(brand.id)
        document = _relocated(document, f"{base}/a2a/{brand.id}", scene)
        if scene.script.card is not None:
            document = scene.fill(scene.script.card, now)
        if scene.script.card_patch is not None:
            document = merged(document, scene.fill(scene.script.card_patch, now))
        return document  # type: ignore[no-any-return]

    stage.provider.card = card


def _relocated(value: Any, canonical: str, scene: "Scene") -> Any:  # noqa: ANN401 - a JSON value
    """Return a document with the URLs below a Brand's canonical interface as they are here."""
    if isinstance(value, dict):
        return {name: _relocated(member, canonical, scene) for name, member in value.items()}
    if isinstance(value, list):
        return [_relocated(item, canonical, scene) for item in value]
    if not isinstance(value, str) or not value.startswith(canonical):
        return value
    if value == canonical:
        return scene.interface
    return scene.located(value.removeprefix(canonical))


def _sites(stage: "Stage") -> None:
    """A Brand's domain redirects as the script says."""
    honest = stage.provider.site

    def site(provider: "Provider", brand: BrandConfig, request: "Request") -> Response:
        scene = stage.scene(brand.id)
        domain = None if scene is None else scene.script.domain
        is_card = request.url.path == CARD and request.method in ("GET", "HEAD")
        if domain is None or domain.redirect is None or not is_card:
            return honest(provider, brand, request)
        return RedirectResponse(provider.card_url(brand.id), status_code=domain.redirect)

    stage.provider.site = site


def _metadata(stage: "Stage") -> None:
    """The metadata names the endpoints where they are."""
    members = stage.provider.delegation.metadata

    def named(member: str, endpoint: str) -> None:
        honest = members[member]

        def value(provider: "Provider", brand_id: str) -> object:
            scene = stage.scene(brand_id)
            return honest(provider, brand_id) if scene is None else scene.endpoint(endpoint)

        members[member] = value

    named("device_authorization_endpoint", "device_authorization")
    named("token_endpoint", "token")
    named("jwks_uri", "jwks")


def _conversations(stage: "Stage") -> None:
    """Conversations begin under the ids of the script."""
    honest = stage.provider.conduct.conversation

    def conversation(provider: "Provider", submission: Submission, owner: Owner) -> Conversation:
        scene = stage.scene(owner[2]) if isinstance(owner, tuple) else None
        if scene is None or not scene.context_ids or submission.context_id is not None:
            return honest(provider, submission, owner)
        started = Conversation(id=scene.context_ids.popleft(), owner=owner)
        provider.conversations.add(started)
        return started

    stage.provider.conduct = replace(stage.provider.conduct, conversation=conversation)


def _agents(stage: "Stage") -> None:
    """The Brand's agent asks back, and needs scopes, as the script says."""
    provider, delegation = stage.provider, stage.provider.delegation
    honest, needs = provider.brand_agent, delegation.needs

    async def agent(turn: Turn) -> Reply:
        reply = await honest(turn)
        scene = stage.scene(turn.brand_id)
        if scene is None or reply.missing_scopes:
            return reply
        asked = scene.next_ask(turn.user)
        return reply if asked is None else replace(reply, text=asked, closes=False)

    def needed(provider: "Provider", turn: Turn) -> tuple[str, ...]:
        scene = stage.scene(turn.brand_id)
        if scene is None or scene.script.needs is None:
            return needs(provider, turn)
        text = " ".join(turn.text.casefold().split())
        named = {
            scope
            for phrase, scopes in scene.script.needs.items()
            if " ".join(phrase.casefold().split()) in text
            for scope in scopes
        }
        return tuple(scope for scope in scene.script.scopes if scope in named)

    provider.brand_agent = agent
    delegation.needs = needed


def _flows(stage: "Stage") -> None:
    """The User decides without a browser; the link and the interval are as the script says."""
    delegation = stage.provider.delegation
    link, interval = delegation.login_link, delegation.device_response["interval"]

    def user_decides(provider: "Provider", request: OAuthRequest, code: DeviceCode) -> None:
        scene = stage.scene(request.brand.id)
        decision = None if scene is None else scene.poll(code.device_code)
        if decision is not None:
            settle(provider, code, decision)

    def login_link(provider: "Provider", brand_id: str, user_code: str | None = None) -> str:
        scene, url = stage.scene(brand_id), link(provider, brand_id, user_code)
        query = "" if scene is None else scene.script.verification_query
        return f"{url}&{query}" if query else url

    def named_interval(provider: "Provider", brand: BrandConfig, code: DeviceCode) -> object:
        scene = stage.scene(brand.id)
        is_unnamed = scene is not None and scene.script.interval is None
        return None if is_unnamed else interval(provider, brand, code)

    delegation.device_code_rules.add(user_decides, before="user_has_not_refused")
    delegation.login_link = login_link
    delegation.device_response["interval"] = named_interval
    _without_empty_members(stage)


def _without_empty_members(stage: "Stage") -> None:
    """An OAuth endpoint leaves out a member that has no value."""
    honest = stage.provider.answers.oauth_result

    def result(value: object) -> Response:
        if isinstance(value, dict):
            value = {name: member for name, member in value.items() if member is not None}
        return honest(value)

    stage.provider.answers = replace(stage.provider.answers, oauth_result=result)


def _tokens(stage: "Stage") -> None:
    """Delegation tokens have further claims; refresh tokens are given, and rotate, or do not."""
    delegation = stage.provider.delegation
    sign, rotate, refresh_token = (
        delegation.sign,
        delegation.rotate,
        delegation.token_response["refresh_token"],
    )

    def sign_with_more(
        provider: "Provider", brand_id: str, claims: dict[str, Any], typ: str
    ) -> str:
        scene = stage.scene(brand_id)
        if scene is not None:
            padding = {"padding": "x" * scene.script.token_padding}
            more = scene.script.token_claims | (padding if scene.script.token_padding else {})
            claims = {**claims, **more}
        return sign(provider, brand_id, claims, typ)

    def rotate_or_keep(token: RefreshToken) -> None:
        scene = stage.scene(token.grant.brand_id)
        if scene is None or scene.script.rotate:
            rotate(token)

    def given(provider: "Provider", issue: "Issue") -> object:
        scene = stage.scene(issue.brand.id)
        is_refresh = issue.request.get("grant_type") == "refresh_token"
        withheld = scene is not None and (
            not scene.script.refresh or (is_refresh and not scene.script.rotate)
        )
        return None if withheld else refresh_token(provider, issue)

    delegation.sign = sign_with_more
    delegation.rotate = rotate_or_keep
    delegation.token_response["refresh_token"] = given


def _step_ups(stage: "Stage") -> None:
    """The task of a step-up is found later, or is not (§5.5)."""
    find, own = stage.provider.find_task, stage.provider.own_tasks

    def is_durable(call: "Call") -> bool:
        scene = stage.scene(call.brand_id)
        return scene is None or scene.script.step_up_durable

    def find_task(provider: "Provider", call: "Call") -> "StepUp":
        if not is_durable(call):
            raise A2ARefusal("TASK_NOT_FOUND", "There is no such task")
        return find(provider, call)

    stage.provider.find_task = find_task
    stage.provider.own_tasks = lambda provider, call: (
        own(provider, call) if is_durable(call) else []
    )


def settle(provider: "Provider", code: DeviceCode, decision: Decision) -> None:
    """Let the User decide a flow as if on the consent page; to approve nothing is to refuse."""
    if code.decision != "pending":
        return
    brand = provider.brands[code.brand_id]
    account = brand.accounts[min(decision.account, len(brand.accounts) - 1)]
    approved = code.scopes if decision.auto == "all" else tuple(decision.auto or ())
    scopes = tuple(scope for scope in code.scopes if scope in approved)
    code.decided_by = account.user
    if decision.deny or not scopes:
        code.deny()
        return
    session = Session(
        brand_id=brand.id,
        brand_user=account.user,
        name=account.username,
        expires_at=provider.clock.now(brand.id) + brand.session_seconds,
    )
    code.approve(provider.delegation.consent.grant(provider, session, code, scopes), scopes)


def decide(provider: "Provider", asked: Mapping[str, Any]) -> None:
    """Let the User decide the flow of a `userCode`: `auto`, `deny` and `account` as in scripts."""
    code = provider.delegation.codes.by_user_code(str(asked.get("userCode")))
    if code is None:
        raise ValueError("there is no such userCode")
    given = {name: it for name, it in asked.items() if name in ("auto", "deny", "account")}
    settle(provider, code, Decision.model_validate(given))
