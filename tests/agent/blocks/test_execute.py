import pytest

from agent.blocks.execute import execute, number
from agent.types import Anchor, Call, Reason, Row, Tags

CITY = Anchor("city", "Lindenmere")


def run(deps, tool="find_places", anchor=CITY, tags=Tags(), first_row=1, **args):  # noqa: B008  a frozen value
    return execute(Call(2, tool, args), anchor, tags, first_row, deps)


def ids(result):
    return [row.public_id for row in result.rows]


@pytest.mark.rule("A-17")
@pytest.mark.parametrize(
    ("anchor", "why"),
    [
        (None, "nothing to look from, because the question before found nothing"),
        (Anchor("city", "Lindenmere", missing="Chicago"), "no place called Chicago"),
    ],
)
def test_a_call_with_nothing_to_look_from_fails_and_says_why(town, anchor, why):
    result = run(town, anchor=anchor)
    assert (result.question, result.tool, result.rows, result.failed) == (2, "find_places", (), why)


def test_rows_are_numbered_from_the_first_one_given_and_carry_their_reason(town):
    result = run(town, tags=Tags(prices=("cheap",)), first_row=4)
    assert (result.question, result.tool, result.failed) == (2, "find_places", "")
    assert [(row.id, row.public_id) for row in result.rows] == [("r4", "place:blue-door-cafe")]
    assert result.rows[0].facts["reason"] == result.rows[0].reason.text != ""


@pytest.mark.rule("A-22")
def test_no_call_brings_more_rows_than_the_budget_has(town):
    result = run(town)
    assert [row.id for row in result.rows] == ["r1", "r2", "r3", "r4", "r5"]
    assert result.total == 6


def test_text_of_a_row_is_cleaned_before_anything_reads_it():
    row = Row("", "place:a", "A\u200bB", (), "", "", Reason("fact", "so\u202e"), {"name": "A\u200bB"})
    (made,) = number([row], 7)
    assert (made.id, made.name, made.facts) == ("r7", "AB", {"name": "AB", "reason": "so"})


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("Mill Cafe", ["place:mill-cafe"]),
        ("The Mill", ["place:mill-cafe"]),
        ("Mill Caffe", ["place:mill-cafe"]),
        ("place:pier-cafe", ["place:pier-cafe"]),
        ("place:pier-cafe@now", ["place:pier-cafe"]),
        ("place:nowhere", []),
        ("area:harbour", []),
        ("Chicago", []),
    ],
)
def test_a_name_stands_for_the_places_that_bear_it(town, name, found):
    assert ids(run(town, "place_details", names=[name])) == found


def test_a_name_that_nobody_bears_does_not_hide_the_others(town):
    assert ids(run(town, "place_details", names=["Chicago", "place:mill-cafe", "Pier Cafe", "Mill Cafe"])) == ["place:mill-cafe", "place:pier-cafe"]


@pytest.mark.parametrize(
    ("tool", "name", "found"),
    [
        ("event_details", "Quiz Night", "event:quiz-night"),
        ("event_details", "event:quiz-night@2026-06-02T21:00", "event:quiz-night"),
        ("festival_details", "The Regatta", "festival:river-days"),
        ("festival_details", "festival:river-days", "festival:river-days"),
    ],
)
def test_a_name_is_one_of_the_kind_that_the_tool_tells_of(town, tool, name, found):
    assert [row.partition("@")[0] for row in ids(run(town, tool, names=[name]))][:1] == [found]


def test_a_name_of_another_kind_is_nobody(town):
    assert [ids(run(town, tool, names=["Clock Tower"])) for tool in ("event_details", "festival_details")] == [[], []]


def test_words_of_time_become_a_stretch_of_time(town):
    assert {one.partition("@")[0] for one in ids(run(town, "events_when", when="tomorrow"))} == {"event:quiz-night"}
    assert {one.partition("@")[0] for one in ids(run(town, "events_when", when="on Friday"))} == {"event:opening-concert"}


def test_the_best_score_and_the_limit_reach_the_tool(town):
    assert ids(run(town, order_by="quietest", limit=2)) == ["place:pier-cafe", "place:blue-door-cafe"]
