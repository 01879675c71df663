"""Why a request is not served. Each is raised where it is found and answered in one place.

Refusal
├── A2ARefusal        an A2A error with its envelope (§6)
├── Unauthenticated   401 (§3.4)
├── NoSuchBrand       404 without A2A body (§2.1, §2.2)
├── NoSuchRoute       404 without A2A body (§2.2)
├── WrongMethod       405 without A2A body (§2.2)
├── RateLimited       429 with Retry-After (§6)
├── BadDelegation     401 for a delegation token (§5.5)
├── OAuthRefusal      an OAuth error (RFC 6749 §5.2, RFC 8628 §3.5)
└── PageRefusal       a page that tells a person why not (§5.3)
"""

from collections.abc import Sequence


class Refusal(Exception):  # noqa: N818 - a refusal is an ordinary answer, no error of ours
    """A request is not served."""


class A2ARefusal(Refusal):
    """A refusal that the caller gets as an A2A error with `reason` (§6)."""

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(f"{reason}: {message}")
        self.reason = reason
        self.message = message


class Unauthenticated(Refusal):
    """The caller did not prove who it is (§3.4). The text is for the log; nobody else sees it."""


class NoSuchBrand(Refusal):
    """The path names a Brand that the Provider does not host."""


class NoSuchRoute(Refusal):
    """The path is no A2A operation."""


class WrongMethod(Refusal):
    """The path is an A2A operation, but not with this method."""

    def __init__(self, allowed: Sequence[str]) -> None:
        super().__init__(f"allowed: {', '.join(allowed)}")
        self.allowed = tuple(allowed)


class RateLimited(Refusal):
    """The caller asks too often (§6)."""

    def __init__(self, retry_after: int) -> None:
        super().__init__(f"retry after {retry_after} s")
        self.retry_after = retry_after


class BadDelegation(Refusal):
    """The delegation token is not good (§5.5). The text is for the log; nobody else sees it."""


class OAuthRefusal(Refusal):
    """A refusal of an OAuth endpoint: `error`, and a text for developers."""

    def __init__(self, error: str, description: str) -> None:
        super().__init__(f"{error}: {description}")
        self.error = error
        self.description = description


class PageRefusal(Refusal):
    """What a person in a browser wanted is not done; the page says why."""

    def __init__(self, status: int, title: str, text: str) -> None:
        super().__init__(f"{status} {title}")
        self.status = status
        self.title = title
        self.text = text


def invalid(message: str) -> A2ARefusal:
    """Return the refusal of an invalid request: `INVALID_PARAMS` (§6)."""
    return A2ARefusal("INVALID_PARAMS", message)
