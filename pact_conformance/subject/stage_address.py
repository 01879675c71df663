"""Where the stage is for a personal agent under test, and what is wrong with how that was set."""

import ssl
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated
from urllib.parse import urlsplit

from pydantic import AfterValidator

MADE = "made"
"""Instead of files: a certificate, and the CA that vouches for it, are made for the run."""

_ANY = frozenset({"0.0.0.0", "[::]", "[::0]"})  # noqa: S104 - what a tester may set


@dataclass(frozen=True)
class StageAddress:
    """Where a stage is, and as whom it knows the personal agent under test."""

    control: str
    """The control endpoint, whose path is a secret of the run."""
    base: str
    audience: str
    """What it assigned to the agent: no URL, and nothing that is part of one."""
    issuer: str
    jwks: str
    other: str | None = None
    """A second host, at another origin; None where the stage is behind one public URL."""
    ca_file: str | None = None
    """The file of the CA that was made for the run, where TLS has one of its own."""


def certificate_files(tls: str) -> tuple[Path, Path]:
    """Return the files of `CERT.pem,KEY.pem`.

    Raises:
        ValueError: it is something else.
    """
    certificate, comma, key = (part.strip() for part in tls.partition(","))
    if not (comma and certificate and key) or "," in key:
        raise ValueError("expected 'made' or CERT.pem,KEY.pem")
    return Path(certificate).expanduser(), Path(key).expanduser()


def checked_tls(tls: str) -> str:
    """Return `made`, or `CERT.pem,KEY.pem` where a server can use the two.

    Raises:
        ValueError: it cannot; the message says which file is to blame, and nothing that is in it.
    """
    if tls == MADE:
        return tls
    certificate, key = certificate_files(tls)
    for file in (certificate, key):
        try:
            file.read_bytes()
        except OSError as error:
            raise ValueError(f"cannot read {file}: {error.strerror}") from None
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    try:
        # A key that is encrypted would be asked for at the terminal.
        context.load_cert_chain(certificate, key, password=lambda: "")
    except (ssl.SSLError, ValueError, OSError) as error:
        reason = getattr(error, "reason", None) or "it cannot be read"
        raise ValueError(
            f"{certificate} and {key} are no certificate and its (plain) key in PEM ({reason})"
        ) from None
    return tls


def checked_url(url: str) -> str:
    """Return a URL below which the stage is.

    Raises:
        ValueError: nothing can be below it.
    """
    parts = urlsplit(url)
    if parts.query or parts.fragment:
        raise ValueError("expected an http(s) URL without query and fragment")
    return url


StageTls = Annotated[str, AfterValidator(checked_tls)]
"""`made`, or `CERT.pem,KEY.pem`."""

StageUrl = Annotated[str, AfterValidator(checked_url)]
"""The URL by which an agent reaches the stage."""


def check_stage(listen: str | None, url: str | None, tls: str | None) -> None:
    """See that the settings of the stage go together.

    Raises:
        ValueError: they do not; the message names them.
    """
    if listen is not None and listen.rpartition(":")[0] in _ANY and url is None:
        raise ValueError(
            f"E2E_MOCK_LISTEN={listen} is no address that an agent can go to: set E2E_MOCK_URL to "
            "the one by which it reaches this machine"
        )
    if tls is not None and url is not None and urlsplit(url).scheme != "https":
        raise ValueError(
            f"E2E_MOCK_TLS has the mock Provider serve https, and E2E_MOCK_URL is {url}"
        )
