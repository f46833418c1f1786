"""The place tools: P1 find_places, P2 place_details, P4 places_near. Their connection cannot read a festival table (A-19)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from json import dumps

from agent.geo import around, distance_m, say_distance, walk_minutes
from agent.snapshot.reader import Belt, SqlRow
from agent.snapshot.schema import CELL_DEGREES, CELL_ROW, Hours, Interval
from agent.tools.hours import opening
from agent.tools.registry import Bench, Named, tool
from agent.types import Anchor, Opening, Point, Reason, Result, Row, Tags

RINGS_M = (800.0, 3_000.0, 12_000.0, 60_000.0)
WALK_M = 1_500.0  # as far as "near" reaches when something else than distance decides
_MOST = 400  # candidates looked at for one call

_MATCHES = """
  AND p.state = 'open'
  AND (:area IS NULL OR p.area = :area)
  AND (:prices = '[]' OR p.price IN (SELECT value FROM json_each(:prices)))
  AND NOT EXISTS (SELECT 1 FROM place_tag AS x JOIN json_each(:without) AS w ON x.tag = w.value WHERE x.place = p.id)
  AND NOT EXISTS (SELECT 1 FROM json_each(:groups) AS g WHERE NOT EXISTS (
    SELECT 1 FROM place_tag AS t JOIN json_each(g.value) AS one ON t.tag = one.value WHERE t.place = p.id))
"""
_NEAR = """
WITH RECURSIVE line(n) AS (VALUES(:row_first) UNION ALL SELECT n + 1 FROM line WHERE n < :row_last),
found AS MATERIALIZED (
  SELECT DISTINCT c.place FROM line CROSS JOIN json_each(:driver) AS d CROSS JOIN tag_cell AS c
  WHERE c.tag = d.value AND c.cell BETWEEN line.n * :cell_row + :column_first AND line.n * :cell_row + :column_last)
SELECT p.id, p.lat, p.lng, p.scores, p.prominence, p.name FROM found JOIN place AS p ON p.id = found.place
WHERE p.id <> :except""" + _MATCHES  # noqa: S608 — fixed text
_TAGGED = """
SELECT p.id, p.lat, p.lng, p.scores, p.prominence, p.name, count(*) OVER () AS total FROM (
  SELECT DISTINCT pt.place FROM json_each(:driver) AS d JOIN place_tag AS pt ON pt.tag = d.value) AS found
