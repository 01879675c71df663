"""Reads `WWW-Authenticate` by the grammar of RFC 9110 §11.

Written here since no well-kept library does it: werkzeug reads a single challenge and takes what
is no grammar, and the standard library's readers know Basic and Digest alone. It is strict, for a
client that cannot read a challenge cannot tell a PACT 401 from another.
"""

import re
from dataclasses import dataclass

_TOKEN = r"[!#$%&'*+.^_`|~0-9A-Za-z-]+"  # noqa: S105 - RFC 9110 §5.6.2
_NEXT = re.compile(r"[ \t]*(?:,[ \t]*)*")
_SCHEME = re.compile(rf"(?P<scheme>{_TOKEN})(?=[ \t]*(?:,|$)| )")
_TOKEN68 = re.compile(r" +(?P<token68>[A-Za-z0-9._~+/-]+=*)(?=[ \t]*(?:,|$))")
_PARAMETER = re.compile(
    rf"(?P<name>{_TOKEN})[ \t]*=[ \t]*"
    rf'(?:(?P<plain>{_TOKEN})|"(?P<quoted>(?:[^"\\\x00-\x08\x0a-\x1f\x7f]|\\[\t\x20-\x7e\x80-\xff])*)")'
    r"(?=[ \t]*(?:,|$))"
)


class MalformedChallenge(ValueError):  # noqa: N818 - it says what is the case
    """The header's value does not follow the grammar."""


@dataclass(frozen=True)
class Challenge:
    """One way to authenticate: a scheme with its parameters, or with one `token68`."""

    scheme: str
    parameters: tuple[tuple[str, str], ...] = ()
    """Names in lower case, for they are compared without regard to it (§11.2)."""
    token68: str | None = None

    def get(self, name: str) -> str | None:
        """Return a parameter's value."""
        return dict(self.parameters).get(name)


def read_challenges(value: str) -> tuple[Challenge, ...]:
    """Return the challenges of a header value; of several lines, joined with a comma (§5.3).

    Raises:
        MalformedChallenge: it follows no grammar, or a parameter stands twice in one challenge.
    """
    challenges: list[Challenge] = []
    position, needs_comma = 0, False
    while True:
        gap = _match(_NEXT, value, position)
        position = gap.end()
        if position == len(value):
            return tuple(challenges)
        parameter = _PARAMETER.match(value, position)
        # after a bare scheme its first parameter needs no comma, anything else does
        if "," not in gap[0] and (needs_comma or (challenges and parameter is None)):
            raise _malformed(value, position)
        if parameter:
            position, needs_comma = parameter.end(), True
            _add(challenges, parameter, value)
            continue
        position, needs_comma = _open(challenges, value, position)


def _open(challenges: list[Challenge], value: str, position: int) -> tuple[int, bool]:
    """Read a scheme, and its `token68` if it has one; say where to go on and if a comma is due."""
    scheme = _SCHEME.match(value, position)
    if scheme is None:
        raise _malformed(value, position)
    token68 = _TOKEN68.match(value, scheme.end())
    challenges.append(Challenge(scheme["scheme"], token68=token68 and token68["token68"]))
    return (token68 or scheme).end(), token68 is not None


def _add(challenges: list[Challenge], parameter: re.Match[str], value: str) -> None:
    name = parameter["name"].lower()
    if not challenges or challenges[-1].token68 or challenges[-1].get(name) is not None:
        raise _malformed(value, parameter.start())
    quoted = parameter["quoted"]
    text = parameter["plain"] if quoted is None else re.sub(r"\\(.)", r"\1", quoted)
    last = challenges[-1]
    challenges[-1] = Challenge(last.scheme, (*last.parameters, (name, text)))


def _match(pattern: re.Pattern[str], value: str, position: int) -> re.Match[str]:
    match = pattern.match(value, position)
    if match is None:
        raise _malformed(value, position)
    return match


def _malformed(value: str, position: int) -> MalformedChallenge:
    return MalformedChallenge(f"not readable from {value[position:][:40]!r} on")
