"""Example questions, made from what the snapshot holds, so that each has an answer (R-03)."""

from agent.snapshot.reader import Belt, Snapshot

# What people ask for is what keeps hours: a town has more benches than cafes. The first rows are sample enough, in a town of any size.
_KINDS = """
SELECT t.id, t.name FROM (SELECT category, hours_known FROM place WHERE state = 'open' AND category IS NOT NULL LIMIT 5000) AS p
JOIN tag AS t ON t.id = p.category GROUP BY t.id ORDER BY sum(p.hours_known) DESC, count(*) DESC, t.name LIMIT 3
"""
_LANDMARK = """
SELECT p.name FROM name AS n JOIN place AS p ON p.id = n.ref WHERE n.kind = 'landmark' AND p.lat IS NOT NULL ORDER BY n.rank DESC, n.id LIMIT 1
"""
_AREA_WITH = """
SELECT a.name FROM place_tag AS x JOIN place AS p ON p.id = x.place JOIN area AS a ON a.id = p.area
WHERE x.tag = ? AND p.category = x.tag AND p.state = 'open' GROUP BY a.id ORDER BY count(*) DESC, a.name LIMIT 1
"""


def examples(snapshot: Snapshot) -> tuple[str, ...]:
    """Up to four questions: a kind near the best known landmark, one open now, one in an area, and where the landmark is."""
    kinds = [(row["id"], row["name"]) for row in snapshot.pages.rows(_KINDS)]
    landmark = snapshot.anchors.one(_LANDMARK)
    made = []
    if kinds and landmark:
        made.append(f"Is there {_a(kinds[0][1])} near {landmark['name']}?")
    if kinds:
        made.append(f"Which {kinds[1 % len(kinds)][1]} is open now?")
        made += _in_area(snapshot.pages, *kinds[2 % len(kinds)])
    if landmark:
        made.append(f"Where is {landmark['name']}?")
    return tuple(made)


def _in_area(pages: Belt, kind: int, name: str) -> list[str]:
    area = pages.one(_AREA_WITH, (kind,))
    return [f"Is there {_a(name)} in {area['name']}?"] if area else []


def _a(name: str) -> str:
    return f"{'an' if name[:1] in 'aeiou' else 'a'} {name}"
