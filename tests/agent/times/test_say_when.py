"""What is said of when something is on, seen from Friday, 4 December 2026, at half past six in the evening."""

from datetime import UTC

import pytest

from agent.times import say_when
from tests.agent.times.towns import LINDENMERE, town, wall
from tests.clock import NOW


def said(start: str, end: str, *, now: str = "2026-12-04 18:30", all_day: bool = False) -> tuple[str, str, str]:
    words = say_when(wall(start), wall(end), wall(now), all_day, LINDENMERE)
    return words["flag"], words["relative"], words["absolute"]


@pytest.mark.rule("A-24")
@pytest.mark.parametrize(
    "start,end,flag,relative,absolute",
    [
        ("2026-12-04 19:00", "2026-12-04 21:00", "today", "tonight", "Fri 4 Dec 2026, 7:00 pm"),
        ("2026-12-04 18:00", "2026-12-04 21:00", "today", "on now", "Fri 4 Dec 2026, 6:00 pm"),
        ("2026-12-04 18:30", "2026-12-04 21:00", "today", "on now", "Fri 4 Dec 2026, 6:30 pm"),
        ("2026-12-04 12:00", "2026-12-04 18:30", "past", "earlier today", "Fri 4 Dec 2026, 12:00 pm"),
        ("2026-12-03 12:00", "2026-12-05 18:30", "today", "on now", "Thu 3 Dec 2026, 12:00 pm – Sat 5 Dec 2026, 6:30 pm"),
        ("2026-12-05 01:00", "2026-12-05 03:00", "upcoming", "tonight", "Sat 5 Dec 2026, 1:00 am"),
        ("2026-12-05 09:00", "2026-12-05 10:00", "upcoming", "tomorrow morning", "Sat 5 Dec 2026, 9:00 am"),
        ("2026-12-05 14:00", "2026-12-05 15:00", "upcoming", "tomorrow afternoon", "Sat 5 Dec 2026, 2:00 pm"),
        ("2026-12-05 20:00", "2026-12-06 02:00", "upcoming", "tomorrow evening", "Sat 5 Dec 2026, 8:00 pm"),
        ("2026-12-06 00:30", "2026-12-06 02:00", "upcoming", "tomorrow night", "Sun 6 Dec 2026, 12:30 am"),
        ("2026-12-06 20:00", "2026-12-06 22:00", "upcoming", "Sunday", "Sun 6 Dec 2026, 8:00 pm"),
        ("2026-12-11 20:00", "2026-12-11 22:00", "upcoming", "in 7 days", "Fri 11 Dec 2026, 8:00 pm"),
        ("2026-12-12 00:00", "2026-12-12 02:00", "future", "in 7 days", "Sat 12 Dec 2026, 12:00 am"),
        ("2026-12-12 20:00", "2026-12-12 22:00", "future", "in 8 days", "Sat 12 Dec 2026, 8:00 pm"),
        ("2026-12-20 20:00", "2026-12-20 22:00", "future", "in 2 weeks", "Sun 20 Dec 2026, 8:00 pm"),
        ("2027-03-20 20:00", "2027-03-20 22:00", "future", "in 3 months", "Sat 20 Mar 2027, 8:00 pm"),
        ("2028-02-29 20:00", "2028-02-29 22:00", "future", "in 1 year", "Tue 29 Feb 2028, 8:00 pm"),
        ("2026-12-03 20:00", "2026-12-03 22:00", "past", "yesterday", "Thu 3 Dec 2026, 8:00 pm"),
        ("2026-12-01 20:00", "2026-12-01 22:00", "past", "3 days ago", "Tue 1 Dec 2026, 8:00 pm"),
        ("2026-11-25 20:00", "2026-11-25 22:00", "past", "last week", "Wed 25 Nov 2026, 8:00 pm"),
        ("2026-10-25 20:00", "2026-10-25 22:00", "past", "5 weeks ago", "Sun 25 Oct 2026, 8:00 pm"),
    ],
)
def test_an_event_has_a_flag_a_relative_and_an_absolute_time(start, end, flag, relative, absolute):
    assert said(start, end) == (flag, relative, absolute)


