import json
import sqlite3

import pytest

from agent.errors import ModelMisbehaved, ModelUnavailable
from agent.llm.scripted import ScriptedModel
from agent.types import Event, Part, Reply
from tests.engine import ask, call, engine, final, names, part, question, steps, with_model
from tests.rows import place


def scripted(deps, *script):
    return with_model(deps, ScriptedModel(*script))


@pytest.mark.rule("A-05", "A-39")
def test_several_questions_are_answered_in_the_order_asked(town):
    parts = ask(town, "a museum and a cafe near the clock tower and a restaurant in the harbour")["parts"]
    assert [names(one)[0] for one in parts] == ["Boat Museum", "The Blue Door Café", "L'Ancre d'Or"]


@pytest.mark.rule("A-39")
def test_a_fourth_question_is_dropped_and_said(town):
    parts = ask(town, "a cafe, a museum, a restaurant and a cafe in the harbour")["parts"]
    assert len(parts) == 3
    assert parts[-1]["text"].endswith("Small answers 3 questions at a time, so the rest was left out.")


@pytest.mark.rule("A-06")
def test_three_questions_of_seven_are_answered_for_a_model_that_sends_seven(town):
    script = ({"questions": [question(str(n)) for n in range(7)]}, final())
    assert [one["question"] for one in ask(scripted(town, *script), "seven")["parts"]] == [1, 2, 3]


@pytest.mark.rule("A-15")
def test_only_three_calls_of_a_response_run(town):
    script = ({"questions": [question()], "calls": [call(1, keywords=["cafe"], limit=n) for n in (1, 2, 3, 4, 5)]}, final())
    assert len(ask(scripted(town, *script), "cafe")["meta"]["calls"]) == 3


@pytest.mark.rule("A-16")
def test_a_chained_question_looks_from_the_first_row_of_the_question_before(town):
    parts = ask(town, "a restaurant in the harbour and a cafe near it")["parts"]
    assert parts[1]["anchor"] == {"rung": "question", "name": "L'Ancre d'Or"}
    assert (names(parts[1])[0], parts[1]["recommends"][0]["distance_m"]) == ("Pier Cafe", 26)


@pytest.mark.rule("A-16")
def test_coordinates_of_the_model_are_no_argument(town):
    script = ({"questions": [question()], "calls": [call(1, "places_near", keywords=["cafe"], lat=1, lng=2)]}, final())
    reply = ask(scripted(town, *script), "cafe")
    assert (reply["parts"][0]["status"], reply["meta"]["calls"][0]["rows"]) == ("unknown", 0)


@pytest.mark.rule("A-17")
def test_a_question_that_hangs_on_nothing_fails_alone(town):
    script = ({"questions": [question("cafe", "near Q3"), question("museum")], "calls": [call(1), call(2, keywords=["museum"])]}, final())
    statuses = [one["status"] for one in ask(scripted(town, *script), "cafe near it and a museum")["parts"]]
    assert statuses == ["unknown", "answered"]


@pytest.mark.rule("A-18")
def test_a_festival_question_gets_nothing_from_a_place_tool(town):
    script = ({"questions": [question("music", category="festival")], "calls": [call(1)]}, final())
    reply = ask(scripted(town, *script), "music")
    assert (reply["parts"][0]["status"], reply["meta"]["calls"][0]["rows"]) == ("unknown", 0)


@pytest.mark.rule("A-22")
def test_a_payload_holds_at_most_five_rows(tmp_path):
    deps = engine(tmp_path, places=[place(f"cafe-{n}", category="cafe", lat=54.4 + n / 10_000) for n in range(9)])
    part_of = ask(deps, "cafe near old town")["parts"][0]
    assert max(one.counts["rows"] for one in steps(deps, "cafe") if isinstance(one, Event) and one.step == "execute") == 5
    assert len(part_of["recommends"]) <= 5
    assert "of 9" in part_of["text"]


@pytest.mark.rule("A-40")
@pytest.mark.parametrize(
    "query", ["cafe", "quiet cafe near the clock tower", "restaurant in the harbour", "nearest cafe to the clock tower", "tell me about mill cafe"]
)
def test_every_recommendation_names_the_place_the_reason_and_the_location(town, query):
    rows = [(row, one["text"]) for one in ask(town, query)["parts"] for row in one["recommends"]]
    assert rows
    for row, text in rows:
        assert row["name"] in text
        assert row["reason"]["text"]
        assert row["location"]
        assert row["location"] in text


@pytest.mark.rule("A-40")
def test_what_was_cut_from_the_text_is_not_recommended(tmp_path):
    long = [place(f"cafe-{n}", name=f"The {'Very ' * 12}Long Café {n}", category="cafe") for n in range(5)]
    one = ask(engine(tmp_path, places=long), "cafe")["parts"][0]
    assert len(one["text"]) <= 400
    assert all(row["name"] in one["text"] for row in one["recommends"])
    assert 1 <= len(one["recommends"]) < 5


@pytest.mark.rule("A-41")
def test_a_part_without_rows_says_so_and_the_others_are_answered(town):
    parts = ask(town, "a purple restaurant in the harbour and a museum")["parts"]
    assert (parts[0]["status"], parts[0]["recommends"], parts[0]["text"]) == ("unknown", [], "There is no purple restaurant that Small knows.")
    assert names(parts[1]) == ["Boat Museum"]


