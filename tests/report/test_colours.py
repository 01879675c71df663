"""Every colour of the page can be read on what it stands on, in light and in dark."""

import re

import pytest

from pact_conformance.report.page import TEMPLATES
from tests.report.contrast import contrast

STYLE = (TEMPLATES / "report.css").read_text(encoding="utf-8")
VERDICTS = ("passed", "failed", "warned", "inconclusive", "untested", "not-applicable")
# On the page, on cards, and on code.
GROUNDS = ("page", "paper", "code")


def palette(scheme: str) -> dict[str, str]:
    """The colours that the style names, by name."""
    blocks = re.findall(r":root \{(.*?)\}", STYLE, re.DOTALL)
    wanted = blocks[:1] if scheme == "light" else blocks[:2]
    return dict(re.findall(r"--([a-z-]+): (#[0-9a-f]{3,6})", "".join(wanted)))


SCHEMES = {scheme: palette(scheme) for scheme in ("light", "dark")}


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("ink", ["ink", "quiet", "link", *VERDICTS])
def test_text_can_be_read(scheme: str, ink: str) -> None:
    colours = SCHEMES[scheme]

    low = {
        it: round(found, 2)
        for it in GROUNDS
        if (found := contrast(colours[ink], colours[it])) < 4.5
    }
    assert low == {}


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("verdict", VERDICTS)
def test_a_sign_can_be_read_on_its_own_tint(scheme: str, verdict: str) -> None:
    colours = SCHEMES[scheme]

    assert contrast(colours[verdict], colours[f"{verdict}-tint"]) >= 4.5


@pytest.mark.parametrize("scheme", SCHEMES)
def test_a_failed_cell_and_the_focus_can_be_seen(scheme: str) -> None:
    colours = SCHEMES[scheme]

    assert contrast(colours["paper"], colours["failed"]) >= 4.5
    for ground in ("page", "paper"):
        assert contrast(colours["focus"], colours[ground]) >= 3
