"""What SQLite sorts and cuts is what reading every place gives."""

import random
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest

from agent.errors import ToolRefused
from agent.geo import distance_m
from agent.snapshot.reader import Belt
from agent.snapshot.schema import Hours, PlaceRow
from agent.snapshot.store import Store
from agent.tools.places.search import GROUPS, WALK_M, best_known, nearest, within
from agent.tools.registry import Bench
from agent.types import Anchor, Budget, Point, Tags
from tests.engine import TOWN
from tests.rows import NOW, area, build, place, score

KINDS = ("cafe", "restaurant", "museum")
EXTRAS = ("wifi", "music")
CENTRE = Point(54.4, -2.96)


def invent(dice: random.Random, number: int) -> PlaceRow:
    """Any place: some without a point, some shut, some without scores, some fames alike."""
    somewhere = dice.random() < 0.95
    return place(
        f"p-{number:04}",
        category=dice.choice(KINDS),
        tags=tuple(tag for tag in EXTRAS if dice.random() < 0.4),
        area=dice.choice(("old-town", "harbour")),
        lat=54.4 + dice.gauss(0, 0.01) if somewhere else None,
        lng=-2.96 + dice.gauss(0, 0.02) if somewhere else None,
        state="open" if dice.random() < 0.9 else "closed_for_now",
        price=dice.choice(("", "free", "cheap", "expensive")),
        hours=Hours(known=dice.random() < 0.5),
        prominence=dice.randrange(4),
        scores=(score("quiet", dice.randrange(101) / 10),) if dice.random() < 0.7 else (),
    )


PLACES = [invent(random.Random(number), number) for number in range(600)]


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Bench:
    folder: Path = tmp_path_factory.mktemp("town")
    build(folder, places=PLACES, areas=[area("harbour"), area("old-town")])
    return Bench(Store(folder).handle(), TOWN, NOW, Budget(), 1, Anchor("city", TOWN.name))


def numbers(belt: Belt, *slugs: str) -> tuple[int, ...]:
    return tuple(belt.rows("SELECT id FROM tag WHERE slug = ?", (slug,))[0]["id"] for slug in slugs)


def asked(belt: Belt) -> dict[str, tuple[Tags, object]]:
    """Conditions as tags, each beside the same condition on a row."""
    cafe, food, wifi, music = (numbers(belt, slug) for slug in ("cafe", "food", "wifi", "music"))
    return {
        "a kind": (Tags((cafe,)), lambda row: row.category == "cafe"),
        "a kind of kinds": (Tags((food,)), lambda row: row.category != "museum"),
        "either of two": (Tags(((*cafe, *food, *wifi),)), lambda row: row.category != "museum" or "wifi" in row.tags),
        "both of two": (Tags((food, wifi)), lambda row: row.category != "museum" and "wifi" in row.tags),
        "all of three": (Tags((food, wifi, music)), lambda row: row.category != "museum" and set(row.tags) == set(EXTRAS)),
        "a kind without": (Tags((food,), without=(*cafe, *music)), lambda row: row.category == "restaurant" and "music" not in row.tags),
        "a price": (Tags((food,), prices=("free", "cheap")), lambda row: row.category != "museum" and row.price in ("free", "cheap")),
        "a price of anything": (Tags(prices=("free",)), lambda row: row.price == "free"),
        "anything": (Tags(), lambda row: row.name),
        "all but two": (Tags((cafe,), without_places=(3, 4, 5, 6, 7)), lambda row: row.category == "cafe" and PLACES.index(row) + 1 not in range(3, 8)),
    }  # fmt: skip


CONDITIONS = ("a kind", "a kind of kinds", "either of two", "both of two", "all of three", "a kind without", "a price", "a price of anything",
              "anything", "all but two")  # fmt: skip


