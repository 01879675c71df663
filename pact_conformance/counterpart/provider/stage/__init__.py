"""The stage: a mock Provider whose Brands are opened and scripted while it runs.

A personal agent under test acts here. Each scenario opens a Brand of its own with a script, which
says what is unusual about it; everything that reaches any port is seen and kept. The Provider
knows nothing of it: `stage.py` wraps its parts from outside, as flaws and variants do.
"""
