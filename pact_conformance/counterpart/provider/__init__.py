"""The mock Provider: PACT 1.0 as a real HTTP server (§2 to §6).

It reads as a model: `provider.py` puts the parts together, and each part says which section it
is. `serving.py` runs it, in this process or another.
"""
