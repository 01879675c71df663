"""What a page of another site can do at the Brand's login and the Provider's consent (§5.3)."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from pact_conformance.delegation import Delegation
from pact_conformance.grants import Flow, Tried, error_of, tried
from pact_conformance.journal.answer import Answer
from pact_conformance.rig import conversation
from pact_conformance.subject.approver import Done, ErrorPage, unanswered
from pact_conformance.subject.origins import origin
from pact_conformance.verdicts import Inconclusive, NotApplicable, Untested

from ..provider.authorizing import DO_REVOKE, SKIPPED

# A name that is nobody's (RFC 2606). No browser of ours ever asks it for anything.
ELSEWHERE = "elsewhere.example"


def need_answers(delegation: Delegation) -> None:
    """End what only an approver can do that makes the requests itself.

    Raises:
        Untested: this one does not.
    """
    if not delegation.approver.sees_answers:
        raise unanswered(delegation.approver.name)


@dataclass(frozen=True)
class Crossed:
    """A form that another site sent, and what came of it."""

    done: Done
    poll: Answer | None
    """Of the flow, where the form would have decided it."""


@conversation(turns=0, hardening=True)
def signed_in_elsewhere(delegation: Delegation) -> Tried[Crossed]:
    """Another site sends the form of the login, with an account of its own choice."""

    def cross() -> Crossed:
        need_answers(delegation)
        flow = _begin(delegation, "is-signed-in-elsewhere")
        done = delegation.grants.play(
            flow, foreign="login", session="fresh", look_only=True, account=_account(delegation)
        )
        if done.login is None:
            raise Untested("no login was asked for, so there is no form to send")
        return Crossed(done, None)

    return tried(cross)


@conversation(turns=0, hardening=True)
def consented_elsewhere(delegation: Delegation) -> Tried[Crossed]:
    """Another site sends the consent form into the browser in which the User has signed in."""

    def cross() -> Crossed:
        need_answers(delegation)
        flow = _begin(delegation, "consents-elsewhere")
        done = delegation.grants.play(flow, foreign="consent", account=_account(delegation))
        if done.decided == "skipped" or done.consent is None:
            raise Untested(SKIPPED, do=DO_REVOKE)
        return Crossed(done, delegation.grants.poll(flow))

    return tried(cross)


def is_granted(crossed: Crossed) -> bool:
    """Say whether the form was taken for the User's consent.

    Raises:
        Inconclusive: the token endpoint says neither.
    """
    assert crossed.poll is not None
    if crossed.poll.is_success:
        return True
    if error_of(crossed.poll) in {"authorization_pending", "slow_down", "access_denied"}:
        return False
    raise Inconclusive(f"the token endpoint answers {crossed.poll.status}, so nothing is known")


# --- return addresses ---------------------------------------------------------------------


def altered(address: str) -> Mapping[str, str]:
    """Return a return address that leads elsewhere, by what was altered.

    Each is one that a careless comparison takes for the good one.
    """
    parts = urlsplit(address)
    rest = urlunsplit(("", "", parts.path, parts.query, ""))
    return {
        "another-host": f"{parts.scheme}://{ELSEWHERE}{rest}",
        "good-host-as-a-beginning": f"{parts.scheme}://{parts.hostname}.{ELSEWHERE}{rest}",
        "good-host-as-a-user": f"{parts.scheme}://{parts.netloc}@{ELSEWHERE}{rest}",
        "without-a-scheme": f"//{ELSEWHERE}{rest}",
        "good-address-as-a-query": f"{parts.scheme}://{ELSEWHERE}/?{urlencode({'to': address})}",
    }


ALTERED = tuple(altered("https://provider.example/return"))


@dataclass(frozen=True)
class Led:
    """Where a login link with an altered return address led."""

    elsewhere: str
    """How the browser was sent to the other site; empty where it was not."""
    carried: bool
    """Whether it would have carried something along in a form."""
    refused: str
    """What the page said that refused it; empty where none did."""


@conversation(turns=0, hardening=True)
def led_elsewhere(delegation: Delegation) -> Tried[Mapping[str, Tried[Led]]]:
    """The return address in the login link is altered in each way, and the User signs in."""

    def lead() -> Mapping[str, Tried[Led]]:
        need_answers(delegation)
        flow = _begin(delegation, "is-led-elsewhere")
        link = flow.text("verification_uri_complete")
        addresses = list(_addresses(link))
        if not addresses:
            raise NotApplicable("the login link has no return address in it")
        name, address = addresses[0]
        return {
            way: tried(lambda to=to: _lead(delegation, flow, _with(link, name, to)))  # type: ignore[misc]
            for way, to in altered(address).items()
        }

    return tried(lead)


def _lead(delegation: Delegation, flow: Flow, link: str) -> Led:
    to = next(value for _, value in _addresses(link, with_scheme=False) if ELSEWHERE in value)
    parts = urlsplit(to)
    scheme = parts.scheme or urlsplit(link).scheme
    never = f"{scheme}://{parts.netloc.rpartition('@')[2]}"
    errand = replace(
        flow.errand(session="fresh", look_only=True, account=_account(delegation)),
        link=link,
        never=never,
    )
    try:
        done = delegation.approver.play(errand)
    except ErrorPage as refusal:
        return Led("", carried=False, refused=refusal.reason)
    for step in done.steps or ():
        if origin(step.url) == never:
            how = "a form" if step.method == "POST" else "a redirect"
            return Led(f"{how} to {never}", carried=bool(step.pairs), refused="")
    return Led("", carried=False, refused="")


def _addresses(link: str, *, with_scheme: bool = True) -> Iterator[tuple[str, str]]:
    """Yield the parameters of a link that hold a URL."""
    begins = ("https://", "http://") if with_scheme else ("https://", "http://", "//")
    for name, value in parse_qsl(urlsplit(link).query, keep_blank_values=True):
        if value.startswith(begins):
            yield name, value


def _with(link: str, name: str, value: str) -> str:
    parts = urlsplit(link)
    pairs = parse_qsl(parts.query, keep_blank_values=True)
    changed = [(key, value if key == name else held) for key, held in pairs]
    return urlunsplit(parts._replace(query=urlencode(changed)))


def _account(delegation: Delegation) -> int:
    """Return the account of which no grant lets the consent be skipped, as far as there is one."""
    return delegation.second_account


def _begin(delegation: Delegation, user: str) -> Flow:
    """Begin a flow for the scope that the second account has not granted."""
    return delegation.grants.begin((delegation.scopes[-1],), user)
