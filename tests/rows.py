"""Example rows of a small invented town, and a snapshot made of them, for every test that needs one."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import numpy as np

from agent.snapshot import shelf
from agent.snapshot.schema import (
    AreaRow,
    Content,
    EventRow,
    FestivalRow,
    Hours,
    Interval,
    OccurrenceRow,
    PlaceRow,
    ScoreKindRow,
    ScoreRow,
    TagRow,
)
from agent.snapshot.writer import write

NOW = datetime(2026, 6, 1, 12, 0, tzinfo=UTC)
WIDTH = 512
SOURCE = {"source": "survey", "licence": "CC0"}
CHRISTMAS = date(2026, 12, 25).toordinal()
DAILY = Hours(tuple(Interval(day * 1440 + 9 * 60, day * 1440 + 17 * 60) for day in range(7)), {CHRISTMAS: ()}, known=True)


def unit_vector(phrase: str) -> tuple[float, ...]:
    """A vector of unit length that is always the same for a phrase, and means nothing."""
    raw = np.random.default_rng(list(phrase.encode())).standard_normal(WIDTH)
    return tuple((raw / np.linalg.norm(raw)).tolist())


def area(slug: str, **changes: Any) -> AreaRow:
    return replace(AreaRow(slug, slug.replace("-", " ").title(), (), 54.4, -2.96, None, **SOURCE), **changes)


def tag(slug: str, *synonyms: str, kind: str = "category", parent: str = "") -> TagRow:
    phrases = (slug.replace("-", " "), *synonyms)
    return TagRow(slug, phrases[0], kind, parent, phrases, tuple(map(unit_vector, phrases)))


def place(slug: str, **changes: Any) -> PlaceRow:
    """An open place in the old town that nothing is known of but what `changes` says."""
    row = PlaceRow(slug=slug, name=slug.replace("-", " ").title(), names=(), category="", tags=(), area="old-town", lat=54.4, lng=-2.96, state="open",
                   price="", wheelchair="", hours_text="", hours=Hours(), landmark=False, prominence=0, address="", postcode="", phone="", website="",
                   description="", checked_on=None, scores=(), **SOURCE)  # fmt: skip
    return replace(row, **changes)


def score(kind: str, value: float, reason: str = "") -> ScoreRow:
    return ScoreRow(kind, value, reason, "curator")


def festival(slug: str, **changes: Any) -> FestivalRow:
    row = FestivalRow(slug=slug, name=slug.replace("-", " ").title(), names=(), marks="", description="", organiser="", tickets="", website="",
                      location="", state="scheduled", tags=(), checked_on=None, **SOURCE)  # fmt: skip
    return replace(row, **changes)


def occurrence(starts: datetime, ends: datetime, **changes: Any) -> OccurrenceRow:
    row = OccurrenceRow(int(starts.timestamp()), int(ends.timestamp()), starts.isoformat(), ends.isoformat(), "scheduled", "", "", None, None)
    return replace(row, **changes)


def event(slug: str, **changes: Any) -> EventRow:
    row = EventRow(slug=slug, festival="", title=slug.replace("-", " ").title(), description="", all_day=False, rrule="", venue="", venue_slug="",
                   area="", lat=None, lng=None, price="", age="", access="", website="", state="scheduled", tags=(), occurrences=(), checked_on=None,
                   **SOURCE)  # fmt: skip
    return replace(row, **changes)


def town_rows() -> Content:
    """Two areas, six tags, two score kinds, seven places (one a landmark), one festival with two events, one event of its own."""
    outline = {"type": "Polygon", "coordinates": [[[-2.97, 54.395], [-2.95, 54.395], [-2.95, 54.405], [-2.97, 54.405], [-2.97, 54.395]]]}
    night = occurrence(datetime(2026, 6, 5, 19, tzinfo=UTC), datetime(2026, 6, 5, 22, tzinfo=UTC))
    return Content(
        areas=[area("old-town", outline=outline), area("harbour", names=("Le Port",), lat=54.41, lng=-2.95)],
        tags=[
            tag("food"),
            tag("cafe", "coffee house", "tea room", parent="food"),
            tag("restaurant", "somewhere to eat", parent="food"),
            tag("museum", "gallery"),
            tag("wifi", "internet", kind="attribute"),
            tag("music", "live music", kind="topic"),
        ],
        score_kinds=[ScoreKindRow("quiet", "quiet", ("quietest", "peaceful")), ScoreKindRow("value", "value", ("cheap", "good value"))],
        places=[
            place("blue-door-cafe", name="The Blue Door Café", names=("Blue Door",), category="cafe", tags=("wifi",), hours=DAILY,
                  hours_text="09:00-17:00; Dec 25 off", price="cheap", scores=(score("quiet", 8.5, "thick walls"), score("value", 7)), prominence=10),
            place("mill-cafe", category="cafe", lat=54.4012, lng=-2.961, scores=(score("quiet", 6),), description="An old corn mill."),
            place("pier-cafe", category="cafe", area="harbour", lat=54.41, lng=-2.951, scores=(score("quiet", 9),)),
            place("shut-cafe", category="cafe", lat=54.4001, lng=-2.9601, state="closed_for_good"),
            place("anchor-inn", name="L'Ancre d'Or", category="restaurant", area="harbour", lat=54.4102, lng=-2.9512),
            place("clock-tower", name="Clock Tower", names=("the Clock",), landmark=True, prominence=90, lat=54.4005, lng=-2.9605),
            place("boat-museum", category="museum", area="harbour", lat=None, lng=None),
        ],
        festivals=[festival("river-days", name="River Days", names=("The Regatta",), tags=("music",))],
        events=[
            event("opening-concert", festival="river-days", tags=("music",), venue="Clock Tower", venue_slug="clock-tower", lat=54.4005, lng=-2.9605,
                  area="Old Town", occurrences=(night,)),
            event("boat-parade", festival="river-days", occurrences=(replace(night, starts=night.starts + 86400, ends=night.ends + 86400),)),
            event("quiz-night", rrule="FREQ=WEEKLY", occurrences=tuple(
                occurrence(datetime(2026, 6, day, 20, tzinfo=UTC), datetime(2026, 6, day, 22, tzinfo=UTC)) for day in (2, 9, 16))),
        ],
    )  # fmt: skip


def build(folder: Path, **rows: Iterable[Any]) -> Path:
    """Publish the town into `folder`, with whole kinds of rows replaced by `rows` (for example `places=[…]`), and return the file."""
    manifest = write(
        folder,
        replace(town_rows(), **rows),
        now=NOW,
        town_name="Lindenmere",
        embedder_id="test-vectors",
        hours_first=date(2026, 5, 1),
        hours_days=400,
    )
    return shelf.path_of(folder, manifest.number)
