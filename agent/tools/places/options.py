"""P5 place_options: what a follow-up about places offers; never words made by a model (A-29)."""

from collections.abc import Sequence
from json import dumps

from agent.tools.registry import Bench, tool
from agent.types import Option, Tags

_AREAS = """
SELECT a.slug, a.name, count(*) AS places FROM place AS p JOIN area AS a ON a.id = p.area
WHERE p.state = 'open' AND NOT EXISTS (SELECT 1 FROM json_each(:groups) AS g WHERE NOT EXISTS (
  SELECT 1 FROM place_tag AS t JOIN json_each(g.value) AS one ON t.tag = one.value WHERE t.place = p.id))
GROUP BY a.id ORDER BY places DESC, a.name LIMIT :most"""
_LANDMARKS = "SELECT slug, name FROM place WHERE landmark = 1 AND lat IS NOT NULL AND state = 'open' ORDER BY prominence DESC, name LIMIT ?"
_KINDS = "SELECT slug, name FROM tag WHERE kind = 'category' AND places > 0 ORDER BY parent IS NOT NULL, places DESC, name LIMIT ?"
_NAMESAKES = """
SELECT p.slug, p.name, a.name AS area, p.address FROM place AS p LEFT JOIN area AS a ON a.id = p.area
WHERE p.slug IN (SELECT value FROM json_each(?)) ORDER BY p.prominence DESC, p.slug LIMIT ?"""


@tool("P5", "place", offered=False)
def place_options(bench: Bench, slot: str, keywords: Tags, slugs: Sequence[str] = ()) -> tuple[Option, ...]:
    """The options of a slot: for `where` the areas with most of what is looked for, or the best known landmarks; for `what` the town's kinds of
    place; for `which` the places that a name could mean.
    """
    belt, most = bench.snapshot.places, bench.budget.options
    if slot == "which":
        rows = belt.rows(_NAMESAKES, (dumps(list(slugs)), most))
        return tuple(Option(f"place:{row['slug']}", ", ".join(filter(None, (row["name"], row["area"] or row["address"])))) for row in rows)
    if slot == "what":
        return tuple(Option(f"tag:{row['slug']}", row["name"]) for row in belt.rows(_KINDS, (most,)))
    areas = belt.rows(_AREAS, {"groups": dumps(keywords.groups), "most": most})
    if len(areas) > 1:
        return tuple(Option(f"area:{row['slug']}", row["name"]) for row in areas)
    return tuple(Option(f"place:{row['slug']}", row["name"]) for row in belt.rows(_LANDMARKS, (most,)))
