"""The conformance suite and compliance harness for PACT 1.0 (Personal Agent Consent & Trust)."""
