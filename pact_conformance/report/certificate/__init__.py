"""Self-certification: a signed bundle of what a run decided, and its verification by anybody."""
