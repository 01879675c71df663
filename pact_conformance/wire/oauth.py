"""What OAuth's device code flow writes on the wire (RFC 6749, RFC 8628), as far as PACT uses it."""

DEVICE_CODE_GRANT = "urn:ietf:params:oauth:grant-type:device_code"
"""The `grant_type` of a poll (RFC 8628 §3.4)."""

REFRESH_TOKEN_GRANT = "refresh_token"  # noqa: S105 - RFC 6749 §6
"""The `grant_type` of a refresh."""
