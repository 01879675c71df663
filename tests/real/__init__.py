"""Third-party subjects: the suite held against implementations that nobody wrote for it."""
