"""Takes secrets out of everything before it is written.

Three nets, one behind the other: what stands behind a secret's name; secrets that are known by
value, in any form; and whatever looks like a compact JWS, a forged one as well. What one net lets
pass the next one holds.
"""

import re
import threading
from collections.abc import Iterable, Sequence
from functools import partial

from pact_conformance.journal.exchange import Header
from pact_conformance.journal.forms import forms
from pact_conformance.journal.known import Known, hits
from pact_conformance.journal.links import SHORTEST, codes, is_word, spellings
from pact_conformance.journal.named import LINKS, mask_named, names_secret
from pact_conformance.journal.placeholder import JWS, placeholder

SHORTEST_ADDED = 4
"""A shorter secret of the tester is masked only behind its name: it would garble everything."""

_SHORTEST_REMEMBERED = 12
_MOST_REMEMBERED = 64
_MOST_LEARNT = 2048

_SCHEMES = frozenset({"bearer", "basic", "digest", "dpop", "jwt", "token", "mac", "negotiate"})

_SECRET_HEADERS = {
    "authorization": "pa-jwt",
    "x-a2a-user-delegation": "delegation-token",
    "proxy-authorization": "credentials",
    "cookie": "cookie",
    "set-cookie": "cookie",
}

_DOT = r"(?:\.|%(?:25)*2[Ee])"
_JWS = re.compile(
    # `{"` in base64url, with any number of further segments
    rf"eyJ[A-Za-z0-9_-]{{6,}}(?:={{0,2}}{_DOT}[A-Za-z0-9_-]*)*={{0,2}}"
    # `{ `, `{` and a line break, `{}`: rarer, so three segments are asked for
    rf"|(?<![A-Za-z0-9_-])(?:eyA|ew[ok0]|e30)[A-Za-z0-9_-]*{_DOT}[A-Za-z0-9_-]{{8,}}"
    rf"{_DOT}[A-Za-z0-9_-]*"
)
_JWS_HINTS = ("eyJ", "eyA", "ewo", "ewk", "ew0", "e30")


class Mask:
    """Knows the secrets of a run and takes them out of texts. Thread-safe."""

    def __init__(self) -> None:
        self._static = Known()
        self._remembered = Known(_MOST_REMEMBERED)
        self._learnt = Known(_MOST_LEARNT)
        self._headers = dict(_SECRET_HEADERS)
        self._lock = threading.Lock()

    def add(self, value: str, name: str) -> None:
        """Mask a value from now on, in all its forms, as a placeholder with its name."""
        if len(value) >= SHORTEST_ADDED:
            self._keep(self._static, forms(value), name)

    def hide_headers(self, names: Iterable[str]) -> None:
        """Mask the values of further headers, for instance a gateway's key."""
        self._headers = {name.lower(): name.lower() for name in names} | self._headers

    def remember(self, value: str, name: str) -> None:
        """Mask a token that is being sent, for as long as it is recent."""
        if len(value) >= _SHORTEST_REMEMBERED:
            self._keep(self._remembered, _forms(value), name)

    def apply(self, text: str) -> str:
        """Return a text without secrets."""
        return self.apply_all([text])[0]

    def apply_all(self, texts: Sequence[str]) -> list[str]:
        """Return texts that belong together without secrets.

        A value that a name gives away in one of them is masked in all of them.
        """
        named = list(texts)
        if names_secret("\n".join(texts)):
            links: list[str] = []
            learn = partial(self._hear, links=links)
            named = [mask_named(text, learn) for text in texts]
            for link in links:
                self._learn_link(link, beside="\n".join(named))
        everything = "\n".join(named)
        with self._lock:
            found = hits([self._learnt, self._remembered, self._static], everything)
        if found:
            # one pass, longest first: a placeholder is never searched for further secrets
            ordered = sorted(found, key=len, reverse=True)
            pattern = re.compile("|".join(map(re.escape, ordered)))
            named = [pattern.sub(lambda match: found[match[0]], text) for text in named]
        if any(hint in everything for hint in _JWS_HINTS):
            named = [_JWS.sub(JWS, text) for text in named]
        return named

    def headers(self, headers: Iterable[Header]) -> list[Header]:
        """Return headers with the values of secret ones masked by name; the scheme stays."""
        return [(name, self._header(name.lower(), value)) for name, value in headers]

    def _header(self, name: str, value: str) -> str:
        secret = self._headers.get(name)
        if secret is None or not value:
            return value
        scheme, space, credentials = value.partition(" ")
        if scheme.lower() not in _SCHEMES:
            return placeholder(secret)
        if name == "authorization" and scheme.lower() == "basic":
            secret = "credentials"  # noqa: S105 - what it is called
        return f"{scheme}{space}{placeholder(secret)}" if credentials.strip() else value

    def learn(self, value: str, name: str) -> None:
        """Mask a secret that an answer gave, in all its forms, for as long as it is recent."""
        if len(value) < SHORTEST:
            return
        self._keep(self._learnt, _forms(value), name)
        if name in _USER_CODES:
            self._keep(self._learnt, spellings(value), name)

    def _hear(self, value: str, name: str, *, links: list[str]) -> None:
        """Learn a value that its name gave away; links are kept until the whole is known."""
        if name in _LINKS:
            links.append(value)
        elif not is_word(value):
            self.learn(value, name)

    def _learn_link(self, link: str, *, beside: str) -> None:
        """Learn what may be a code in a link; the link as a whole where nothing in it may.

        What stands elsewhere, too, is none: the brandId is in the request's URL.
        """
        found = [code for code in codes(link) if code not in beside]
        for code in found:
            self.learn(code, "user_code")
        if not found:
            self.learn(link, "verification-link")

    def _keep(self, kept: Known, texts: Iterable[str], name: str) -> None:
        with self._lock:
            kept.keep(texts, placeholder(name))


_INVARIANT = re.compile(r"[A-Za-z0-9._~-]+")
_USER_CODES = frozenset({"user_code", "usercode"})
_LINKS = frozenset(name.lower() for name in LINKS)


def _forms(value: str) -> frozenset[str]:
    return frozenset({value}) if _INVARIANT.fullmatch(value) else forms(value)
