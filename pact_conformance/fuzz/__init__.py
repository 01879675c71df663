"""Fuzzing that speaks PACT: examples made of named changes, each with what is due to it.

A *kind* is one named change to something good. An *example* is a few of them with their values. A
*family* makes an example, sends it and judges the answer; a *campaign* tries many. Only `rounds`
imports Hypothesis: an example that is known runs without it.
"""
