"""Which button approves and which denies, by what is written on it."""

import pytest

from pact_conformance.subject.approver.boxes import mentions, scope_of
from pact_conformance.subject.approver.buttons import side
from pact_conformance.subject.approver.shown import Field
from pact_conformance.subject.approver.words import is_named

PAIRS = [
    ("Allow", "Deny"),
    ("Allow access", "Don\N{RIGHT SINGLE QUOTATION MARK}t allow"),
    ("Yes, I approve", "No thanks"),
    ("AUTHORIZE Acme", "Cancel"),
    ("Accept", "Decline"),
    ("Zugriff erlauben", "Nicht erlauben"),
    ("Zulassen", "Ablehnen"),
    ("Autoriser", "Ne pas autoriser"),
    ("Permitir", "No permitir"),
    ("Consenti", "Annulla"),
    ("Toestaan", "Weigeren"),
    ("Zezwól", "Odmów"),
    ("Godkänn", "Avbryt"),
    ("Разрешить", "Отклонить"),
    ("允许", "拒绝"),
    ("許可", "許可しない"),
    ("허용", "거부"),
    ("موافقة", "رفض"),
]


@pytest.mark.parametrize(("approve", "deny"), PAIRS)
def test_a_pair_of_buttons_is_understood(approve: str, deny: str) -> None:
    assert side(Field(0, 0, "submit", label=approve)) == "approve"
    assert side(Field(0, 0, "submit", label=deny)) == "deny"


@pytest.mark.parametrize("text", ["Weiter", "Frobnicate", "Knowledge", "Disallowance", ""])
def test_others_say_neither(text: str) -> None:
    assert side(Field(0, 0, "submit", label=text)) is None


@pytest.mark.parametrize("text", ["Log out", "Revoke", "Abmelden", "Manage cookies", "撤销"])
def test_what_leads_aside_is_neither(text: str) -> None:
    assert side(Field(0, 0, "submit", label=text)) == "aside"


def test_value_name_and_id_say_it_where_the_text_does_not() -> None:
    assert side(Field(0, 0, "submit", label="Weiter", value="approve")) == "approve"
    assert side(Field(0, 0, "submit", label="Weiter", id="btn-deny")) == "deny"


def test_what_the_tester_names_is_found_as_words() -> None:
    assert is_named(["Continue as Jane"], ["continue AS jane"])
    assert is_named(["Yes, continue"], ["continue"])
    assert not is_named(["Discontinue"], ["continue"])
    assert not is_named([""], [""])


SCOPES = {"orders:read": "Look up your orders", "orders:readall": "Look up your orders of all time"}


@pytest.mark.parametrize(
    ("field", "scope"),
    [
        ({"value": "orders:read"}, "orders:read"),
        ({"name": "orders:readall", "value": "on"}, "orders:readall"),
        ({"name": "scope[orders:read]"}, "orders:read"),
        ({"id": "orders:read"}, "orders:read"),
        ({"label": "look up YOUR  orders"}, "orders:read"),
        ({"label": "Look up your orders of all time"}, "orders:readall"),
        ({"around": "Look up your orders (3)"}, "orders:read"),
        ({"label": "orders:readall"}, "orders:readall"),
        ({"label": "orders:readable"}, None),
        ({"value": "orders"}, None),
        ({}, None),
    ],
)
def test_which_scope_a_box_stands_for(field: dict[str, str], scope: str | None) -> None:
    assert scope_of(Field(0, 0, "checkbox", **field), SCOPES) == scope  # type: ignore[arg-type]


def test_an_id_ends_where_another_would_go_on() -> None:
    assert mentions("may: orders:read.", "orders:read")
    assert not mentions("orders:read.mine", "orders:read")
    assert not mentions("my-orders:read", "orders:read")
