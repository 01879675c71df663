"""The proof of the suite: every flaw and every variant against the whole suite.

A flaw has to trip exactly the requirements that it breaks; a variant has to trip none.
"""
