"""Measurements of the suite on the machine at hand: `python -m tests.benchmark`."""
