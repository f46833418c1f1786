"""Finding places: SQLite sorts and cuts what stands together in narrow tables, so that only the few places that are shown are read whole."""

from collections.abc import Sequence
from dataclasses import dataclass
from json import dumps
from math import cos, radians, sin

from agent.errors import ToolRefused
from agent.geo import METRES_A_DEGREE, around
from agent.snapshot.reader import Belt
from agent.snapshot.schema import CELL_ROW, EVERY, cell_of
from agent.tools.registry import Bench
from agent.types import Point, Tags

RINGS_M = (800.0, 3_000.0, 12_000.0, 60_000.0)
WALK_M = 1_500.0  # as far as "near" reaches when something else than distance decides
MOST = 400  # candidates whose hours are looked at for one call
GROUPS = 8  # groups of tags that one place can be asked to meet, besides the rarest
NO_SCORE = 256  # a position past the end of the packed scores, where all places are equal

_BEARS = "EXISTS (SELECT 1 FROM place_tag AS t WHERE t.place = c.place AND t.tag IN (SELECT value FROM json_each(:{name})))"
_NEEDS = " AND ".join(f"(:need{at} IS NULL OR {_BEARS.format(name=f'need{at}')})" for at in range(GROUPS))
# The conditions on a candidate `c`; what is not asked for is NULL and costs nothing.
_MEETS = f"""c.place <> :itself
  AND (:area IS NULL OR c.area = :area)
  AND (:prices IS NULL OR c.price IN (SELECT value FROM json_each(:prices)))
  AND (:left_out IS NULL OR c.place NOT IN (SELECT value FROM json_each(:left_out)))
  AND (:without IS NULL OR NOT {_BEARS.format(name="without")})
  AND (:need0 IS NULL OR ({_NEEDS}))"""
# Squared degrees of latitude between a candidate and where the question looks from: the haversine formula for small angles, with the cosine of the
# candidate's latitude drawn out to its first order, which is right to 3 m at 60 km.
_APART = "(c.lat - :lat) * (c.lat - :lat) + (c.lng - :lng) * (c.lng - :lng) * (:squeeze - :lean * (c.lat - :lat))"
_ONE, _ANY_OF = "c.tag = :tag", "c.tag IN (SELECT value FROM json_each(:tags))"


def _near(tags: str, once: str) -> str:
    """The statement that lists the candidates of a circle, best score first, then nearest."""
    return f"""SELECT c.place FROM json_each(:lines) AS line CROSS JOIN tag_cell AS c ON {tags} AND c.cell BETWEEN line.value AND line.value + :wide
  WHERE {_APART} <= :reach AND {_MEETS} {once} ORDER BY substr(c.scores, :score, 1) DESC, {_APART}, c.place LIMIT :counted"""


def _count(rows: str, once: str) -> str:
    return f"SELECT count(*) FROM (SELECT {'DISTINCT' if once else ''} c.place {rows} LIMIT :counted)"


def _best(tags: str, once: str, order: str, scored: str) -> tuple[str, str]:
    """The statements that list and count the candidates of an area or the whole town, best score first, then best known."""
    rows = f"FROM tag_fame AS c WHERE {tags} AND {scored} AND {_MEETS}"
    return f"SELECT c.place {rows} {once} ORDER BY {order} c.fame, c.place LIMIT :most", _count(rows, once)


_ONCE = "GROUP BY c.place"  # for a place that bears two of the tags
_SCORED = "substr(c.scores, :score, 1) > x'00'"
_NEAR = {False: _near(_ONE, ""), True: _near(_ANY_OF, _ONCE)}  # by whether there are several tags
_BEST = {
    (several, scored): _best(
        _ANY_OF if several else _ONE,
        _ONCE if several else "",
        "substr(c.scores, :score, 1) DESC," if scored else "",
        _SCORED if scored else "true",
    )
    for several in (False, True)
    for scored in (False, True)
}
_PACKED = "SELECT scores FROM place WHERE id = ?"
_IN_AREA = "SELECT id FROM place WHERE id IN (SELECT value FROM json_each(?)) AND area = ? ORDER BY id"
_SCORE_KIND = "SELECT id FROM score_kind WHERE name = ?"
_COUNTS = "SELECT coalesce(sum(places), 0) FROM tag WHERE id IN (SELECT value FROM json_each(?))"
_SIZE = "SELECT count(*) FROM (SELECT 1 FROM tag_fame WHERE tag = ? LIMIT ?)"


@dataclass(frozen=True, slots=True)
class Found:
    """The first places that match, in order, and how many there are in all, as far as the budget counts."""

    places: tuple[int, ...] = ()
    total: int = 0


def nearest(bench: Bench, keywords: Tags, most: int) -> Found:
    """Places nearest first: rings grow until one holds enough, so that a town of any size is not read whole."""
    assert bench.anchor.point is not None  # noqa: S101 — callers look
    found = Found()
    for ring in RINGS_M:
        found = within(bench, keywords, bench.anchor.point, ring, 0, most)
        if found.total >= 4 * bench.budget.rows:
            break
    return found


