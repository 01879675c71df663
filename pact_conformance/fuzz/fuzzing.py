"""What a check of the fuzzing is handed: it runs a family as the tester set, and notes the causes.

A cause is no failure of the check that finds it: each is told by itself, under the requirement that
the subject breaks, and the check's own verdict is the worst of them.
"""

import math
from typing import TYPE_CHECKING

from pact_conformance.fuzz.campaign import Campaign
from pact_conformance.fuzz.example import Example, NoExample, parse
from pact_conformance.fuzz.families import kinds_of, maker_of, role_of
from pact_conformance.fuzz.family import Family, Impossible, Unanswered
from pact_conformance.fuzz.kept import Kept
from pact_conformance.fuzz.pace import USUAL_RATE, Pace
from pact_conformance.fuzz.tally import Cause, Tally
from pact_conformance.verdicts import (
    Deviation,
    Found,
    Inconclusive,
    NotApplicable,
    Untested,
    open_notebook,
)

if TYPE_CHECKING:
    from pact_conformance.rig import Rig


# What a personal agent is asked to do at most in the fuzzing, where the tester has not said, and
# how many examples of that may go into making less of one.
USUAL_ASKS = 300
LEAST_SHRINKING = 12

# About so many asks go into one example at most.
EACH_ASKS = 8


class Fuzzing:
    """Runs families."""

    def __init__(self, rig: "Rig") -> None:
        self._rig = rig
        self._settings = rig.settings
        self._families: dict[str, Family] = {}
        self.interrupted = False
        """Whether the tester has ended it: what was found until then is told, and the run ends."""

    def run(self, name: str) -> None:
        """Try a family: `--pact-fuzz` examples of it, or the one of `--pact-example`.

        Raises:
            Inconclusive: the subject stopped answering, or good ones no longer got through.
            Untested: something is needed that the tester has not given.
        """
        pace = self._pace_of_an_agent() if role_of(name) == "personal-agent" else self._pace()
        family = maker_of(name)(self._rig, pace)
        campaign = Campaign(
            family,
            pace,
            examples=self._settings.fuzz,
            seed=self._settings.seed,
            deadline=self._settings.deadline,
        )
        try:
            tally = self._tried(family, campaign)
        except KeyboardInterrupt:
            self.interrupted = True
            tally = campaign.cut_short()
        _note(tally)
        if tally.inconclusive:
            after = f"after {tally.tried} examples: {tally.stopped}"
            raise Inconclusive(f"the fuzzing stopped {after}", do=tally.do)

    def _tried(self, family: Family, campaign: Campaign) -> Tally:
        if self._settings.example is not None:
            return campaign.alone(_checked(family, self._settings.example))
        from pact_conformance.fuzz import rounds  # noqa: PLC0415 - takes 0.2 s, and Hypothesis

        return campaign.run(rounds.draw, rounds.lessen)

    def again(self, kept: Kept) -> None:
        """Try a kept example, after a control.

        Raises:
            Deviation: something else came than what is due.
            Inconclusive: no answer came, or the control did not get through.
            NotApplicable: of this subject it cannot be made.
            Untested: it takes something that the tester has not given.
        """
        family = self._ready(kept.example.family)
        lacking = kept.example.kinds - {kind.id for kind in family.kinds}
        if lacking:
            needs = {it for id_ in lacking for it in kinds_of(family.name).all[id_].needs}
            raise Untested(
                f"the example takes {', '.join(sorted(needs))}", do=f"see {kept.requirement}"
            )
        family.control()
        try:
            trial = family.attempt(kept.example)
        except Unanswered as error:
            raise Inconclusive(error.trial.got or error.trial.warning) from error
        except Impossible as error:
            raise NotApplicable(f"of this subject's values it cannot be made: {error}") from error
        if trial.failed:
            # What breaks may show in the answer alone, and be something else than what was kept.
            told = "" if trial.requirement in {"", kept.requirement} else f" ({trial.requirement})"
            raise Deviation(f"{trial.expected}{told}", trial.got)
        if trial.warning:
            open_notebook().warnings.append(trial.warning)

    def _ready(self, name: str) -> Family:
        """Return a family, made once."""
        if name not in self._families:
            pace = Pace(None, 0)
            self._families[name] = maker_of(name)(self._rig, pace)
        return self._families[name]

    def _pace(self) -> Pace:
        rate = self._settings.fuzz_rate
        if rate is None and not self._rig.built_in:
            rate = USUAL_RATE
        return Pace(rate or None, 2 * self._settings.fuzz + 500)

    def _pace_of_an_agent(self) -> Pace:
        """Return bounds on what an agent is asked, which may be a model's call each time."""
        asks = self._settings.fuzz_asks
        if asks is None and self._rig.agent.virtual_time:
            return Pace(None, EACH_ASKS * (2 * self._settings.fuzz + 500), bound="--pact-fuzz")
        return Pace(
            None,
            USUAL_ASKS if asks is None else asks,
            shrinking=LEAST_SHRINKING,
            control_seconds=math.inf,
            bound="--pact-fuzz-asks",
        )


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
        beside=trial.beside,
    )
