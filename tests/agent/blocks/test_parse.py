import pytest

from agent.blocks.parse import read, read_calls
from agent.errors import ModelMisbehaved
from agent.types import Budget
from tests.engine import call, question

BUDGET = Budget()


@pytest.mark.rule("A-06")
def test_only_the_first_three_questions_are_kept_whatever_the_model_returned():
    parsed = read({"questions": [question(str(n)) for n in range(5)]}, "five things", BUDGET)
    assert ([one.what for one in parsed.questions], parsed.dropped_questions) == (["0", "1", "2"], 2)


@pytest.mark.rule("A-08")
def test_a_question_carries_what_where_why_when_and_its_shape():
    raw = question("quiet cafe", "the lake", why="score:quiet", when="tonight", shape="closest")
    one = read({"questions": [raw]}, "quiet cafe", BUDGET).questions[0]
    assert (one.what, one.where, one.why, one.when, one.shape) == ("quiet cafe", "the lake", "score:quiet", "tonight", "closest")


@pytest.mark.rule("A-07")
@pytest.mark.parametrize("where", ["there", "near there", "it", "near it", "them"])
def test_a_pronoun_is_resolved_to_the_question_before(where):
    parsed = read({"questions": [question("museum"), question("cafe", where)]}, "a museum and a cafe near it", BUDGET)
    assert parsed.questions[1].where == "near Q1"


@pytest.mark.rule("A-09")
@pytest.mark.parametrize(
    ("query", "where", "kept"),
    [
        ("best cafe", None, "city"),
        ("best cafe", "", "city"),
        ("a cafe nearby", None, None),
        ("any cafe around here?", None, None),
        ("cafe near me", "me", "me"),
        ("cafe by the lake", "the lake", "the lake"),
        ("a cafe near it", "near Q1", "near Q1"),
    ],
)
def test_where_is_null_only_for_words_that_point(query, where, kept):
    assert read({"questions": [question("cafe", where)]}, query, BUDGET).questions[0].where == kept


@pytest.mark.rule("A-15")
def test_the_fourth_call_and_later_are_dropped_and_counted():
    calls, dropped = read_calls({"calls": [call(1, keywords=[str(n)]) for n in range(6)]}, 1, BUDGET)
    assert ([one.args["keywords"] for one in calls], dropped) == ([["0"], ["1"], ["2"]], 3)


@pytest.mark.fault("FL27")
def test_the_same_call_three_times_is_one_call():
    assert len(read_calls({"calls": [call(1)] * 3}, 1, BUDGET)[0]) == 1


@pytest.mark.parametrize(
    "raw",
    [{}, {"questions": []}, {"questions": "cafe"}, {"questions": [{"where": "x"}]}, {"questions": [None]}, {"questions": [question()], "calls": 7}],
)
def test_what_has_not_the_shape_is_the_models_fault(raw):
    with pytest.raises(ModelMisbehaved):
        read(raw, "cafe", BUDGET)


def test_a_call_for_a_question_that_was_dropped_is_dropped():
    assert read_calls({"calls": [call(4), call(0), call(-1)]}, 3, BUDGET) == ((), 0)
