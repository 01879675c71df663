"""§5.6 Receipts: whether the agent verifies and keeps them."""

from collections.abc import Iterable

from pact_conformance import expect
from pact_conformance.rig import requirement
from pact_conformance.verdicts import Untested

from .delegating_receipts import BAD, BESIDE, GOOD, NEW_KEY, Given, Receipts


@requirement("5.6-agent-verifies")
def test_good_receipts_are_told_from_bad_ones(given_receipts: Receipts) -> None:
    """A bad one that is not kept is told from the good ones too, and so is one that ends a turn."""
    kept = [it for given in given_receipts.of(GOOD) for it in given_receipts.kept(given)]
    if not kept:
        _is_told_by_turns(given_receipts)
        return
    for record in kept:
        expect.that(
            record.verified is True,
            "`verified` true for a good receipt",
            "that it was not tried" if record.verified is None else "false",
        )

    _are_told_apart(
        given
        for given in given_receipts.given
        if any(it.verified is True for it in given_receipts.kept(given))
    )


def _is_told_by_turns(receipts: Receipts) -> None:
    """Judge by which turns came to a reply, where no record tells.

    Raises:
        Untested: all did, or one with a good receipt did not.
    """
    _must_tell_by_turns(receipts)

    _are_told_apart(it for it in receipts.given if it.replied)


def _must_tell_by_turns(receipts: Receipts) -> None:
    bad = [it for it in receipts.given if it.fault in BAD]
    if not all(it.replied for it in receipts.of(GOOD)) or all(it.replied for it in bad):
        raise _no_record(receipts)
    expect.note("no receipt is kept; judged by the turns that fail where one is bad")


def _are_told_apart(believed: Iterable[Given]) -> None:
    """Demand that no bad receipt is among those that are taken for good."""
    faults = [it.fault for it in believed]
    beside = [BESIDE[it] for it in faults if it in BESIDE]
    if beside:
        expect.note(f"taken for good as well: {'; '.join(beside)}")
    bad = [BAD[it] for it in faults if it in BAD]
    expect.that(not bad, "bad receipts told from the good", "; ".join(bad))


def _no_record(receipts: Receipts) -> Untested:
    if receipts.record is None:
        what = "the agent's adapter does not tell which receipts are kept"
        return Untested(what, do="let it offer holds, and answer with receipts")
    return Untested("no receipt is kept", do="see 5.6-agent-keeps")


@requirement("5.6-agent-verifies")
def test_a_receipt_under_a_new_key_is_good(given_receipts: Receipts) -> None:
    """The Brand's keys are those of its set, as it is when the receipt comes."""
    new = given_receipts.of(NEW_KEY)
    if not new:
        raise Untested("no reply came under a new key", do="see 5.5-agent-both-tokens")
    wanted = "a receipt under a key that was published just now to be good"
    if not any(given_receipts.kept(it) for it in given_receipts.of(GOOD)):
        _must_tell_by_turns(given_receipts)
        expect.that(all(it.replied for it in new), wanted, "no reply")
        return
    kept = [record for it in new for record in given_receipts.kept(it)]
    expect.that(bool(kept), wanted, "none kept")
    for record in kept:
        expect.that(record.verified is not False, wanted, "that it is bad")
        if record.verified is None:
            expect.note("the agent has not tried a receipt under a key that is new to it")


@requirement("5.6-agent-keeps")
def test_receipts_are_kept_as_they_came(given_receipts: Receipts) -> None:
    good = given_receipts.of(GOOD)
    if given_receipts.record is None:
        raise _no_record(given_receipts)
    if not good:
        raise Untested("no reply under delegation came", do="see 5.5-agent-both-tokens")
    kept = [it for it in good if given_receipts.kept(it)]

    expect.that(len(kept) == len(good), f"{len(good)} receipts, unchanged", f"{len(kept)} of them")
