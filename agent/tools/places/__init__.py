"""The place tools: P1 find_places, P2 place_details, P4 places_near. Their connection cannot read a festival table (A-19)."""

from collections.abc import Sequence
from dataclasses import replace

from agent.tools.places.opening import states_of
from agent.tools.places.rows import place_row
from agent.tools.places.search import MOST, WALK_M, Found, best_known, in_area, nearest, score_kind, score_of, within
from agent.tools.registry import Bench, Named, tool
from agent.types import Result, Tags, Window


@tool("P1", "place")
def find_places(bench: Bench, keywords: Tags, order_by: str = "", open_at: Window | None = None, limit: int = 5) -> Result:
    """Places of a kind, with what is asked of them: best first by a score, else nearest first, else best known first."""
    score = score_kind(bench.snapshot.places, order_by or next(iter(keywords.scores), ""))
    near = bench.anchor.point if bench.anchor.area is None else None
    most = _most(open_at, limit)
    if near is not None and not score:
        return _answer(bench, "find_places", keywords, nearest(bench, keywords, most), open_at, limit)
    if near is not None:
        return _answer(bench, "find_places", keywords, within(bench, keywords, near, WALK_M, score, most), open_at, limit, order_by=order_by)
    found = best_known(bench, keywords, score, most)
    if not found.places and not bench.anchor.sharp and bench.anchor.point:
        nearby = replace(bench, anchor=replace(bench.anchor, area=None))
        found = nearest(nearby, keywords, most)
        return _answer(nearby, "find_places", keywords, found, open_at, limit, notes=(f"none in {bench.anchor.name} itself",))
    return _answer(bench, "find_places", keywords, found, open_at, limit, order_by=order_by)


@tool("P4", "place")
def places_near(bench: Bench, keywords: Tags, open_at: Window | None = None, limit: int = 5) -> Result:
    """Places of a kind by distance from where the question looks from, nearest first."""
    most = _most(open_at, limit)
    found = best_known(bench, keywords, 0, most) if bench.anchor.point is None else nearest(bench, keywords, most)
    if not found.places and bench.anchor.area is not None and bench.anchor.point is not None:
        notes = (f"none in {bench.anchor.name} itself",)
        bench = replace(bench, anchor=replace(bench.anchor, area=None))
        return _answer(bench, "places_near", keywords, nearest(bench, keywords, most), open_at, limit, notes=notes)
    return _answer(bench, "places_near", keywords, found, open_at, limit)


@tool("P2", "place")
def place_details(bench: Bench, names: Named, open_at: Window | None = None) -> Result:
    """One named place, or the places that bear one name: hours, price, access, contact, what it is known for."""
    ids = in_area(bench, names.ids)
    rows = tuple(place_row(bench, number, place, open_at, Tags()) for number, place in enumerate(ids[: bench.budget.rows], start=1))
    missing = f"no place called {' or '.join(names.unknown)}" if names.unknown and not rows else ""
    return Result(bench.question, "place_details", rows, len(ids), failed=missing)


@tool("P3", "place")
def compare_places(bench: Bench, names: Named, order_by: str = "") -> Result:
    """Two to five named places side by side, the best first by a score where one is asked for."""
    if names.unknown:
        return Result(bench.question, "compare_places", failed=f"no place called {' or '.join(names.unknown)}")
    kind = score_kind(bench.snapshot.places, order_by)
    ids = sorted(names.ids[: bench.budget.rows], key=lambda place: -score_of(bench, place, kind))
    rows = tuple(place_row(bench, number, place, None, Tags(), order_by) for number, place in enumerate(ids, start=1))
    return Result(bench.question, "compare_places", rows, len(ids))


def _answer(
    bench: Bench,
    name: str,
    keywords: Tags,
    found: Found,
    open_at: Window | None,
    limit: int,
    order_by: str = "",
    notes: tuple[str, ...] = (),
) -> Result:
    """The first few candidates as rows; asked for open ones, those known to be open, else those whose hours are not confirmed, said so."""
    if keywords.unmet:
        kind = keywords.names[0] if keywords.names else ""
        return Result(bench.question, name, failed=f"no {' '.join(keywords.unmet)} {kind}".strip())
    chosen, doubt = (found, ()) if open_at is None else _open(bench, found.places, open_at)
    cut = chosen.places[: min(limit, bench.budget.rows)]
    rows = tuple(place_row(bench, number, place, open_at, keywords, order_by) for number, place in enumerate(cut, start=1))
    return Result(bench.question, name, rows, chosen.total, notes=(*(notes if rows else ()), *doubt))


def _most(open_at: Window | None, limit: int) -> int:
    """How many candidates are listed: those that are shown, or enough to find some among them that are open."""
    return limit if open_at is None else MOST


def _open(bench: Bench, places: Sequence[int], when: Window) -> tuple[Found, tuple[str, ...]]:
    states = states_of(bench, places, when)
    sure, maybe = ([place for place, state in zip(places, states, strict=True) if state == wanted] for wanted in ("open", "unknown"))
    chosen = sure or maybe
    doubt = ("none known to be open; hours not confirmed",) if maybe and not sure else ()
    return Found(tuple(chosen), len(chosen)), doubt
