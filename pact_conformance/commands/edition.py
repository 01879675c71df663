"""What this installation of the suite asks, for those who hold a report against it."""

from pact_conformance.catalogue import load
from pact_conformance.report.certificate.claim import Edition
from pact_conformance.session.listing import checks_of_the_suites


def edition() -> Edition:
    """Return the requirements and every check; it takes the time of collecting the suites."""
    return Edition(load(), checks_of_the_suites())
