from dataclasses import replace
from datetime import timedelta

import pytest

from agent.blocks.followup import ask, hanging, namesakes, open_slot, read_pick
from agent.echo import Pending
from agent.geo import distance_m
from agent.types import Budget, Option, Pick, Point, Question, Reason, Result, Row, Tags
from tests.engine import engine
from tests.rows import NOW, event, occurrence

HERE = Point(54.4, -2.96)
CAFE = Question(1, "cafe")


def row(public_id, name="Swan Inn", point=HERE):
    return Row("r1", public_id, name, (), "", "", Reason("fact", ""), {}, point=point)


SWANS = (row("place:swan-1"), row("place:swan-2", point=Point(54.41, -2.96)))
DETAILS = Result(1, "place_details", SWANS)


@pytest.mark.rule("A-27")
@pytest.mark.parametrize(
    ("where", "at", "results", "tags", "slot"),
    [
        (None, None, [DETAILS], Tags(far=True), "where"),
        (None, HERE, [], None, None),
        ("city", None, [], Tags(far=True), "what"),
        ("city", None, [Result(1, "find_places", SWANS[:1])], Tags(far=True), None),
        ("city", None, [], Tags(), None),
        ("city", None, [Result(1, "find_places"), DETAILS], None, "which"),
        ("city", None, [replace(DETAILS, tool="event_details")], Tags(), "which"),
        ("city", None, [replace(DETAILS, tool="festival_details")], Tags(), "which"),
        ("city", None, [replace(DETAILS, tool="find_places")], Tags(), None),
        ("city", None, [replace(DETAILS, rows=SWANS[:1])], Tags(), None),
    ],
)
def test_the_slot_that_is_open_is_the_one_that_nothing_fills(where, at, results, tags, slot):
    assert open_slot(replace(CAFE, where=where), at, results, tags) == slot


@pytest.mark.rule("A-27")
@pytest.mark.parametrize(
    ("rows", "apart"),
    [
        ([], False),
        (SWANS[:1], False),
        (SWANS, True),
        ((SWANS[0], replace(SWANS[1], name="SWAN INN")), True),
        ((SWANS[0], replace(SWANS[1], name="Other Inn")), False),
        ((row("event:fair@1"), row("event:fair@2", point=SWANS[1].point)), False),
        ((row("event:fair@1"), row("event:fete@1", point=SWANS[1].point)), True),
        ((SWANS[0], replace(SWANS[0], public_id="place:swan-3")), False),
        ((SWANS[0], row("place:swan-3", point=None)), True),
        ((row("place:swan-1", point=None), row("place:swan-3", point=None)), True),
        ((SWANS[0], replace(SWANS[0], public_id="place:swan-3"), SWANS[1]), True),
    ],
)
def test_namesakes_are_two_of_one_name_that_are_apart_or_whose_place_nobody_knows(rows, apart):
    assert namesakes(rows) is apart


@pytest.mark.rule("A-27")
def test_two_of_one_name_within_250_metres_are_told_of_together():
    near, far = Point(54.402248, -2.96), Point(54.402258, -2.96)
    assert (distance_m(HERE, near), distance_m(HERE, far)) == (250, 251)
    assert [namesakes((SWANS[0], row("place:swan-3", point=point))) for point in (near, far)] == [False, True]


@pytest.mark.rule("A-27")
@pytest.mark.parametrize(
    ("slot", "prompt", "ids"),
    [
        ("where", "Where should Small look? Pick one, or name an area.", ["area:harbour", "area:old-town"]),
        ("what", "What are you looking for?", ["tag:food", "tag:museum", "tag:cafe", "tag:restaurant"]),
        ("which", "Which one do you mean?", ["place:mill-cafe", "place:pier-cafe"]),
    ],
)
def test_a_question_back_has_its_prompt_and_options_of_the_snapshot(town, slot, prompt, ids):
    asked = ask(replace(CAFE, number=2), slot, [row("place:pier-cafe"), row("place:mill-cafe")], None, town)
    assert (asked.question, asked.slot, asked.prompt, [one.id for one in asked.options]) == (2, slot, prompt, ids)


@pytest.mark.rule("A-29")
def test_where_is_asked_with_the_areas_that_have_most_of_what_is_looked_for(town):
    (cafe,) = town.lexicon.word("cafe", ("tag",))
    assert [one.id for one in ask(CAFE, "where", [], Tags(groups=((cafe.ref,),)), town).options] == ["area:old-town", "area:harbour"]


