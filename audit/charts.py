"""Bars for the admin: the geometry of an SVG, with the numbers for the table beside it. No style and no script stands in the page."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from audit.metrics import Figures

WIDTH, HEIGHT = 600, 160  # of the drawing, in its own units
_GAP = 0.25  # of a bar's room


@dataclass(frozen=True, slots=True)
class Bar:
    """One piece of a column; `kind` chooses its colour in the style sheet."""

    x: float
    y: float
    width: float
    height: float
    kind: int
    says: str


@dataclass(frozen=True, slots=True)
class Chart:
    """A title, the drawing's bars, and the same as a table. `top` is the value of the full height."""

    title: str
    series: tuple[str, ...]
    top: float
    bars: tuple[Bar, ...]
    head: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]

    @property
    def first(self) -> str:
        return str(self.rows[0][0]) if self.rows else ""

    @property
    def last(self) -> str:
        return str(self.rows[-1][0]) if self.rows else ""


def chart(title: str, over: str, rows: Sequence[Figures], series: dict[str, str], *, stacked: bool = False) -> Chart:
    """A column for each row: one bar for each of the series beside each other, or on top of each other. `series` maps keys to words; None draws nothing."""
    columns = [[row[key] or 0 for key in series] for row in rows]
    top = max((sum(column) if stacked else max(column) for column in columns), default=0) or 1
    room = WIDTH / max(len(rows), 1)
    bars = [
        bar
        for at, column in enumerate(columns)
        for bar in _column(at * room, room, [value / top * HEIGHT for value in column], [f"{rows[at][over]}: {value}" for value in column], stacked)
    ]
    table = tuple((row[over], *("—" if row[key] is None else row[key] for key in series)) for row in rows)
    return Chart(title, tuple(series.values()), round(top, 3), tuple(bars), (over, *series.values()), table)


def _column(left: float, room: float, heights: Sequence[float], says: Sequence[str], stacked: bool) -> list[Bar]:
    wide = room * (1 - _GAP) / (1 if stacked else len(heights))
    bars, foot = [], float(HEIGHT)
    for kind, height in enumerate(heights):
        x = left + room * _GAP / 2 + (0 if stacked else kind * wide)
        top = (foot if stacked else HEIGHT) - height
        bars.append(Bar(round(x, 2), round(top, 2), round(wide, 2), round(height, 2), kind, says[kind]))
        foot = top
    return [bar for bar in bars if bar.height > 0]


def charts(figures: Figures, days: Sequence[Figures]) -> list[Chart]:
    """What a curator looks at: questions and their outcomes, follow-ups and their trend, latency, cost, repairs."""
    outcomes = {"answer": "answers", "followup": "follow-ups", "fallback": "fallbacks", "unended": "no reply"}
    return [
        chart("Questions a day, by outcome", "day", days, outcomes, stacked=True),
        chart("Follow-ups of 1,000 loops, by week", "week", figures["weeks"], {"followups_per_1000": "of 1,000"}),
        chart("Latency by week, in milliseconds", "week", figures["weeks"], {"p50": "median", "p90": "90th percentile"}),
        chart("Cost a day, where it is known", "day", days, {"cost": "cost"}),
        chart("Grounding repairs a day", "day", days, {"regenerated": "repaired runs"}),
    ]
