"""Checks that try many examples: only in runs that are to fuzz."""
