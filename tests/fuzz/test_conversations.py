"""Conversations: the model by itself, what a campaign finds at the mock, and what that costs."""

import random
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

from pact_conformance.catalogue import load
from pact_conformance.counterpart import subtle_flaws, variants
from pact_conformance.fuzz.campaign import Campaign
from pact_conformance.fuzz.conversations.composing import Composer, Offer
from pact_conformance.fuzz.conversations.ideal import Ideal, usual_course
from pact_conformance.fuzz.conversations.kinds import KINDS
from pact_conformance.fuzz.conversations.permissions import Permissions
from pact_conformance.fuzz.conversations.saying import Message, Seen
from pact_conformance.fuzz.conversations.spending import MOST_GRANTS, Spending, spending
from pact_conformance.fuzz.conversations.steps import (
    ANOTHER,
    NO_GRANT,
    ONE,
    QUESTION,
    SECOND,
    TEXTS,
    WHERE,
    Wanted,
)
from pact_conformance.fuzz.example import Change, Example, NoExample, parse
from pact_conformance.fuzz.family import Exhausted, Impossible, Trial
from pact_conformance.fuzz.lessening import simpler
from pact_conformance.fuzz.pace import Pace
from pact_conformance.fuzz.rounds import draw, lessen
from pact_conformance.fuzz.tally import Tally
from pact_conformance.verdicts import Untested

from .conversing import AtTheMock, answered
from .least_conversations import (
    ACCOUNT_1,
    ACCOUNT_2,
    ANN,
    ANOTHER_BRAND,
    BEN,
    CLOSES,
    ELSEWHERE,
    GRANT_1,
    GRANT_2,
    LEAST,
    gets,
    revokes,
    says,
)


def campaign(family: AtTheMock, examples: int, seed: int = 1) -> Tally:
    pace = Pace(None, 10 * examples)
    return Campaign(family, pace, examples=examples, seed=seed).run(draw, lessen)


@pytest.fixture(scope="module")
def honest() -> Iterator[AtTheMock]:
    family = AtTheMock()
    yield family
    family.mock.close_loop()


def refused(reason: str) -> Callable[[Seen], Seen]:
    return lambda _: Seen("refused", reason, reason=reason)


def composed(seed: int, count: int) -> Iterator[Example]:
    numbers = random.Random(seed)
    for _ in range(count):
        composer = Composer(lambda most: numbers.randint(0, most), Offer(frozenset(KINDS.all)))
        yield KINDS.example(composer.compose())


def test_nothing_is_broken_where_all_is_as_usual() -> None:
    for example in composed(1, 300):
        assert usual_course(example.changes).breach is None, KINDS.said(example)


def test_what_is_composed_is_of_the_family_and_read_back() -> None:
    for example in composed(2, 100):
        assert parse(example.text) == example
        assert KINDS.of(example)


@pytest.mark.parametrize("seed", [1, 2])
def test_the_first_conversations_that_are_drawn_are_of_all_sorts(
    honest: AtTheMock, seed: int
) -> None:
    """At a Provider whose turns cost something there are no others."""
    tried: list[Example] = []

    def shows(example: Example) -> bool:
        tried.append(example)
        return len(tried) >= 30

    draw(honest, shows, seed=seed, most=100)
    said = {change.values[4:] for it in tried for change in it.changes if change.kind == "say"}

    assert {text for text, _ in said} == set(TEXTS)
    assert {text for text, under in said if under != NO_GRANT} == set(TEXTS)


def test_another_seed_draws_other_conversations_from_the_first(honest: AtTheMock) -> None:
    first = [draw(honest, lambda it: bool(it.changes), seed=seed, most=100) for seed in (1, 2)]

    assert first[0] != first[1]


def test_steps_stay_in_their_order_and_may_repeat() -> None:
    step = '["say","Ann","the Brand","A","m1","a question","no grant"]'
    example = parse(f'["conversations",{step},["close","A"],{step}]')

    assert KINDS.example(example.changes) == example
    assert KINDS.said(example) == (
        "(1) Ann sends a question to A as m1; (2) A is closed; (3) Ann sends a question to A as m1"
    )


