"""From the checks' records to verdicts of requirements and profiles, and to files."""
