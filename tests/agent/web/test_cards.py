from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from agent.web.cards import say_snapshot, show_parts, show_steps, show_strip
from tests.engine import steps

META = {
    "snapshot": {"number": 7, "published": "2026-12-04T23:30:00+00:00"},
    "model": "small-1",
    "latency_ms": 1240,
    "tokens": {"in": 300, "out": 41},
    "cost": 0.0021,
    "questions": [{"what": "cafe", "where": "near Q9", "why": ""}],
    "calls": [{"question": 1, "tool": "find_festivals", "rows": 0, "refused": "a place question"}, {"question": 1, "tool": "find_places", "rows": 1}],
}  # fmt: skip


def test_the_strip_says_what_a_model_cost():
    assert dict(show_strip(META, ZoneInfo("UTC"))) == {
        "Model": "small-1",
        "Time": "1.2 s",
        "Tokens": "341",
        "Cost": "0.0021",
        "Snapshot": "7, 4 December 2026",
    }


@pytest.mark.parametrize("tokens", [{"in": None, "out": None}, {"in": 300, "out": None}])
def test_what_is_not_known_is_a_dash_and_never_nought(tokens):
    strip = dict(show_strip(META | {"tokens": tokens, "cost": None}, ZoneInfo("UTC")))
    assert (strip["Tokens"], strip["Cost"]) == ("—", "—")


def test_a_refused_call_and_a_lost_anchor_are_told():
    (step,) = show_steps({"meta": META, "parts": [{"question": 1, "anchor": None}]})
    assert step.facts == (
        ("Looked for", "cafe"),
        ("Looked from", "—"),
        ("Looked up", "find_festivals: refused, a place question"),
        ("Looked up", "find_places: 1 row"),
    )


def test_a_snapshot_is_dated_by_the_town_s_calendar():
    late = datetime(2026, 12, 4, 23, 30, tzinfo=UTC)
    assert [say_snapshot(3, late, ZoneInfo(zone)) for zone in ("UTC", "Europe/Monaco")] == ["3, 4 December 2026", "3, 5 December 2026"]


def test_an_event_says_its_day_and_its_time_in_words_and_for_machines(town):
    (part, *_) = show_parts(steps(town, "what's on this week?")[-1])
    card = part.cards[0]
    assert (card.name, card.when, card.starts) == ("Quiz Night", "Tomorrow evening, Tue 2 Jun 2026, 9:00 pm", "2026-06-02T20:00:00+00:00")
