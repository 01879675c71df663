"""The commands that have more to say than fits the command line's own module."""
