"""The mock Provider: the Identity profile of PACT 1.0 as a real HTTP server (§2, §3, §4, §6).

It reads as a model: `provider.py` puts the parts together, and each part says which section it
is. `serving.py` runs it, in this process or another.
"""
