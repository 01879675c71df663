"""Makes approvers and errands for the tests."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pydantic import SecretStr

from pact_conformance.file_tables import Account, ApproverFields
from pact_conformance.journal.client import RecordingClient
from pact_conformance.journal.journal import Journal
from pact_conformance.journal.mask import Mask
from pact_conformance.settings import Settings
from pact_conformance.subject.approver import Approver, Done, Errand, approver_of

from .site import ACCOUNTS, CODE, SCOPES, Site

JOURNAL = "journal.ndjson"


def settings(approver: str, **changed: Any) -> Settings:  # noqa: ANN401 - values of any setting
    """The settings of a tester with two accounts."""
    accounts = tuple(
        Account(username=name, password=SecretStr(word)) for name, word in ACCOUNTS.items()
    )
    fields = ApproverFields(**changed.pop("fields", {}))
    given = {"accounts": accounts, "approver_fields": fields, "test_timeout_ms": 20_000, **changed}
    return Settings(approver=approver, **given)


@contextmanager
def approver(
    folder: Path,
    name: str = "form",
    *,
    pictures: bool = False,
    **changed: Any,  # noqa: ANN401 - values of any setting
) -> Iterator[Approver]:
    """An approver that records into a folder."""
    made, mask = settings(name, **changed), Mask()
    journal = Journal(folder / JOURNAL)
    client = RecordingClient(journal, mask, deadline=10)
    found = approver_of(made, client, mask, folder=folder if pictures else None)
    try:
        yield found
    finally:
        found.close()
        client.close()
        journal.close()


def errand(site: Site, **changed: Any) -> Errand:  # noqa: ANN401 - parts of an errand
    """What the User is asked to do at a site."""
    given = {"link": site.link, "user_code": CODE, "scopes": SCOPES, "brand": "Acme", **changed}
    return Errand(**given)


def recorded(folder: Path) -> str:
    """Everything that was written down."""
    return (folder / JOURNAL).read_text("utf-8")


def play(site: Site, folder: Path, **asked: object) -> Done:
    """Play one errand; `fields` are the tester's names."""
    fields = asked.pop("fields", {})
    with approver(folder, fields=fields) as user:
        return user.play(errand(site, **asked))
