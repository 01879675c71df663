"""Which box of a consent page stands for which scope (§5.3)."""

import re
from collections.abc import Iterable, Mapping

from pact_conformance.subject.approver import words
from pact_conformance.subject.approver.errand import Box, Page
from pact_conformance.subject.approver.shown import Field, Shown

LONGEST_LABEL = 1000


def scope_of(field: Field, scopes: Mapping[str, str]) -> str | None:
    """Return the requested id that a box stands for.

    Its value, name or id is the scope's id or has it in it; else its label holds the description
    of the scope, or its id.
    """
    for attribute in (field.value, field.name, field.id):
        if attribute in scopes:
            return attribute
    for attribute in (field.value, field.name, field.id):
        held = [scope for scope in scopes if mentions(attribute, scope)]
        if held:
            return max(held, key=len)
    for text in (field.label, field.around):
        told = words.normal(text)
        described = {
            scope: len(words.normal(description))
            for scope, description in scopes.items()
            if description.strip() and words.normal(description) in told
        }
        if described:
            return max(described, key=lambda scope: described[scope])
        held = [scope for scope in scopes if mentions(text, scope)]
        if held:
            return max(held, key=len)
    return None


def mentions(text: str, scope: str) -> bool:
    """Say whether a scope's id stands in a text, not as a part of another one."""
    return re.search(rf"(?<![\w:.-]){re.escape(scope)}(?![\w:-]|\.\w)", text) is not None


def boxes(fields: Iterable[Field], scopes: Mapping[str, str]) -> list[tuple[Field, Box]]:
    """Return the checkboxes, and the radio buttons that say yes to a scope."""
    found = []
    for field in fields:
        if not field.shown or field.kind not in {"checkbox", "radio"}:
            continue
        scope = scope_of(field, scopes)
        if field.kind == "radio" and (scope is None or answers(field) is not True):
            continue
        label = (field.label or field.around)[:LONGEST_LABEL]
        found.append((field, Box(field.name, field.value, label, field.checked, scope)))
    return found


def answers(field: Field) -> bool | None:
    """Say whether a radio button means yes or no; None if neither."""
    for text in (field.value, field.label):
        if words.says(text, "no"):
            return False
        if words.says(text, "yes"):
            return True
    return None


def page_of(shown: Shown, scopes: Mapping[str, str]) -> Page:
    """Return a page as a check sees it."""
    found = tuple(box for _, box in boxes(shown.fields, scopes))
    return Page(shown.url, shown.text, found, shown.status or None)