def within(bench: Bench, keywords: Tags, centre: Point, metres: float, score: int, most: int) -> Found:
    """Places of a circle, best first by a kind of score (0 for none), then nearest first."""
    groups = _by_rarity(bench.snapshot.places, keywords.groups)
    params = _conditions(bench, keywords, groups, score, most) | _circle(centre, metres)
    rows = bench.snapshot.places.rows(_NEAR["tags" in params], params)  # all of them: to count the rest apart would cost as much again
    return Found(tuple(row[0] for row in rows[:most]), len(rows))


def best_known(bench: Bench, keywords: Tags, score: int, most: int) -> Found:
    """Places of an area or the whole town: those with a kind of score (0 for none), best first, then the best known."""
    belt, area = bench.snapshot.places, bench.anchor.area
    groups = _by_rarity(belt, keywords.groups)
    if area is not None and (not groups or _smaller(belt, area, groups[0])):
        groups = [(-area,), *groups]
    params = _conditions(bench, keywords, groups, score, most)
    return _find(bench.snapshot.places, _BEST["tags" in params, bool(score)], params)


def _find(belt: Belt, statements: tuple[str, str], params: dict[str, object]) -> Found:
    """What a list's statement finds; the rest is only counted where the list is cut."""
    listed, counted = statements
    places = tuple(row[0] for row in belt.rows(listed, params))
    return Found(places, len(places) if len(places) != params["most"] else int(belt.rows(counted, params)[0][0]))


def _conditions(bench: Bench, keywords: Tags, groups: Sequence[tuple[int, ...]], score: int, most: int) -> dict[str, object]:
    """The values of the conditions, with the first group to start from. Raises ToolRefused for more groups of tags than a statement has room for."""
    rarest, *needs = groups or [(EVERY,)]
    if len(needs) > GROUPS:
        raise ToolRefused(f"a place can be asked for {GROUPS + 1} things at once, not for {len(needs) + 1}")
    return {
        **({"tag": rarest[0]} if len(rarest) == 1 else {"tags": dumps(rarest)}),
        **{f"need{at}": dumps(needs[at]) if at < len(needs) else None for at in range(GROUPS)},
        "itself": bench.anchor.place or 0,
        "area": bench.anchor.area,
        "prices": _asked(keywords.prices),
        "left_out": _asked(keywords.without_places),
        "without": _asked(keywords.without),
        "score": score or NO_SCORE,
        "most": most,
        "counted": bench.budget.counted,
    }


def _asked(values: Sequence[object]) -> str | None:
    return dumps(values) if values else None


def _by_rarity(belt: Belt, groups: Sequence[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """The groups of tags, that with the fewest places first: the one to start from."""
    return sorted(groups, key=lambda group: int(belt.rows(_COUNTS, (dumps(group),))[0][0])) if len(groups) > 1 else list(groups)


def _smaller(belt: Belt, area: int, group: tuple[int, ...]) -> bool:
    """Whether an area has fewer open places than the whole town has of a group."""
    most = int(belt.rows(_COUNTS, (dumps(group),))[0][0])
    return int(belt.rows(_SIZE, (-area, most))[0][0]) < most


def _circle(centre: Point, metres: float) -> dict[str, object]:
    """Where a circle lies: the first cells of the grid's rows that it touches, how many cells wide it is, and its reach in squared degrees."""
    box = around(centre, metres)
    row_first, column_first = divmod(cell_of(box.south, box.west), CELL_ROW)
    row_last, column_last = divmod(cell_of(box.north, box.east), CELL_ROW)
    lat = radians(centre.lat)
    return {
        "lat": centre.lat,
        "lng": centre.lng,
        "squeeze": cos(lat) ** 2,
        "lean": cos(lat) * sin(lat) * radians(1),
        "reach": (metres / METRES_A_DEGREE) ** 2,
        "lines": dumps(list(range(row_first * CELL_ROW + column_first, row_last * CELL_ROW + column_first + 1, CELL_ROW))),
        "wide": column_last - column_first,
    }


def score_kind(belt: Belt, name: str) -> int:
    """The position of a score kind in the packed scores, from 1; 0 for none."""
    row = belt.one(_SCORE_KIND, (name,)) if name else None
    return int(row[0]) if row else 0


def score_of(bench: Bench, place: int, kind: int) -> int:
    """A place's packed score of a kind (ten times the value, and 1), 0 where it has none."""
    row = bench.snapshot.places.one(_PACKED, (place,))
    return int(row["scores"][kind - 1]) if row and kind and kind <= len(row["scores"]) else 0


def in_area(bench: Bench, places: Sequence[int]) -> tuple[int, ...]:
    """The places of one name that are in the area asked about, or all where none is or no area was said."""
    if bench.anchor.area is None:
        return tuple(places)
    inside = [row["id"] for row in bench.snapshot.places.rows(_IN_AREA, (dumps(list(places)), bench.anchor.area))]
    return tuple(inside or places)
