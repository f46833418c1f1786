from dataclasses import replace

import pytest

from agent.blocks.anchors import named, resolve
from agent.types import Anchor, Box, Option, Point, Query, Question, Reason, Row
from tests.engine import ask, engine, names
from tests.rows import area, place

HERE = Point(54.4101, -2.9511)


def rung(deps, where, at=None):
    anchor = resolve(Question(1, "cafe", where), Query("cafe", at), {}, deps)
    return anchor.rung, anchor.name


@pytest.mark.rule("A-10")
@pytest.mark.parametrize(
    ("where", "expected"),
    [
        ("the clock tower", ("landmark", "Clock Tower")),
        ("The Clock", ("landmark", "the Clock")),
        ("harbour", ("area", "Harbour")),
        ("Le Port", ("area", "Harbour")),
        ("blue door", ("landmark", "Blue Door")),
        ("lancre dor", ("landmark", "L'Ancre d'Or")),
        ("clock towre", ("landmark", "Clock Tower")),
        ("Lindenmere", ("city", "Lindenmere")),
        ("city", ("city", "Lindenmere")),
    ],
)
def test_the_ladder_goes_from_landmark_to_area_to_the_whole_town(town, where, expected):
    assert rung(town, where) == expected


def test_a_name_that_nobody_bears_here_is_missing_and_never_the_town(town):
    assert named("Chicago", town) is None
    assert resolve(Question(1, "cafe", "Chicago"), Query("x"), {}, town).missing == "Chicago"


@pytest.mark.rule("A-11")
def test_near_me_goes_from_the_session_location_nearest_first(town):
    part = ask(town, "cafe near me", HERE)["parts"][0]
    assert part["anchor"]["rung"] == "session"
    assert names(part)[0] == "Pier Cafe"
    assert [row["distance_m"] for row in part["recommends"]] == sorted(row["distance_m"] for row in part["recommends"])


@pytest.mark.rule("A-11")
def test_near_me_without_a_location_goes_down_the_ladder_to_the_town(town):
    assert rung(town, None) == ("city", "Lindenmere")
    assert ask(replace(town, echo_keys=()), "cafe near me")["parts"][0]["anchor"] == {"rung": "city", "name": "Lindenmere"}


def at_place(deps, slug, name):
    row = deps.snapshot.places.one("SELECT id, lat, lng FROM place WHERE slug = ?", (slug,))
    return Anchor("landmark", name, Point(row["lat"], row["lng"]), place=row["id"])


def at_area(deps, slug, name):
    row = deps.snapshot.anchors.one("SELECT * FROM area WHERE slug = ?", (slug,))
    box = None if row["south"] is None else Box(row["south"], row["west"], row["north"], row["east"])
    return Anchor("area", name, Point(row["lat"], row["lng"]), box, area=row["id"], sharp=bool(row["sharp"]))


@pytest.mark.rule("A-10")
def test_an_anchor_carries_the_point_the_box_and_the_row_that_it_stands_for(town):
    assert named("Clock Tower", town) == at_place(town, "clock-tower", "Clock Tower")
    assert named("Harbour", town) == at_area(town, "harbour", "Harbour")
    assert named("Old Town", town) == at_area(town, "old-town", "Old Town")
    assert named("Old Town", town).box == Box(54.395, -2.97, 54.405, -2.95)
    assert named("the Lindenmere", town) == named("lindenmere", town) == Anchor("city", "Lindenmere")


@pytest.mark.rule("A-10")
def test_a_place_whose_position_nobody_knows_is_no_anchor(town):
    assert named("Boat Museum", town) is None


