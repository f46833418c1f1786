import pytest

from agent.blocks.parse import read, read_calls
from agent.errors import ModelMisbehaved
from agent.types import Budget, Call, Question
from tests.engine import call, question

BUDGET = Budget()
FIND = {"tool": "find_places", "args": {"keywords": ["cafe"]}}


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


def one_of(**item):
    return read({"questions": [{"what": "cafe", **item}]}, "cafe", BUDGET).questions[0]


@pytest.mark.rule("A-08")
def test_what_a_resolver_leaves_out_has_a_plain_default():
    assert one_of() == Question(1, "cafe", "city", "", "", "some", "place")
    assert one_of(why=7, when=None, shape="round", category="hotel") == Question(1, "cafe", "city", "", "", "some", "place")


@pytest.mark.rule("A-08", "A-18")
@pytest.mark.parametrize(
    ("item", "category"),
    [({"why": "event"}, "festival"), ({"why": "festival"}, "festival"), ({"why": "tag"}, "place"), ({"why": "event", "category": "place"}, "place")],
)
def test_a_question_about_events_is_a_festival_question_unless_it_says_otherwise(item, category):
    assert one_of(**item).category == category


def test_the_text_of_a_slot_is_trimmed_and_cut_at_140_characters():
    one = one_of(what=" tea ", where="x" * 141, why="x" * 140, when="x" * 200)
    assert (one.what, one.where, one.why, one.when) == ("tea", "x" * 140, "x" * 140, "x" * 140)


@pytest.mark.rule("A-07")
def test_a_pronoun_in_the_first_question_stays_as_it_is():
    assert one_of(where="there").where == "there"


@pytest.mark.rule("A-15")
def test_a_call_is_for_a_question_that_is_there_and_for_the_first_where_none_is_told():
    sent = {"calls": [call(1), call(3), call(4), {"tool": "find_places"}]}
    assert read_calls(sent, 3, BUDGET) == ((Call(1, **FIND), Call(3, **FIND), Call(1, "find_places", {})), 0)
    assert read_calls({"calls": [call(1), call(2)]}, 1, BUDGET) == ((Call(1, **FIND),), 0)
    assert read_calls({"calls": [call(1), call(2)]}, 0, BUDGET) == ((Call(1, **FIND),), 0)
    assert read_calls({}, 1, BUDGET) == ((), 0)


@pytest.mark.rule("A-06", "A-15")
def test_the_calls_of_the_first_round_come_with_its_questions():
    parsed = read({"questions": [question()] * 4, "calls": [call(n, keywords=[str(n)]) for n in (1, 2, 3)] + [call(1)]}, "cafe", BUDGET)
    assert ([one.question for one in parsed.calls], parsed.dropped_questions, parsed.dropped_calls) == ([1, 2, 3], 1, 1)
    assert read({"questions": [question()]}, "cafe", BUDGET).dropped_questions == 0


A_CALL = "a call must be an object with 'question', 'tool' and 'args'"


@pytest.mark.parametrize(
    ("calls", "why"),
    [
        ("find_places", "calls must be a list"),
        ([None], A_CALL),
        ([{"tool": 7}], A_CALL),
        ([{"tool": "find_places", "args": []}], A_CALL),
        ([{"tool": "find_places", "question": "1"}], "a call's 'question' must be a number"),
        ([{"tool": "find_places", "question": True}], "a call's 'question' must be a number"),
    ],
)
def test_calls_that_have_not_the_shape_are_refused_with_the_reason(calls, why):
    with pytest.raises(ModelMisbehaved) as caught:
        read_calls({"calls": calls}, 1, BUDGET)
    assert str(caught.value) == why


@pytest.mark.parametrize(
    ("questions", "why"),
    [
        ([], "questions must be a list with at least one question"),
        ([question(), {"what": 7}], "question 2 must be an object with a text 'what'"),
        ([7], "question 1 must be an object with a text 'what'"),
    ],
)
def test_questions_that_have_not_the_shape_are_refused_with_the_reason(questions, why):
    with pytest.raises(ModelMisbehaved) as caught:
        read({"questions": questions}, "cafe", BUDGET)
    assert str(caught.value) == why