@pytest.mark.rule("A-29")
def test_an_area_of_a_festival_question_is_offered_by_its_public_id(tmp_path):
    night = occurrence(NOW + timedelta(days=1), NOW + timedelta(days=1, hours=2))
    areas = ("Old Town", "Harbour", "Nowhere Hill")
    deps = engine(tmp_path, events=[event(f"fair-{n}", area=area, occurrences=(night,)) for n, area in enumerate(areas)])
    options = ask(replace(CAFE, category="festival"), "where", [], None, deps).options
    assert options == (Option("area:harbour", "Harbour"), Option("area:old-town", "Old Town"))


@pytest.mark.rule("A-29")
def test_the_options_are_as_many_as_the_budget_has_and_one_is_no_choice(town):
    two = replace(town, budget=Budget(options=2))
    assert [one.id for one in ask(CAFE, "what", [], None, two).options] == ["tag:food", "tag:museum"]
    assert ask(CAFE, "which", [row("place:pier-cafe")], None, town) is None
    assert ask(CAFE, "which", [], None, town) is None


@pytest.mark.rule("A-27", "A-29")
@pytest.mark.parametrize(
    ("rows", "ids"),
    [
        ([row("event:quiz-night@2026-06-02T21:00"), row("event:boat-parade@2026-06-06T20:00")], ["event:boat-parade", "event:quiz-night"]),
        ([row("festival:river-days"), row("festival:quiz-night")], None),
        ([], None),
    ],
)
def test_a_question_about_festivals_offers_events_or_festivals(town, rows, ids):
    asked = ask(replace(CAFE, category="festival"), "which", rows, None, town)
    assert (asked and [one.id for one in asked.options]) == ids


@pytest.mark.rule("A-29")
def test_what_a_festival_question_is_after_is_asked_with_the_towns_kinds(town):
    assert ask(replace(CAFE, category="festival"), "what", [], None, town).options[0] == Option("tag:food", "food")


@pytest.mark.parametrize(
    ("wheres", "open_", "waiting"),
    [
        (("city", "near Q1", "near Q2"), [1], {2, 3}),
        (("near Q2", "near Q3", "city"), [3], {1, 2}),
        (("city", "near Q1", "city"), [3], set()),
        (("city", "city"), [], set()),
        (("city", "near Q1"), [1, 2], set()),
    ],
)
def test_what_hangs_on_an_open_question_waits_with_it(wheres, open_, waiting):
    assert hanging([Question(number, "cafe", where) for number, where in enumerate(wheres, start=1)], open_) == waiting


OFFERED = Pending(1, "where", {"area:harbour": "Harbour", "area:hill": "Hill, Old Town", "area:top": "Hill, New Town"})


@pytest.mark.rule("A-31", "A-34")
@pytest.mark.parametrize(
    ("pick", "slot", "meant"),
    [
        (Pick(1, "area:hill"), "where", Option("area:hill", "Hill, Old Town")),
        (Pick(1, "area:moon", "harbour"), "where", None),
        (Pick(1, say="HARBOUR"), "which", Option("area:harbour", "Harbour")),
        (Pick(1, say="old town"), "which", Option("area:hill", "Hill, Old Town")),
        (Pick(1, say="hill"), "which", None),
        (Pick(1, say="arbour"), "which", None),
        (Pick(1, say=" ?! "), "which", None),
        (Pick(1, say="Lindenmere"), "where", Option("said", "lindenmere")),
        (Pick(1, say="Clock Tower"), "where", Option("said", "clock tower")),
        (Pick(1, say="Le Port"), "where", Option("said", "le port")),
        (Pick(1, say="Mill Cafe"), "where", Option("said", "mill cafe")),
        (Pick(1, say="museum"), "where", None),
        (Pick(1, say="museum"), "what", Option("said", "museum")),
        (Pick(1, say="quiet"), "what", None),
        (Pick(1, say="museum"), "which", None),
        (Pick(1, say="Lindenmere"), "which", None),
        (Pick(1, say="Lindenmere"), "what", None),
    ],
)
def test_an_answer_means_an_option_or_a_name_of_the_town_for_its_slot(town, pick, slot, meant):
    assert read_pick(pick, OFFERED._replace(slot=slot), town) == meant


@pytest.mark.rule("A-34")
def test_what_is_said_is_read_up_to_the_budgets_length(town):
    short = replace(town, budget=Budget(say_chars=7))
    assert read_pick(Pick(1, say="Harbour and more"), OFFERED, short) == Option("area:harbour", "Harbour")
