"""`python -m pact_conformance.counterpart.personal_agent`: the agent as a program to be tested.

It reads a request of the adapter contract from each line of stdin, and writes the answer as a line
to stdout. It says on stderr by what a Provider can know it, and ends when stdin does.
"""

import argparse
import contextlib
import json
import sys
from pathlib import Path
from typing import Any

from pact_conformance.counterpart.personal_agent.adapter import Adapter, changes_of
from pact_conformance.counterpart.personal_agent.configuration import PersonalAgentConfig


def main() -> int:
    """Answer until stdin ends; 2 means that the arguments are wrong."""
    arguments = _parser().parse_args()
    config = PersonalAgentConfig(
        listen=arguments.listen,
        public_url=arguments.public_url,
        issuer=arguments.issuer,
        alg=arguments.alg,
        ca_file=arguments.ca_file,
    )
    try:
        changes = changes_of(arguments.flaw, arguments.variant)
        adapter = Adapter(config, changes=changes)
    except (KeyError, OSError, ValueError) as error:
        sys.stderr.write(f"mock personal agent: {error}\n")
        return 2
    with adapter, contextlib.suppress(KeyboardInterrupt):
        sys.stderr.write(f"issuer {adapter.issuer}\njwksUri {adapter.jwks_uri}\n")
        sys.stderr.flush()
        for line in sys.stdin:
            sys.stdout.write(json.dumps(_answer(adapter, line)) + "\n")
            sys.stdout.flush()
    return 0


def _answer(adapter: Adapter, line: str) -> dict[str, Any]:
    """Return the answer to a line, or what is wrong with it."""
    asked: Any = None
    try:
        asked = json.loads(line)
        if not isinstance(asked, dict):
            raise ValueError("expected a JSON object")  # noqa: TRY004, TRY301 - the text's fault
        return adapter.answer(asked)
    except (ValueError, RecursionError) as error:
        told = {"error": str(error)}
        return {"id": asked["id"], **told} if isinstance(asked, dict) and "id" in asked else told


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m pact_conformance.counterpart.personal_agent",
        description="A mock PACT personal agent that speaks the adapter contract on stdin.",
    )
    parser.add_argument(
        "--listen", default="127.0.0.1:0", metavar="HOST:PORT", help="where its keys are served"
    )
    parser.add_argument("--public-url", metavar="URL", help="how a Provider reaches that")
    parser.add_argument("--issuer", metavar="URL", help="by default where it serves its keys")
    parser.add_argument("--alg", choices=("ES256", "RS256"), default="ES256")
    parser.add_argument(
        "--ca-file", type=Path, metavar="FILE", help="certificates to trust besides the usual ones"
    )
    parser.add_argument("--flaw", action="append", default=[], metavar="NAME", help="repeatable")
    parser.add_argument("--variant", action="append", default=[], metavar="NAME", help="repeatable")
    return parser


if __name__ == "__main__":
    sys.exit(main())
