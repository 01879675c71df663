"""Changes that leave a token good, though unusual: whoever refuses everything fails at these."""

from pact_conformance.fuzz.forged_tokens.draft import Draft
from pact_conformance.fuzz.kind import Kind

LEGAL: tuple[Kind[Draft], ...] = (
    Kind(
        id="jti-missing",
        words="no jti",
        due="accepted",
        requirement="3.2-jti-optional",
        apply=lambda draft: draft.claims.remove("jti"),
        slots=("claims.jti",),
    ),
)
