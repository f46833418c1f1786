"""How well known a place is, from what its map data says: one plain formula.

prominence = 20 if it has a Wikidata id
           + 20 if it has a Wikipedia article
           + 2 for each language that it has a name in, up to 20
           + 10 if it is listed as heritage
           + the most that one of its tags gives (WEIGHTS), 0 to 25
           at most 100.

A place is a landmark, that is, people find their way by it, from LANDMARK_FROM on: a square or a church always is, a shop only if it is famous.
"""

from collections.abc import Iterable, Mapping

from places.importers.rows import Names

LANDMARK_FROM = 15

WEIGHTS: Mapping[str, int] = {
    **dict.fromkeys(["castle", "palace", "cathedral", "stadium", "train station", "underground station", "square", "airport"], 25),
    **dict.fromkeys(
        ["museum", "town hall", "beach", "park", "zoo", "aquarium", "theme park", "theatre", "opera house", "university", "fort", "marina"], 20
    ),
    **dict.fromkeys(["place of worship", "church", "mosque", "synagogue", "temple", "Hindu temple", "Buddhist temple", "gurdwara", "shrine"], 15),
    **dict.fromkeys(
        ["attraction", "monument", "historic site", "ruins", "city walls", "manor house", "monastery", "lighthouse", "tower", "windmill"], 15
    ),
    **dict.fromkeys(["art gallery", "arts centre", "concert hall", "cinema", "casino", "library", "market", "shopping centre", "court"], 15),
    **dict.fromkeys(["hospital", "college", "garden", "botanical garden", "nature reserve", "harbour", "pier", "bridge", "lake", "island"], 15),
    **dict.fromkeys(
        ["bus station", "ferry terminal", "heliport", "viewpoint", "conference centre", "sports centre", "water park", "swimming pool"], 15
    ),
    **dict.fromkeys(["hotel", "school", "cemetery", "golf course", "department store", "planetarium", "observatory", "peak", "river", "street"], 10),
    **dict.fromkeys(["fountain", "statue", "memorial", "sculpture", "police station", "post office", "fire station", "embassy", "nightclub"], 5),
}


def prominence(tags: Iterable[str], names: Names, osm: Mapping[str, str]) -> int:
    """0 to 100, from the names of the tags, the names of the place and its OSM tags (none for a row of a table)."""
    languages = {lang for _, lang in names if lang}
    known = 20 * ("wikidata" in osm) + 20 * ("wikipedia" in osm) + 10 * any(key.split(":")[0] == "heritage" for key in osm)
    return min(100, known + min(20, 2 * len(languages)) + max((WEIGHTS.get(tag, 0) for tag in tags), default=0))


def is_landmark(value: int) -> bool:
    return value >= LANDMARK_FROM
