"""Forged tokens: a good personal-agent JWT (§3.2) with a few named changes."""
