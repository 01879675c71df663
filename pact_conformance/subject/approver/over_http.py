"""`http(s)://…`: a service of the tester plays the User; JSON is POSTed to it."""

from pact_conformance.journal.client import NoAnswer, RecordingClient
from pact_conformance.journal.mask import Mask
from pact_conformance.settings import Settings
from pact_conformance.subject.approver.another import SHOWN, AnotherProgram
from pact_conformance.subject.approver.clock import Limit
from pact_conformance.verdicts import Inconclusive, open_notebook

_DO = "see that what E2E_APPROVER names is running; docs/approver.md says what it is sent"


class HttpApprover(AnotherProgram):
    """POSTs each errand; the journal keeps that it did, not what."""

    name = "http"

    def __init__(self, how: str, settings: Settings, client: RecordingClient, mask: Mask) -> None:
        super().__init__(how, settings, mask)
        self._client = client

    def _ask(self, request: str, limit: Limit) -> str:
        try:
            answer = self._client.exchange(
                "POST",
                self._how,
                operation="other",
                headers=[("Content-Type", "application/json"), ("Accept", "application/json")],
                content=request.encode(),
                purpose="the approver is asked to play the User",
                deadline=limit.need(),
                private=True,
            )
        except NoAnswer as error:
            raise Inconclusive(f"the approver did not answer: {error}", do=_DO) from error
        open_notebook().exchanges.append(answer.exchange_id)
        if answer.status != 200:
            said = " ".join(answer.text.split())[:SHOWN]
            raise Inconclusive(
                f"the approver answered {answer.status}{said and f': {said}'}", do=_DO
            )
        return answer.text
