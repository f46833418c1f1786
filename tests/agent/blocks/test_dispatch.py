import pytest

from agent.blocks.dispatch import plan
from agent.types import Call, Question


def asked(*wheres):
    return [Question(number, "cafe", where) for number, where in enumerate(wheres, start=1)]


def calls(*numbers):
    return [Call(number, "find_places", {"keywords": ["cafe"]}) for number in numbers]


@pytest.mark.rule("A-16", "A-17")
def test_a_question_that_hangs_on_another_runs_after_it():
    done = plan(calls(1, 2, 3), asked("near Q2", "near Q3", "the lake"))
    assert [call.question for call in done.calls] == [3, 2, 1]


@pytest.mark.rule("A-17")
@pytest.mark.fault("FL24")
@pytest.mark.parametrize(
    ("wheres", "good"),
    [(("near Q1", "city"), [2]), (("near Q2", "near Q1", "city"), [3]), (("near Q9", "city"), [2]), (("near Q2", "near Q2"), [])],
    ids=["self-reference", "cycle", "unknown k", "edge to a self-reference"],
)
def test_an_edge_that_leads_nowhere_fails_for_that_question_alone(wheres, good):
    done = plan(calls(*range(1, len(wheres) + 1)), asked(*wheres))
    assert [call.question for call in done.calls] == good
    assert len(done.refused) == len(wheres) - len(good)


@pytest.mark.rule("A-18")
def test_a_place_tool_is_refused_for_a_festival_question_before_anything_runs():
    done = plan(calls(1), [Question(1, "concert", category="festival")])
    assert (done.calls, done.refused[0][1]) == ((), "find_places is for place questions, and question 1 is a festival question")


@pytest.mark.fault("FL19", "FL20")
@pytest.mark.parametrize(
    ("tool", "args"),
    [
        ("drop_tables", {}),
        ("find_places", {"sql": "SELECT 1"}),
        ("find_places", {"keywords": "cafe"}),
        ("find_places", {"keywords": ["x" * 141]}),
        ("find_places", {"keywords": ["cafe"] * 7}),
        ("find_places", {"limit": 6}),
        ("find_places", {"limit": True}),
        ("find_places", {"limit": float("nan")}),
        ("places_near", {"lat": 91}),
        ("place_details", {"names": [["nested"]]}),
    ],
)
def test_an_unknown_tool_or_an_argument_off_its_schema_is_refused(tool, args):
    done = plan([Call(1, tool, args), *calls(1)], asked("city"))
    assert (len(done.calls), len(done.refused)) == (1, 1)


@pytest.mark.rule("A-15", "A-17")
@pytest.mark.parametrize(
    ("call", "why"),
    [
        (Call(9, "find_places", {}), "there is no question 9"),
        (Call(1, "drop_tables", {}), "there is no tool 'drop_tables'"),
        (Call(1, "place_options", {}), "place_options is the harness's own"),
        (Call(2, "find_places", {}), "question 2 hangs on 'near Q9', which leads nowhere"),
    ],
)
def test_a_refusal_keeps_the_call_and_says_why(call, why):
    done = plan([call], asked("city", "near Q9"))
    assert (done.calls, done.refused) == ((), ((call, why),))


def test_calls_of_equal_standing_keep_the_order_and_the_arguments_they_were_sent_with():
    sent = [*calls(2, 1), Call(2, "places_near", {"keywords": ["tea"], "limit": 2})]
    assert plan(sent, asked("city", "city")).calls == tuple(sent)


def test_a_question_that_hangs_on_one_runs_before_one_that_hangs_on_two():
    done = plan(calls(3, 2, 1), asked("city", "near Q1", "near Q2"))
    assert [call.question for call in done.calls] == [1, 2, 3]
