"""What an operator tells the agent."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, kw_only=True)
class PersonalAgentConfig:
    """Everything that is fixed when the agent starts."""

    listen: str = "127.0.0.1:0"
    """Host and port of the agent's own server, which publishes its keys; 0 lets the system
    choose."""
    public_url: str | None = None
    """The base URL that others use, where it is not the address listened on."""
    issuer: str | None = None
    """What goes into `iss` (§3.1); None: the base URL of the agent's own server."""
    alg: str = "ES256"
    """ES256 or RS256, the algorithm of new keys."""
    ca_file: Path | None = None
    """Certificates to trust besides the usual ones."""
    token_seconds: int = 120
    """How long a personal-agent JWT lives (§3.2)."""
    answer_seconds: float = 60.0
    """How long the agent waits for the reply to a message."""
    document_seconds: float = 10.0
    """How long it waits for any other answer."""
    longest_pause: float = 120.0
    """The longest `Retry-After` that it waits for instead of giving up (§6)."""
    longest_sign_in: float = 3600.0
    """How long it polls at most, whatever the Brand says that a code lives."""
