"""Rounds, through the whole harness with a scripted model."""

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agent.errors import ModelMisbehaved, ModelUnavailable
from agent.llm.rounds import MAY, Rounds
from agent.llm.scripted import ScriptedModel
from agent.types import Budget, Event, Part, Query, Reply
from tests.engine import ask, call, final, names, part, question, steps, with_model
from tests.rows import NOW

MUSEUM = {"questions": [question("museum")], "calls": [call(1, keywords=["museum"])]}
TOLD = part(1, "{r1.name} in {r1.area} is a {r1.category}.", ("r1",))
LIE = part(1, "{r1.name} in {r1.area} opens at 7:45.", ("r1",))


def played(deps, *script, query="a museum"):
    """The reply to a scripted run, and the model that played it."""
    model = ScriptedModel(*script)
    return ask(with_model(deps, model), query), model


@pytest.mark.rule("A-46")
def test_no_run_makes_more_than_three_model_calls(town):
    for script in ((ModelMisbehaved("x"),) * 9, (MUSEUM, *({"calls": []},) * 9), (MUSEUM, *(final(LIE),) * 9), ({},) * 9):
        reply, model = played(town, *script)
        assert len(model.turns) <= 3
        assert reply["meta"]["model_calls"] == len(model.turns)


@pytest.mark.rule("A-47")
def test_one_table_says_what_each_round_may_do():
    assert {number: sorted(acts) for number, acts in MAY.items()} == {1: ["calls", "parse"], 2: ["calls", "final", "parse"], 3: ["final"]}


@pytest.mark.rule("A-47")
@pytest.mark.fault("FL22")
def test_a_tool_call_in_the_last_round_is_rejected(town):
    reply, model = played(town, MUSEUM, {"calls": [call(1, keywords=["cafe"])]}, {"calls": [call(1, keywords=["restaurant"])]})
    assert (len(model.turns), reply["outcome"]) == (3, "fallback")
    assert len(reply["meta"]["calls"]) == 2


@pytest.mark.rule("A-47")
def test_chained_calls_run_in_the_second_round(town):
    chained = {"questions": [question("museum"), question("cafe", "near Q1")], "calls": [call(1, keywords=["restaurant"])]}
    reply, model = played(town, chained, {"calls": [call(2, keywords=["cafe"])]}, final(), query="a restaurant and a cafe near it")
    assert [turn.round for turn in model.turns] == [1, 2, 3]
    assert names(reply["parts"][1])[0] == "Pier Cafe"


@pytest.mark.rule("A-48")
@pytest.mark.parametrize("miss", [ModelMisbehaved("no JSON"), ModelUnavailable("down"), {"questions": 7}, {"questions": []}])
def test_a_failed_first_round_costs_a_round_and_is_asked_for_once_more(town, miss):
    reply, model = played(town, miss, MUSEUM, final(TOLD))
    assert (len(model.turns), reply["outcome"], names(reply["parts"][0])) == (3, "answer", ["Boat Museum"])
    reply, model = played(town, miss, miss, final(TOLD))
    assert (len(model.turns), reply["outcome"]) == (2, "fallback")


@pytest.mark.rule("A-49")
@pytest.mark.parametrize("last", [ModelUnavailable("down"), {"final": 7}, {"calls": []}, {}])
def test_the_cap_without_a_final_is_a_fallback_with_what_is_grounded(town, last):
    reply, _ = played(town, MUSEUM, last, last)
    assert (reply["outcome"], names(reply["parts"][0])) == ("fallback", ["Boat Museum"])


@pytest.mark.rule("A-50")
def test_a_model_may_finish_in_the_second_round(town):
    reply, model = played(town, MUSEUM, final(TOLD))
    assert (len(model.turns), reply["parts"][0]["text"]) == (2, "Boat Museum in Harbour is a museum.")


