"""What takes too long for every change: programs that `.ci/nightly` runs."""
