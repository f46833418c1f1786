"""Rows into tables. Ids are given in the order of the slugs, so equal content makes equal tables whatever order it came in."""

import json
import math
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from agent.errors import SnapshotRefused
from agent.snapshot.fill_names import NameFiller
from agent.snapshot.match import indexed
from agent.snapshot.schema import (
    EVERY,
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
    cell_of,
)
from agent.snapshot.spool import in_order

_BATCH = 20_000  # rows held back for one table
_UNIT = 1e-3  # how far from 1 a unit vector's length may be

# Filled out of order, then copied in order: a B-tree filled in order is smaller and several times faster.
_LOOSE = """
CREATE TEMP TABLE loose_tag(tag INTEGER, cell INTEGER, fame INTEGER, place INTEGER, lat REAL, lng REAL, area INTEGER, price TEXT, scores BLOB);
CREATE TEMP TABLE loose_gram(gram TEXT, size INTEGER, name INTEGER);
"""
_SETTLE = """
BEGIN;
INSERT INTO tag_cell SELECT tag, cell, place, lat, lng, area, price, scores FROM loose_tag WHERE cell IS NOT NULL ORDER BY tag, cell, place;
INSERT INTO tag_fame SELECT tag, fame, place, area, price, scores FROM loose_tag ORDER BY tag, fame, place;
INSERT INTO name_gram SELECT * FROM loose_gram ORDER BY gram, size, name;
INSERT INTO gram SELECT gram, count(*) FROM name_gram GROUP BY gram;
INSERT INTO name_fts(name_fts) VALUES ('rebuild');
DROP TABLE loose_tag;
DROP TABLE loose_gram;
COMMIT;
"""


def fill(connection: sqlite3.Connection, content: Content, folder: Path) -> int:
    """Fill the tables, without indexes and manifest, and return the width of the vectors. `folder` takes the rows that do not fit in memory.

    Raises SnapshotRefused that names the row and what is wrong with it.
    """
    connection.executescript(_LOOSE + "BEGIN;")
    filler = _Filler(connection, content)
    for place in in_order(content.places, folder, "place"):
        filler.place(place)
    for festival in in_order(content.festivals, folder, "festival"):
        filler.festival(festival)
    for event in in_order(content.events, folder, "event"):
        filler.event(event)
    filler.finish()
    connection.commit()
    connection.executescript(_SETTLE)
    return filler.width


