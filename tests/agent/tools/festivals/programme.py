"""A small town's programme with every flag, state and kind of hour, seen at a fixed instant: a Friday evening in Advent."""

from dataclasses import replace
from datetime import datetime
from pathlib import Path

from agent.snapshot.reader import Snapshot
from agent.snapshot.schema import EventRow, OccurrenceRow
from agent.snapshot.store import Store
from agent.tools.registry import Bench, Named
from agent.types import Anchor, Box, Point, Result, Tags, Window
from tests.clock import ZONE
from tests.rows import build, event, occurrence

CITY = Anchor("city", "Lindenmere")
TOWER = Anchor("landmark", "Clock Tower", Point(54.4005, -2.9605), place=1)
OLD_TOWN = Anchor("area", "Old Town", Point(54.4, -2.96), Box(54.395, -2.97, 54.405, -2.95), area=2)
HARBOUR = Anchor("area", "Harbour", Point(54.41, -2.95), area=1, sharp=False)
ANY = Tags()
TOWER_SQUARE = {"venue": "Tower Square", "area": "Old Town", "lat": 54.4006, "lng": -2.9606}
PIER = {"venue": "Pier", "area": "Harbour", "lat": 54.41, "lng": -2.951}


def at(text: str) -> datetime:
    """A wall time of the town: "2026-12-04T19:00"; with "~" before it the second pass of a repeated hour."""
    return datetime.fromisoformat(text.removeprefix("~")).replace(tzinfo=ZONE, fold=text.startswith("~"))


def on(start: str, end: str = "", **changes: object) -> OccurrenceRow:
    return occurrence(at(start), at(end or start), **changes)


def held(slug: str, *dates: OccurrenceRow, **changes: object) -> EventRow:
    """An event whose dates are at its own venue, unless they say another."""
    where = {key: changes[key] for key in ("venue", "lat", "lng") if key in changes}
    return event(slug, occurrences=tuple(one if one.venue else replace(one, **where) for one in dates), **changes)


def programme() -> list[EventRow]:
    """What the town has on: every flag, every state, every kind of hour."""
    return [
        held("carols", on("2026-12-04T19:00", "2026-12-04T20:30"), festival="lantern-week", tags=("music",), price="Free", age="all ages",
             access="step-free", description="Carols by lantern light. " * 20, website="https://carols.example", **TOWER_SQUARE),
        held("night-market", on("2026-12-04T17:00", "2026-12-05T01:30"), tags=("food",), price="£3", **PIER),
        held("late-jazz", on("2026-12-05T02:00", "2026-12-05T03:30"), tags=("jazz",), venue="Cellar"),
        held("dawn-swim", on("2026-12-05T05:00", "2026-12-05T06:00")),
        held("toy-fair", on("2026-12-04T10:00", "2026-12-04T18:00")),
        held("lantern-walk", on("2026-12-06T17:00", "2026-12-06T19:00"), festival="lantern-week", **PIER),
        held("lantern-workshop", on("2026-12-04T14:00", "2026-12-04T16:00"), on("2026-12-05T14:00", "2026-12-05T16:00", state="cancelled", note="no paper"),
             on("2026-12-06T14:00", "2026-12-06T16:00"), festival="lantern-week", tags=("craft",), rrule="FREQ=DAILY;COUNT=3", **TOWER_SQUARE),
        held("fire-show", on("2026-12-05T20:00", "2026-12-05T21:00", state="postponed", note="until the wind drops"), festival="lantern-week",
             state="postponed", **PIER),
        held("quiz-night", *(on(f"2026-{month}-{day:02}T20:00", f"2026-{month}-{day:02}T22:00") for month, day in
             (("11", 24), ("12", 1), ("12", 8), ("12", 15), ("12", 22), ("12", 29))), rrule="FREQ=WEEKLY;BYDAY=TU", venue="The Ferry", tags=("quiz",)),
        held("winter-fair", on("2026-12-05T00:00", "2026-12-07T00:00"), all_day=True, area="Old Town", venue="Market Hall"),
        held("spring-ball", on("2027-03-20T19:00", "2027-03-21T02:00")),
        held("open-mic", on("2026-12-09T19:00"), venue="The Ferry", tags=("music",)),
        held("choir", on("2026-12-10T19:00", "2026-12-10T20:00", venue="St Anne", note="moved from the hall"), tags=("music",), **TOWER_SQUARE),
        held("folk-day", on("2026-06-20T12:00", "2026-06-20T22:00"), festival="summer-folk", tags=("music",)),
    ]  # fmt: skip


def opened(folder: Path, **rows: object) -> Snapshot:
    build(folder, **rows)
    return Store(folder).handle()


def seen_from(bench: Bench, anchor: Anchor) -> Bench:
    return replace(bench, anchor=anchor)


def window(start: str, end: str, words: str = "") -> Window:
    return Window(at(start), at(end), words)


TONIGHT = window("2026-12-04T17:00", "2026-12-05T04:00", "tonight")
WEEKEND = window("2026-12-05T00:00", "2026-12-07T00:00", "this weekend")


def tags(bench: Bench, *names: str, without: tuple[str, ...] = (), unmet: tuple[str, ...] = ()) -> Tags:
    ids = {row["name"]: row["id"] for row in bench.snapshot.festivals.rows("SELECT id, name FROM tag")}
    return Tags(tuple((ids[name],) for name in names), names, tuple(ids[name] for name in without), unmet=unmet)


def named(bench: Bench, slug: str, table: str = "event") -> Named:
    row = bench.snapshot.festivals.one(f"SELECT id FROM {table} WHERE slug = ?", (slug,))
    assert row is not None
    return Named((row["id"],))


def ids(result: Result) -> list[str]:
    return [row.public_id.partition(":")[2] for row in result.rows]
