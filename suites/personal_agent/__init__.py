"""Checks of a personal agent, by section."""
