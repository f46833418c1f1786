"""Example questions, made from what the snapshot holds, so that each has an answer (R-03)."""

from agent.snapshot.reader import Belt, Snapshot

# What people ask for is what keeps hours: a town has more benches than cafes. Each statement reads a sample, so that a town of any size is quick.
_KINDS = """
SELECT t.id, t.name FROM (SELECT category, hours_known, state FROM place LIMIT 10000) AS p JOIN tag AS t ON t.id = p.category
WHERE p.state = 'open' GROUP BY t.id ORDER BY sum(p.hours_known) DESC, count(*) DESC, t.name LIMIT 3
"""
_LANDMARK = """
SELECT p.name FROM (SELECT name, landmark, prominence, state, lat FROM place LIMIT 10000) AS p
WHERE p.landmark = 1 AND p.state = 'open' AND p.lat IS NOT NULL ORDER BY p.prominence DESC, p.name LIMIT 1
"""
_AREA_WITH = """
SELECT a.name FROM (SELECT place, tag FROM place_tag WHERE tag = ? LIMIT 2000) AS x JOIN place AS p ON p.id = x.place JOIN area AS a ON a.id = p.area
WHERE p.category = x.tag AND p.state = 'open' GROUP BY a.id ORDER BY count(*) DESC, a.name LIMIT 1
"""


def examples(snapshot: Snapshot) -> tuple[str, ...]:
    """Up to four questions: a kind near a well-known landmark, one open now, one in an area, and where the landmark is."""
    kinds = [(row["id"], row["name"]) for row in snapshot.pages.rows(_KINDS)]
    landmark = snapshot.pages.one(_LANDMARK)
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
