"""Finding places: candidates from the covering index, nearest or best first."""

from collections.abc import Sequence
from dataclasses import dataclass
from json import dumps

from agent.geo import around, distance_m
from agent.snapshot.reader import Belt, SqlRow
from agent.snapshot.schema import CELL_ROW, cell_of
from agent.tools.registry import Bench
from agent.types import Point, Tags

RINGS_M = (800.0, 3_000.0, 12_000.0, 60_000.0)
WALK_M = 1_500.0  # as far as "near" reaches when something else than distance decides
MOST = 400  # candidates looked at for one call

_MATCHES = """
  AND p.state = 'open'
  AND (:area IS NULL OR p.area = :area)
  AND (:prices = '[]' OR p.price IN (SELECT value FROM json_each(:prices)))
  AND p.id NOT IN (SELECT value FROM json_each(:left_out))
  AND NOT EXISTS (SELECT 1 FROM place_tag AS x JOIN json_each(:without) AS w ON x.tag = w.value WHERE x.place = p.id)
  AND NOT EXISTS (SELECT 1 FROM json_each(:groups) AS g WHERE NOT EXISTS (
    SELECT 1 FROM place_tag AS t JOIN json_each(g.value) AS one ON t.tag = one.value WHERE t.place = p.id))
"""
_NEAR = (
    """
WITH found AS MATERIALIZED (
  SELECT DISTINCT c.place FROM json_each(:lines) AS line CROSS JOIN json_each(:driver) AS d CROSS JOIN tag_cell AS c
  WHERE c.tag = d.value AND c.cell BETWEEN line.value + :column_first AND line.value + :column_last)
SELECT p.id, p.lat, p.lng, p.scores, p.prominence, p.name FROM found JOIN place AS p ON p.id = found.place
WHERE true"""
    + _MATCHES
)
_TAGGED = (
    """
SELECT p.id, p.lat, p.lng, p.scores, p.prominence, p.name, count(*) OVER () AS total FROM (
  SELECT DISTINCT pt.place FROM json_each(:driver) AS d JOIN place_tag AS pt ON pt.tag = d.value) AS found
JOIN place AS p ON p.id = found.place
WHERE true"""
    + _MATCHES
    + """
ORDER BY substr(p.scores, :score, 1) DESC, p.prominence DESC, p.hours_known DESC, p.name, p.id LIMIT :most"""
)
_ANY = (
    """
SELECT p.id, p.lat, p.lng, p.scores, p.prominence, p.name, count(*) OVER () AS total FROM place AS p
WHERE true"""
    + _MATCHES
    + """
ORDER BY substr(p.scores, :score, 1) DESC, p.prominence DESC, p.hours_known DESC, p.name, p.id LIMIT :most"""
)
_ANY_NEAR = (
    """
SELECT p.id, p.lat, p.lng, p.scores, p.prominence, p.name FROM place_rtree AS r JOIN place AS p ON p.id = r.id
WHERE r.north >= :south AND r.south <= :north AND r.east >= :west AND r.west <= :east"""
    + _MATCHES
)
_PACKED = "SELECT scores FROM place WHERE id = ?"
_IN_AREA = "SELECT id FROM place WHERE id IN (SELECT value FROM json_each(?)) AND area = ? ORDER BY id"
_SCORE_KIND = "SELECT id FROM score_kind WHERE name = ?"
_COUNTS = "SELECT coalesce(sum(places), 0) FROM tag WHERE id IN (SELECT value FROM json_each(?))"


@dataclass(frozen=True, slots=True)
class Candidate:
    id: int
    point: Point | None
    score: int
    prominence: int
    name: str
    metres: int | None = None


