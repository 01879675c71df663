"""From what an agent did in a scene to what that comes to."""

from collections.abc import Collection, Iterator

from pact_conformance.fuzz.family import Trial
from pact_conformance.fuzz.hostile_answers.draft import DELEGATED, Area, Draft
from pact_conformance.fuzz.hostile_answers.looking import Fault, astray, carries
from pact_conformance.fuzz.hostile_answers.manners import Manners
from pact_conformance.fuzz.hostile_answers.playing import Course, Step
from pact_conformance.fuzz.hostile_answers.writing import member
from pact_conformance.fuzz.kind import Due
from pact_conformance.subject.agent import NeedsSignIn
from pact_conformance.subject.seen import Seen

# What an agent breaks that breaks down at a step.
_BREAKS: dict[Step, str] = {
    "connect": "2.1-agent-informational",
    "say": "4.2-agent-reply",
    "sign_in": "5.1-agent-finds-scheme",
    "go_on": "5.3-agent-pending",
    "holds": "4.2-agent-reply",
}

# After these a request is made again, as after 5xx (RFC 9110 §15).
WORTH_WAITING = frozenset({408, 425, 429})


def judged(
    course: Course, made: Draft, areas: Collection[Area], due: Due, manners: Manners
) -> Trial:
    """Return what came of an example.

    Args:
        course: what the agent was asked, and did.
        made: the scene.
        areas: what is changed in it.
        due: what is due to that.
        manners: how the agent tells that something came to nothing.
    """
    seen = course.seen
    went_on = course.went_on and _shows_on_the_stage(seen, areas)
    lost = list(astray(seen, made, course.scene.audience))
    broken = breakdown(course, made, manners)
    lost += [] if broken is None else [broken]
    fault = next((it for it in lost if not it.warns), None)
    if fault is None and shows_nothing(course, made, manners):
        return Trial("undecided", mark="no answer of the agent's came in time")
    if fault is None and due in {"accepted", "warn-if-refused"}:
        fault = next(_changed(course, made), None)
    late = broken is not None and broken.warns
    expected, doubt = _against("either" if late else due, went_on=went_on)
    warned = [f"{it.expected}: got {it.got}" for it in lost if it.warns]
    warned += [f"{doubt}: {course.words}"] if doubt else []
    got = course.words
    if fault is not None:
        expected, got = fault.expected, fault.got
    told = f"{got} (it had sent {course.sent or 'nothing'})"
    ids = [it.exchange_id for it in seen]
    return Trial(
        "accepted" if went_on else "refused",
        expected,
        told if expected else "",
        "; ".join(warned),
        ids[-1] if ids else "",
        requirement="" if fault is None else fault.requirement,
        beside=tuple(ids[:-1]) if expected or warned else (),
    )


def _against(due: Due, *, went_on: bool) -> tuple[str, str]:
    """Return what was expected, and what is warned of, where something else than is due came."""
    if due == "accepted" and not went_on:
        return "the agent to go on as after a good answer", ""
    if due == "refused" and went_on:
        return "the agent to give up, or to do without", ""
    if due == "warn-if-refused" and not went_on:
        return "", "others go on here"
    if due == "warn-if-accepted" and went_on:
        return "", "others give up here"
    return "", ""


def breakdown(course: Course, made: Draft, manners: Manners) -> Fault | None:
    """Return that the agent broke down, if it did, in another way than it tells a failure."""
    broke = course.broke
    if broke is None or shows_nothing(course, made, manners):
        return None
    step = course.steps[-1][0]
    requirement = _BREAKS[step]
    if step == "say" and made.error is not None:
        requirement = "6-agent-plain-errors"
    if broke.late:
        # It may have had its reasons: real waits are long, and nobody says how long is too long.
        late = not manners.is_virtual
        return Fault(requirement, f"an answer to {step} in time", broke.reason, warns=late)
    if manners.is_a_breakdown(step, broke):
        return Fault(requirement, "the agent to go on, or to tell that it gave up", broke.reason)
    return None


def shows_nothing(course: Course, made: Draft, manners: Manners) -> bool:
    """Say whether nobody knows what the agent made of a scene: it is busy, or waits.

    An agent may be patient: with a rate limit or a failure (§6), with polls (RFC 8628 §3.5), with
    what it tries again, and with a host that does not answer. Where time is virtual none of that
    takes long.
    """
    broke = course.broke
    if broke is None or broke.crashed:
        return False
    if not broke.late:  # busy with an earlier call, or unclear
        return True
    return not manners.is_virtual and (_leads_away(made) or _may_wait(course.seen))


def _may_wait(seen: tuple[Seen, ...]) -> bool:
    """Say whether what was asked for last may be asked for again."""
    if not seen:
        return False
    last = seen[-1]
    status = None if last.answer is None else last.answer.status
    if status is None or status in WORTH_WAITING or status >= 500:
        return True
    return last.operation == "token" or any(
        (it.operation, it.url) == (last.operation, last.url)
        and it.message.get("messageId") == last.message.get("messageId")
        for it in seen[:-1]
    )


def _leads_away(made: Draft) -> bool:
    """Say whether the card names an interface that is none of the stage's."""
    interfaces = member(made.card.document, "supportedInterfaces")
    first = interfaces[0] if isinstance(interfaces, list) and interfaces else None
    url = member(first, "url")
    return not (isinstance(url, str) and url.startswith(f"{made.names.base}/"))


def _shows_on_the_stage(seen: tuple[Seen, ...], areas: Collection[Area]) -> bool:
    """Say whether the agent did what it says: some tell even a failure by a reply."""
    messages = [it for it in seen if it.message]
    if not messages:
        return False
    return DELEGATED.isdisjoint(areas) or carries(seen)


def _changed(course: Course, made: Draft) -> Iterator[Fault]:
    """Yield what came back otherwise than it was given."""
    link = member(made.device.document, "verification_uri_complete")
    first = next((it for it in course.all("sign_in") if isinstance(it, NeedsSignIn)), None)
    if first is not None and isinstance(link, str) and first.link != link:
        expected = "verification_uri_complete to the letter"
        yield Fault("5.3-agent-shows-link", expected, _difference(link, first.link))
    code = member(made.device.document, "device_code")
    polls = [it for it in course.seen if it.operation == "token"]
    sent = polls[0].parameter("device_code") if polls else code
    if isinstance(code, str) and sent != code:
        expected = "the device code as it was given"
        yield Fault("5.3-agent-form", expected, _difference(code, sent or ""))
    given = [member(it.document, "access_token") for it in (made.token, made.second_token)]
    carried = [it for it in course.seen if it.delegation is not None]
    if carried and carried[-1].delegation not in given:
        expected = "the delegation token as it was given"
        yield Fault("5.4-agent-token-unchanged", expected, "another one")
    if made.goes_on:
        yield from _other_context(course, made)


def _difference(given: str, found: str) -> str:
    """Say where a text differs from what it should be, and nothing of what stands in it."""
    pairs = enumerate(zip(given, found, strict=False))
    at = next((i for i, (one, other) in pairs if one != other), min(len(given), len(found)))
    return f"{len(found)} characters for {len(given)}, another from character {at + 1} on"


def _other_context(course: Course, made: Draft) -> Iterator[Fault]:
    given = member(made.reply.document, "message", "contextId")
    messages = [it for it in course.seen if it.operation == "message:send"]
    if isinstance(given, str) and len(messages) > 1:
        found = messages[1].message.get("contextId")
        if found != given:
            yield Fault("4.2-agent-context-opaque", f"the contextId {given!r}", repr(found))
