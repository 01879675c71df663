"""The mock personal agent: PACT 1.0 as an agent that speaks for Users has to speak it.

A model implementation of both profiles, Identity and Delegated, in parts that can be exchanged.
"""
