"""Advice beyond the specification, opt-in: no profile rests on any of it."""
