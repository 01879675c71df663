"""What the answers say that brought the login and the consent page (§5.3)."""

from collections.abc import Iterator
from dataclasses import dataclass
from http.cookies import CookieError, SimpleCookie
from urllib.parse import urlsplit

from pact_conformance.delegation import Delegation
from pact_conformance.grants import Tried
from pact_conformance.subject.approver import Answered, Page, Step, unanswered
from pact_conformance.verdicts import Untested

from ..provider.authorizing import DO_REVOKE, SKIPPED, Part

# A shorter value of a cookie is no secret that a session could rest on.
LEAST_SECRET = 16

# Cookies that scripts of the page read on purpose, so as to send their value in a header.
FOR_SCRIPTS = ("csrf", "xsrf")

# What tells other sites at most the origin.
DISCREET = frozenset(
    {
        "no-referrer",
        "same-origin",
        "origin",
        "strict-origin",
        "origin-when-cross-origin",
        "strict-origin-when-cross-origin",
    }
)
TELLING = frozenset({"unsafe-url", "no-referrer-when-downgrade"})


@dataclass(frozen=True)
class Seen:
    """A page as its answer came."""

    name: str
    url: str
    answered: Answered


def pages(delegation: Delegation, part: Tried[Part]) -> tuple[Seen, ...]:
    """Return the login and the consent page of the first flow, which nothing lets be skipped.

    Raises:
        Untested: this approver does not see answers, or a page was not shown.
    """
    done = part.had().asked.done
    if not delegation.approver.sees_answers or done.steps is None:
        raise unanswered(delegation.approver.name)
    if done.consent is None:
        raise Untested(SKIPPED, do=DO_REVOKE)
    shown = [("the login", done.login), ("the consent page", done.consent)]
    found = [_seen(name, page, done.steps) for name, page in shown if page is not None]
    return tuple(it for it in found if it is not None)


def _seen(name: str, page: Page, steps: tuple[Step, ...]) -> Seen | None:
    for step in steps:
        # What is sent to the same URL later, a decision for instance, is answered otherwise.
        if step.url == page.url and step.status == page.status and step.answered is not None:
            return Seen(name, page.url, step.answered)
    return None


def steps_of(delegation: Delegation, part: Tried[Part]) -> tuple[Step, ...]:
    """Return everything that the User's browser asked for in that flow.

    Raises:
        Untested: this approver does not see answers.
    """
    done = part.had().asked.done
    if not delegation.approver.sees_answers or done.steps is None:
        raise unanswered(delegation.approver.name)
    return done.steps


def may_be_framed(page: Seen) -> bool:
    """Say whether any site may frame a page (CSP 3 §6.4.2, RFC 7034)."""
    for value in page.answered.all("content-security-policy"):
        for policy in value.split(","):
            sources = _directive(policy, "frame-ancestors")
            if sources is not None and not _anybody(sources):
                return False
    options = ",".join(page.answered.all("x-frame-options")).lower().split(",")
    return not {it.strip() for it in options} & {"deny", "sameorigin"}


def _directive(policy: str, name: str) -> list[str] | None:
    for directive in policy.split(";"):
        words = directive.lower().split()
        if words[:1] == [name]:
            return words[1:]
    return None


def _anybody(sources: list[str]) -> bool:
    return any(it in {"*", "http:", "https:", "http://*", "https://*"} for it in sources)


def may_be_kept(page: Seen) -> bool:
    """Say whether a browser may keep a page (RFC 9111 §5.2.2.5)."""
    said = ",".join(page.answered.all("cache-control")).lower()
    return "no-store" not in {it.strip() for it in said.split(",")}


def referrer_policy(page: Seen) -> str:
    """Return the policy that a browser follows: of the page, else of its answer; empty: its own."""
    known = DISCREET | TELLING
    if page.answered.referrer in known:
        return page.answered.referrer
    said = ",".join(page.answered.all("referrer-policy")).lower().split(",")
    return next((it.strip() for it in reversed(said) if it.strip() in known), "")


@dataclass(frozen=True)
class Cookie:
    """A cookie that was set, and what was said of it."""

    name: str
    host: str
    http_only: bool
    same_site: str
    secure: bool
    over_tls: bool
    may_be_session: bool
    """Its value is long enough to be a secret, and it is not there for scripts."""


def cookies(steps: tuple[Step, ...]) -> Iterator[Cookie]:
    """Yield each cookie that was set on the way, once; those that are taken away are left out."""
    known: set[tuple[str, str]] = set()
    for step in steps:
        for line in () if step.answered is None else step.answered.all("set-cookie"):
            for cookie in _read(line, step.url):
                if (cookie.host, cookie.name) not in known:
                    known.add((cookie.host, cookie.name))
                    yield cookie


def _read(line: str, url: str) -> Iterator[Cookie]:
    parts = urlsplit(url)
    jar: SimpleCookie = SimpleCookie()
    try:
        jar.load(line)
    except CookieError:
        return
    for name, it in jar.items():
        if not it.value or it["max-age"] == "0":
            continue
        for_scripts = any(word in name.lower() for word in FOR_SCRIPTS)
        yield Cookie(
            name,
            parts.netloc,
            http_only=bool(it["httponly"]),
            same_site=str(it["samesite"]).lower(),
            secure=bool(it["secure"]),
            over_tls=parts.scheme == "https",
            may_be_session=len(it.value) >= LEAST_SECRET and not for_scripts,
        )


def lacking(cookie: Cookie) -> Iterator[str]:
    """Yield the attributes that a cookie should have and has not."""
    if cookie.may_be_session and not cookie.http_only:
        yield "HttpOnly"
    if cookie.may_be_session and not cookie.same_site:
        yield "SameSite"
    if cookie.over_tls and not cookie.secure:
        yield "Secure"
