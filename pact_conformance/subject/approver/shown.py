"""A page taken apart: what there is to read, to fill, to press and to follow.

Read from HTML (`pages`) or from a live document (`browser`); `choosing` decides on it alone, so
that both decide alike.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

Pair: TypeAlias = tuple[str, str]

PRESSED = frozenset({"submit", "image", "button"})
"""Kinds of fields that a person presses."""

TYPED = frozenset({"text", "email", "tel", "url", "number", "search", "password", "textarea"})
"""Kinds of fields that a person types into."""

TICKED = frozenset({"checkbox", "radio"})


@dataclass(frozen=True)
class Field:
    """A control of a form, or one outside of all forms."""

    at: int
    """Its place among the fields of the page."""
    form: int | None
    """The place of its form among the forms of the page."""
    kind: str
    """The type of an input, else `submit`, `button`, `select` or `textarea`."""
    name: str = ""
    value: str = ""
    id: str = ""
    label: str = ""
    """What a person reads at it; of a button, its text."""
    around: str = ""
    """Further text that belongs to it and to no other field."""
    autocomplete: str = ""
    checked: bool = False
    disabled: bool = False
    readonly: bool = False
    required: bool = False
    shown: bool = True
    chosen: tuple[str, ...] = ()
    """The values of the chosen options of a select."""
    action: str | None = None
    """Where a button of its own sends the form to (`formaction`), as an absolute URL."""
    method: str | None = None
    enctype: str | None = None

    @property
    def typed(self) -> bool:
        """Whether a person can type into it."""
        return self.kind in TYPED and self.shown and not (self.disabled or self.readonly)

    @property
    def pressed(self) -> bool:
        """Whether a person can press it."""
        return self.kind in PRESSED and self.shown and not self.disabled


@dataclass(frozen=True)
class Form:
    """A form and where it is sent."""

    at: int
    action: str
    """An absolute URL."""
    method: str = "get"
    enctype: str = "application/x-www-form-urlencoded"


@dataclass(frozen=True)
class Link:
    """A link that can be followed."""

    at: int
    """Its place among the links of the page."""
    url: str
    text: str


@dataclass(frozen=True)
class Shown:
    """A page."""

    url: str
    status: int
    text: str
    """Visible text, white space collapsed."""
    forms: tuple[Form, ...] = ()
    fields: tuple[Field, ...] = ()
    links: tuple[Link, ...] = ()
    refresh: str | None = None
    """Where the page leads by itself, soon."""
    submits: bool = False
    """A script of the page submits a form."""
    scripted: bool = False
    """It has scripts at all, or asks for them."""
    exchange: str | None = field(default=None, compare=False)
    referrer: str = field(default="", compare=False)
    """The referrer policy that it declares in a `meta` element."""

    def of(self, form: Form | None) -> Iterator[Field]:
        """Yield the fields of a form, or those outside of all, in the order of the page."""
        at = None if form is None else form.at
        return (it for it in self.fields if it.form == at)
