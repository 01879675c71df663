"""`python -m pact_conformance` is `pact-conformance`."""

from pact_conformance.cli import main

main(prog_name="pact-conformance")