JOIN place AS p ON p.id = found.place
WHERE p.id <> :except""" + _MATCHES + """
ORDER BY substr(p.scores, :score, 1) DESC, p.prominence DESC, p.hours_known DESC, p.name, p.id LIMIT :most"""  # noqa: S608
_ANY = """
SELECT p.id, p.lat, p.lng, p.scores, p.prominence, p.name, count(*) OVER () AS total FROM place AS p
WHERE p.id <> :except""" + _MATCHES + """
ORDER BY substr(p.scores, :score, 1) DESC, p.prominence DESC, p.hours_known DESC, p.name, p.id LIMIT :most"""  # noqa: S608
_ANY_NEAR = """
SELECT p.id, p.lat, p.lng, p.scores, p.prominence, p.name FROM place_rtree AS r JOIN place AS p ON p.id = r.id
WHERE r.north >= :south AND r.south <= :north AND r.east >= :west AND r.west <= :east AND p.id <> :except""" + _MATCHES  # noqa: S608
_PLACE = """
SELECT p.*, a.name AS area_name, c.name AS category_name FROM place AS p
LEFT JOIN area AS a ON a.id = p.area LEFT JOIN tag AS c ON c.id = p.category WHERE p.id = ?"""
_TAGS = "SELECT t.id, t.name, t.kind FROM place_tag AS pt JOIN tag AS t ON t.id = pt.tag WHERE pt.place = ? ORDER BY t.kind, t.name"
_SCORES = "SELECT k.name, s.value, s.reason FROM score AS s JOIN score_kind AS k ON k.id = s.kind WHERE s.place = ? ORDER BY s.value DESC, k.name"
_WEEK = "SELECT opens, closes, state FROM hours WHERE place = ? ORDER BY opens"
_DAYS = "SELECT day, opens, closes, state FROM hours_day WHERE place = ? AND day BETWEEN ? AND ? ORDER BY day, opens"
_SCORE_KIND = "SELECT id FROM score_kind WHERE name = ?"
_COUNTS = "SELECT coalesce(sum(places), 0) FROM tag WHERE id IN (SELECT value FROM json_each(?))"


@dataclass(frozen=True, slots=True)
class _Candidate:
    id: int
    point: Point | None
    score: int
    prominence: int
    name: str
    metres: int | None = None


@tool("P1", "place")
def find_places(bench: Bench, keywords: Tags, order_by: str = "", open_at: datetime | None = None, limit: int = 5) -> Result:
    """Places of a kind, with what is asked of them: best first by a score, else nearest first, else best known first."""
    score = _score_kind(bench.snapshot.places, order_by or next(iter(keywords.scores), ""))
    near = bench.anchor.point if bench.anchor.area is None else None
    if near is not None and not score:
        return _answer(bench, "find_places", keywords, _nearest(bench, keywords), open_at, limit)
    if near is not None:
        found = [one for one in _within(bench, keywords, near, WALK_M, score) if one.metres is not None and one.metres <= WALK_M]
        return _answer(bench, "find_places", keywords, sorted(found, key=_best), open_at, limit, order_by=order_by)
    return _answer(bench, "find_places", keywords, _best_known(bench, keywords, score), open_at, limit, order_by=order_by)


@tool("P4", "place")
def places_near(bench: Bench, keywords: Tags, open_at: datetime | None = None, limit: int = 5) -> Result:
    """Places of a kind by distance from where the question looks from, nearest first."""
    if bench.anchor.point is None:
        return _answer(bench, "places_near", keywords, _best_known(bench, keywords, 0), open_at, limit)
    return _answer(bench, "places_near", keywords, _nearest(bench, keywords), open_at, limit)


@tool("P2", "place")
def place_details(bench: Bench, names: Named, open_at: datetime | None = None) -> Result:
    """One named place, or the places that bear one name: hours, price, access, contact, what it is known for."""
    moment = open_at or bench.now
    rows = [_row(bench, number, place, moment, Tags()) for number, place in enumerate(names.ids[: bench.budget.rows], start=1)]
    missing = f"no place called {' or '.join(names.unknown)}" if names.unknown and not rows else ""
    return Result(bench.question, "place_details", tuple(rows), len(names.ids), failed=missing)


def _nearest(bench: Bench, keywords: Tags) -> list[_Candidate]:
    """Candidates nearest first: rings grow until one holds enough, so that a town of any size is not read whole."""
    assert bench.anchor.point is not None  # noqa: S101 — callers look
    found: list[_Candidate] = []
    for ring in RINGS_M:
        found = [one for one in _within(bench, keywords, bench.anchor.point, ring, 0) if one.metres is not None and one.metres <= ring]
        if len(found) >= 4 * bench.budget.rows:
            break
    return sorted(found, key=lambda one: (one.metres, one.name, one.id))[:_MOST]


def _within(bench: Bench, keywords: Tags, centre: Point, metres: float, score: int) -> list[_Candidate]:
    """Candidates in the box around a point."""
    box = around(centre, metres)
    params = _params(bench, keywords, score)
    if driver := _rarest(bench.snapshot.places, keywords):
        row_first, column_first = divmod(_cell(box.south, box.west), CELL_ROW)
        row_last, column_last = divmod(_cell(box.north, box.east), CELL_ROW)
        params |= {"driver": dumps(driver), "row_first": row_first, "row_last": row_last, "column_first": column_first, "column_last": column_last, "cell_row": CELL_ROW}
        rows = bench.snapshot.places.rows(_NEAR, params)
    else:
        rows = bench.snapshot.places.rows(_ANY_NEAR, params | {"south": box.south, "north": box.north, "west": box.west, "east": box.east})
    return [_candidate(row, score, centre) for row in rows]


def _best_known(bench: Bench, keywords: Tags, score: int) -> list[_Candidate]:
    """Candidates of an area or the whole town, best score first, then best known."""
    params = _params(bench, keywords, score) | {"most": _MOST}
    driver = _rarest(bench.snapshot.places, keywords)
    rows = bench.snapshot.places.rows(_TAGGED, params | {"driver": dumps(driver)}) if driver else bench.snapshot.places.rows(_ANY, params)
    found = [_candidate(row, score, None) for row in rows]
    return [one for one in found if one.score] if score else found


def _params(bench: Bench, keywords: Tags, score: int) -> dict[str, object]:
    return {
        "area": bench.anchor.area,
        "prices": dumps(keywords.prices),
        "without": dumps(keywords.without),
        "groups": dumps(keywords.groups),
        "except": bench.anchor.place or 0,
        "score": max(score, 1) if score else 256,
    }


def _rarest(belt: Belt, keywords: Tags) -> tuple[int, ...]:
    """The group of tags with the fewest places: the one to start from."""
    return min(keywords.groups, key=lambda group: belt.one(_COUNTS, (dumps(group),))[0], default=())


def _cell(lat: float, lng: float) -> int:
    return int((lat + 90) / CELL_DEGREES) * CELL_ROW + int((lng + 180) / CELL_DEGREES)


def _candidate(row: SqlRow, score: int, centre: Point | None) -> _Candidate:
    point = None if row["lat"] is None else Point(row["lat"], row["lng"])
    value = row["scores"][score - 1] if score and score <= len(row["scores"]) else 0
    metres = distance_m(centre, point) if centre and point else None
    return _Candidate(row["id"], point, value, row["prominence"], row["name"], metres)


def _best(one: _Candidate) -> tuple[int, int, str, int]:
    return (-one.score, one.metres or 0, one.name, one.id)


def _score_kind(belt: Belt, name: str) -> int:
    """The position of a score kind in the packed scores, from 1; 0 for none."""
    row = belt.one(_SCORE_KIND, (name,)) if name else None
    return int(row[0]) if row else 0


def _answer(
    bench: Bench, name: str, keywords: Tags, found: Sequence[_Candidate], open_at: datetime | None, limit: int, order_by: str = ""
) -> Result:
    """The first few candidates as rows; asked for open ones, those known to be open, else those whose hours are not confirmed, said so."""
    if keywords.unmet:
        kind = keywords.names[0] if keywords.names else ""
        return Result(bench.question, name, failed=f"no {' '.join(keywords.unmet)} {kind}".strip())
    chosen, notes = (found, ()) if open_at is None else _open(bench, found, open_at)
    cut = chosen[: min(limit, bench.budget.rows)]
    rows = tuple(_row(bench, number, one.id, open_at or bench.now, keywords, order_by) for number, one in enumerate(cut, start=1))
    return Result(bench.question, name, rows, len(chosen), notes=notes)


def _open(bench: Bench, found: Iterable[_Candidate], moment: datetime) -> tuple[list[_Candidate], tuple[str, ...]]:
    sure: list[_Candidate] = []
    maybe: list[_Candidate] = []
    for one in found:
        state = _opening(bench, one.id, moment).state
        if state == "open":
            sure.append(one)
        elif state == "unknown":
            maybe.append(one)
    return (sure, ()) if sure or not maybe else (maybe, ("none known to be open; hours not confirmed",))


def _opening(bench: Bench, place: int, moment: datetime) -> Opening:
    """A place's hours at an instant, from its week and the days around it."""
    belt, day = bench.snapshot.places, moment.date().toordinal()
    known = belt.one("SELECT hours_known FROM place WHERE id = ?", (place,))
    week = tuple(Interval(*row) for row in belt.rows(_WEEK, (place,)))
    days: dict[int, tuple[Interval, ...]] = {}
    for row in belt.rows(_DAYS, (place, day - 1, day + 9)):
        days[row["day"]] = (*days.get(row["day"], ()), Interval(row["opens"], row["closes"], row["state"]))
    first = bench.snapshot.manifest.hours_first.toordinal()
    return opening(Hours(week, days, bool(known and known[0])), moment, range(first, first + bench.snapshot.manifest.hours_days))


