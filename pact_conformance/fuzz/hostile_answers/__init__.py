"""Answers of a Provider with named changes: what a personal agent under test makes of them."""
