"""§3.1 Registration: which personal agents a Provider knows, by which keys."""
