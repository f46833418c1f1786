"""Follow-ups through the engine: asked as a last resort, and remembered by the client alone."""

import json
from base64 import urlsafe_b64decode
from dataclasses import replace
from datetime import timedelta

import pytest

from agent.deps import Deps
from agent.echo import verify
from agent.harness import ENOUGH
from agent.llm.scripted import ScriptedModel
from agent.types import Pick, Point
from tests.engine import KEYS, ask, call, engine, final, part, question, with_model
from tests.followups import BOTH, NAMESAKES, POINTS, UNKNOWN, answered, is_new_run, later, resume, statuses, town_with_inns
from tests.rows import NOW, area, event, occurrence, place


@pytest.fixture(scope="module")
def town(tmp_path_factory) -> Deps:
    return town_with_inns(tmp_path_factory.mktemp("inns"))


# Asking back


@pytest.mark.rule("A-27")
@pytest.mark.parametrize(
    ("query", "slot", "ids"),
    [
        (POINTS, "where", ["area:old-town", "area:harbour"]),
        (UNKNOWN, "what", ["tag:food", "tag:museum", "tag:cafe", "tag:restaurant"]),
        (NAMESAKES, "which", ["place:swan-inn", "place:swan-inn-harbour"]),
    ],
)
def test_what_nothing_fills_is_asked_back(town, query, slot, ids):
    body = ask(town, query)
    assert (body["outcome"], body["parts"][0]["status"], body["parts"][0]["recommends"]) == ("followup", "pending", [])
    assert [(one["question"], one["slot"], [option["id"] for option in one["options"]]) for one in body["followups"]] == [(1, slot, ids)]


@pytest.mark.rule("A-27")
@pytest.mark.parametrize(
    ("query", "at"),
    [
        (POINTS, Point(54.4, -2.96)),
        ("cafe near the clock tower", None),
        ("cafe in Harbour", None),
        ("cafe", None),
        ("tell me about Mill Cafe", None),
        ("tell me about the Clock", None),
        ("a purple cafe", None),
        ("museum near me", None),  # there is one museum: nothing to choose between
        ("what is on?", None),
    ],
)
def test_what_anything_else_fills_is_not_asked_back(town, query, at):
    body = ask(town, query, at)
    assert (body["followups"], body["echo"]) == ([], None)


@pytest.mark.rule("A-27")
def test_two_of_one_name_that_stand_together_are_told_of_together(tmp_path):
    twins = [place("twin-1", name="Twin Inn", category="restaurant"), place("twin-2", name="Twin Inn", category="restaurant", lat=54.4005)]
    assert ask(engine(tmp_path, places=twins), "tell me about Twin Inn")["followups"] == []


@pytest.mark.rule("A-27")
@pytest.mark.parametrize(
    "more",
    [
        {"followups": [{"question": 1, "slot": "where", "prompt": "Where?", "options": [{"id": "area:harbour", "label": "Harbour"}]}]},
        {"pending": [1], "echo": "1.e30.AAAA.AAAA", "outcome": "followup", "status": "pending"},
        {"calls": [call(1), call(1, "place_options", slot="where"), call(1, "festival_options", slot="where")]},
    ],
    ids=["a question back", "pending", "the options' tools"],
)
def test_a_model_cannot_ask_back(town, more):
    model = ScriptedModel({"questions": [question()], "calls": [call(1)], **more}, {**final(part(1, "{r1.name} in {r1.area}.", ("r1",))), **more})
    body = ask(with_model(town, model), "cafe")
    assert (body["outcome"], body["followups"], body["echo"]) == ("answer", [], None)
    assert [one["rows"] for one in body["meta"]["calls"] if one["tool"].endswith("_options")] == [0] * sum(
        one["tool"].endswith("_options") for one in more.get("calls", ())
    )


@pytest.mark.rule("A-28")
@pytest.mark.parametrize(
    ("query", "third"),
    [
        ("a zoo, cafe near me and tell me about Swan Inn", "swan inn"),
        ("tell me about Swan Inn, cafe near me and a zoo", "zoo"),
        ("a zoo, tell me about Swan Inn and cafe near me", "cafe"),
    ],
)
def test_two_are_asked_back_and_a_third_is_a_plain_dont_know(town, query, third):
    body = ask(town, query)
    assert statuses(body) == [(1, "pending"), (2, "pending"), (3, "unknown")]
    assert (body["parts"][2]["what"], body["parts"][2]["text"], body["parts"][2]["recommends"]) == (third, ENOUGH, [])
    assert [one["question"] for one in body["followups"]] == [1, 2]


@pytest.mark.rule("A-28")
def test_each_question_is_asked_back_about_once(town):
    script = ({"questions": [question("cafe", None)], "calls": [call(1), call(1, "places_near"), call(1, limit=2, keywords=["cafe"])]}, final())
    asked = ask(with_model(town, ScriptedModel(*script)), POINTS)["followups"]
    assert [one["question"] for one in asked] == [1]