@pytest.mark.parametrize("step", ['["say"]', '["close","E"]', '["hang-up","A"]'])
def test_a_step_that_there_is_not_is_told(step: str) -> None:
    with pytest.raises(NoExample):
        KINDS.of(parse(f'["conversations",{step}]'))


def test_each_step_is_about_a_requirement_that_there_is() -> None:
    rows = load().requirements
    for example in composed(3, 300):
        blamed = KINDS.blamed(example)

        assert blamed is not None
        assert blamed.requirement in rows


class Forgetful(Ideal):
    """Runs the Brand's agent for whatever comes from anybody."""

    def send(self, message: Message, _who: str, _where: str) -> Seen:
        return self.answer(message)


@pytest.mark.parametrize(
    ("requirement", "steps"),
    [
        ("4.3-stored-reply", [says(id_="m1"), says(id_="m1")]),
        ("4.3-first-message", [says(id_="m1"), says(), says(id_="m1")]),
        ("4.3-stranger", [says(id_="m1"), says(BEN, "m1")]),
        ("4.2-foreign-user", [says(), says(BEN)]),
        ("4.2-foreign-agent", [says(), says(ELSEWHERE)]),
        ("4.2-foreign-brand", [says(), says(where=ANOTHER_BRAND)]),
        ("4.2-closed", [says(), CLOSES, says()]),
        ("4.2-closed-foreign", [says(), CLOSES, says(BEN)]),
        ("5.5-revoked", [gets(GRANT_1), revokes(GRANT_1), says(under=GRANT_1)]),
        ("5.5-client-id", [gets(GRANT_1), says(ELSEWHERE, under=GRANT_1)]),
        ("5.5-aud", [gets(GRANT_1), says(under=GRANT_1, where=ANOTHER_BRAND)]),
        (
            "5.5-other-brand-user",
            [
                gets(GRANT_1),
                gets(GRANT_2, account=ACCOUNT_2),
                says(under=GRANT_1),
                says(under=GRANT_2),
            ],
        ),
    ],
)
def test_the_model_tells_what_is_broken(requirement: str, steps: list[Change]) -> None:
    example = KINDS.example(steps)
    blamed = KINDS.blamed(example)
    breach = Forgetful().running.go(example.changes).breach

    assert breach is not None
    assert blamed is not None
    assert breach.requirement == blamed.requirement == requirement


class Terse(Ideal):
    """Answers as it is usual, but for the last message, to which something is done."""

    def __init__(self, change: Callable[[Seen], Seen], last: int) -> None:
        super().__init__()
        self._change = change
        self._left = last

    def send(self, message: Message, who: str, where: str) -> Seen:
        seen = super().send(message, who, where)
        self._left -= 1
        return seen if self._left else self._change(seen)


UNAUTHORIZED = Seen("401", "401")


def stepped_up(*missing: str) -> Callable[[Seen], Seen]:
    return lambda seen: Seen(
        "step-up", "a Task", context=seen.context, value="a task", missing=missing, task="t"
    )


