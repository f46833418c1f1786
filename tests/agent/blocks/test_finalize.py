import pytest

from agent.blocks.finalize import drafts, fill
from agent.errors import ModelMisbehaved
from agent.types import Budget, Question, Reason, Row
from tests.engine import final, part

BUDGET = Budget()
ASKED = Question(1, "cafe")


def row(id_, name, **facts):
    return Row(id_, f"place:{id_}", name, (), "", "", Reason("tag", "cafe"), {"name": name, **facts})


ROWS = {one.id: one for one in (row("r1", "Blue Door", area="Old Town"), row("r2", "Pier Cafe", area="Harbour"))}


def filled(draft, budget=BUDGET):
    return fill(draft, ASKED, ROWS, None, budget)


def fault_of(draft):
    with pytest.raises(ModelMisbehaved) as caught:
        filled(draft)
    return str(caught.value)


@pytest.mark.rule("A-39")
def test_slots_are_filled_in_from_the_rows_that_a_sentence_cites():
    made = filled(part(1, "{r1.name} in {r1.area}, or {r2.name}.", ("r1", "r2")))
    assert (made.question, made.what, made.kind, made.status, made.anchor) == (1, "cafe", "recommend", "answered", None)
    assert made.text == "Blue Door in Old Town, or Pier Cafe."
    assert [(one.rows, one.free) for one in made.sentences] == [(("r1", "r2"), "{r1.name} in {r1.area}, or {r2.name}.")]
    assert made.recommends == (ROWS["r1"], ROWS["r2"])


@pytest.mark.rule("A-39")
def test_the_parts_of_a_final_are_kept_by_question_and_a_part_of_no_question_is_left_out():
    one, two = part(1, "a"), part(2, "b")
    assert drafts({"parts": [two, one, part(3, "c"), {}]}, [ASKED, Question(2, "museum")]) == {1: one, 2: two}


@pytest.mark.parametrize("number", [[], {}, [1], None, "1"])
def test_a_part_whose_question_is_no_number_is_left_out(number):
    assert drafts(final(part(number, "a"))["final"], [ASKED]) == {}


@pytest.mark.parametrize("sent", [None, 7, [], {}, {"parts": None}, {"parts": {}}, {"parts": [part(1, "a"), 7]}])
def test_a_final_that_has_not_the_shape_is_the_models_fault(sent):
    with pytest.raises(ModelMisbehaved) as caught:
        drafts(sent, [ASKED])
    assert str(caught.value) == "final must hold a list of parts"


@pytest.mark.parametrize("named", [[], {}, ["r1"], None, "r9", 1])
def test_a_recommendation_that_was_not_gathered_is_the_models_fault(named):
    assert fault_of({**part(1, "{r1.name}", ("r1",)), "recommends": [{"row": named}]}) == f"row {named} was recommended and not gathered"


def test_a_recommendation_that_is_no_object_is_the_models_fault():
    assert fault_of({**part(1, "{r1.name}", ("r1",)), "recommends": ["r1"]}) == "row None was recommended and not gathered"


@pytest.mark.parametrize(
    ("sentence", "why"),
    [
        ("Blue Door", "a sentence must be an object with 'text' and 'rows'"),
        ({"rows": ["r1"]}, "a sentence must be an object with 'text' and 'rows'"),
        ({"text": "x", "rows": "r1"}, "a list was expected"),
        ({"text": "x", "rows": ["r9"]}, "row r9 was not gathered"),
        ({"text": "{r8.name}", "rows": ["r1"]}, "row r8 was not gathered"),
        ({"text": "{r2.name}", "rows": ["r1"]}, "slot r2.name is not a fact of a row that the sentence rests on"),
        ({"text": "{r1.price}", "rows": ["r1"]}, "slot r1.price is not a fact of a row that the sentence rests on"),
    ],
)
def test_a_sentence_that_rests_on_nothing_is_the_models_fault(sentence, why):
    assert fault_of({"question": 1, "sentences": [sentence]}) == why


def test_a_part_without_a_sentence_is_the_models_fault():
    assert {fault_of({"sentences": said}) for said in (None, [])} == {"part 1 says nothing"}


@pytest.mark.rule("A-40")
def test_past_the_length_of_a_part_whole_sentences_go_and_what_only_they_named():
    draft = {
        "sentences": [{"text": "{r1.name}.", "rows": ["r1"]}, {"text": "{r2.name}.", "rows": ["r2"]}],
        "recommends": [{"row": "r2"}, {"row": "r1"}, {"row": "r1"}],
    }
    long = len("Blue Door. Pier Cafe.")
    whole, cut = (filled(draft, Budget(part_chars=most)) for most in (long, long - 1))
    assert (whole.text, [one.id for one in whole.recommends]) == ("Blue Door. Pier Cafe.", ["r2", "r1"])
    assert (cut.text, [one.id for one in cut.recommends]) == ("Blue Door.", ["r1"])


def test_no_more_is_recommended_than_the_budget_has_rows():
    assert filled(part(1, "{r1.name}, {r2.name}", ("r1", "r2")), Budget(rows=1)).recommends == (ROWS["r1"],)


@pytest.mark.parametrize(("kind", "shown"), [("inform", "inform"), ("locate", "locate"), ("x", "recommend"), (None, "recommend")])
def test_a_kind_that_there_is_not_is_a_recommendation(kind, shown):
    assert filled({**part(1, "{r1.name}", ("r1",)), "kind": kind}).kind == shown


def test_a_part_that_recommends_nothing_is_not_known():
    assert filled({"sentences": [{"text": " Small does not know. "}]}).text == "Small does not know."
    assert filled({"sentences": [{"text": "Small does not know."}]}).status == "unknown"
