"""The personal agent of the PyPI package agent-runtimes, whose Provider is example_air."""
