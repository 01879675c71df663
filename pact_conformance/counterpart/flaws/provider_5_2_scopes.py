"""Flaws of §5.2: what the card lists, what needs a scope, and what the User reads of it."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from pact_conformance.counterpart.flaws.registry import flaw
from pact_conformance.counterpart.provider.brand_agent import Reply, Turn
from pact_conformance.counterpart.provider.card import DELEGATION
from pact_conformance.counterpart.provider.conversations import Conversation
from pact_conformance.counterpart.provider.provider import Provider
from pact_conformance.counterpart.provider.refusals import A2ARefusal
from pact_conformance.counterpart.substitution import TASK, Document, change_card

Scopes = dict[str, Any]


def _change_scopes(provider: Provider, change: Callable[[Scopes], object]) -> None:
    """Let `change` work on the scopes of each card, or put others in their place."""

    def work(card: Document) -> None:
        scheme = card["securitySchemes"][DELEGATION]["oauth2SecurityScheme"]
        flow = scheme["flows"]["deviceCode"]
        replaced = change(flow["scopes"])
        if replaced is not None:
            flow["scopes"] = replaced

    change_card(provider, work)


@flaw("5.2-scopes-on-card")
def calls_a_scope_by_two_words(provider: Provider) -> None:
    """A scope has a space in its id, so that a request for it asks for two."""
    _change_scopes(provider, lambda it: it.update({"orders history": "Look up old orders"}))


@flaw("5.2-scopes-on-card")
def calls_a_scope_by_a_letter_that_oauth_cannot_carry(provider: Provider) -> None:
    """A scope has a letter in its id that is not of ASCII."""
    _change_scopes(provider, lambda it: it.update({"größe:ändern": "Change the size"}))


@flaw("5.2-scopes-on-card")
def describes_a_scope_by_nothing(provider: Provider) -> None:
    """One scope has an empty description."""
    _change_scopes(provider, lambda it: it.update({"invoices:read": " "}))


@flaw("2.1-card-schema", "5.2-scopes-on-card")
def describes_a_scope_by_an_object(provider: Provider) -> None:
    """One scope has its description in several languages."""
    text = {"en": "See your invoices", "de": "Ihre Rechnungen sehen"}
    _change_scopes(provider, lambda it: it.update({"invoices:read": text}))


@flaw("2.1-card-schema", "5.1-scheme", "5.2-scopes-on-card")
def lists_the_scopes_as_an_array(provider: Provider) -> None:
    """The scopes are an array of objects with `id` and `description`."""
    _change_scopes(
        provider,
        lambda scopes: [{"id": it, "description": text} for it, text in scopes.items()],
    )


def _is_about_nothing_mapped(turn: Turn) -> bool:
    return turn.authority is None and "opening hours" in turn.text.casefold()


@flaw("5.2-unmapped-stays")
def asks_for_delegation_whatever_is_asked(provider: Provider) -> None:
    """Whoever asks for something that needs no scope gets a task that waits for authorization."""
    talk, answer_with = provider.brand_agent, provider.conduct.answer

    async def agent(turn: Turn) -> Reply:
        reply = await talk(turn)
        waits = _is_about_nothing_mapped(turn)
        return replace(reply, missing_scopes=("orders:read",)) if waits else reply

    def answer(conversation: Conversation, reply: Reply) -> object:
        if not reply.missing_scopes:
            return answer_with(conversation, reply)
        status = {"state": "TASK_STATE_AUTH_REQUIRED"}
        return {"task": {**TASK, "contextId": conversation.id, "status": status}}

    provider.brand_agent = agent
    provider.conduct = replace(provider.conduct, answer=answer)


@flaw("5.2-unmapped-stays")
def refuses_what_no_scope_is_mapped_to(provider: Provider) -> None:
    """Without a token the Brand's agent does not even say when the shop is open."""
    talk = provider.brand_agent

    async def agent(turn: Turn) -> Reply:
        if _is_about_nothing_mapped(turn):
            raise A2ARefusal("UNSUPPORTED_OPERATION", "Delegation is needed")
        return await talk(turn)

    provider.brand_agent = agent


def _show_scopes(provider: Provider, text: Callable[[str, str], str]) -> None:
    page = provider.delegation.consent.page
    shown = page["scopes"]

    def scopes(*arguments: Any) -> object:  # noqa: ANN401 - handed on as they are
        described: Any = shown(*arguments)
        assert isinstance(described, Mapping)
        return {scope: text(scope, description) for scope, description in described.items()}

    page["scopes"] = scopes


@flaw("5.2-descriptions-verbatim")
def shows_ids_in_place_of_descriptions(provider: Provider) -> None:
    """The consent page shows the ids of the scopes alone."""
    _show_scopes(provider, lambda scope, _description: scope)


@flaw("5.2-descriptions-verbatim")
def shortens_descriptions(provider: Provider) -> None:
    """The consent page cuts the descriptions off after twenty letters."""
    _show_scopes(provider, lambda _scope, description: f"{description[:20]}…")


@flaw("5.2-descriptions-verbatim")
def words_descriptions_otherwise(provider: Provider) -> None:
    """The consent page says the same in other words than the card."""
    _show_scopes(provider, lambda _scope, description: description.replace(" order", " purchase"))


@flaw("5.2-descriptions-verbatim")
def describes_scopes_otherwise_on_the_card(provider: Provider) -> None:
    """The card has the descriptions of a later version than the consent page."""
    _change_scopes(
        provider, lambda scopes: {scope: f"{text} (beta)" for scope, text in scopes.items()}
    )