def _row(bench: Bench, number: int, place: int, moment: datetime, keywords: Tags, order_by: str = "") -> Row:
    """A place as a gathered row, with every fact that a sentence may fill in."""
    data = bench.snapshot.places.one(_PLACE, (place,))
    assert data is not None  # noqa: S101 — the id comes from the same file
    point = None if data["lat"] is None else Point(data["lat"], data["lng"])
    metres = distance_m(bench.anchor.point, point) if bench.anchor.point and point and bench.anchor.place != place else None
    tags = [(row["id"], row["name"], row["kind"]) for row in bench.snapshot.places.rows(_TAGS, (place,))]
    scores = {row["name"]: (row["value"], row["reason"]) for row in bench.snapshot.places.rows(_SCORES, (place,))}
    hours = _opening(bench, place, moment)
    location = data["address"] or data["area_name"] or bench.town.name
    return Row(
        id=f"r{number}",
        public_id=f"place:{data['slug']}",
        name=data["name"],
        names=(data["name"],),
        location=data["area_name"] or data["address"] or bench.town.name,
        url=f"/places/{data['slug']}/",
        reason=_reason(data, tags, scores, keywords, order_by),
        facts=_facts(data, tags, scores, hours, location, metres, bench.anchor),
        status=data["state"],
        point=point,
        distance_m=metres,
        opening=hours,
        source="small",
    )