class _Filler:
    """Holds the ids of what rows refer to, and rows that wait for their table."""

    def __init__(self, connection: sqlite3.Connection, content: Content) -> None:
        self.connection = connection
        self.waiting: dict[str, list[tuple[Any, ...]]] = defaultdict(list)
        self.counted: Counter[str] = Counter()
        self.names = NameFiller(self.extend)
        self.areas = _numbered(content.areas, "area")
        self.tags = _numbered(content.tags, "tag")
        self.kinds = _numbered(content.score_kinds, "score kind")
        self.tag_names = {number: indexed(tag.name) for number, tag in self.tags.values()}
        self.width = self._vectors()
        self.closed = {slug: self._ancestors(tag) for slug, (_, tag) in self.tags.items()}
        self.festivals: dict[str, int] = {}
        self.in_area: Counter[int] = Counter()
        self.place_tags: Counter[int] = Counter()
        self.event_tags: Counter[int] = Counter()
        for url, kind in (("/", "home"), ("/places/", "places"), ("/festivals/", "festivals")):
            self.add("page", url, kind, "")

    def add(self, table: str, *values: Any) -> None:
        self.extend(table, (values,))

    def extend(self, table: str, rows: Iterable[tuple[Any, ...]]) -> None:
        waiting = self.waiting[table]
        waiting.extend(rows)
        if len(waiting) >= _BATCH:
            self._flush(table)

    def _flush(self, table: str) -> None:
        waiting = self.waiting[table]
        if waiting:
            marks = ", ".join("?" * len(waiting[0]))
            columns = {"place_fts": "(rowid, name, tags, description)", "event_fts": "(rowid, title, tags, description)"}.get(table, "")
            self.connection.executemany(f"INSERT INTO {table}{columns} VALUES ({marks})", waiting)  # noqa: S608 (fixed names)
            waiting.clear()

    def next_id(self, table: str) -> int:
        self.counted[table] += 1
        return self.counted[table]

    # What rows refer to

    def _vectors(self) -> int:
        widths: set[int] = set()
        for slug, (number, tag) in self.tags.items():
            if len(tag.vectors) != len(tag.phrases):
                raise SnapshotRefused(f"tag '{slug}' has {len(tag.phrases)} phrases and {len(tag.vectors)} vectors; embed the tags, then publish")
            for phrase, vector in (*zip(tag.phrases[:1], tag.vectors[:1], strict=True), *sorted(zip(tag.phrases[1:], tag.vectors[1:], strict=True))):
                widths.add(len(vector))
                if not abs(math.hypot(*vector) - 1) <= _UNIT:
                    raise SnapshotRefused(f"the vector of '{phrase}' (tag '{slug}') is not of unit length; embed the tags again, then publish")
                self.add("tag_vector", self.next_id("tag_vector"), number, phrase, np.asarray(vector, "<f4").tobytes())
        if len(widths) > 1:
            raise SnapshotRefused(f"the tags' vectors have several widths {sorted(widths)}; embed them all with one embedder, then publish")
        return widths.pop() if widths else 0

    def _ancestors(self, tag: TagRow) -> tuple[int, ...]:
        """The ids of a tag and of all above it. Raises SnapshotRefused for a circle or a parent that is no tag."""
        found: list[int] = []
        slug = tag.slug
        while slug:
            number = self._find(self.tags, slug, f"the parent of tag '{tag.slug}'", "tag")
            if number in found:
                raise SnapshotRefused(f"tag '{tag.slug}' is its own ancestor; give it another parent")
            found.append(number)
            slug = self.tags[slug][1].parent
        return tuple(found)

    def _find(self, known: Mapping[str, tuple[int, Any]], slug: str, whose: str, what: str) -> int:
        try:
            return known[slug][0]
        except KeyError:
            raise SnapshotRefused(f"{whose} is '{slug}', which is no published {what}") from None

    def _tags_of(self, slugs: Iterable[str], whose: str) -> list[int]:
        try:
            return sorted({number for slug in slugs for number in self.closed[slug]})
        except KeyError as error:
            raise SnapshotRefused(f"{whose} has the tag {error}, which is no published tag") from None

    def _tag_names(self, numbers: Iterable[int]) -> str:
        return ", ".join(self.tag_names[number] for number in numbers)

    # Places

    def place(self, row: PlaceRow) -> None:
        number, whose = self.next_id("place"), f"place '{row.slug}'"
        _check_point(row.lat, row.lng, whose)
        area = self._find(self.areas, row.area, f"the area of {whose}", "area") if row.area else None
        category = self._find(self.tags, row.category, f"the category of {whose}", "tag") if row.category else None
        tags = self._tags_of((*row.tags, *([row.category] if row.category else [])), whose)
        scores = self._scores(number, row.scores, whose)
        self.add("place", number, row.slug, row.name, category, area, row.lat, row.lng, row.state, row.price, row.wheelchair, row.hours_text,
                 int(row.hours.known), int(row.landmark), row.prominence, row.address, row.postcode, row.phone, row.website, row.description,
                 row.source, row.licence, row.checked_on, scores)  # fmt: skip
        self.add("place_fts", number, indexed("\n".join((row.name, *sorted(row.names)))), self._tag_names(tags), indexed(row.description))
        self.add("page", f"/places/{row.slug}/", "place", row.slug)
        self.names.add("landmark" if row.landmark else "place", number, (row.name, *sorted(row.names)), row.prominence)
        self._place_tags(number, row, tags, area, scores)
        self._hours(number, row.hours)
        if area:
            self.in_area[area] += 1

    def _place_tags(self, number: int, row: PlaceRow, tags: Sequence[int], area: int | None, scores: bytes) -> None:
        """The tags as pairs, and of an open place as rows of the grid and of fame, where all that a search sorts and cuts by stands together."""
        self.place_tags.update(tags)
        self.extend("place_tag", [(number, tag) for tag in tags])
        cell = None
        if row.lat is not None and row.lng is not None:
            cell = cell_of(row.lat, row.lng)
            self.add("place_rtree", number, row.lat, row.lat, row.lng, row.lng)
        if row.state == "open":
            fame = -(2 * row.prominence + row.hours.known)
            self.extend("loose_tag", [(tag, cell, fame, number, row.lat, row.lng, area, row.price, scores) for tag in (EVERY, *tags)])
            if area:
                self.add("loose_tag", -area, None, fame, number, row.lat, row.lng, area, row.price, scores)

    def _scores(self, place: int, scores: Iterable[ScoreRow], whose: str) -> bytes:
        """One byte a score kind, by id: ten times the value and one more, or 0 for none."""
        packed = bytearray(len(self.kinds))
        for score in scores:
            kind = self._find(self.kinds, score.kind, f"a score of {whose}", "score kind")
            if not 0 <= score.value <= 10 or packed[kind - 1]:
                raise SnapshotRefused(f"the score '{score.kind}' of {whose} is {score.value}; it must come once and be from 0 to 10")
            packed[kind - 1] = int(score.value * 10 + 0.5) + 1
            self.add("score", place, kind, float(score.value), score.reason, score.method)
        return bytes(packed)

    def _hours(self, place: int, hours: Hours) -> None:
        self.extend("hours", [(place, each.opens, each.closes, each.state) for each in _apart(hours.week)])
        for day in sorted(hours.days):
            intervals = _apart(hours.days[day]) or [Interval(0, 1440, "closed")]
            self.extend("hours_day", [(place, day, each.opens, each.closes, each.state) for each in intervals])

    # Festivals and events

    def festival(self, row: FestivalRow) -> None:
        number = self.festivals[row.slug] = self.next_id("festival")
        self.add("festival", number, row.slug, row.name, row.marks, row.description, row.organiser, row.tickets, row.website, row.location,
                 row.state, row.source, row.licence, row.checked_on)  # fmt: skip
        self.extend("festival_tag", [(number, tag) for tag in self._tags_of(row.tags, f"festival '{row.slug}'")])
        self.add("page", f"/festivals/{row.slug}/", "festival", row.slug)
        self.names.add("festival", number, (row.name, *sorted(row.names)), 0)

    def event(self, row: EventRow) -> None:
        number, whose = self.next_id("event"), f"event '{row.slug}'"
        _check_point(row.lat, row.lng, whose)
        if row.festival and row.festival not in self.festivals:
            raise SnapshotRefused(f"the festival of {whose} is '{row.festival}', which is no published festival")
        tags = self._tags_of(row.tags, whose)
        self.add("event", number, row.slug, self.festivals.get(row.festival), row.title, row.description, int(row.all_day), row.rrule, row.venue,
                 row.venue_slug, row.area, row.lat, row.lng, row.price, row.age, row.access, row.website, row.state, row.source, row.licence,
                 row.checked_on)  # fmt: skip
        self.add("event_fts", number, indexed(row.title), self._tag_names(tags), indexed(row.description))
        self.add("page", f"/festivals/{row.festival}/{row.slug}/" if row.festival else f"/events/{row.slug}/", "event", row.slug)
        self.names.add("event", number, (row.title,), 0)
        self.event_tags.update(tags)
        self.extend("event_tag", [(number, tag) for tag in tags])
        for occurrence in sorted(row.occurrences, key=lambda each: (each.starts, each.ends, each.venue, each.note, each.state)):
            self._occurrence(number, occurrence, whose)

    def _occurrence(self, event: int, row: OccurrenceRow, whose: str) -> None:
        _check_point(row.lat, row.lng, whose)
        if row.ends < row.starts:
            raise SnapshotRefused(f"{whose} ends at {row.ends_local}, before it begins at {row.starts_local}")
        self.add("occurrence", self.next_id("occurrence"), event, row.starts, row.ends, row.starts_local, row.ends_local, row.state, row.note,
                 row.venue, row.lat, row.lng)  # fmt: skip

    # What is known only at the end

    def finish(self) -> None:
        for number, area in self.areas.values():
            self._area(number, area)
        for number, tag in self.tags.values():
            parent = self.tags[tag.parent][0] if tag.parent else None
            self.add("tag", number, tag.slug, tag.name, tag.kind, parent, self.place_tags[number], self.event_tags[number])
            self.add("page", f"/tags/{tag.slug}/", "tag", tag.slug)
            self.names.add("tag", number, (tag.name, *sorted(tag.phrases)), self.place_tags[number])
        for number, kind in self.kinds.values():
            self.add("score_kind", number, kind.slug, kind.name)
            self.names.add("score", number, (kind.name, *sorted(kind.words)), 0)
        for table in list(self.waiting):
            self._flush(table)

    def _area(self, number: int, row: AreaRow) -> None:
        _check_point(row.lat, row.lng, f"area '{row.slug}'")
        box = _box(row.outline) if row.outline else (None,) * 4
        outline = json.dumps(row.outline, sort_keys=True, separators=(",", ":")) if row.outline else None
        self.add("area", number, row.slug, row.name, row.lat, row.lng, *box, outline, int(row.sharp), row.source, row.licence)
        self.add("page", f"/areas/{row.slug}/", "area", row.slug)
        self.names.add("area", number, (row.name, *sorted(row.names)), self.in_area[number])


