from dataclasses import replace

import pytest

from agent.blocks.anchors import named, resolve
from agent.types import Point, Query, Question
from tests.engine import ask, names

HERE = Point(54.4101, -2.9511)


def rung(deps, where, at=None):
    anchor = resolve(Question(1, "cafe", where), Query("cafe", at), {}, deps)
    return anchor.rung, anchor.name


@pytest.mark.rule("A-10")
@pytest.mark.parametrize(
    ("where", "expected"),
    [
        ("the clock tower", ("landmark", "Clock Tower")),
        ("The Clock", ("landmark", "the Clock")),
        ("harbour", ("area", "Harbour")),
        ("Le Port", ("area", "Harbour")),
        ("blue door", ("landmark", "Blue Door")),
        ("lancre dor", ("landmark", "L'Ancre d'Or")),
        ("clock towre", ("landmark", "Clock Tower")),
        ("Lindenmere", ("city", "Lindenmere")),
        ("city", ("city", "Lindenmere")),
    ],
)
def test_the_ladder_goes_from_landmark_to_area_to_the_whole_town(town, where, expected):
    assert rung(town, where) == expected


def test_a_name_that_nobody_bears_here_is_missing_and_never_the_town(town):
    assert named("Chicago", town) is None
    assert resolve(Question(1, "cafe", "Chicago"), Query("x"), {}, town).missing == "Chicago"


@pytest.mark.rule("A-11")
def test_near_me_goes_from_the_session_location_nearest_first(town):
    part = ask(town, "cafe near me", HERE)["parts"][0]
    assert part["anchor"]["rung"] == "session"
    assert names(part)[0] == "Pier Cafe"
    assert [row["distance_m"] for row in part["recommends"]] == sorted(row["distance_m"] for row in part["recommends"])


@pytest.mark.rule("A-11")
def test_near_me_without_a_location_goes_down_the_ladder_to_the_town(town):
    assert rung(town, None) == ("city", "Lindenmere")
    assert ask(replace(town, echo_keys=()), "cafe near me")["parts"][0]["anchor"] == {"rung": "city", "name": "Lindenmere"}
