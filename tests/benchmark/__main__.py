"""`python -m tests.benchmark`: print the figures that `docs/performance.md` keeps."""

import os
import platform
import sys

from tests.benchmark import exchanges, forged, reports, runs


def main() -> None:
    """Measure, and print Markdown."""
    print(f"{os.cpu_count()} cores, {platform.machine()}, Python {platform.python_version()}\n")
    cost = exchanges.measure()
    print("| client | requests a second |\n|---|---|")
    print(f"| bare httpx, fresh tokens | {cost.bare:.0f} |")
    print(f"| recording client, fresh tokens | {cost.recording:.0f} |\n")
    print(f"An exchange of ours takes {cost.ratio:.2f} times as long.\n")
    tokens = forged.measure()
    print("| client | forged tokens a second |\n|---|---|")
    print(f"| bare httpx, making and sending | {tokens.bare:.0f} |")
    print(f"| the fuzzing of a run | {tokens.fuzzing:.0f} |\n")
    print(f"The fuzzing takes {tokens.ratio:.2f} times as long for one.\n")
    print("| run, as a whole process | s (median) | requests | turns | decided | decided/s |")
    print("|---|---|---|---|---|---|")
    identity = ["--pact-provider=mock", "--pact-profile=identity"]
    for name, arguments, rounds in (
        ("Identity of the mock Provider", identity, runs.ROUNDS),
        ("both profiles of it", ["--pact-provider=mock"], runs.ROUNDS),
        ("both mocks, which is the default", [], runs.ROUNDS),
        ("Identity, -n 2", [*identity, "-n", "2"], runs.ROUNDS),
        (
            "Identity, a Brand that takes 2 s a turn",
            [*identity, "--pact-mock-think=2"],
            1,
        ),
    ):
        print(runs.measure(name, arguments, rounds=rounds).line)
        sys.stdout.flush()
    print("\n| exchanges | MB of memory | s | KB of page |\n|---|---|---|---|")
    print(reports.measure().line)


if __name__ == "__main__":
    main()
