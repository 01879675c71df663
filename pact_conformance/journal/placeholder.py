"""What stands in the journal where a secret stood: its name in single angle quotation marks."""

OPEN = "\N{SINGLE LEFT-POINTING ANGLE QUOTATION MARK}"
CLOSE = "\N{SINGLE RIGHT-POINTING ANGLE QUOTATION MARK}"


def placeholder(name: str) -> str:
    """Return what stands for a secret of this name."""
    return f"{OPEN}{name}{CLOSE}"


PA_JWT = placeholder("pa-jwt")
DELEGATION_TOKEN = placeholder("delegation-token")
VERIFICATION_LINK = placeholder("verification-link")
JWS = placeholder("jws")
