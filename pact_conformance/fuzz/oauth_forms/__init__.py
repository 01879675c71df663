"""OAuth forms: requests to a Brand's authorization server with a few named changes (§5.3, §6)."""
