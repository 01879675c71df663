"""The headings of PACT 1.0, by section, so that a report reads like its contents."""

from collections.abc import Mapping
from types import MappingProxyType

TITLES: Mapping[str, str] = MappingProxyType(
    {
        "1": "Terms",
        "2": "Transport",
        "2.1": "Agent Card",
        "2.2": "Operations",
        "3": "Personal agent identity",
        "3.1": "Registration",
        "3.2": "Personal-agent JWT",
        "3.3": "What the personal-agent JWT proves",
        "3.4": "Failure",
        "4": "Messages",
        "4.1": "Request",
        "4.2": "Context",
        "4.3": "Retries",
        "5": "Delegated authority",
        "5.1": "Card",
        "5.2": "Scopes",
        "5.3": "Getting a token",
        "5.4": "Delegation token",
        "5.5": "Sending with it",
        "5.6": "Receipts",
        "6": "Errors",
        "7": "Conformance",
        "7.1": "Implementing",
    }
)

ROLES: Mapping[str, str] = MappingProxyType(
    {"provider": "Provider", "personal-agent": "Personal agent"}
)


def title(section: str) -> str:
    """Return `3.2 Personal-agent JWT`; an unknown section is called by its number alone."""
    return f"{section} {TITLES.get(section, '')}".rstrip()


def role(name: str) -> str:
    """Return how people call a role."""
    return ROLES.get(name, name)


def profile(key: str) -> str:
    """Return how people call a profile by its key in a report: `PACT Identity`.

    That of a personal agent, `agent-identity`, is `PACT Identity of the personal agent`.
    """
    name = key.removeprefix("agent-")
    called = "PACT " + " ".join(word.capitalize() for word in name.split("-"))
    return called if name == key else f"{called} of the personal agent"
