"""The built-in other sides: a mock Provider now, with its flaws and its legal variants."""
