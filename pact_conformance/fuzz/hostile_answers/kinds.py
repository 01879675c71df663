"""The kinds of changes to what a Brand answers, by what they change.

Of one answer those that add to it come before those that take it apart.
"""

from pact_conformance.fuzz.hostile_answers.cards import CARDS
from pact_conformance.fuzz.hostile_answers.draft import Draft
from pact_conformance.fuzz.hostile_answers.errors import ERRORS
from pact_conformance.fuzz.hostile_answers.flows import DEVICE, TOKENS
from pact_conformance.fuzz.hostile_answers.key_sets import KEYS
from pact_conformance.fuzz.hostile_answers.offers import METADATA, OFFERS
from pact_conformance.fuzz.hostile_answers.receipts import RECEIPTS
from pact_conformance.fuzz.hostile_answers.redirects import REDIRECTS
from pact_conformance.fuzz.hostile_answers.replies import CLOSINGS, REPLIES, STEP_UPS
from pact_conformance.fuzz.kind import Kinds

NAME = "hostile-answers"

KINDS: Kinds[Draft] = Kinds(
    NAME,
    [
        *OFFERS,
        *CARDS,
        *METADATA,
        *DEVICE,
        *TOKENS,
        *REPLIES,
        *STEP_UPS,
        *CLOSINGS,
        *RECEIPTS,
        *KEYS,
        *ERRORS,
        *REDIRECTS,
    ],
)
