"""F7 festival_options: what a follow-up about festivals and events offers; never words made by a model (A-29)."""

from collections.abc import Sequence
from json import dumps

from agent.tools.registry import Bench, tool
from agent.types import Option

_AREAS = """
SELECT e.area, count(*) AS dates FROM occurrence AS o JOIN event AS e ON e.id = o.event
WHERE o.ends > :now AND e.area <> '' AND o.state = 'scheduled' GROUP BY e.area ORDER BY dates DESC, e.area LIMIT :most"""
_EVENTS = """
SELECT e.slug, e.title AS name, coalesce(f.name, e.venue) AS place FROM event AS e LEFT JOIN festival AS f ON f.id = e.festival
WHERE e.slug IN (SELECT value FROM json_each(?)) ORDER BY e.slug LIMIT ?"""
_FESTIVALS = "SELECT slug, name, location AS place FROM festival WHERE slug IN (SELECT value FROM json_each(?)) ORDER BY slug LIMIT ?"


@tool("F7", "festival", offered=False)
def festival_options(bench: Bench, slot: str, slugs: Sequence[str] = (), *, of_festivals: bool = False) -> tuple[Option, ...]:
    """The options of a slot: for `where` the areas where most is on, for `which` the events or festivals that a name could mean."""
    belt, most = bench.snapshot.festivals, bench.budget.options
    if slot == "where":
        rows = belt.rows(_AREAS, {"now": bench.now.timestamp(), "most": most})
        return tuple(Option(f"area:{row['area']}", row["area"]) for row in rows) if len(rows) > 1 else ()
    rows = belt.rows(_FESTIVALS if of_festivals else _EVENTS, (dumps(list(slugs)), most))
    kind = "festival" if of_festivals else "event"
    return tuple(Option(f"{kind}:{row['slug']}", ", ".join(filter(None, (row["name"], row["place"])))) for row in rows)
