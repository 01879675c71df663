"""`python -m pact_conformance.counterpart.provider`: the mock Provider as a program.

It prints one line of JSON when it accepts connections, and nothing else on stdout.
"""

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from pact_conformance.counterpart.provider.configuration import ProviderConfig
from pact_conformance.counterpart.provider.serving import serve


def main() -> int:
    """Serve as the arguments say; 2 means that they or the configuration are wrong."""
    arguments = _parser().parse_args()
    try:
        config = _configuration(arguments)
        if arguments.think is not None:
            config = replace(config, think_seconds=arguments.think)
    except (OSError, ValueError) as error:
        sys.stderr.write(f"mock Provider: {error}\n")
        return 2
    serve(
        config,
        log=arguments.log,
        announce=_announce,
        flaws=arguments.flaw,
        variants=arguments.variant,
        stdin=sys.stdin if arguments.exit_with_stdin else None,
    )
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m pact_conformance.counterpart.provider",
        description="A mock PACT Provider.",
    )
    parser.add_argument(
        "--config",
        metavar="FILE",
        help="configuration as JSON; - reads it from stdin (one line with --exit-with-stdin)",
    )
    parser.add_argument(
        "--exit-with-stdin", action="store_true", help="end when stdin closes, as with its parent"
    )
    parser.add_argument(
        "--think",
        type=float,
        metavar="SECONDS",
        help="the Brands' agents talk like a model, and take up to so long for each reply",
    )
    parser.add_argument("--log", action="store_true", help="one line a request on stderr")
    parser.add_argument(
        "--flaw",
        action="append",
        default=[],
        choices=_Names(_flaws),
        metavar="NAME",
        help="repeatable",
    )
    parser.add_argument(
        "--variant",
        action="append",
        default=[],
        choices=_Names(_variants),
        metavar="NAME",
        help="repeatable",
    )
    return parser


class _Names:
    """Names that are loaded when one is looked for: most Providers have no flaw."""

    def __init__(self, load: Callable[[], Mapping[str, object]]) -> None:
        self._load = load

    def __contains__(self, name: object) -> bool:
        return name in self._load()

    def __iter__(self) -> Iterator[str]:
        return iter(self._load())


def _flaws() -> Mapping[str, object]:
    from pact_conformance.counterpart import (  # noqa: PLC0415 - see above
        advice_flaws,
        flaws,
        subtle_flaws,
    )

    rooms = (flaws, subtle_flaws, advice_flaws)
    return {name: it for room in rooms for name, it in room.of("provider").items()}


def _variants() -> Mapping[str, object]:
    from pact_conformance.counterpart import variants  # noqa: PLC0415 - see above

    return variants.of("provider")


def _configuration(arguments: argparse.Namespace) -> ProviderConfig:
    if arguments.config is None:
        return ProviderConfig()
    if arguments.config != "-":
        return ProviderConfig.from_json(Path(arguments.config).read_text(encoding="utf-8"))
    text = sys.stdin.readline() if arguments.exit_with_stdin else sys.stdin.read()
    return ProviderConfig.from_json(text)


def _announce(ready: Mapping[str, Any]) -> None:
    sys.stdout.write(json.dumps(ready) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