@pytest.mark.rule("A-24")
@pytest.mark.parametrize(
    "start,end,flag,relative,absolute",
    [
        ("2026-12-04 00:00", "2026-12-05 00:00", "today", "today", "Fri 4 Dec 2026"),
        ("2026-12-05 00:00", "2026-12-06 00:00", "upcoming", "tomorrow", "Sat 5 Dec 2026"),
        ("2026-12-04 00:00", "2026-12-07 00:00", "today", "on now", "Fri 4 – Sun 6 Dec 2026"),
        ("2026-11-30 00:00", "2026-12-03 00:00", "past", "2 days ago", "Mon 30 Nov – Wed 2 Dec 2026"),
        ("2026-12-31 00:00", "2027-01-03 00:00", "future", "in 3 weeks", "Thu 31 Dec 2026 – Sat 2 Jan 2027"),
    ],
)
def test_an_all_day_event_has_no_time_of_day_and_ends_on_its_own_last_day(start, end, flag, relative, absolute):
    assert said(start, end, all_day=True) == (flag, relative, absolute)


@pytest.mark.fault("FA5")
@pytest.mark.rule("A-24")
@pytest.mark.parametrize(
    "now,flag,relative",
    [
        ("2026-12-03 23:59", "upcoming", "tomorrow evening"),
        ("2026-12-04 00:00", "today", "tonight"),
        ("2026-12-04 04:00", "today", "tonight"),
        ("2026-12-04 18:59", "today", "tonight"),
        ("2026-12-04 19:00", "today", "on now"),
        ("2026-12-04 20:59", "today", "on now"),
        ("2026-12-04 21:00", "past", "earlier today"),
        ("2026-12-05 00:00", "past", "yesterday"),
    ],
)
def test_the_flag_turns_at_midnight_at_the_start_and_at_the_end(now, flag, relative):
    assert said("2026-12-04 19:00", "2026-12-04 21:00", now=now)[:2] == (flag, relative)


@pytest.mark.fault("FA5")
def test_the_clock_may_jump_back_an_hour_and_nothing_is_past_too_soon():
    """At 01:50, an hour before 01:50 comes again, something from 01:30 (the second) to 03:00 has not begun."""
    start, end = wall("2026-10-25 01:30", fold=1), wall("2026-10-25 03:00")
    assert say_when(start, end, wall("2026-10-25 01:50"), False, LINDENMERE)["relative"] == "tonight"
    assert say_when(start, end, wall("2026-10-25 01:50", fold=1), False, LINDENMERE)["relative"] == "on now"


@pytest.mark.fault("FA5")
def test_an_all_day_event_on_the_day_of_a_change_is_one_day():
    assert said("2026-10-25 00:00", "2026-10-26 00:00", all_day=True)[2] == "Sun 25 Oct 2026"
    assert said("2026-03-29 00:00", "2026-03-30 00:00", all_day=True)[2] == "Sun 29 Mar 2026"


@pytest.mark.fault("FA5")
def test_an_end_before_its_start_counts_as_the_start():
    assert said("2026-12-04 20:00", "2026-12-04 19:00") == ("today", "tonight", "Fri 4 Dec 2026, 8:00 pm")
    assert said("2026-12-04 18:30", "2026-12-04 18:30")[:2] == ("today", "on now")


def test_the_towns_zone_decides_the_day_whatever_zone_the_instants_come_in():
    auckland = town("Pacific/Auckland", "NZ", lat=-36.8)
    start = wall("2026-12-05 09:00", auckland).astimezone(UTC)
    assert dict(say_when(start, start, NOW.astimezone(UTC), False, auckland)) == {
        "flag": "today",
        "relative": "this morning",
        "absolute": "Sat 5 Dec 2026, 9:00 am",
    }
