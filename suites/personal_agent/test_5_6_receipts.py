"""§5.6 Receipts: whether the agent verifies and keeps them."""

from pact_conformance import expect
from pact_conformance.rig import requirement
from pact_conformance.verdicts import Untested

from .delegating_receipts import FAULTS, GOOD, Receipts


@requirement("5.6-agent-verifies")
def test_good_receipts_are_told_from_bad_ones(given_receipts: Receipts) -> None:
    """A bad one that is not kept is told from the good ones too."""
    kept = [it for given in given_receipts.of(GOOD) for it in given_receipts.kept(given)]
    if not kept:
        raise Untested("no receipt is kept", do="see 5.6-agent-keeps")
    for record in kept:
        expect.that(
            record.verified is True,
            "`verified` true for a good receipt",
            "that it was not tried" if record.verified is None else "false",
        )
    believed = [
        FAULTS[given.fault]
        for given in given_receipts.given
        if given.fault != GOOD and any(it.verified is True for it in given_receipts.kept(given))
    ]

    expect.that(not believed, "bad receipts told from the good", "; ".join(believed))


@requirement("5.6-agent-keeps")
def test_receipts_are_kept_as_they_came(given_receipts: Receipts) -> None:
    good = given_receipts.of(GOOD)
    if not good:
        raise Untested("no reply under delegation came", do="see 5.5-agent-both-tokens")
    kept = [it for it in good if given_receipts.kept(it)]

    expect.that(len(kept) == len(good), f"{len(good)} receipts, unchanged", f"{len(kept)} of them")
