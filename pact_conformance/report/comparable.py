"""Whether two reports can be held against each other: the same subject, asked the same."""

from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

from pact_conformance.report import sections

Document: TypeAlias = Mapping[str, Any]

# What stands for a counterpart of the suite's own, which has another address every time.
BUILT_IN = "the built-in mock"

# Settings that change how an answer is judged.
_JUDGING = ("strict", "operations")


def objections(old: Document, new: Document) -> tuple[str, ...]:
    """Return why a comparison of the two would mislead, each as a sentence without its end."""
    return tuple(_objections(old, new))


def same_edition(old: Document, new: Document) -> bool:
    """Say whether the same suite made both: then they have the same checks."""
    return bool(old["suite"] == new["suite"])


def subject(document: Document, role: str) -> str:
    """Return what tells a subject from others: a card's URL, an issuer, or that it is built in."""
    for it in document["subject"]:
        if it["role"] == role:
            return BUILT_IN if it.get("built_in") else str(it.get("card", it.get("issuer", "")))
    return ""


def roles(document: Document) -> tuple[str, ...]:
    """Return the roles of the subjects."""
    return tuple(it["role"] for it in document["subject"])


def _objections(old: Document, new: Document) -> Iterator[str]:
    for which, document in (("OLD", old), ("NEW", new)):
        if document["partial"]:
            yield f"{which} is of a run that was ended early"
    if old["spec"] != new["spec"]:
        yield f"{_spec(old)} is not {_spec(new)}"
    if sorted(roles(old)) != sorted(roles(new)):
        yield f"another role was tested: {_roles(old)}, then {_roles(new)}"
    for role in roles(old):
        was, now = subject(old, role), subject(new, role)
        if role in roles(new) and was != now:
            yield f"another {sections.role(role)} was tested: {was}, then {now}"
    if old["suite"]["catalogue"]["digest"] != new["suite"]["catalogue"]["digest"]:
        yield f"the catalogue is another: {_edition(old)}, then {_edition(new)}"
    for key in _JUDGING:
        was, now = _given(old, key), _given(new, key)
        if was != now:
            yield f"it was judged otherwise: {key} was {was}, then {now}"


def _spec(document: Document) -> str:
    return f"{document['spec']['name']} {document['spec']['version']}"


def _roles(document: Document) -> str:
    return " and ".join(sections.role(it) for it in roles(document)) or "none"


def _edition(document: Document) -> str:
    catalogue = document["suite"]["catalogue"]
    return f"{catalogue['version']} ({catalogue['digest'][:12]})"


def _given(document: Document, key: str) -> str:
    """Return a setting in words; a report of before the settings were told counts as usual."""
    value = document.get("settings", {}).get("given", {}).get(key)
    return "as usual" if value is None else str(value).lower()
