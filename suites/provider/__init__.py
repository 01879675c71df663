"""Checks of a Provider, by section."""
