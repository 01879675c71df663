"""What a check of the fuzzing is handed: it runs a family as the tester set, and notes the causes.

A cause is no failure of the check that finds it: each is told by itself, under the requirement that
the subject breaks, and the check's own verdict is the worst of them.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

from pact_conformance.fuzz.campaign import Campaign
from pact_conformance.fuzz.example import Example, NoExample, parse
from pact_conformance.fuzz.family import Family
from pact_conformance.fuzz.pace import USUAL_RATE, Pace
from pact_conformance.fuzz.tally import Cause, Tally
from pact_conformance.verdicts import Found, Inconclusive, open_notebook

if TYPE_CHECKING:
    from pact_conformance.rig import Rig

Make: TypeAlias = Callable[["Rig", Pace], Family]
"""Makes a family ready for the subject of a run."""


class Fuzzing:
    """Runs families."""

    def __init__(self, rig: "Rig") -> None:
        self._rig = rig
        self._settings = rig.settings

    def run(self, make: Make) -> None:
        """Try a family: `--pact-fuzz` examples of it, or the one of `--pact-example`.

        Raises:
            Inconclusive: the subject stopped answering, or good ones no longer got through.
            Untested: something is needed that the tester has not given.
        """
        pace = self._pace()
        family = make(self._rig, pace)
        campaign = Campaign(
            family,
            pace,
            examples=self._settings.fuzz,
            seed=self._settings.seed,
            deadline=self._settings.deadline,
        )
        if self._settings.example is not None:
            tally = campaign.alone(_checked(family, self._settings.example))
        else:
            from pact_conformance.fuzz.rounds import draw  # noqa: PLC0415 - takes 0.2 s, and Hypothesis

            tally = campaign.run(draw)
        _note(tally)
        if tally.inconclusive:
            after = f"after {tally.tried} examples: {tally.stopped}"
            raise Inconclusive(f"the fuzzing stopped {after}", do=tally.do)

    def _pace(self) -> Pace:
        rate = self._settings.fuzz_rate
        if rate is None and not self._settings.embedded:
            rate = USUAL_RATE
        return Pace(rate or None, 2 * self._settings.fuzz + 500)


def _checked(family: Family, text: str) -> Example:
    example = parse(text)
    try:
        family.said(example)
    except NoExample as error:
        raise Inconclusive(str(error), do="give --pact-example as a report has it") from error
    return example


def _note(tally: Tally) -> None:
    book = open_notebook()
    book.counts.update(tally.counts)
    book.found += [_found(cause) for cause in tally.causes]
    if tally.stopped and not tally.inconclusive:
        book.notes.append(f"not all was tried: {tally.stopped} ({tally.do})")


def _found(cause: Cause) -> Found:
    trial = cause.trial
    return Found(
        requirement=cause.requirement,
        words=cause.words,
        failed=trial.failed,
        expected=trial.expected,
        got=trial.got or trial.warning,
        exchange=trial.exchange,
        example=cause.example.text,
        seen=cause.seen,
    )