@pytest.mark.parametrize(
    ("change", "steps"),
    [
        # A Provider may close a conversation, and need not store a reply once it has.
        (refused("UNSUPPORTED_OPERATION"), [says(), says()]),
        (refused("UNSUPPORTED_OPERATION"), [says(id_="m1"), CLOSES, says(id_="m1")]),
        # A first message that comes again may be recognised, if the User is the same.
        (refused("INVALID_PARAMS"), [says(id_="m1"), says(id_="m1", place="B")]),
        # A token may be bound to the User of the agent for whom it was got.
        (lambda _: UNAUTHORIZED, [gets(GRANT_1), says(BEN, under=GRANT_1)]),
        # Another approval may take the place of an earlier one.
        (lambda _: UNAUTHORIZED, [gets(GRANT_1), gets(GRANT_2), says(under=GRANT_1)]),
        # What a repeat without the token gets is open; and under one, if there was none at first.
        (
            refused("INVALID_PARAMS"),
            [gets(GRANT_1), says(id_="m1", under=GRANT_1), says(id_="m1")],
        ),
        (
            refused("INVALID_PARAMS"),
            [gets(GRANT_1), says(id_="m1"), says(id_="m1", under=GRANT_1)],
        ),
        # A conversation that is closed is no less so for who has another account.
        (
            refused("UNSUPPORTED_OPERATION"),
            [
                gets(GRANT_1),
                gets(GRANT_2, account=ACCOUNT_2),
                says(under=GRANT_1),
                says(under=GRANT_2),
            ],
        ),
        # A Brand's agent may need a scope for what sounds harmless, and say so without a token.
        (stepped_up("second"), [says(text=ANOTHER)]),
        # A step-up may be told again until it is followed.
        (
            lambda seen: replace(seen, value=2),
            [gets(GRANT_1), *[says(text=SECOND, under=GRANT_1)] * 2],
        ),
        # Whether a step-up is stored is open.
        (
            lambda seen: replace(seen, value="another"),
            [
                gets(GRANT_1),
                says(id_="m1", text=SECOND, under=GRANT_1),
                says(id_="m1", text=SECOND, under=GRANT_1),
            ],
        ),
    ],
)
def test_either_of_two_readings_is_right(
    change: Callable[[Seen], Seen], steps: list[Change]
) -> None:
    messages = sum(step.kind == "say" for step in steps)
    course = Terse(change, messages).running.go(tuple(steps))

    assert course.breach is None
    assert course.step == len(steps)


@pytest.mark.parametrize(
    ("requirement", "change", "steps"),
    [
        ("4.2-no-task", stepped_up("second"), [says()]),
        ("5.5-step-up-scopes", stepped_up("of no card"), [says(text=ANOTHER)]),
        # The first message again, without contextId and by another account.
        (
            "5.5-retry-other-user",
            lambda seen: replace(seen, value=3, context="context-3"),
            [
                gets(GRANT_1),
                gets(GRANT_2, account=ACCOUNT_2),
                says(id_="m1", under=GRANT_1),
                says(id_="m1", place="B", under=GRANT_2),
            ],
        ),
    ],
)
def test_what_no_reading_allows_is_found(
    requirement: str, change: Callable[[Seen], Seen], steps: list[Change]
) -> None:
    messages = sum(step.kind == "say" for step in steps)
    breach = Terse(change, messages).running.go(tuple(steps)).breach

    assert breach is not None
    assert breach.requirement == requirement


class Unsure(Ideal):
    """Steps up once, and then runs the same message again and again."""

    ran = 0

    def send(self, message: Message, _who: str, _where: str) -> Seen:
        self.ran += 1
        return self.answer(message if self.ran == 1 else replace(message, text=QUESTION))


def test_a_message_runs_again_behind_a_step_up_alone() -> None:
    again = says(id_="m1", text=SECOND, under=GRANT_1)
    course = Unsure().running.go((gets(GRANT_1), again, again, again))

    assert course.breach is not None
    assert (course.breach.requirement, course.step) == ("4.3-stored-reply", 4)


def test_a_flow_may_take_the_refresh_token_of_one_whose_grant_it_extends() -> None:
    ideal = Ideal()
    ann, permissions = Wanted(ANN, WHERE[0], ACCOUNT_1, ONE), Permissions()
    first = ideal.grant(ann)
    other = replace(ideal.grant(ann), grant_id=first.grant_id)
    for token in (first, other):
        assert permissions.grant(token, 0, token.scopes) is None

    assert permissions.refresh(first, None, None, "400") is None
    refused = permissions.refresh(other, None, None, "400")
    assert refused is not None
    assert refused.requirement == "5.4-refresh"


def test_a_message_that_nobody_answers_counts_as_a_turn() -> None:
    books = Spending(1)
    books.before_message()

    with pytest.raises(Exhausted, match="are spent"):
        books.before_message()


