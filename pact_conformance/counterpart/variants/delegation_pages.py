"""Legal consent pages: boxes, buttons and words (§5.3)."""

import re
from collections.abc import Mapping
from html import escape
from typing import Any

from starlette.responses import Response

from pact_conformance.counterpart.provider.call import Call
from pact_conformance.counterpart.provider.delegation import consent, consent_pages
from pact_conformance.counterpart.provider.delegation.codes import DeviceCode
from pact_conformance.counterpart.provider.delegation.consent import Fields
from pact_conformance.counterpart.provider.operations import Operation
from pact_conformance.counterpart.provider.provider import Provider
from pact_conformance.counterpart.variants.delegation_changes import change_page
from pact_conformance.counterpart.variants.registry import variant

View = Mapping[str, Any]

_CHOICES = re.compile(r"<fieldset>.*?</fieldset>", re.DOTALL)
_BUTTONS = re.compile(r'<div class="buttons">.*?</div>', re.DOTALL)


def _choices(provider: Provider, html: str) -> None:
    """Put other HTML in the place of the boxes; `{id}` and `{description}` stand for a scope's."""

    def change(page: str, view: View) -> str:
        rows = "\n".join(
            html.format(n=number, id=escape(scope), description=escape(description))
            for number, (scope, description) in enumerate(view["scopes"].items())
        )
        return _CHOICES.sub(lambda _: f"<div>{rows}</div>", page)

    change_page(provider, "consent", change)


def _buttons(provider: Provider, html: str) -> None:
    change_page(provider, "consent", lambda page, _view: _BUTTONS.sub(lambda _: html, page))


# Boxes


@variant()
def ticks_no_box_at_first(provider: Provider) -> None:
    """The boxes of the consent page are empty at first."""
    provider.delegation.consent.page["ticked"] = lambda *_: ()


@variant()
def labels_boxes_by_aria(provider: Provider) -> None:
    """A box has its description as an aria-label, and beside it as text."""
    _choices(
        provider,
        '<p><input type="checkbox" name="scope" value="{id}" aria-label="{description}" checked>'
        " {description}</p>",
    )


@variant()
def labels_boxes_from_elsewhere(provider: Provider) -> None:
    """A box is labelled by an element before it, and its value says nothing."""
    _choices(
        provider,
        '<span id="d{n}">{description}</span> <input type="checkbox" name="scope" value="{n}"'
        ' aria-labelledby="d{n}">',
    )
    _read_values(provider, "scope")


def _read_values(provider: Provider, name: str) -> None:
    """Take the numbers that boxes send for scopes."""

    def approved(code: DeviceCode, fields: Fields) -> tuple[str, ...]:
        ticked = fields.get(name, [])
        return tuple(it for number, it in enumerate(code.scopes) if str(number) in ticked)

    provider.delegation.consent.approved_scopes = approved


@variant()
def lays_boxes_out_in_a_table(provider: Provider) -> None:
    """Boxes and descriptions stand in the rows of a table, with values that say nothing."""

    def change(page: str, view: View) -> str:
        rows = "".join(
            f'<tr><td><input type="checkbox" name="s" value="{number}" checked></td>'
            f"<th>{escape(description)}</th></tr>"
            for number, description in enumerate(view["scopes"].values())
        )
        head = "<thead><tr><th>May</th><th>What</th></tr></thead>"
        return _CHOICES.sub(lambda _: f"<table>{head}<tbody>{rows}</tbody></table>", page)

    change_page(provider, "consent", change)
    _read_values(provider, "s")


@variant()
def names_boxes_by_scope(provider: Provider) -> None:
    """A box is named by its scope and sends on."""
    _choices(
        provider,
        '<label>{description} <input type="checkbox" name="scopes[{id}]" checked></label>',
    )

    def approved(code: DeviceCode, fields: Fields) -> tuple[str, ...]:
        return tuple(it for it in code.scopes if f"scopes[{it}]" in fields)

    provider.delegation.consent.approved_scopes = approved


@variant()
def sends_a_zero_for_an_empty_box(provider: Provider) -> None:
    """Before each box a hidden field of its name says 0, as frameworks have it."""
    _choices(
        provider,
        '<input type="hidden" name="grant[{n}]" value="0"><input type="checkbox" id="g{n}"'
        ' name="grant[{n}]" value="1" checked> <label for="g{n}">{description}</label>',
    )

    def approved(code: DeviceCode, fields: Fields) -> tuple[str, ...]:
        return tuple(
            it
            for number, it in enumerate(code.scopes)
            if fields.get(f"grant[{number}]", [])[-1:] == ["1"]
        )

    provider.delegation.consent.approved_scopes = approved


@variant()
def asks_for_other_things_beside(provider: Provider) -> None:
    """The consent page has a box for the newsletter, a box to be remembered, and a language."""
    more = (
        '<label><input type="checkbox" name="newsletter"> Send me the newsletter</label>'
        '<label><input type="checkbox" name="remember" checked> Remember this device</label>'
        '<select name="lang"><option>English</option><option>Deutsch</option></select>'
    )
    change_page(
        provider,
        "consent",
        lambda page, _view: page.replace('<div class="buttons">', f'{more}<div class="buttons">'),
    )


