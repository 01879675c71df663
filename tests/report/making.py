"""Documents and journals as a run writes them, made by hand."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from pact_conformance.catalogue import load
from pact_conformance.journal.exchange import Exchange, Failure, Received, Sent
from pact_conformance.journal.journal import Journal
from pact_conformance.journal.placeholder import PA_JWT
from pact_conformance.report import document, folding
from pact_conformance.report.outcome import Outcome

CATALOGUE = load()
CARD = "https://provider.example/a2a/brand/.well-known/agent-card.json"
STARTED = 1_795_000_000.25

FINDING = {
    "id": "nothing-authenticates",
    "verdict": "inconclusive",
    "requirement": "3.2-es256",
    "expected": "a token of the registered personal agent to be accepted",
    "got": "401 every time",
    "do": "compare PA_ISSUER with the registration",
    "blocks": "authentication",
    "exchanges": ("main-1",),
}

PASSED = Outcome("an_expired_token_is_refused", "", ("3.2-exp-expired",), "passed", seconds=0.012)
FAILED = Outcome(
    "a_forged_token_is_refused",
    "alg-none",
    ("3.2-alg",),
    "failed",
    expected="401, as for every authentication failure",
    got="200 with a Message",
    exchanges=("main-1", "main-2"),
)
WARNED = Outcome(
    "unknown_members_are_ignored",
    "",
    ("2-unknown-members",),
    "warned",
    warnings=("unknown members of a part are refused",),
    exchanges=("gw1-7",),
)
UNTESTED = Outcome(
    "a_second_brand_has_contexts_of_its_own",
    "",
    ("4.2-foreign-brand",),
    "untested",
    reason="a second Brand is needed",
    do="set E2E_OTHER_BRAND",
)
INCONCLUSIVE = Outcome(
    "a_lifetime_of_300_seconds_is_accepted",
    "",
    ("3.2-exp-accepted-300",),
    "inconclusive",
    reason="no answer: deadline",
    do="raise E2E_TEST_TIMEOUT_MS",
    exchanges=("main-3",),
)
FAULT = Outcome(
    "the_card_is_readable",
    "",
    ("2.1-interface-url",),
    "inconclusive",
    reason="a fault of this suite, not of the subject: KeyError: 'x'",
    error=True,
)
RULE = Outcome(
    "every 401 has its challenge",
    "",
    ("3.4-challenge",),
    "failed",
    expected="WWW-Authenticate: Bearer",
    got="no challenge",
    exchanges=("main-1",),
    kind="rule",
    counts={"applied": 12, "found": 3},
)
NOTED = Outcome(
    "the_card_is_at_its_path",
    "",
    ("2.1-card-path",),
    "passed",
    notes=("the card is cached for a day",),
)
LATENCY: tuple[dict[str, Any], ...] = tuple(
    {
        "operation": operation,
        "turn": turn,
        "answers": answers,
        "unanswered": 0,
        "seconds": {"least": 0.01, "p25": 0.02, "p50": 0.03, "p75": 0.05, "p95": 0.2, "most": 1.5},
    }
    for operation, turn, answers in (("message:send", True, 15), ("tasks", False, 40))
)
OUTCOMES = (PASSED, FAILED, WARNED, UNTESTED, INCONCLUSIVE, FAULT, RULE, NOTED)


def built(
    outcomes: Iterable[Outcome] = OUTCOMES,
    *,
    findings: tuple[dict[str, Any], ...] = (),
    partial: bool = False,
    roles: tuple[str, ...] = ("provider",),
    card: str = CARD,
) -> dict[str, Any]:
    """Return the document of a run with these outcomes."""
    given = tuple(outcomes)
    decided = [it for role in roles for it in folding.fold(CATALOGUE, given, role=role)]
    run = document.Run(
        started=STARTED,
        finished=STARTED + 1.5,
        partial=partial,
        subjects=tuple({"role": role, "card": card} for role in roles),
        requests=371,
        turns=15,
        findings=findings,
        turn_ledger={"preflight": 1, "a_first_message": 14},
        latency=LATENCY,
    )
    profiles = [folding.profile(name, "provider", decided) for name in ("identity", "delegated")]
    return document.build(CATALOGUE, run, decided, profiles)


def as_read(value: dict[str, Any]) -> Any:  # noqa: ANN401 - JSON
    """Return a document as it comes back from disk."""
    return json.loads(json.dumps(value))


def exchange(identifier: str, **members: Any) -> Exchange:  # noqa: ANN401 - any of its members
    """Return an exchange; members replace those of a refused message."""
    plain: dict[str, Any] = {
        "at": STARTED,
        "elapsed": 0.0123,
        "operation": "message:send",
        "purpose": "probe",
        "sent": Sent(
            "POST",
            "https://provider.example/a2a/brand/message:send",
            (("Authorization", f"Bearer {PA_JWT}"), ("Content-Type", "application/json")),
            '{"message": {}}',
        ),
        "answer": Received(200, (("content-type", "application/a2a+json"),), '{"message": {}}'),
        "failure": None,
        "token": "ES256 kid=k1",
        "credentials": "forged",
    }
    return Exchange(id=identifier, **{**plain, **members})


def unanswered(identifier: str) -> Exchange:
    """Return an exchange that has no answer."""
    return exchange(identifier, answer=None, failure=Failure("deadline", "nothing in 5 s"))


def journal(folder: Path, exchanges: Iterable[Exchange]) -> Path:
    """Write a journal into the folder and return its path."""
    path = folder / "journal.ndjson"
    written = Journal(path)
    for each in exchanges:
        written.record(each)
    written.close()
    return path
