"""A place as a gathered row: its facts in words, its hours at an instant, and why it matched."""

from collections.abc import Sequence

from agent.geo import distance_m, say_distance, walk_minutes
from agent.snapshot.reader import SqlRow
from agent.tools.places.opening import opening_of
from agent.tools.registry import Bench
from agent.types import Anchor, Opening, Point, Reason, Row, Tags, Window

_PLACE = """
SELECT p.*, a.name AS area_name, c.name AS category_name FROM place AS p
LEFT JOIN area AS a ON a.id = p.area LEFT JOIN tag AS c ON c.id = p.category WHERE p.id = ?"""
_TAGS = "SELECT t.id, t.name, t.kind FROM place_tag AS pt JOIN tag AS t ON t.id = pt.tag WHERE pt.place = ? ORDER BY t.kind, t.name"
_SCORES = "SELECT k.name, s.value, s.reason FROM score AS s JOIN score_kind AS k ON k.id = s.kind WHERE s.place = ? ORDER BY s.value DESC, k.name"


def place_row(bench: Bench, number: int, place: int, when: Window | None, keywords: Tags, order_by: str = "") -> Row:
    """A place as a gathered row, with every fact that a sentence may fill in."""
    data = bench.snapshot.places.one(_PLACE, (place,))
    assert data is not None  # noqa: S101 — the id comes from the same file
    point = None if data["lat"] is None else Point(data["lat"], data["lng"])
    metres = _metres(bench.anchor, point) if bench.anchor.place != place else None
    tags = [(row["id"], row["name"], row["kind"]) for row in bench.snapshot.places.rows(_TAGS, (place,))]
    scores = {row["name"]: (row["value"], row["reason"]) for row in bench.snapshot.places.rows(_SCORES, (place,))}
    hours = opening_of(bench, place, when)
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


def _metres(anchor: Anchor, point: Point | None) -> int | None:
    """How far a place is from a point that was named; an area is looked in, not from."""
    return distance_m(anchor.point, point) if anchor.point and point and anchor.rung != "area" else None


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
    data: SqlRow,
    tags: Sequence[tuple[int, str, str]],
    scores: dict[str, tuple[float, str]],
    hours: Opening,
    address: str,
    metres: int | None,
    anchor: Anchor,
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
