"""The kinds of changes to a request, by what they change."""

from pact_conformance.fuzz.kind import Kinds
from pact_conformance.fuzz.malformed_requests.draft import Draft
from pact_conformance.fuzz.malformed_requests.headers import HEADERS
from pact_conformance.fuzz.malformed_requests.operations import OPERATIONS
from pact_conformance.fuzz.malformed_requests.routes import ROUTES
from pact_conformance.fuzz.malformed_requests.shapes import SHAPES
from pact_conformance.fuzz.malformed_requests.values import VALUES
from pact_conformance.fuzz.malformed_requests.writing import WRITING

NAME = "malformed-requests"

KINDS: Kinds[Draft] = Kinds(NAME, [*OPERATIONS, *SHAPES, *VALUES, *WRITING, *ROUTES, *HEADERS])