def _reason(data: SqlRow, tags: Sequence[tuple[int, str, str]], scores: dict[str, tuple[float, str]], keywords: Tags, order_by: str) -> Reason:
    """Why the row matched: the score asked for, else the tags asked for, else what it is."""
    for kind in (order_by, *keywords.scores):
        if kind in scores:
            return Reason("score", f"{kind} {scores[kind][0]:g} of 10")
    asked = {tag for group in keywords.groups for tag in group}
    if matched := [name for tag, name, _ in tags if tag in asked]:
        return Reason("tag", ", ".join(matched))
    if keywords.prices and data["price"]:
        return Reason("fact", data["price"])
    return Reason("tag", data["category_name"] or (tags[0][1] if tags else "place"))


def _facts(
    data: SqlRow, tags: Sequence[tuple[int, str, str]], scores: dict[str, tuple[float, str]], hours: Opening, address: str, metres: int | None, anchor: Anchor
) -> dict[str, str]:
    facts = {
        "name": data["name"],
        "location": data["area_name"] or data["address"],
        "address": ", ".join(part for part in (data["address"], data["postcode"]) if part) or address,
        "area": data["area_name"] or "",
        "category": data["category_name"] or "",
        "tags": ", ".join(name for _, name, kind in tags if kind != "category"),
        "hours": hours.text,
        "price": data["price"],
        "wheelchair": {"yes": "step-free", "limited": "partly step-free", "no": "not step-free"}.get(data["wheelchair"], ""),
        "phone": data["phone"],
        "website": data["website"],
        "description": data["description"],
        "state": {"closed_for_good": "closed for good", "closed_for_now": "closed for now"}.get(data["state"], ""),
        "anchor": anchor.name,
    }
    facts |= {kind.replace(" ", "_"): f"{value:g} of 10" for kind, (value, _) in scores.items()}
    if metres is not None:
        facts |= {"distance": say_distance(metres), "walk": f"{walk_minutes(metres)} min"}
    return {slot: text for slot, text in facts.items() if text}
