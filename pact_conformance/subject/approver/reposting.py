"""Sends the form of an earlier step again, over HTTP, whoever sent it first."""

from collections.abc import Mapping

import httpx

from pact_conformance.journal.client import RecordingClient
from pact_conformance.subject.approver.boxes import page_of
from pact_conformance.subject.approver.clock import Limit
from pact_conformance.subject.approver.errand import Page, Step
from pact_conformance.subject.approver.submission import Request
from pact_conformance.subject.approver.visiting import Visit


def repost(
    client: RecordingClient,
    cookies: httpx.Cookies,
    limit: Limit,
    step: Step,
    *,
    url: str | None,
    fields: Mapping[str, str] | None,
    scopes: Mapping[str, str],
) -> Page:
    """Send a step again and return the page that it leads to after redirects.

    Args:
        client: sends it.
        cookies: of the browser that sends it.
        limit: when to give up.
        step: what to send.
        url: another place to send it to.
        fields: other fields to send.
        scopes: that boxes of the page may stand for.

    Raises:
        Inconclusive: no answer came.
    """
    visit = Visit(client, cookies, limit)
    pairs = step.pairs if fields is None else tuple(fields.items())
    request = Request(step.method, url or step.url, pairs)
    return page_of(visit.open(request, "a form sent once more", came_from=step.origin), scopes)
