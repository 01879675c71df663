"""How the kinds of this family are entered, in a line or two each."""

from collections.abc import Iterable
from typing import Any

from pact_conformance.fuzz.entering import Apply, kind
from pact_conformance.fuzz.kind import Kind, OneOf
from pact_conformance.fuzz.oauth_forms.draft import Draft

ERRORS = "6-oauth-errors"
"""What is broken where any OAuth error is right, and something else comes."""
READ = "5.3-unknown-device-code"
"""What is broken where a good poll is not read for the code that is in it."""


def either(id_: str, words: str, apply: Apply, slot: str, values: Iterable[str]) -> Kind[Draft]:
    """Return a kind of which a Provider, or a server in front of it, may make what it likes."""

    def applied(draft: Draft, *taken: Any) -> None:  # noqa: ANN401 - a change's
        draft.of_http = True
        apply(draft, *taken)

    listed = tuple(values)
    return kind(
        id_, words, "either", ERRORS, applied, slot, takes=[OneOf(listed)] if listed else []
    )