@pytest.mark.rule("A-34")
@pytest.mark.parametrize("where", [None, "city", "near Q2"])
def test_what_was_picked_stands_for_the_questions_own_words(town, where):
    def picked(id_, label):
        return resolve(Question(1, "cafe", where), Query("cafe", HERE), {}, town, Option(id_, label))

    assert picked("area:harbour", "x") == replace(at_area(town, "harbour", "Harbour"), rung="followup")
    assert picked("place:mill-cafe", "The Mill") == replace(at_place(town, "mill-cafe", "The Mill"), rung="followup")
    assert picked("said", "le port") == replace(at_area(town, "harbour", "Harbour"), rung="followup")
    assert picked("area:nowhere", "Nowhere Hill") == picked("said", "Nowhere Hill") == Anchor("city", "Lindenmere", missing="Nowhere Hill")
    assert picked("area:nowhere", "Harbour").name == "Harbour"


@pytest.mark.rule("A-16")
def test_a_chained_question_looks_from_the_first_row_that_has_a_position(town):
    def row(name, point):
        return Row("r1", "place:a", name, (), "", "", Reason("fact", ""), {}, point=point)

    chained = Question(2, "cafe", "near Q1")
    assert resolve(chained, Query("x", HERE), {1: [row("A", None), row("B", HERE), row("C", None)]}, town) == Anchor("question", "B", HERE)
    for gathered in ({1: [row("A", None)]}, {1: []}, {}, {2: [row("B", HERE)]}):
        assert resolve(chained, Query("x", HERE), gathered, town) is None


@pytest.mark.rule("A-10", "A-11")
def test_the_session_is_the_anchor_of_words_that_point_and_of_no_others(town):
    assert resolve(Question(1, "cafe", None), Query("x", HERE), {}, town) == Anchor("session", "you", HERE)
    assert resolve(Question(1, "cafe", "me"), Query("x", HERE), {}, town) == Anchor("session", "you", HERE)
    assert resolve(Question(1, "cafe", "me"), Query("x"), {}, town) == Anchor("city", "Lindenmere")
    assert resolve(Question(1, "cafe", "city"), Query("x", HERE), {}, town) == Anchor("city", "Lindenmere")
    assert resolve(Question(1, "cafe", "Chicago"), Query("x", HERE), {}, town) == Anchor("city", "Lindenmere", missing="Chicago")


@pytest.fixture(scope="module")
def quarter(tmp_path_factory):
    """Two landmark museums, one with no position, a place that is named as a kind is, and names that share words."""
    places = [
        place("old-museum", name="Old Museum", category="museum", landmark=True, prominence=50, lat=54.401),
        place("new-museum", name="New Museum", category="museum", landmark=True, prominence=40, lat=54.402),
        place("lost-museum", name="Lost Museum", category="museum", landmark=True, prominence=99, lat=None, lng=None),
        place("small-museum", name="Small Museum", category="museum", prominence=60, lat=54.403),
        place("the-gallery", name="The Gallery", category="restaurant", lat=54.404),
        place("mill-bridge", name="Mill Bridge", landmark=True, prominence=10, lat=54.405),
        place("mill-weir", name="Mill Weir", landmark=True, prominence=20, lat=54.406),
        place("mill-shop", name="Miller Shop", prominence=90, lat=54.407),
    ]
    return engine(tmp_path_factory.mktemp("quarter"), places=places, areas=[area("old-town"), area("moor", sharp=False)])


def test_an_area_of_which_only_the_middle_is_known_is_not_sharp(quarter):
    assert [(named(name, quarter).sharp, named(name, quarter).box) for name in ("Old Town", "Moor")] == [(True, None), (False, None)]


@pytest.mark.rule("A-10")
@pytest.mark.parametrize(
    ("where", "name"),
    [
        ("the museum", "Old Museum"),
        ("museum", "Old Museum"),
        ("the gallery", "Old Museum"),
        ("small museum", "Small Museum"),
        ("the small museum", "Small Museum"),
        ("mill", "Mill Weir"),
        ("the weir", "Mill Weir"),
        ("miller", "Miller Shop"),
        ("the restaurant", None),
    ],
)
def test_the_kind_with_an_article_is_the_best_known_landmark_of_it(quarter, where, name):
    found = named(where, quarter)
    assert (found and found.name) == name