@pytest.mark.rule("A-43")
def test_a_part_that_is_not_grounded_is_asked_for_once_more(town):
    reply, model = played(town, MUSEUM, final(LIE), final(TOLD))
    assert (reply["parts"][0]["text"], reply["meta"]["regenerated"]) == ("Boat Museum in Harbour is a museum.", True)
    assert any("7:45" in why for why in model.turns[-1].rejected)


@pytest.mark.rule("A-43")
def test_a_part_that_lies_twice_is_composed_by_the_harness(town):
    reply, model = played(town, MUSEUM, final(LIE), final(LIE))
    assert (len(model.turns), reply["outcome"]) == (3, "answer")
    assert reply["parts"][0]["text"] == "Boat Museum in Harbour: museum, hours not confirmed."


@pytest.mark.rule("A-43")
def test_with_no_round_left_the_harness_composes_at_once(town):
    reply, model = played(town, MUSEUM, {"calls": [call(1, keywords=["museum"], limit=2)]}, final(LIE))
    assert (len(model.turns), reply["meta"]["regenerated"]) == (3, False)
    assert names(reply["parts"][0]) == ["Boat Museum"]


@pytest.mark.rule("A-57")
def test_the_resolver_and_the_finalizer_may_be_two_models_and_both_are_on_record(town):
    resolver, finalizer = ScriptedModel(MUSEUM), ScriptedModel(final(TOLD))
    resolver.name, finalizer.name = "fast", "better"
    reply = ask(replace(with_model(town, resolver), finalizer=finalizer), "a museum")
    assert (reply["meta"]["model"], reply["outcome"]) == ("fast+better", "answer")
    assert [turn.stage for turn in (*resolver.turns, *finalizer.turns)] == ["resolve", "finalize"]


@pytest.mark.rule("A-58")
def test_a_part_is_at_most_400_characters_and_the_limit_is_in_the_budget(town):
    long = {"question": 1, "sentences": [{"text": "{r1.name} in {r1.area} is a museum. " * 3, "rows": ["r1"]}] * 6, "recommends": [{"row": "r1"}]}
    reply, _ = played(town, MUSEUM, final(long), final(long))
    assert Budget().part_chars == 400
    assert len(reply["parts"][0]["text"]) <= 400


def test_no_round_begins_after_the_deadline(town):
    late = replace(town, budget=Budget(deadline_s=0.0))
    reply = ask(with_model(late, ScriptedModel()), "a museum")
    assert (reply["outcome"], reply["meta"]["model_calls"]) == ("fallback", 0)


def test_a_run_that_is_stopped_makes_no_further_call(town):
    model = ScriptedModel(MUSEUM)
    turns = steps(replace(with_model(town, model), stopped=lambda: bool(model.turns)), "a museum")
    assert (len(model.turns), type(turns[-1])) == (1, Reply)


def test_rounds_count_down_and_nothing_else_changes():
    rounds = Rounds(3, 15.0)
    seen = []
    while rounds.may("final") or rounds.may("parse"):
        seen.append(rounds.next)
        rounds.ask(ScriptedModel({}), turn=None)  # type: ignore[arg-type]
    assert (seen, rounds.spent, rounds.misses) == ([1, 2, 3], 3, [])


@pytest.mark.rule("A-47", "A-48")
@pytest.mark.parametrize(
    ("sent", "miss"),
    [
        (ModelMisbehaved("two objects"), "two objects"),
        (ModelUnavailable("down"), "down"),
        ([1], "the model sent no JSON object"),
        (None, "the model sent no JSON object"),
    ],
)
def test_a_call_that_failed_costs_a_round_and_says_what_went_wrong(sent, miss):
    rounds = Rounds(3, 15.0)
    assert rounds.ask(ScriptedModel(sent), turn=None) is None  # type: ignore[arg-type]
    assert (rounds.spent, rounds.misses) == (1, [miss])


