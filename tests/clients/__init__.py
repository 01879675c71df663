"""Clients that nobody here wrote drive the mock Provider: A2A SDK, OAuth library, browser."""
