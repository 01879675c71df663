"""Changes a set of keys that this run serves, from whichever process a check runs in."""

import http.client
import json
from collections.abc import Iterable
from typing import Any
from urllib.parse import urlsplit

_PATIENCE = 10.0


class PublishedSet:
    """The JWKS of one personal agent on the run's own server (§3.1).

    Args:
        control: the `control_url` of the server.
        name: whose set.
    """

    def __init__(self, control: str, name: str) -> None:
        parts = urlsplit(control)
        self._address = parts.netloc
        self._path = f"{parts.path}/{name}"

    def add(self, entries: Iterable[object]) -> None:
        """Serve these entries too."""
        self._change(add=list(entries))

    def remove(self, entries: Iterable[object]) -> None:
        """Serve these entries no more; the others stay."""
        self._change(remove=list(entries))

    def fail(self, status: int | None) -> None:
        """Answer with this status instead of the set, until told None."""
        self._change(status=status)

    def _change(self, **asked: Any) -> None:  # noqa: ANN401 - JSON values
        connection = http.client.HTTPConnection(self._address, timeout=_PATIENCE)
        try:
            connection.request("PUT", self._path, json.dumps(asked))
            answer = connection.getresponse()
            answer.read()
        finally:
            connection.close()
        if answer.status != http.HTTPStatus.NO_CONTENT:
            raise RuntimeError(f"the run's own JWKS server answered {answer.status}")
