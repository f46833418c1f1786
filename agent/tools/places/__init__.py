"""The place tools: P1 find_places, P2 place_details, P4 places_near. Their connection cannot read a festival table (A-19)."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime

from agent.tools.places.rows import opening_of, place_row
from agent.tools.places.search import WALK_M, Candidate, best, best_known, in_area, nearest, score_kind, score_of, within
from agent.tools.registry import Bench, Named, tool
from agent.types import Result, Tags


@tool("P1", "place")
def find_places(bench: Bench, keywords: Tags, order_by: str = "", open_at: datetime | None = None, limit: int = 5) -> Result:
    """Places of a kind, with what is asked of them: best first by a score, else nearest first, else best known first."""
    score = score_kind(bench.snapshot.places, order_by or next(iter(keywords.scores), ""))
    near = bench.anchor.point if bench.anchor.area is None else None
    if near is not None and not score:
        return _answer(bench, "find_places", keywords, nearest(bench, keywords), open_at, limit)
    if near is not None:
        found = [one for one in within(bench, keywords, near, WALK_M, score) if one.metres is not None and one.metres <= WALK_M]
        return _answer(bench, "find_places", keywords, sorted(found, key=best), open_at, limit, order_by=order_by)
    found = best_known(bench, keywords, score)
    if not found and not bench.anchor.sharp and bench.anchor.point:
        nearby = replace(bench, anchor=replace(bench.anchor, area=None))
        return _answer(nearby, "find_places", keywords, nearest(nearby, keywords), open_at, limit, notes=(f"none in {bench.anchor.name} itself",))
    return _answer(bench, "find_places", keywords, found, open_at, limit, order_by=order_by)


@tool("P4", "place")
def places_near(bench: Bench, keywords: Tags, open_at: datetime | None = None, limit: int = 5) -> Result:
    """Places of a kind by distance from where the question looks from, nearest first."""
    if bench.anchor.point is None:
        return _answer(bench, "places_near", keywords, best_known(bench, keywords, 0), open_at, limit)
    return _answer(bench, "places_near", keywords, nearest(bench, keywords), open_at, limit)


@tool("P2", "place")
def place_details(bench: Bench, names: Named, open_at: datetime | None = None) -> Result:
    """One named place, or the places that bear one name: hours, price, access, contact, what it is known for."""
    ids = in_area(bench, names.ids)
    rows = tuple(place_row(bench, number, place, open_at or bench.now, Tags()) for number, place in enumerate(ids[: bench.budget.rows], start=1))
    missing = f"no place called {' or '.join(names.unknown)}" if names.unknown and not rows else ""
    return Result(bench.question, "place_details", rows, len(ids), failed=missing)


@tool("P3", "place")
def compare_places(bench: Bench, names: Named, order_by: str = "") -> Result:
    """Two to five named places side by side, the best first by a score where one is asked for."""
    if names.unknown:
        return Result(bench.question, "compare_places", failed=f"no place called {' or '.join(names.unknown)}")
    kind = score_kind(bench.snapshot.places, order_by)
    ids = sorted(names.ids[: bench.budget.rows], key=lambda place: -score_of(bench, place, kind))
    rows = tuple(place_row(bench, number, place, bench.now, Tags(), order_by) for number, place in enumerate(ids, start=1))
    return Result(bench.question, "compare_places", rows, len(ids))


def _answer(
    bench: Bench,
    name: str,
    keywords: Tags,
    found: Sequence[Candidate],
    open_at: datetime | None,
    limit: int,
    order_by: str = "",
    notes: tuple[str, ...] = (),
) -> Result:
    """The first few candidates as rows; asked for open ones, those known to be open, else those whose hours are not confirmed, said so."""
    if keywords.unmet:
        kind = keywords.names[0] if keywords.names else ""
        return Result(bench.question, name, failed=f"no {' '.join(keywords.unmet)} {kind}".strip())
    chosen, doubt = (found, ()) if open_at is None else _open(bench, found, open_at)
    cut = chosen[: min(limit, bench.budget.rows)]
    rows = tuple(place_row(bench, number, one.id, open_at or bench.now, keywords, order_by) for number, one in enumerate(cut, start=1))
    return Result(bench.question, name, rows, len(chosen), notes=(*(notes if rows else ()), *doubt))


def _open(bench: Bench, found: Iterable[Candidate], moment: datetime) -> tuple[list[Candidate], tuple[str, ...]]:
    sure: list[Candidate] = []
    maybe: list[Candidate] = []
    for one in found:
        state = opening_of(bench, one.id, moment).state
        if state == "open":
            sure.append(one)
        elif state == "unknown":
            maybe.append(one)
    return (sure, ()) if sure or not maybe else (maybe, ("none known to be open; hours not confirmed",))
