"""The kinds of changes to an OAuth request, by what they change."""

from pact_conformance.fuzz.kind import Kinds
from pact_conformance.fuzz.oauth_forms.draft import Draft
from pact_conformance.fuzz.oauth_forms.parameters import PARAMETERS
from pact_conformance.fuzz.oauth_forms.values import VALUES
from pact_conformance.fuzz.oauth_forms.writing import WRITING

NAME = "oauth-forms"

KINDS: Kinds[Draft] = Kinds(NAME, [*PARAMETERS, *VALUES, *WRITING])