@pytest.mark.rule("A-47")
def test_rounds_past_the_third_may_do_what_the_third_may():
    rounds = Rounds(5, 15.0, spent=4)
    assert [act for act in ("parse", "calls", "final") if rounds.may(act)] == ["final"]


def test_the_last_second_before_the_deadline_is_still_time():
    assert Rounds(3, 1.0).may("parse")
    assert not Rounds(3, 0.0).may("parse")


WORDS = st.sampled_from(
    ["museum", "cafe", "planetarium", "the clock tower", "near Q1", "near Q2", "near Q9", "city", "me", "", "'; DROP TABLE place"]
)
ROWS = st.sampled_from(["r1", "r2", "r5", "r9", "q"])
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=True) | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
QUESTIONS = st.lists(
    st.fixed_dictionaries(
        {"what": WORDS}, optional={"where": WORDS | st.none(), "category": st.sampled_from(["place", "festival", "x"]), "shape": WORDS}
    ),
    max_size=6,
)
TOOLS = st.sampled_from(["find_places", "places_near", "place_details", "compare_places", "events_when", "event_details", "place_options", "drop"])
ARGS = (
    st.fixed_dictionaries(
        {},
        optional={
            "keywords": st.lists(WORDS, max_size=8),
            "names": st.lists(WORDS, max_size=3),
            "limit": st.integers(-1, 99),
            "open_at": WORDS,
            "when": WORDS,
            "lat": st.floats(),
        },
    )
    | JSON
)
CALLS = st.lists(
    st.fixed_dictionaries({"tool": TOOLS | st.text(max_size=5)}, optional={"question": st.integers(-1, 9) | JSON, "args": ARGS}) | JSON, max_size=8
)
SENTENCES = st.lists(
    st.fixed_dictionaries(
        {
            "text": st.sampled_from(["{r1.name}", "{r1.name} in {r1.area}, {r2.name}.", "{r9.name} 10 of 10", "Clock Tower", "<b>x</b>", "x" * 500])
            | st.text(max_size=30)
        },
        optional={"rows": st.lists(ROWS, max_size=3) | JSON},
    )
    | JSON,
    max_size=4,
)
PARTS = st.lists(
    st.fixed_dictionaries(
        {"question": st.integers(-1, 5) | JSON},
        optional={"sentences": SENTENCES | JSON, "recommends": st.lists(st.fixed_dictionaries({"row": ROWS}) | JSON, max_size=4), "kind": WORDS},
    )
    | JSON,
    max_size=4,
)
ANSWERS = (
    st.fixed_dictionaries(
        {}, optional={"questions": QUESTIONS | JSON, "calls": CALLS | JSON, "final": st.fixed_dictionaries({}, optional={"parts": PARTS}) | JSON}
    )
    | JSON
)
OUTPUTS = ANSWERS | st.sampled_from([ModelUnavailable("down"), ModelMisbehaved("no JSON")])


@settings(
    max_examples=400, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow, HealthCheck.data_too_large]
)
@given(script=st.lists(OUTPUTS, min_size=3, max_size=3), query=WORDS)
def test_whatever_a_model_sends_the_caps_hold_and_the_run_ends_in_one_reply(town, script, query):
    from agent.harness import run

    model = ScriptedModel(*script)
    done = list(run(Query(f"{query}?"), replace(with_model(town, model), now=NOW)))
    reply = done[-1].body
    ran = [step.counts for step in done if isinstance(step, Event) and step.step == "dispatch"]
    assert len(model.turns) <= 3
    assert all(count["calls"] + count["refused"] <= 3 for count in ran)
    assert all(step.counts["rows"] <= 5 for step in done if isinstance(step, Event) and step.step == "execute")
    assert [type(step) for step in done].count(Reply) == 1
    assert reply["outcome"] in ("answer", "followup", "fallback")
    assert len(reply["parts"]) == sum(isinstance(step, Part) for step in done) <= 3
    assert all(len(one["text"]) <= 400 and len(one["recommends"]) <= 5 for one in reply["parts"])
