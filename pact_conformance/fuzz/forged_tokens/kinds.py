"""The kinds of changes to a token, by what they change."""

from pact_conformance.fuzz.forged_tokens.algorithms import ALGORITHMS
from pact_conformance.fuzz.forged_tokens.claims import CLAIMS
from pact_conformance.fuzz.forged_tokens.draft import Draft
from pact_conformance.fuzz.forged_tokens.headers import HEADERS
from pact_conformance.fuzz.forged_tokens.joining import JOINING
from pact_conformance.fuzz.forged_tokens.keys import KEYS
from pact_conformance.fuzz.forged_tokens.names import NAMES
from pact_conformance.fuzz.forged_tokens.segments import SEGMENTS
from pact_conformance.fuzz.forged_tokens.signatures import SIGNATURES
from pact_conformance.fuzz.forged_tokens.times import TIMES
from pact_conformance.fuzz.forged_tokens.writing import WRITING
from pact_conformance.fuzz.kind import Kinds

NAME = "forged-tokens"

KINDS: Kinds[Draft] = Kinds(
    NAME,
    [
        *ALGORITHMS,
        *KEYS,
        *HEADERS,
        *CLAIMS,
        *NAMES,
        *TIMES,
        *SIGNATURES,
        *WRITING,
        *SEGMENTS,
        *JOINING,
    ],
)
