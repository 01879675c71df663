"""What the User is asked to do at the Brand's login and the Provider's consent page, and what came.

Plain data, the same for everybody who can play the User. All of it stays in memory: texts and
fields are as they were on the pages, unmasked.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, Protocol, TypeAlias

from pact_conformance.verdicts import Inconclusive

Session: TypeAlias = Literal["fresh", "kept"]
"""A browser without any cookie, or the browser that the account has used in this process before."""

HoldBack: TypeAlias = Literal["", "return", "consent"]
"""Which request is not sent: none, the POST that brings the User back from the Brand's login to
the Provider, or the consent form."""

Foreign: TypeAlias = Literal["", "login", "consent"]
"""Which form a page of another site sends: none, that of the login or that of the consent page.

It holds what somebody knows who began the flow (codes, scopes) and what people type, and no other
value that could be a secret; it goes out with another Origin, and without the cookies that a
browser keeps to the site itself."""

Decided: TypeAlias = Literal["approved", "denied", "skipped", "not asked"]


class ErrorPage(Inconclusive):
    """On the way a page came with an HTTP error, and asked for nothing."""

    def __init__(self, reason: str, *, do: str, status: int) -> None:
        super().__init__(reason, do=do)
        self.status = status


@dataclass(frozen=True)
class Errand:
    """What the User is asked to do with a link (§5.3)."""

    link: str
    """`verification_uri_complete`, or the link of a step-up task."""
    user_code: str
    """Empty where the caller got none, as with a step-up task."""
    scopes: Mapping[str, str]
    """The requested ids, each with its description on the card."""
    approve: frozenset[str] | None = None
    """Ids to leave ticked; None: all of them; empty: untick all and submit."""
    deny: bool = False
    account: int = 0
    """0 or 1: which of the accounts of the settings signs in."""
    session: Session = "kept"
    look_only: bool = False
    """Go to the consent page, or as far as it goes, and stop before deciding."""
    hold_back: HoldBack = ""
    """Stop before this request; `Done.held` is it, ready to be sent by `Approver.repost`."""
    foreign: Foreign = ""
    never: str = ""
    """An origin that the browser is kept from asking for anything; the step is noted."""
    brand: str = ""
    """Its name, for people."""

    @property
    def approved(self) -> frozenset[str]:
        """The ids whose boxes are to be ticked."""
        return frozenset(self.scopes) if self.approve is None else self.approve


@dataclass(frozen=True)
class Box:
    """A checkbox of the consent page, as it was before the User touched it."""

    name: str
    value: str
    label: str
    """What a person reads beside it."""
    checked: bool
    scope: str | None
    """The requested id that it stands for; None if it stands for none of them."""


@dataclass(frozen=True)
class Page:
    """A page as a person sees it."""

    url: str
    text: str
    """Visible text, HTML's escapes undone, white space collapsed."""
    boxes: tuple[Box, ...] = ()
    status: int | None = None
    """The HTTP status that it came with; None where the approver does not see it."""


@dataclass(frozen=True)
class Answered:
    """What an answer says about the page beside showing it."""

    headers: tuple[tuple[str, str], ...] = ()
    referrer: str = ""
    """The policy in a `meta` element of the page; empty where it has none."""

    def all(self, name: str) -> tuple[str, ...]:
        """Return every value of a header, names compared without regard to case."""
        return tuple(value for key, value in self.headers if key.lower() == name)


@dataclass(frozen=True)
class Step:
    """One request of the User's browser. Its fields may be secret, so it is never written."""

    method: str
    url: str
    status: int
    """0 where no answer came, or it was not sent."""
    fields: Mapping[str, str] = field(default_factory=dict)
    """The body of a submitted form; empty for a GET, whose fields are in its URL."""
    exchange: str | None = None
    """Its id in the journal; None where another program sent it."""
    pairs: tuple[tuple[str, str], ...] = ()
    """The same fields in their order; a name may repeat."""
    origin: str = ""
    """The origin of the page that it came from; empty for the first one."""
    answered: Answered | None = field(default=None, compare=False)
    """None where no answer came, or the approver does not see what answers say."""


@dataclass(frozen=True)
class Done:
    """What came of an errand, as the User saw it."""

    decided: Decided
    """`skipped`: no consent was shown, and the way ended without complaint; whether anything was
    granted only the token endpoint tells. `not asked`: nothing was submitted."""
    login: Page | None
    """None: no login was asked for."""
    consent: Page | None
    """None: it was not shown."""
    final: Page | None
    steps: tuple[Step, ...] | None
    """None: this approver does not see them."""
    said: str = ""
    """What the approver has to say beside it."""
    held: Step | None = None
    """The request that was held back; None where there was none to hold back, or it is not seen."""
    unfinished: bool = False
    """The last page has a form that was not understood, so that the decision may not be taken."""
    refused: bool = False
    """The way ended at the form that another site sent, with what `said` says."""


@dataclass(frozen=True)
class Count:
    """How often the User was called upon."""

    approvals: int = 0
    """Decisions on a consent page."""
    logins: int = 0


class Approver(Protocol):
    """Whoever plays the User."""

    @property
    def name(self) -> str:
        """One of form, browser, command, http, manual."""

    @property
    def sees_steps(self) -> bool:
        """Whether `Done.steps` is there and `repost` works."""

    @property
    def sees_pages(self) -> bool:
        """Whether pages are there as they were, and not only as somebody tells of them."""

    @property
    def sees_answers(self) -> bool:
        """Whether `Step.answered` is there, and errands may be `foreign` or have a `never`."""

    @property
    def count(self) -> Count:
        """What the User has done in this process so far."""

    def play(self, errand: Errand) -> Done:
        """Do what is asked, within the deadline of the check that asks.

        Raises:
            Inconclusive: it could not be done; with what the page said.
        """

    def repost(
        self,
        step: Step,
        *,
        url: str | None = None,
        fields: Mapping[str, str] | None = None,
        session: Session = "fresh",
        account: int = 0,
    ) -> Page:
        """Send the form of an earlier step again, and return where it leads after redirects.

        Args:
            step: of an earlier errand, sent or held back.
            url: another place to send it to.
            fields: other fields to send.
            session: by default a browser that has no cookie.
            account: whose kept browser.

        Raises:
            Inconclusive: no answer came.
            Untested: this approver does not see steps.
        """

    def close(self) -> None:
        """End what was started."""
