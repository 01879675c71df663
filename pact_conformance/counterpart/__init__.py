"""The built-in other sides: a mock Provider and a mock personal agent, which can deviate."""