@pytest.mark.rule("A-28", "A-30")
def test_options_too_long_for_an_echo_that_a_door_takes_back_are_a_plain_dont_know(tmp_path):
    areas = [area(f"a{n}-{'x' * 110}", name=f"{n}{'ü' * 199}") for n in range(4)]
    places = [place(f"{kind}-{n}", category=kind, area=areas[n].slug, lat=54.38 + n / 100) for kind in ("cafe", "restaurant") for n in range(4)]
    deps = engine(tmp_path, areas=areas, places=places)
    query = "cafe near me and a restaurant near here"
    body = ask(deps, query)
    assert ([one["question"] for one in body["followups"]], statuses(body)) == ([1], [(1, "pending"), (2, "unknown")])
    assert (body["parts"][1]["text"], len(body["echo"]) <= 4096) == (ENOUGH, True)
    assert [one.question for one in verify(body["echo"], query, KEYS, NOW).pending] == [1]


@pytest.mark.rule("A-29")
def test_at_most_four_options_all_from_the_snapshot(tmp_path):
    quarters = [area(f"quarter-{n}", lat=54.38 + n / 100) for n in range(7)]
    night = occurrence(NOW + timedelta(days=1), NOW + timedelta(days=1, hours=2))
    deps = engine(
        tmp_path,
        areas=quarters,
        places=[place(f"swan-{n}", name="Swan Inn", category="cafe", area=f"quarter-{n}", lat=54.38 + n / 100) for n in range(7)],
        events=[event(f"fair-{n}", tags=("music",), area=f"Quarter {n}", occurrences=(night,)) for n in range(7)],
    )
    for query, slot in ((POINTS, "where"), (NAMESAKES, "which"), ("a zoo", "what"), ("what is on near me tomorrow?", "where")):
        (asked,) = ask(deps, query)["followups"]
        ids = [option["id"] for option in asked["options"]]
        assert (asked["slot"], len(ids), len(set(ids))) == (slot, min(4, len(ids)), len(ids))
        assert [one for one in ids if not _stands_in(deps, one)] == []


def _stands_in(deps: Deps, public_id: str) -> bool:
    table, _, slug = public_id.partition(":")
    return deps.snapshot.pages.one(f"SELECT 1 FROM {table} WHERE slug = ?", (slug,)) is not None


# The echo


@pytest.mark.rule("A-30")
def test_the_echo_holds_what_the_resume_needs_and_no_position(town):
    script = (
        {"questions": [question("museum"), question("zoo", "near Q1")], "calls": [call(1, keywords=["museum"]), call(2, keywords=["zoo"])]},
        final(),
    )
    body = ask(with_model(town, ScriptedModel(*script)), "a museum and a zoo near it", Point(54.40417, -2.95831))
    echo = verify(body["echo"], "a museum and a zoo near it", KEYS, NOW)
    assert (echo.snapshot, echo.minted, echo.rows) == (1, int(NOW.timestamp()), ((1, "place:boat-museum"),))
    assert [(one.question, one.slot, list(one.options), one.shown) for one in echo.pending] == [
        (2, "what", ["tag:food", "tag:museum", "tag:cafe", "tag:restaurant"], 1)
    ]
    payload = urlsafe_b64decode(body["echo"].split(".")[1] + "==").decode()
    assert [type(one) for one in json.loads(payload)] == [str, int, str, list, list]
    assert [digits for digits in ("54.4", "-2.9", "40417", "95831", "zoo near") if digits in payload] == []


@pytest.mark.rule("A-30", "A-36")
def test_showing_the_options_again_keeps_the_first_expiry(town):
    first = ask(town, POINTS)["echo"]
    second = resume(later(town, 590), POINTS, first, Pick(1, "area:nowhere"))["echo"]
    assert verify(second, POINTS, KEYS, NOW).minted == int(NOW.timestamp())
    assert statuses(resume(later(town, 600), POINTS, second, Pick(1, "area:harbour"))) == [(1, "answered")]
    assert is_new_run(resume(later(town, 601), POINTS, second, Pick(1, "area:harbour")))


@pytest.mark.rule("A-30")
def test_without_keys_nothing_is_asked_back(town):
    body = ask(replace(town, echo_keys=()), POINTS)
    assert (body["followups"], body["echo"], statuses(body)) == ([], None, [(1, "answered")])


@pytest.mark.rule("A-31")
def test_the_query_is_compared_as_intake_gives_it(town):
    token = ask(town, POINTS)["echo"]
    assert statuses(resume(town, f"  {POINTS}\n", token, Pick(1, "area:harbour"))) == [(1, "answered")]
    assert is_new_run(resume(town, "Cafe near me", token, Pick(1, "area:harbour")))


@pytest.mark.rule("A-31")
@pytest.mark.parametrize("option", ["area:nowhere", "place:mill-cafe", "Harbour", "AREA:HARBOUR", "'; DROP TABLE area; --", "x" * 100_000])
def test_an_option_that_was_not_offered_is_no_pick(town, option):
    body = answered(town, POINTS, Pick(1, option))
    assert (body["outcome"], [one["id"] for one in body["followups"][0]["options"]]) == ("followup", ["area:old-town", "area:harbour"])
    assert body["meta"]["model_calls"] == 0


@pytest.mark.rule("A-31")
def test_an_option_of_the_other_question_is_no_pick(town):
    assert answered(town, BOTH, Pick(1, "area:harbour"), Pick(3, "tag:cafe"))["outcome"] == "followup"


@pytest.mark.rule("A-31", "A-35")
def test_the_picks_are_read_by_the_signed_options_and_not_by_todays(town):
    forged = ask(replace(town, echo_keys=("another key",)), POINTS)["echo"]
    assert is_new_run(resume(town, POINTS, forged, Pick(1, "area:harbour")))