def test_nothing_is_found_at_a_provider_that_conforms(honest: AtTheMock) -> None:
    tally = campaign(honest, 250)

    assert tally.causes == []
    assert tally.tried == 250
    assert min(tally.accepted, tally.refused) > 50
    assert tally.undecided == 0


@pytest.mark.parametrize(
    "variant",
    [
        "adds-new-scopes-to-old-ones",
        "binds-delegation-tokens-to-sub",
        "closes-a-conversation-with-its-third-reply",
        "extends-the-grant",
        "is-not-bound-by-a-step-up",
        "keeps-delegated-conversations-to-their-tokens",
        "narrows-the-refresh-token-too",
        "recognises-a-first-message",
        "runs-a-stepped-up-message-again",
        "signs-a-stored-reply-again",
        "steps-up-without-a-token",
    ],
)
def test_what_is_legal_is_not_failed(variant: str) -> None:
    family = AtTheMock(variants=[variant])
    try:
        causes = campaign(family, 40, seed=3).causes
    finally:
        family.mock.close_loop()

    assert [it.words for it in causes if it.trial.failed] == []
    assert {it.requirement for it in causes} <= variants.named(variant).warns


def test_every_subtle_flaw_of_conversations_has_its_least_example() -> None:
    flaws = subtle_flaws.of("provider").items()
    of_conversations = {
        name for name, it in flaws if it.apply.__module__.endswith("_conversations")
    }

    assert len(LEAST) >= 10
    assert set(LEAST) == of_conversations


@pytest.mark.parametrize("name", LEAST)
def test_a_subtle_flaw_shows_at_its_least_example(honest: AtTheMock, name: str) -> None:
    example = LEAST[name]
    family = AtTheMock([name])
    try:
        trial = family.attempt(example)

        assert trial.failed
        assert trial.requirement in subtle_flaws.ALL[name].breaks
        near = [it.text for it in simpler(family, example) if family.attempt(it).failed]
        assert near == []
    finally:
        family.mock.close_loop()
    assert not honest.attempt(example).failed


def test_a_subtle_flaw_is_found_and_shrunk_to_its_least_steps() -> None:
    name = "opens-a-closed-conversation-with-a-repeat"
    family = AtTheMock([name])
    try:
        failing = [it for it in campaign(family, 150).causes if it.trial.failed]
    finally:
        family.mock.close_loop()

    assert [it.requirement for it in failing] == ["4.2-closed"]
    assert failing[0].example == LEAST[name]


def test_turns_are_bounded_where_they_cost_something() -> None:
    with pytest.raises(Untested) as untested:
        spending(None, built_in=False)

    assert "--pact-fuzz-turns" in untested.value.do
    assert spending(30, built_in=False) == Spending(30, MOST_GRANTS)
    assert spending(None, built_in=True) == Spending(None, None)


def test_a_reply_that_is_told_again_costs_nothing() -> None:
    books = Spending(2)
    for id_ in ("r-1", "r-1", "r-2"):
        books.before_message()
        books.after_message(answered(id_))

    assert books.turns == 0
    with pytest.raises(Exhausted, match="are spent"):
        books.before_message()


def test_the_user_is_asked_a_few_times_at_most() -> None:
    books = Spending(100, 1)
    books.before_grant()

    with pytest.raises(Impossible):
        books.before_grant()


def test_a_campaign_ends_where_the_turns_are_spent() -> None:
    class Dear(AtTheMock):
        def attempt(self, example: Example) -> Trial:
            if self.mock._example >= 20:
                raise Exhausted("the turns are spent", do="allow more")
            return super().attempt(example)

    family = Dear()
    try:
        tally = campaign(family, 100)
    finally:
        family.mock.close_loop()

    assert (tally.stopped, tally.do, tally.inconclusive) == (
        "the turns are spent",
        "allow more",
        False,
    )
    assert 0 < tally.tried <= 20
    assert tally.undecided == 0
