"""Flaws of §5.3: the consent page, what the User's form means, and when it is skipped."""

from collections.abc import Mapping
from typing import Any

from starlette.responses import Response

from pact_conformance.counterpart.flaws.registry import flaw
from pact_conformance.counterpart.provider.call import Call
from pact_conformance.counterpart.provider.delegation.codes import DeviceCode
from pact_conformance.counterpart.provider.delegation.consent import Fields
from pact_conformance.counterpart.provider.pages import one, read_fields
from pact_conformance.counterpart.provider.provider import Provider
from pact_conformance.counterpart.provider.sessions import Session
from pact_conformance.counterpart.substitution import change_card


@flaw("5.3-consent-names-agent")
def calls_every_agent_an_assistant(provider: Provider) -> None:
    """The consent page speaks of the User's assistant, whoever asks."""
    provider.delegation.consent.page["agent"] = lambda *_: "Your personal assistant"


@flaw("5.3-consent-names-agent")
def shows_the_name_that_an_agent_has_chosen(provider: Provider) -> None:
    """The consent page shows a display name of the registration."""
    names = {"https://personal-agent.example": "Ada"}
    provider.delegation.consent.page["agent"] = lambda _provider, _session, code: names.get(
        code.client_id, "Ada, your helping hand"
    )


@flaw("5.3-consent-names-brand")
def names_only_the_provider(provider: Provider) -> None:
    """The consent page has the Provider's name in place of the Brand's."""
    provider.delegation.consent.page["brand"] = lambda *_: "Acme Chat"


def _rewrite_consent(provider: Provider, **replacements: str) -> None:
    """Put other HTML in place of parts of the consent page."""
    render = provider.pages.render

    def rendered(name: str, view: Mapping[str, Any]) -> str:
        text = render(name, view)
        if name != "consent":
            return text
        for part, wanted in replacements.items():
            assert _PARTS[part] in text
            text = text.replace(_PARTS[part], wanted)
        return text

    provider.pages.render = rendered


_PARTS = {"boxes": 'type="checkbox"', "checked": " checked>"}


@flaw("5.3-consent-checkboxes", "5.3-none-checked")
def offers_all_or_nothing(provider: Provider) -> None:
    """The consent page has one button for all scopes, which are hidden fields."""
    _rewrite_consent(provider, boxes='type="hidden"')


@flaw("5.3-none-checked")
def offers_boxes_that_cannot_be_unchecked(provider: Provider) -> None:
    """The boxes are a mere picture: they are disabled, and hidden fields say the same."""

    def boxes(name: str, view: Mapping[str, Any]) -> str:
        text = render(name, view)
        if name != "consent":
            return text
        hidden = "".join(
            f'<input type="hidden" name="scope" value="{scope}">' for scope in view["scopes"]
        )
        text = text.replace(_PARTS["boxes"], f"{_PARTS['boxes']} disabled")
        return text.replace("</fieldset>", f"{hidden}</fieldset>")

    render = provider.pages.render
    provider.pages.render = boxes


@flaw("5.3-consent-checkboxes")
def offers_boxes_for_everything_on_the_card(provider: Provider) -> None:
    """The consent page has a checkbox for each scope of the card, whatever is asked for."""
    provider.delegation.consent.page["scopes"] = lambda provider, session, _code: dict(
        provider.brands[session.brand_id].scopes
    )


@flaw("5.3-consent-after-login")
def takes_consent_for_a_user_code_alone(provider: Provider) -> None:
    """The form of the consent page carries the user code, and that is all that its handler asks."""
    consent, shown_to = provider.delegation.consent, dict[str, Session]()

    def user_code(_provider: Provider, session: Session, code: DeviceCode) -> str:
        shown_to[code.user_code] = session
        return code.user_code

    async def decide(provider: Provider, call: Call) -> Response:
        assert call.brand is not None
        fields = await read_fields(call.request, provider.config.max_body)
        session = shown_to[one(fields, "csrf")]
        assert session.code is not None
        consent.decide(provider, session, session.code, fields)
        issuer = provider.delegation.issuer(provider, call.brand.id)
        return provider.pages.go(f"{issuer}/done")

    consent.page["csrf"] = user_code
    provider.delegation.routes.handle("decide", decide)


@flaw("5.3-none-checked")
def grants_what_was_unchecked(provider: Provider) -> None:
    """Whatever is unchecked, all that was asked for is granted."""
    provider.delegation.consent.approved_scopes = lambda code, _fields: code.scopes


@flaw("5.3-scope-granted", "5.3-unchecked-not-granted")
def grants_everything_where_anything_is_checked(provider: Provider) -> None:
    """One box that is checked stands for all of them."""
    consent = provider.delegation.consent
    approved = consent.approved_scopes
    consent.approved_scopes = lambda code, fields: code.scopes if approved(code, fields) else ()


@flaw("5.3-none-checked")
def takes_nothing_checked_for_everything(provider: Provider) -> None:
    """An empty selection is read as no selection, and grants all that was asked for."""
    consent = provider.delegation.consent
    approved = consent.approved_scopes

    def approved_scopes(code: DeviceCode, fields: Fields) -> tuple[str, ...]:
        return approved(code, fields) or code.scopes

    consent.approved_scopes = approved_scopes


@flaw("5.3-consent-skip-covers")
def skips_consent_for_any_grant(provider: Provider) -> None:
    """Any earlier grant of the User lets the next request pass, whatever it asks for."""
    provider.delegation.consent.skipping.drop("grant_covers_every_scope")


@flaw("5.3-consent-skip-covers")
def skips_consent_where_a_scope_is_granted(provider: Provider) -> None:
    """A grant of one of the scopes lets the others pass with it."""
    provider.delegation.consent.skipping.replace(
        "grant_covers_every_scope",
        lambda grant, wanted: bool(set(grant.scopes) & set(wanted.scopes)),
    )


@flaw("5.3-consent-skip-own-grant", "5.4-sub", "5.5-other-brand-user", "5.5-retry-other-user")
def skips_consent_for_any_account(provider: Provider) -> None:
    """A grant of one account lets another one of the same agent pass."""
    provider.delegation.consent.skipping.drop("grant_is_of_this_account")


@flaw("5.3-consent-skip-own-grant", "5.4-client-id", "5.4-refresh-agent-bound")
def skips_consent_for_any_agent(provider: Provider) -> None:
    """A grant to one agent lets another one pass."""
    provider.delegation.consent.skipping.drop("grant_is_of_this_agent")


@flaw("5.3-consent-names-brand")
def calls_the_brand_otherwise_on_the_card(provider: Provider) -> None:
    """The card has a name that customers do not know from the consent page."""
    change_card(provider, lambda card: card.update(name="Zephyr Holdings Assistant"))
