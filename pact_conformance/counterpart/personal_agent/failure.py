"""What makes the agent give up a turn, with a reason that it can tell its User."""


class Failure(Exception):  # noqa: N818 - an outcome that is told, not a defect of the program
    """Nothing comes of what was asked; the text is the reason."""

    @property
    def reason(self) -> str:
        """The reason, for people."""
        return str(self)


class Unsendable(Failure):
    """The request cannot be sent at all: its URL or a header is no such thing."""


class Unanswered(Failure):
    """No whole answer came.

    `arrived` says whether the request may have reached the other side, so that sending it again
    is a retry (§4.3).
    """

    def __init__(self, reason: str, *, arrived: bool) -> None:
        super().__init__(reason)
        self.arrived = arrived
