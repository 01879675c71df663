"""`history.html`: a plot for each profile of a subject, on a page that needs nothing but itself."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from pact_conformance.report import page
from pact_conformance.report.history import History, Point, Series, title
from pact_conformance.report.view import PROFILE_SIGNS, SIGNS
from pact_conformance.report.writing import write_whole

NAME = "history.html"
_TEMPLATE = page.TEMPLATES / "history.html.j2"

# The plot, in units of its own coordinates; people see it as wide as the page.
WIDTH, HEIGHT = 960, 220
WIDEST = 48

# From the ground up: what people ask about first lies lowest, where lengths can be compared.
STACK = ("failed", "inconclusive", "warned", "untested", "passed", "not applicable")


@dataclass(frozen=True)
class Part:
    """A piece of a bar."""

    verdict: str
    count: int
    y: float
    height: float


@dataclass(frozen=True)
class Bar:
    """A report in the plot."""

    point: Point
    x: float
    width: float
    parts: tuple[Part, ...]


@dataclass(frozen=True)
class Plot:
    """A series, drawn."""

    title: str
    series: Series
    bars: tuple[Bar, ...]
    most: int


def write(history: History, folder: Path) -> Path:
    """Write `history.html` into the folder that the reports lie in, and return its path.

    Raises:
        OSError: it cannot be written.
    """
    path = folder / NAME
    write_whole(path, render(history))
    return path


def render(history: History) -> str:
    """Return the page as text."""
    style = page.asset(*(_TEMPLATE.with_name(f"{it}.css") for it in ("report", "history")))
    return page.template(_TEMPLATE).render(
        history=history,
        plots=[_plot(it) for it in history.series],
        signs=SIGNS,
        profile_signs=PROFILE_SIGNS,
        stack=STACK,
        width=WIDTH,
        height=HEIGHT,
        policy=page.policy(style, ""),
        style=style,
        link=quote,
    )


def _plot(series: Series) -> Plot:
    most = max(1, *(point.total for point in series.points))
    step = min(WIDEST, WIDTH / len(series.points))
    bars = tuple(
        Bar(point, round(step * place + step * 0.1, 2), round(step * 0.8, 2), tuple(parts))
        for place, point in enumerate(series.points)
        for parts in [_parts(point.counts, most)]
    )
    return Plot(title(series), series, bars, most)


def _parts(counts: Mapping[str, int], most: int) -> Iterator[Part]:
    below = 0
    for verdict in STACK:
        count = counts.get(verdict, 0)
        if count:
            below += count
            y, height = HEIGHT * (1 - below / most), HEIGHT * count / most
            yield Part(verdict, count, round(y, 2), round(height, 2))