@pytest.mark.rule("A-42")
@pytest.mark.parametrize(
    "lie",
    [
        part(1, "{r1.name} in {r1.area}, and the Anchor Palace too.", ("r1", "r9")),
        part(1, "Go to the Clock Tower.", ("r1",)),
        part(1, "{r1.name} in {r1.area} scores 10 of 10.", ("r1",)),
        part(1, "{r1.name} in {r1.area} opens at 7:45.", ("r1",)),
        part(1, "{r1.name} has {r1.secret}.", ("r1",)),
        part(1, "A lovely cafe in town.", ("r1",)),
        part(1, "{r2.name} is good.", ("r1",)),
    ],
    ids=[
        "a row not gathered",
        "a name not gathered",
        "a number",
        "a time",
        "a slot that is no fact",
        "a recommendation not named",
        "a slot of a row not cited",
    ],
)
def test_an_ungrounded_part_is_never_shown(town, lie):
    script = ({"questions": [question("museum")], "calls": [call(1, keywords=["museum"])]}, final(lie), final(lie))
    reply = ask(scripted(town, *script), "a museum")
    assert names(reply["parts"][0]) == ["Boat Museum"]
    assert reply["parts"][0]["text"] == "Boat Museum in Harbour: museum, hours not confirmed."


@pytest.mark.rule("A-42")
def test_a_grounded_part_of_the_model_is_shown_with_its_facts_filled_in(town):
    said = part(1, "Try {r1.name} in {r1.area}, a {r1.category}.", ("r1",))
    script = ({"questions": [question("museum")], "calls": [call(1, keywords=["museum"])]}, final(said))
    assert ask(scripted(town, *script), "a museum")["parts"][0]["text"] == "Try Boat Museum in Harbour, a museum."


@pytest.mark.rule("A-44")
@pytest.mark.parametrize(
    ("query", "outcome"),
    [
        ("a museum", "answer"),
        ("a museum and a purple cafe", "answer"),
        ("a purple cafe", "fallback"),
        ("", "fallback"),
        ("x" * 141, "fallback"),
        ("a museum and a zoo", "followup"),
        ("ghjk dfgh", "followup"),
    ],
)
def test_the_outcome_is_answer_followup_or_fallback_and_never_a_guess(town, query, outcome):
    reply = ask(town, query)
    assert reply["outcome"] == outcome
    answered = [one for one in reply["parts"] if one["status"] == "answered"]
    assert all(one["recommends"] for one in answered)
    assert bool(answered) == ("museum" in query)


@pytest.mark.rule("A-45")
@pytest.mark.parametrize(
    "script", [(ModelUnavailable("down"),) * 3, (ModelMisbehaved("no JSON"),) * 3, ({}, {}, {}), ({"questions": 1}, {"final": 1}, {"calls": 1})]
)
def test_without_a_usable_round_small_does_not_know_yet(town, script):
    reply = ask(scripted(town, *script), "a cafe")
    assert (reply["outcome"], reply["parts"][0]["text"]) == ("fallback", "Small doesn’t know yet.")
    assert reply["meta"]["model_calls"] <= 3


@pytest.mark.rule("A-45")
def test_the_fallback_is_the_best_partial_answer_that_is_grounded(town):
    script = ({"questions": [question("museum")], "calls": [call(1, keywords=["museum"])]}, ModelUnavailable("down"), ModelUnavailable("down"))
    assert names(ask(scripted(town, *script), "a museum")["parts"][0]) == ["Boat Museum"]


@pytest.mark.rule("A-17", "A-19", "A-23")
def test_a_run_reads_one_handle_whose_belts_cannot_write_or_cross(town):
    snapshot = town.snapshot
    for belt, foreign in ((snapshot.places, "event"), (snapshot.festivals, "place")):
        with pytest.raises(Exception, match="does not allow"):
            belt.rows(f"SELECT * FROM {foreign}")
        with pytest.raises(Exception, match="does not allow"):
            belt.rows("DELETE FROM tag")
    assert snapshot.places.rows("SELECT count(*) FROM place")[0][0] == 7


@pytest.mark.rule("A-21")
@pytest.mark.parametrize("text", ["'; DROP TABLE place; --", '" OR 1=1 --', "cafe\x00' UNION SELECT * FROM event", "name:* NEAR(a, 9) AND NOT"])
def test_a_query_never_becomes_sql(town, text):
    reply = ask(town, text)
    assert reply["outcome"] in ("answer", "fallback", "followup")
    assert town.snapshot.places.rows("SELECT count(*) FROM place")[0][0] == 7


def test_a_run_yields_events_then_parts_then_one_reply_that_json_can_hold(town):
    kinds = [type(one) for one in steps(town, "a museum and a cafe")]
    assert kinds[-3:] == [Part, Part, Reply]
    assert set(kinds[:-3]) == {Event}
    assert json.loads(json.dumps(ask(town, "a museum")))["meta"]["model"] == "rules"


def test_the_engine_runs_without_django():
    code = "import sys, agent.harness, agent.llm.rules; sys.exit(any(name.partition('.')[0] == 'django' for name in sys.modules))"
    import subprocess
    import sys

    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
    assert sqlite3.sqlite_version_info >= (3, 40)