N = TypeVar("N", AreaRow, TagRow, ScoreKindRow)


def _numbered(rows: Iterable[N], what: str) -> dict[str, tuple[int, N]]:
    found: dict[str, tuple[int, N]] = {}
    for number, row in enumerate(sorted(rows, key=lambda each: each.slug), 1):
        if row.slug in found:
            raise SnapshotRefused(f"two {what} rows have the public id '{row.slug}'; a public id names one row")
        found[row.slug] = number, row
    return found


def _apart(intervals: Sequence[Interval]) -> Sequence[Interval]:
    """Intervals by their beginning; of two that begin together the longer stays, and it is only open if both are."""
    if len(intervals) < 2:
        return intervals
    found: dict[int, Interval] = {}
    for interval in sorted(intervals, key=lambda each: (each.opens, each.closes, each.state)):
        other = found.get(interval.opens, interval)
        found[interval.opens] = interval if other.state == interval.state else Interval(interval.opens, interval.closes, "unknown")
    return list(found.values())


def _check_point(lat: float | None, lng: float | None, whose: str) -> None:
    if (lat is None) != (lng is None) or (lat is not None and lng is not None and not (-90 <= lat <= 90 and -180 <= lng <= 180)):
        raise SnapshotRefused(f"{whose} is at lat {lat}, lng {lng}; both must be degrees on the earth, or both absent")


def _box(outline: Mapping[str, Any]) -> tuple[float, float, float, float]:
    """South, west, north, east of a GeoJSON geometry (RFC 7946: lng before lat)."""
    points = list(_points(outline.get("geometries", outline.get("coordinates", ()))))
    if not points:
        raise SnapshotRefused("an area's outline has no coordinates; it must be a GeoJSON geometry")
    lngs, lats = [point[0] for point in points], [point[1] for point in points]
    return min(lats), min(lngs), max(lats), max(lngs)


def _points(part: Any) -> Iterator[Sequence[float]]:
    if isinstance(part, Mapping):
        yield from _points(part.get("geometries", part.get("coordinates", ())))
    elif part and isinstance(part[0], int | float):
        yield part
    else:
        for each in part:
            yield from _points(each)
