"""The media types of PACT §2 and of the OAuth endpoints of §5, and how two of them are compared."""

A2A_JSON = "application/a2a+json"
"""Every A2A response has it (§2); since A2A 1.0.1 requests may have it too."""

JSON = "application/json"
"""What requests should have (§2), and what OAuth endpoints answer with (RFC 6749 §5.1)."""

FORM = "application/x-www-form-urlencoded"
"""What OAuth requests have (RFC 8628 §3.1)."""

EVENT_STREAM = "text/event-stream"
"""What a streamed A2A answer has."""


def essence(content_type: str | None) -> str:
    """Return type and subtype of a Content-Type in lower case, without its parameters.

    Media types are compared without regard to case (RFC 9110 §8.3.1). No header, or an empty one,
    gives the empty string.
    """
    if content_type is None:
        return ""
    return content_type.partition(";")[0].strip().lower()
