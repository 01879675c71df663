"""The kinds of changes to a token, by what they change."""

from pact_conformance.fuzz.forged_tokens.draft import Draft
from pact_conformance.fuzz.forged_tokens.legal import LEGAL
from pact_conformance.fuzz.kind import Kinds

NAME = "forged-tokens"

KINDS: Kinds[Draft] = Kinds(NAME, [*LEGAL])
