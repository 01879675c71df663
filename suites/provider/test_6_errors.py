"""§6 Errors: decided over every exchange of the run, by the journal rules.

`pact_conformance/journal/rules` holds them: the envelope, its code, the place of the reason, the
table, no failure for bad input, and that 401, 404, 405 and 429 are no A2A errors.
"""
