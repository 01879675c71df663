"""Changes a set of keys that this run serves, from whichever process a check runs in.

It says, too, how often the set was asked for.
"""

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

    @property
    def fetches(self) -> int:
        """How often it was asked for in this run so far."""
        return int(json.loads(self._ask("GET", None, http.HTTPStatus.OK))["fetches"])

    def _change(self, **asked: Any) -> None:  # noqa: ANN401 - JSON values
        self._ask("PUT", json.dumps(asked), http.HTTPStatus.NO_CONTENT)

    def _ask(self, method: str, body: str | None, expected: http.HTTPStatus) -> bytes:
        connection = http.client.HTTPConnection(self._address, timeout=_PATIENCE)
        try:
            connection.request(method, self._path, body)
            answer = connection.getresponse()
            told = answer.read()
        finally:
            connection.close()
        if answer.status != expected:
            raise RuntimeError(f"the run's own JWKS server answered {answer.status}")
        return told
