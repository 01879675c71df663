"""Changes of iss and aud: look-alikes of the registered text (§3.1, §3.2)."""

from collections.abc import Callable, Iterator, Mapping

from pact_conformance.fuzz.entering import named
from pact_conformance.fuzz.forged_tokens import lookalikes
from pact_conformance.fuzz.forged_tokens.draft import Draft
from pact_conformance.fuzz.forged_tokens.entering import Rewrite, changed, kind
from pact_conformance.fuzz.kind import Kind

# The words for each notion of a look-alike, and its texts.
_NOTIONS: Mapping[str, tuple[str, Mapping[str, Rewrite]]] = {
    "case": ("in another case ({0})", lookalikes.CASES),
    "blank": ("with {0}", lookalikes.BLANKS),
    "unseen": ("with {0}", lookalikes.UNSEEN),
    "folded": ("with {0}", lookalikes.FOLDED),
    "compatible": ("with {0}", lookalikes.COMPATIBLE),
    "foreign": ("with {0}", lookalikes.FOREIGN),
    "longer": ("with {0} behind it", lookalikes.LONGER),
    "preceded": ("with {0} before it", lookalikes.PRECEDED),
    "shorter": ("without {0}", lookalikes.SHORTER),
    "encoded": ("as {0}", lookalikes.ENCODED),
    "list": ("as {0}", lookalikes.LISTS),
    "wildcard": ("is {0}", lookalikes.WILDCARDS),
    "url": ("with {0}", lookalikes.URLS),
}


def _rewritten(claim: str, table: Mapping[str, Rewrite]) -> Callable[[Draft, str], None]:
    def apply(draft: Draft, name: str) -> None:
        own = draft.caller.issuer if claim == "iss" else draft.caller.audience
        draft.claims.set(claim, changed(own, table[name](own)))

    return apply


def _look_alikes(claim: str) -> Iterator[Kind[Draft]]:
    # An open Provider may know a personal agent by any issuer whose keys can be found.
    needs = ["closed"] if claim == "iss" else []
    for notion, (words, table) in _NOTIONS.items():
        yield kind(
            f"{claim}-{notion}",
            f"{claim} {words}",
            "refused",
            f"3.2-{claim}",
            _rewritten(claim, table),
            f"claims.{claim}",
            takes=[named(table)],
            needs=needs,
        )


NAMES: tuple[Kind[Draft], ...] = (*_look_alikes("iss"), *_look_alikes("aud"))
