"""What may be kept of a step: a list of what passes, whatever a block or a model puts beside it."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent.types import Event
from audit.trail import keepable, of_step, public_id

pytestmark = pytest.mark.rule("A-53")


def test_counts_known_words_and_public_ids_pass():
    said = {"rows": 3, "tool": "find_places", "rung": "landmark", "ids": ["place:cafe-año", "event:lantern-walk@2026-12-04T19:00"], "capped": False}
    assert keepable(said) == said


@pytest.mark.parametrize(
    ("key", "value"),
    [("rows", 54.401), ("lat", 54), ("distance_m", 210), ("tool", "ann@post.example"), ("kind", "because I think"), ("at", [54, -2]), ("rows", -1)],
)
def test_positions_distances_and_words_of_others_do_not(key, value):
    kept = keepable({key: value})
    assert kept.get(key) is None


def test_an_id_is_of_a_known_kind_and_has_no_room_for_words():
    assert [public_id(one) for one in ("area:harbour", "ann:post", "place:a b", 7, None)] == ["area:harbour", "", "", "", ""]


@settings(max_examples=50, deadline=None)
@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)
    )
)
def test_nothing_that_a_step_holds_makes_it_fail(value):
    assert of_step(Event("execute", 1, {"rows": value}))["step"] == "execute"
