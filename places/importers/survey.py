"""The first reading of a file: is it sound as a whole, and which areas, tags and scores will its places need? Nothing is written yet."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from agent.snapshot.names import fold
from agent.types import Point, Town
from places.importers.rows import AreaRow, ImportRefused, PlaceRow, Refusal, Row
from places.importers.vocabulary import TagWord


@dataclass(slots=True)
class NamedArea:
    """An area that places name: how many have a point, and the sums of their degrees."""

    name: str
    source: str
    points: int = 0
    lat: float = 0.0
    lng: float = 0.0

    def add(self, row: PlaceRow) -> None:
        if row.lat is not None and row.lng is not None:
            self.points, self.lat, self.lng = self.points + 1, self.lat + row.lat, self.lng + row.lng

    def middle(self) -> tuple[float | None, float | None]:
        return (round(self.lat / self.points, 6), round(self.lng / self.points, 6)) if self.points else (None, None)


@dataclass(slots=True)
class Survey:
    """`twice` holds the places in the file of rows without an id that repeat an earlier one."""

    rows: int = 0
    areas: list[AreaRow] = field(default_factory=list)
    named_areas: dict[str, NamedArea] = field(default_factory=dict)
    tags: dict[str, TagWord] = field(default_factory=dict)
    score_kinds: dict[str, str] = field(default_factory=dict)
    sources: set[str] = field(default_factory=set)
    seen: dict[tuple[str, str], str] = field(default_factory=dict)
    twice: dict[str, str] = field(default_factory=dict)
    located: int = 0
    outside: int = 0
    swapped: int = 0
    faults: list[Refusal] = field(default_factory=list)


def in_place(row: Row, town: Town) -> Row:
    """The row, or its refusal where its point is not on the earth, or is in the town only with latitude and longitude swapped."""
    if isinstance(row, Refusal) or row.lat is None or row.lng is None or town.bbox.holds(Point(row.lat, row.lng)):
        return row
    if town.bbox.holds(Point(row.lng, row.lat)):
        return Refusal(row.where, row.source_id, f"{row.lat}, {row.lng} is outside {town.name}, and inside it with lat and lng swapped")
    if not (-90 <= row.lat <= 90 and -180 <= row.lng <= 180):
        return Refusal(row.where, row.source_id, f"{row.lat}, {row.lng} is not on the earth; lat and lng are degrees of WGS 84")
    return row


def survey(rows: Iterable[Row], town: Town) -> Survey:
    """Read all rows. Raises ImportRefused for a file that cannot be taken as a whole."""
    found = Survey()
    for raw in rows:
        row = in_place(raw, town)
        found.rows += 1
        if isinstance(row, Refusal):
            found.swapped += "swapped" in row.reason and not isinstance(raw, Refusal)
            found.faults += [row] if row.fault else []
        else:
            _note(found, row, town)
    _judge(found, town)
    return found


def _note(found: Survey, row: AreaRow | PlaceRow, town: Town) -> None:
    key = (row.source, row.source_id)
    if key in found.seen:
        if not row.source_id.startswith("at:"):
            raise ImportRefused(f"{row.where} has the id {row.source_id!r}, which {found.seen[key]} has too; ids must differ")
        found.twice[row.where] = found.seen[key]
        return
    found.seen[key] = row.where
    found.sources.add(row.source)
    if row.lat is not None and row.lng is not None:
        found.located += 1
        found.outside += not town.bbox.holds(Point(row.lat, row.lng))
    if isinstance(row, AreaRow):
        found.areas.append(replace(row))
        return
    for tag in (*(row.tags or ()), *((row.category,) if row.category else ())):
        found.tags.setdefault(tag.slug, tag)
    for score in row.scores or ():
        found.score_kinds.setdefault(fold(score.kind), score.kind)
    if row.area:
        found.named_areas.setdefault(fold(row.area), NamedArea(row.area, row.source)).add(row)


def _judge(found: Survey, town: Town) -> None:
    if not found.rows:
        raise ImportRefused("the file holds no rows")
    if found.swapped * 2 > found.located + found.swapped:
        points = found.located + found.swapped
        raise ImportRefused(
            f"{found.swapped} of {points} points lie outside {town.name} until lat and lng are swapped, the first at {found.faults[0].where}; "
            "GeoJSON writes longitude first, the columns are lat and lng"
        )
    if len(found.faults) * 2 > found.rows:
        first = "; ".join(f"{row.where}: {row.reason}" for row in found.faults[:3])
        raise ImportRefused(f"{len(found.faults)} of {found.rows} rows cannot be taken ({first}); mend the file first")
