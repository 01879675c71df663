"""The least conversation that shows each subtle flaw, as a campaign has to shrink it."""

from collections.abc import Mapping

from pact_conformance.fuzz.conversations.kinds import KINDS
from pact_conformance.fuzz.conversations.steps import (
    ACCOUNTS,
    FIRST,
    GRANTS,
    NEW,
    NO_GRANT,
    ONE,
    OTHER,
    QUESTION,
    SECOND,
    THE_SAME,
    WHERE,
    WHO,
    Said,
)
from pact_conformance.fuzz.example import Change, Example

ANN, BEN, ELSEWHERE = WHO
ANOTHER_BRAND = WHERE[1]
GRANT_1, GRANT_2 = GRANTS[:2]
ACCOUNT_1, ACCOUNT_2 = ACCOUNTS


def says(
    who: str = ANN,
    id_: str = NEW,
    *,
    place: str = "A",
    text: str = QUESTION,
    under: str = NO_GRANT,
    where: str = WHERE[0],
) -> Change:
    return Said(who, where, place, id_, text, under).change


def gets(name: str, who: str = ANN, *, account: str = ACCOUNT_1, scopes: str = ONE) -> Change:
    return Change("grant", (name, who, WHERE[0], account, scopes))


def revokes(name: str) -> Change:
    return Change("revoke", (name,))


CLOSES = Change("close", ("A",))


def refreshes(name: str, scopes: str = THE_SAME) -> Change:
    return Change("refresh", (name, scopes))


_STEPS: Mapping[str, tuple[Change, ...]] = {
    "repeats-to-strangers-what-was-said-under-delegation": (
        gets(GRANT_1),
        says(id_="m1", under=GRANT_1),
        says(BEN, "m1"),
    ),
    "opens-a-closed-conversation-with-a-repeat": (
        says(id_="m1"),
        CLOSES,
        says(id_="m1"),
        says(),
    ),
    "serves-closed-conversations-under-delegation": (
        gets(GRANT_1),
        says(),
        CLOSES,
        says(under=GRANT_1),
    ),
    "knows-first-messages-by-their-id-alone": (says(id_="m1"), says(BEN, "m1", place="B")),
    "knows-first-messages-at-every-brand": (
        says(id_="m1"),
        says(id_="m1", place="B", where=ANOTHER_BRAND),
    ),
    "runs-a-repeated-message-again-under-a-token": (
        gets(GRANT_1),
        says(id_="m1"),
        says(id_="m1", under=GRANT_1),
    ),
    "tells-another-agent-that-a-conversation-is-closed": (says(), CLOSES, says(ELSEWHERE)),
    "honours-a-revoked-grant-where-it-was-used": (
        gets(GRANT_1),
        says(under=GRANT_1),
        revokes(GRANT_1),
        says(under=GRANT_1),
    ),
    "repeats-replies-under-a-revoked-grant": (
        gets(GRANT_1),
        says(id_="m1"),
        revokes(GRANT_1),
        says(id_="m1", under=GRANT_1),
    ),
    "revokes-what-an-account-granted-to-every-agent": (
        gets(GRANT_1),
        gets(GRANT_2, ELSEWHERE),
        revokes(GRANT_1),
        says(ELSEWHERE, under=GRANT_2),
    ),
    "revokes-what-an-agent-has-of-every-account": (
        gets(GRANT_1),
        gets(GRANT_2, account=ACCOUNT_2),
        revokes(GRANT_1),
        says(under=GRANT_2),
    ),
    "refreshes-a-revoked-grant-for-named-scopes": (
        gets(GRANT_1),
        revokes(GRANT_1),
        refreshes(GRANT_1, ONE),
    ),
    "forgets-the-account-after-a-turn-without-the-token": (
        gets(GRANT_1),
        gets(GRANT_2, account=ACCOUNT_2),
        says(under=GRANT_1),
        says(),
        says(under=GRANT_2),
    ),
    "keeps-the-widest-scopes-of-a-conversation": (
        gets(GRANT_1),
        says(under=GRANT_1),
        gets(GRANT_2, scopes=OTHER),
        says(text=FIRST, under=GRANT_2),
    ),
    "lets-in-other-agents-of-the-same-account": (
        gets(GRANT_1),
        gets(GRANT_2, ELSEWHERE),
        says(under=GRANT_1),
        says(ELSEWHERE, under=GRANT_2),
    ),
    "binds-a-conversation-to-a-strangers-account": (
        gets(GRANT_1),
        gets(GRANT_2, account=ACCOUNT_2),
        says(),
        says(BEN, under=GRANT_2),
        says(under=GRANT_1),
    ),
    "names-the-first-grant-of-a-conversation-in-receipts": (
        gets(GRANT_1),
        says(under=GRANT_1),
        gets(GRANT_2, scopes=OTHER),
        says(under=GRANT_2),
    ),
    "forgets-replies-when-it-asks-for-a-scope": (
        gets(GRANT_1),
        says(id_="m1"),
        says(text=SECOND, under=GRANT_1),
        says(id_="m1"),
    ),
    "stores-what-was-said-in-place-of-a-step-up": (
        gets(GRANT_1),
        says(id_="m1", text=SECOND, under=GRANT_1),
        says(id_="m1", under=GRANT_1),
    ),
}

LEAST: Mapping[str, Example] = {name: KINDS.example(steps) for name, steps in _STEPS.items()}
