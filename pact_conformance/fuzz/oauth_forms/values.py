"""Changes of what parameters hold: another client, other scopes, other codes (§5.3)."""

from collections.abc import Callable, Iterator, Mapping

from pact_conformance.fuzz.entering import kind, named
from pact_conformance.fuzz.family import Impossible
from pact_conformance.fuzz.forged_tokens import lookalikes
from pact_conformance.fuzz.forged_tokens.entering import Rewrite
from pact_conformance.fuzz.kind import Due, Kind
from pact_conformance.fuzz.oauth_forms.draft import PENDING, Draft
from pact_conformance.fuzz.oauth_forms.entering import ERRORS, READ

_CLIENT = "5.3-client-id"
_SCOPE = "5.3-unknown-scope"

# The words for each notion of a look-alike, its texts, and what is due to them.
_NOTIONS: Mapping[str, tuple[str, Mapping[str, Rewrite], Due]] = {
    "case": ("in another case ({0})", lookalikes.CASES, "refused"),
    "blank": ("with {0}", lookalikes.BLANKS, "warn-if-accepted"),
    "unseen": ("with {0}", lookalikes.UNSEEN, "refused"),
    "folded": ("with {0}", lookalikes.FOLDED, "refused"),
    "compatible": ("with {0}", lookalikes.COMPATIBLE, "refused"),
    "foreign": ("with {0}", lookalikes.FOREIGN, "refused"),
    "longer": ("with {0} behind it", lookalikes.LONGER, "refused"),
    "preceded": ("with {0} before it", lookalikes.PRECEDED, "refused"),
    "shorter": ("without {0}", lookalikes.SHORTER, "refused"),
    "encoded": ("as {0}", lookalikes.ENCODED, "refused"),
    "list": ("as {0}", lookalikes.LISTS, "refused"),
    "wildcard": ("is {0}", lookalikes.WILDCARDS, "refused"),
    "url": ("with {0}", lookalikes.URLS, "refused"),
}
_MALFORMED = frozenset({"invalid_scope", "invalid_request"})
_SEPARATORS: Mapping[str, str] = {
    "a comma": ",",
    "a semicolon": ";",
    "a plus sign": "+",
    "a bar": "|",
    "`%20`": "%20",
    "NUL": "\0",
}
# White space that OAuth does not have between scopes (RFC 6749 §3.3), and many a language has.
_BLANKS: Mapping[str, str] = {
    "a no-break space": "\u00a0",
    "a tab": "\t",
    "a line break": "\n",
    "an em space": "\u2003",
}
_SPACES: Mapping[str, Callable[[str, str], str]] = {
    "a space before them": lambda one, other: f" {one} {other}",
    "a space behind them": lambda one, other: f"{one} {other} ",
    "two spaces between them": lambda one, other: f"{one}  {other}",
    "a tab between them": lambda one, other: f"{one}\t{other}",
    "a line break between them": lambda one, other: f"{one}\n{other}",
    "each twice": lambda one, other: f"{one} {other} {one} {other}",
    "JSON around them": lambda one, other: f'["{one}","{other}"]',
}


def _changed(text: str, rewrite: Rewrite) -> str:
    changed = rewrite(text)
    if changed in {text, ""}:
        raise Impossible("it would change nothing")
    return changed


def _client(table: Mapping[str, Rewrite]) -> Callable[[Draft, str], None]:
    def apply(draft: Draft, name: str) -> None:
        draft.aim("device")
        draft.set("client_id", _changed(draft.known.issuer, table[name]))

    return apply


def _of_other(draft: Draft) -> None:
    draft.aim("device")
    draft.set("client_id", draft.known.other)


def _scope(table: Mapping[str, Rewrite]) -> Callable[[Draft, str], None]:
    def apply(draft: Draft, name: str) -> None:
        draft.aim("device")
        own = draft.known.scopes[0]
        changed = _changed(own, table[name])
        if set(changed.split()) <= set(draft.known.scopes):
            raise Impossible("the card lists these scopes")
        draft.set("scope", changed)
        draft.refusals = _MALFORMED

    return apply


def _joined(table: Mapping[str, str]) -> Callable[[Draft, str], None]:
    def apply(draft: Draft, name: str) -> None:
        draft.aim("device")
        one, *others = draft.known.scopes
        joined = f"{one}{table[name]}{(others or [one])[0]}"
        if joined in draft.known.scopes:
            raise Impossible("the card lists this scope")
        draft.set("scope", joined)
        draft.refusals = _MALFORMED

    return apply


def _spaced(draft: Draft, name: str) -> None:
    draft.aim("device")
    draft.set("scope", _SPACES[name](draft.known.scopes[0], draft.known.unknown_scope))


def _code(table: Mapping[str, Rewrite]) -> Callable[[Draft, str], None]:
    def apply(draft: Draft, name: str) -> None:
        draft.aim("token")
        draft.set("device_code", _changed(draft.known.pending()[0], table[name]))
        draft.accepted = PENDING

    return apply


def _user_code(draft: Draft) -> None:
    draft.aim("token")
    draft.set("device_code", draft.known.pending()[1])
    draft.accepted = PENDING


def _as_refresh_token(draft: Draft) -> None:
    draft.aim("refresh")
    draft.set("refresh_token", draft.known.pending()[0])
    draft.accepted = PENDING


def _look_alikes(
    what: str,
    requirement: str,
    applied: Callable[[Mapping[str, Rewrite]], Callable[[Draft, str], None]],
    **dues: Due,
) -> Iterator[Kind[Draft]]:
    """Yield a kind for each notion of a text that looks like another."""
    for notion, (words, table, due) in _NOTIONS.items():
        yield kind(
            f"{what.replace('_', '-')}-{notion}",
            f"{what} {words}",
            dues.get(notion, due),
            requirement,
            applied(table),
            "endpoint",
            "client_id",
            "scope",
            "code",
            takes=[named(table)],
        )


VALUES: tuple[Kind[Draft], ...] = (
    *_look_alikes("client_id", _CLIENT, _client),
    kind(
        "client-id-of-another",
        "the client_id of another personal agent",
        "refused",
        _CLIENT,
        _of_other,
        "endpoint",
        "client_id",
        "scope",
    ),
    *_look_alikes("scope", _SCOPE, _scope),
    kind(
        "scope-joined",
        "two scopes with {0} between them",
        # Where words are split at any white space it is as good as a space.
        lambda name: "warn-if-accepted" if name == "a no-break space" else "refused",
        _SCOPE,
        _joined(_SEPARATORS),
        "endpoint",
        "scope",
        takes=[named(_SEPARATORS)],
    ),
    kind(
        "scope-joined-blank",
        "two scopes with {0} between them",
        "warn-if-accepted",
        _SCOPE,
        _joined(_BLANKS),
        "endpoint",
        "scope",
        takes=[named(_BLANKS)],
    ),
    kind(
        "scope-spaces",
        "a scope and one that is unknown, with {0}",
        "either",
        ERRORS,
        _spaced,
        "endpoint",
        "scope",
        takes=[named(_SPACES)],
    ),
    # A code may be a number or an id that has no case to whoever issued it.
    *_look_alikes("device_code", READ, _code, case="warn-if-accepted"),
    kind(
        "user-code",
        "the user_code for a device_code",
        "refused",
        READ,
        _user_code,
        "endpoint",
        "code",
    ),
    kind(
        "code-as-refresh-token",
        "the device_code for a refresh_token",
        "refused",
        ERRORS,
        _as_refresh_token,
        "endpoint",
        "code",
    ),
)
"""The kinds of changes of what parameters hold."""
