"""What the buttons of a page mean."""

from collections.abc import Sequence
from typing import Literal

from pact_conformance.subject.approver import words
from pact_conformance.subject.approver.shown import Field

Side = Literal["approve", "deny", "aside"]


def side(it: Field) -> Side | None:
    """Say what a button means by what is written on it, else by its value, name and id."""
    for text in (it.label, it.value, it.name, it.id):
        if words.says(text, "deny"):
            return "deny"
        if words.says(text, "aside"):
            return "aside"
        if words.says(text, "approve"):
            return "approve"
    return None


def is_foreign(it: Field) -> bool:
    """Say whether a button signs in by other means than the account's password."""
    return any(words.says(text, "otherwise") for text in (it.label, it.value, it.name))


def confirming(buttons: Sequence[Field], *, deny: bool) -> Field | None:
    """Return the button that confirms a decision, where a page asks whether it is meant.

    A consent may take two steps (§5.3). A page asks where there is a choice: with one button that
    takes the decision back, and one that does not; or with a single button that goes on.

    Args:
        buttons: of a form that has nothing to fill in.
        deny: whether the decision was to refuse.
    """
    meant = [it for it in buttons if side(it) != "aside"]
    refusing = [it for it in meant if side(it) == "deny"]
    others = [it for it in meant if side(it) != "deny"]
    if len(buttons) == 1 and len(others) == 1 and side(others[0]) is None:
        written = others[0].label or others[0].value
        return others[0] if words.says(written, "go_on") else None
    if deny:
        return refusing[0] if len(refusing) == 1 and not others and len(buttons) > 1 else None
    return others[0] if len(others) == 1 and refusing else None
