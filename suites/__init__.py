"""The checks, one file per section of the specification; `docs/` tells how to add one."""
