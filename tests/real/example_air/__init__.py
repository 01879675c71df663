"""Example Air, the Provider of the PyPI package `agent-runtimes`: how it is run and judged."""