def expected(bench: Bench, meets, near: Point | None, scored: bool, metres: float = 1e9) -> list[int]:
    """Ids of all open places that meet a condition, in order."""
    found = []
    for number, row in enumerate(PLACES, start=1):
        point = None if row.lat is None else Point(row.lat, row.lng)
        away = distance_m(near, point) if near and point else 0
        here = bench.anchor.area is None or row.area == ("harbour", "old-town")[bench.anchor.area - 1]
        value = row.scores[0].value if row.scores else -1
        if row.state == "open" and meets(row) and here and not (near and (point is None or away > metres)) and (near or not scored or value >= 0):
            rank = (away,) if near else (-row.prominence, not row.hours.known)
            found.append((-value if scored else 0, *rank, number))
    return [one[-1] for one in sorted(found)]


@pytest.mark.parametrize(("condition", "anchored", "scored"), list(product(CONDITIONS, (False, True), (False, True))))
def test_the_best_known_are_those_of_the_whole_town_or_of_an_area(bench: Bench, condition: str, anchored: bool, scored: bool) -> None:
    if anchored:
        bench = replace(bench, anchor=Anchor("area", "Old Town", CENTRE, area=2))
    tags, meets = asked(bench.snapshot.places)[condition]
    wanted = expected(bench, meets, None, scored)
    found = best_known(bench, tags, 1 if scored else 0, 5)
    assert (list(found.places), found.total) == (wanted[:5], len(wanted))
    assert list(best_known(bench, tags, 1 if scored else 0, 1000).places) == wanted


@pytest.mark.parametrize("condition", CONDITIONS)
def test_the_best_within_a_walk_come_by_score_and_then_by_distance(bench: Bench, condition: str) -> None:
    tags, meets = asked(bench.snapshot.places)[condition]
    wanted = expected(bench, meets, CENTRE, scored=True, metres=WALK_M)
    found = within(bench, tags, CENTRE, WALK_M, 1, 5)
    assert (list(found.places), found.total) == (wanted[:5], len(wanted))


@pytest.mark.parametrize("condition", CONDITIONS)
def test_the_nearest_come_by_distance_from_a_ring_that_holds_enough(bench: Bench, condition: str) -> None:
    bench = replace(bench, anchor=Anchor("session", "you", CENTRE))
    tags, meets = asked(bench.snapshot.places)[condition]
    wanted = expected(bench, meets, CENTRE, scored=False)
    found = nearest(bench, tags, 5)
    assert list(found.places) == wanted[:5]
    assert 20 <= found.total <= len(wanted)


def test_the_place_that_is_looked_from_is_left_out(bench: Bench) -> None:
    first = nearest(replace(bench, anchor=Anchor("session", "you", CENTRE)), Tags(), 2).places
    assert nearest(replace(bench, anchor=Anchor("landmark", "it", CENTRE, place=first[0])), Tags(), 1).places == first[1:]


def test_more_groups_than_a_statement_has_room_for_are_refused(bench: Bench) -> None:
    cafe = numbers(bench.snapshot.places, "cafe")
    assert best_known(bench, Tags((cafe,) * (GROUPS + 1)), 0, 5).total == best_known(bench, Tags((cafe,)), 0, 5).total
    with pytest.raises(ToolRefused, match="9 things at once, not for 10"):
        best_known(bench, Tags((cafe,) * (GROUPS + 2)), 0, 5)


def test_a_tag_of_ten_thousand_places_is_neither_read_nor_counted_whole(tmp_path: Path) -> None:
    build(tmp_path, places=[place(f"p-{number}", category="cafe", prominence=number % 7) for number in range(10_000)])
    bench = Bench(Store(tmp_path, statement_s=5).handle(), TOWN, NOW, Budget(), 1, Anchor("city", TOWN.name))
    steps = 0

    def step() -> None:
        nonlocal steps
        steps += 1

    bench.snapshot.places._connection.set_progress_handler(step, 100)
    found = best_known(bench, Tags((numbers(bench.snapshot.places, "cafe"),)), 0, 5)
    assert (len(found.places), found.total) == (5, bench.budget.counted)
    assert steps < 500  # of 100 steps of its machine; the list takes the first of the order of fame, and no more is counted than is said