def nearest(bench: Bench, keywords: Tags) -> list[Candidate]:
    """Candidates nearest first: rings grow until one holds enough, so that a town of any size is not read whole."""
    assert bench.anchor.point is not None  # noqa: S101 — callers look
    found: list[Candidate] = []
    for ring in RINGS_M:
        found = [one for one in within(bench, keywords, bench.anchor.point, ring, 0) if one.metres is not None and one.metres <= ring]
        if len(found) >= 4 * bench.budget.rows:
            break
    return sorted(found, key=lambda one: (one.metres, one.name, one.id))[:MOST]


def within(bench: Bench, keywords: Tags, centre: Point, metres: float, score: int) -> list[Candidate]:
    """Candidates in the box around a point."""
    box = around(centre, metres)
    params = _params(bench, keywords, score)
    if driver := _rarest(bench.snapshot.places, keywords):
        row_first, column_first = divmod(cell_of(box.south, box.west), CELL_ROW)
        row_last, column_last = divmod(cell_of(box.north, box.east), CELL_ROW)
        lines = [row * CELL_ROW for row in range(row_first, row_last + 1)]
        params |= {"driver": dumps(driver), "lines": dumps(lines), "column_first": column_first, "column_last": column_last}
        rows = bench.snapshot.places.rows(_NEAR, params)
    else:
        rows = bench.snapshot.places.rows(_ANY_NEAR, params | {"south": box.south, "north": box.north, "west": box.west, "east": box.east})
    return [_candidate(row, score, centre) for row in rows]


def best_known(bench: Bench, keywords: Tags, score: int) -> list[Candidate]:
    """Candidates of an area or the whole town, best score first, then best known."""
    params = _params(bench, keywords, score) | {"most": MOST}
    driver = _rarest(bench.snapshot.places, keywords)
    rows = bench.snapshot.places.rows(_TAGGED, params | {"driver": dumps(driver)}) if driver else bench.snapshot.places.rows(_ANY, params)
    found = [_candidate(row, score, None) for row in rows]
    return [one for one in found if one.score] if score else found


def _params(bench: Bench, keywords: Tags, score: int) -> dict[str, object]:
    return {
        "area": bench.anchor.area,
        "prices": dumps(keywords.prices),
        "without": dumps(keywords.without),
        "left_out": dumps((*keywords.without_places, bench.anchor.place or 0)),
        "groups": dumps(keywords.groups),
        "score": max(score, 1) if score else 256,
    }


def _rarest(belt: Belt, keywords: Tags) -> tuple[int, ...]:
    """The group of tags with the fewest places: the one to start from."""
    return min(keywords.groups, key=lambda group: int(belt.rows(_COUNTS, (dumps(group),))[0][0]), default=())


def _candidate(row: SqlRow, score: int, centre: Point | None) -> Candidate:
    point = None if row["lat"] is None else Point(row["lat"], row["lng"])
    value = row["scores"][score - 1] if score and score <= len(row["scores"]) else 0
    metres = distance_m(centre, point) if centre and point else None
    return Candidate(row["id"], point, value, row["prominence"], row["name"], metres)


def best(one: Candidate) -> tuple[int, int, str, int]:
    return (-one.score, one.metres or 0, one.name, one.id)


def score_kind(belt: Belt, name: str) -> int:
    """The position of a score kind in the packed scores, from 1; 0 for none."""
    row = belt.one(_SCORE_KIND, (name,)) if name else None
    return int(row[0]) if row else 0


def score_of(bench: Bench, place: int, kind: int) -> int:
    """A place's packed score of a kind (value × 10 + 1), 0 where it has none."""
    row = bench.snapshot.places.one(_PACKED, (place,))
    return int(row["scores"][kind - 1]) if row and kind and kind <= len(row["scores"]) else 0


def in_area(bench: Bench, places: Sequence[int]) -> tuple[int, ...]:
    """The places of one name that are in the area asked about, or all where none is or no area was said."""
    if bench.anchor.area is None:
        return tuple(places)
    inside = [row["id"] for row in bench.snapshot.places.rows(_IN_AREA, (dumps(list(places)), bench.anchor.area))]
    return tuple(inside or places)
