"""Malformed requests: a good one with a few named changes (§2, §2.2, §4.1)."""