@variant()
def explains_scopes_at_length(provider: Provider) -> None:
    """Beside each description there is a heading, markup and a further text."""
    _choices(
        provider,
        '<label class="c"><input type="checkbox" name="scope" value="{id}" checked><b>{id}</b>'
        "<br><em>{description}</em><br><small>Until you take it back.</small></label>",
    )


# Buttons


@variant()
def refuses_by_a_link(provider: Provider) -> None:
    """The User refuses by a link, which is called No thanks."""
    _buttons(
        provider,
        '<button name="decision" value="approve">Allow</button> <a href="refusal">No thanks</a>',
    )

    async def refuse(provider: Provider, call: Call) -> Response:
        assert call.brand is not None
        _, code = consent_pages.flow_of(provider, call, call.brand)
        if code.decision == "pending":
            code.deny()
        return provider.pages.go(f"{provider.delegation.issuer(provider, call.brand.id)}/done")

    provider.delegation.routes.add(
        Operation("refusal", "GET", "/oauth/refusal", refuse, public=True, is_a2a=False)
    )


@variant()
def refuses_by_another_form(provider: Provider) -> None:
    """The User refuses by a form of its own, above that of the boxes."""
    refusal = (
        '<form method="post"><input type="hidden" name="csrf" value="{}">'
        '<input type="hidden" name="decision" value="deny"><button>Not now, cancel</button></form>'
    )
    _buttons(provider, '<button name="decision" value="approve">Continue</button>')
    change_page(
        provider,
        "consent",
        lambda page, view: page.replace(
            '<form method="post">', f'{refusal.format(view["csrf"])}<form method="post">', 1
        ),
    )


@variant()
def calls_buttons_otherwise(provider: Provider) -> None:
    """The buttons are called Accept and continue, and Decline; the one that refuses is first."""
    _buttons(
        provider,
        '<input type="submit" name="decision" value="deny" aria-label="Decline" alt="Decline">'
        '<button type="submit" name="decision" value="approve"><b>Accept</b> and continue</button>',
    )


# Pages


@variant()
def speaks_german(provider: Provider) -> None:
    """The pages are in German."""
    words = {
        "Let your assistant act for you?": "Darf Ihr Assistent für Sie handeln?",
        ">Allow<": ">Erlauben<",
        ">Refuse<": ">Ablehnen<",
        "Sign in": "Anmelden",
        "User name": "Benutzername",
        ">Password<": ">Passwort<",
        ">Continue<": ">Weiter<",
        ">Refused<": ">Abgelehnt<",
        ">Done<": ">Fertig<",
    }
    _translate(provider, words)


@variant()
def speaks_japanese(provider: Provider) -> None:
    """The pages are in Japanese."""
    words = {
        "Let your assistant act for you?": "アシスタントに許可しますか?",
        ">Allow<": ">許可<",
        ">Refuse<": ">拒否<",
        "Sign in": "サインイン",
        "User name": "ユーザー名",
        ">Password<": ">パスワード<",
        ">Continue<": ">続ける<",
        ">Refused<": ">拒否しました<",
        ">Done<": ">完了<",
    }
    _translate(provider, words)


def _translate(provider: Provider, words: Mapping[str, str]) -> None:
    def change(page: str, _view: View) -> str:
        for english, other in words.items():
            page = page.replace(english, other)
        return page

    for name in ("login", "hand_over", "consent", "done"):
        change_page(provider, name, change)


@variant()
def shouts_its_html(provider: Provider) -> None:
    """The tags and attributes of the pages are in capitals, and values have no quotes."""

    def change(page: str, _view: View) -> str:
        page = re.sub(r'="([\w-]+)"', r"=\1", page)
        page = re.sub(r"</?[a-z0-9]+", lambda it: it[0].upper(), page)
        return re.sub(r" (name|value|type|method|action|id|for)=", lambda it: it[0].upper(), page)

    for name in ("login", "consent", "done"):
        change_page(provider, name, change)


@variant()
def shows_origins_without_scheme(provider: Provider) -> None:
    """The consent page shows the host of the agent's issuer in capitals, without the scheme."""
    provider.delegation.consent.page["agent"] = lambda _provider, _session, code: (
        consent.agent_origin(code.client_id).partition("://")[2].upper()
    )


@variant()
def shows_the_whole_issuer(provider: Provider) -> None:
    """The consent page shows the agent's issuer in pieces of markup, and a name before it."""

    def change(page: str, view: View) -> str:
        scheme, _, host = view["agent"].partition("://")
        shown = f"Your Assistant (<span>{scheme}://</span><b>{host}</b>/)"
        return page.replace(f'<strong class="agent">{view["agent"]}</strong>', shown)

    change_page(provider, "consent", change)
