"""Anchors: where a question looks from, down the ladder of A-10: landmark, area, session location, city-wide."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from agent.deps import Deps
from agent.snapshot.lexicon import Name
from agent.snapshot.names import fold, without_article
from agent.types import Anchor, Box, Option, Point, Query, Question, Row

_KNOWN = ("landmark", "area")
_ANY = ("landmark", "area", "place")
_PLACE = "SELECT name, lat, lng FROM place WHERE id = ?"
_AREA = "SELECT name, lat, lng, south, west, north, east, sharp FROM area WHERE id = ?"
_BY_SLUG = {"area": "SELECT id FROM area WHERE slug = ?", "place": "SELECT id FROM place WHERE slug = ?"}
_OF_KIND = """
SELECT p.id, p.name FROM tag AS t JOIN place AS p ON p.category = t.id
WHERE t.id = ? AND p.landmark = 1 AND p.lat IS NOT NULL ORDER BY p.prominence DESC, p.slug LIMIT 1
"""


def resolve(question: Question, query: Query, gathered: Mapping[int, Sequence[Row]], deps: Deps, picked: Option | None = None) -> Anchor | None:
    """The anchor of a question, with the rung it stands on; None where it hangs on a question that has no rows (A-16, A-17).

    `picked` is what a resident answered to "where?": it stands for the question's own words.
    """
    if picked:
        anchor = _of_option(picked, deps)
        return replace(anchor, rung="followup") if anchor else Anchor("city", deps.town.name, missing=picked.label)
    where = question.where
    if (k := question.hangs_on) is not None:
        rows = [row for row in gathered.get(k, ()) if row.point]
        return Anchor("question", rows[0].name, rows[0].point) if rows else None
    if where and where not in ("city", "me"):
        return named(where, deps) or Anchor("city", deps.town.name, missing=where)
    if where != "city" and query.at:
        return Anchor("session", "you", query.at)
    return Anchor("city", deps.town.name)


def _of_option(option: Option, deps: Deps) -> Anchor | None:
    """The area or place that was picked, by its id: another may bear the same name. What was said freely goes by its name."""
    kind, _, slug = option.id.partition(":")
    row = deps.snapshot.anchors.one(_BY_SLUG[kind], (slug,)) if kind in _BY_SLUG else None
    return _anchor(Name(slug, kind, row["id"], option.label, 0), deps) if row else named(option.label, deps)


def named(phrase: str, deps: Deps) -> Anchor | None:
    """The whole town by its own name, else a landmark, an area, the best known landmark of a kind ("the casino"), any place; at last parts of a name and typos."""
    lexicon, folded = deps.lexicon, fold(phrase)
    bare = without_article(folded)
    if fold(deps.town.name) in (folded, bare):
        return Anchor("city", deps.town.name)
    hits = lexicon.exact(folded, _KNOWN) or lexicon.exact(bare, _KNOWN)
    if not hits and folded != bare:
        hits = _of_kind(bare, deps)
    hits = hits or lexicon.exact(folded, ("place",)) or lexicon.exact(bare, ("place",)) or _of_kind(bare, deps)
    hits = hits or lexicon.holding(bare.split(), _KNOWN) or lexicon.close(folded, _ANY) or lexicon.holding(bare.split(), ("place",))
    return _anchor(min(hits, key=lambda hit: (hit.typos, _ANY.index(hit.kind), -hit.rank)), deps) if hits else None


def _of_kind(folded: str, deps: Deps) -> tuple[Name, ...]:
    """The landmark that "the <kind>" means: the best known of that category."""
    for tag in deps.lexicon.word(folded, ("tag",), typos=False):
        if row := deps.snapshot.anchors.one(_OF_KIND, (tag.ref,)):
            return (Name(folded, "landmark", row["id"], row["name"], 0),)
    return ()


def _anchor(hit: Name, deps: Deps) -> Anchor | None:
    """What a name stands for, as a point or a box; None for a place whose position nobody knows."""
    row = deps.snapshot.anchors.one(_AREA if hit.kind == "area" else _PLACE, (hit.ref,))
    if row is None or row["lat"] is None:
        return None
    point = Point(row["lat"], row["lng"])
    if hit.kind == "area":
        box = None if row["south"] is None else Box(row["south"], row["west"], row["north"], row["east"])
        return Anchor("area", row["name"], point, box, area=hit.ref, sharp=bool(row["sharp"]))
    return Anchor("landmark", hit.text or row["name"], point, place=hit.ref)
