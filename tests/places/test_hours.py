"""Opening hours from the text a curator writes to the state at an instant."""

from datetime import date, datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent.snapshot.schema import Hours, Interval
from agent.tools.hours import state_at
from agent.types import Box, Point, Town
from places.hours import LONGEST, expand, problem

LONDON = ZoneInfo("Europe/London")
TOWN = Town("Somewhere", LONDON, Point(54.4, -3.0), Box(54, -4, 55, -2), country="GB", subdivision="ENG")
FIRST = date(2026, 7, 1)
DAYS = 400


def state(text: str, when: str, town: Town = TOWN) -> str:
    """The state at a local time, by the whole path."""
    hours = expand(text, town, FIRST, DAYS)
    local = datetime.fromisoformat(when).replace(tzinfo=town.timezone)
    return state_at(hours, local, range(FIRST.toordinal(), FIRST.toordinal() + DAYS))[0]


@pytest.mark.parametrize(
    ("text", "when", "expected"),
    [
        ("Mo-Fr 09:00-18:00; Sa 10:00-13:00", "2026-07-06T09:00", "open"),
        ("Mo-Fr 09:00-18:00; Sa 10:00-13:00", "2026-07-06T18:00", "closed"),
        ("Mo-Fr 09:00-18:00; Sa 10:00-13:00", "2026-07-05T12:00", "closed"),
        ("24/7", "2026-12-25T03:00", "open"),
        ("Fr 22:00-03:00", "2026-07-11T02:59", "open"),
        ("Fr 22:00-03:00", "2026-07-11T03:00", "closed"),
        ("Fr 22:00-03:00", "2026-07-10T02:00", "closed"),
        ("Sep-Oct 10:00-12:00", "2026-08-31T11:00", "closed"),
        ("Sep-Oct 10:00-12:00", "2026-09-01T11:00", "open"),
        ("week 30 10:00-12:00", "2026-07-22T11:00", "open"),
        ("week 30 10:00-12:00", "2026-07-29T11:00", "closed"),
        ("10:00-12:00; easter off", "2027-03-28T11:00", "closed"),
        ("10:00-12:00; easter off", "2027-03-29T11:00", "open"),
        ("2027 10:00-12:00", "2026-12-31T11:00", "closed"),
        ("2027 10:00-12:00", "2027-01-01T11:00", "open"),
        ("Th[3] 10:00-12:00", "2026-07-16T11:00", "open"),
        ("Th[3] 10:00-12:00", "2026-07-23T11:00", "closed"),
    ],
)
def test_the_rules_of_the_specification_come_through(text: str, when: str, expected: str) -> None:
    assert state(text, when) == expected


@pytest.mark.parametrize(
    ("text", "when"),
    [
        ("10:00+", "2026-07-06T11:00"),
        ("13:00-17:00+", "2026-07-06T17:30"),
        ("13:00-17:00+", "2026-07-07T02:00"),
        ('Mo-Fr 10:00-12:00 "by appointment"', "2026-07-06T11:00"),
        ('Mo-Fr 10:00-18:00; "call us"', "2026-07-05T11:00"),
        ('Mo-Fr 10:00-12:00 || "ask"', "2026-07-06T13:00"),
        ('Mo-Fr 10:00-12:00||"ask"', "2026-07-05T11:00"),
        ("Mo-Fr 10:00-12:00 unknown", "2026-07-06T11:00"),
        ("10:00-12:00; SH off", "2026-07-06T11:00"),
        ("PH +1 day 10:00-12:00", "2026-07-06T11:00"),
        ("10:00-16:00/01:30", "2026-07-06T10:00"),
        ("sunrise-06:00", "2026-12-21T12:00"),
        ("Fr 20:00-02:00; Sa 10:00-12:00", "2026-07-11T01:00"),
        ("", "2026-07-06T11:00"),
        ("ask inside", "2026-07-06T11:00"),
    ],
)
def test_what_the_text_leaves_open_is_not_known(text: str, when: str) -> None:
    assert state(text, when) == "unknown"


def test_a_late_end_leaves_its_own_span_open() -> None:
    assert state("13:00-17:00+", "2026-07-06T16:00") == "open"


def test_a_fallback_leaves_the_main_hours_open() -> None:
    assert state('Mo-Fr 10:00-12:00 || "ask"', "2026-07-06T11:00") == "open"


@pytest.mark.parametrize(
    ("country", "subdivision", "expected"), [("GB", "ENG", "open"), ("GB", "SCT", "closed"), ("", "", "unknown"), ("XX", "", "unknown")]
)
def test_public_holidays_are_those_of_the_subdivision_and_unknown_without_a_country(country: str, subdivision: str, expected: str) -> None:
    town = Town("Somewhere", LONDON, Point(54.4, -3.0), Box(54, -4, 55, -2), country=country, subdivision=subdivision)
    assert state("09:00-18:00; PH off", "2026-11-30T12:00", town) == expected  # Saint Andrew's Day


@pytest.mark.parametrize(
    ("when", "expected"),
    [("2026-12-25T12:00", "closed"), ("2026-12-25T01:00", "unknown"), ("2026-12-26T01:00", "closed"), ("2026-12-24T01:00", "open")],
)
def test_the_night_before_a_public_holiday_is_never_open_by_guess(when: str, expected: str) -> None:
    assert state("Mo-Su 10:00-02:00; PH off", when) == expected


def test_a_day_beside_a_holiday_keeps_its_whole_day_where_no_span_passes_midnight() -> None:
    assert [state("24/7; PH off", f"2026-12-{day}T01:00") for day in (24, 25, 29)] == ["open", "closed", "open"]


def test_the_sun_is_that_of_the_town() -> None:
    assert [state("sunrise-sunset", when) for when in ("2026-07-06T21:00", "2026-12-21T16:00")] == ["open", "closed"]


def test_beyond_the_polar_circle_the_sun_is_not_asked() -> None:
    town = Town("North", LONDON, Point(78, 15), Box(77, 14, 79, 16), country="GB")
    assert expand("sunrise-sunset", town, FIRST, 7) == Hours()


def test_hours_hold_on_the_wall_clock_across_a_clock_change() -> None:
    assert [state("09:00-17:00", f"2026-10-25T{clock}") for clock in ("08:59", "09:00", "16:59", "17:00")] == ["closed", "open", "open", "closed"]


def test_no_interval_passes_midnight() -> None:
    hours = expand("Su 22:00-03:00", TOWN, FIRST, DAYS)
    assert hours == Hours((Interval(0, 180), Interval(6 * 1440 + 1320, 7 * 1440)), {}, known=True)


def test_dates_that_differ_are_exceptions_to_the_most_common_week() -> None:
    hours = expand("Mo 10:00-12:00; 2026 Jul 06 off; 2026 Jul 13 14:00-15:00", TOWN, FIRST, DAYS)
    off, other = date(2026, 7, 6).toordinal(), date(2026, 7, 13).toordinal()
    assert hours == Hours((Interval(600, 720),), {off: (Interval(0, 0, "closed"),), other: (Interval(840, 900),)}, known=True)


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("Monday - Friday: 9am to 5:30pm, Sat ten to 1pm;", None),
        ("Monday - Friday: 9am to 5:30pm, Sat 10am-1pm;", "Mo-Fr 09:00-17:30, Sa 10:00-13:00"),
        ("Mo, Tu 10:00-12:00", "Mo,Tu 10:00-12:00"),
        ("Jan, Feb 10:00-12:00", "Jan,Feb 10:00-12:00"),
        ("Mo-Fr 09:00\u201318:00", "Mo-Fr 09:00-18:00"),
        ("daily 10:00-12:00", "10:00-12:00"),
        ("October-December 12:00-12 am", "Oct-Dec 12:00-00:00"),
        ("open 24 hours", "24/7"),
    ],
)
def test_common_spellings_mean_what_the_specification_says_otherwise(text: str, same: str | None) -> None:
    assert expand(text, TOWN, FIRST, DAYS) == (Hours() if same is None else expand(same, TOWN, FIRST, DAYS))


@pytest.mark.parametrize("text", ["", "  ", "Mo-Fr 09:00-18:00; PH off", 'Mo 10:00-12:00 "ask"', "10:00+", "SH off", "sunset-02:00"])
def test_what_can_be_read_is_no_problem(text: str) -> None:
    assert problem(text, TOWN) is None


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Mo-Fr 09:00-18:00; Sa nine", 'cannot be read from "nine" on'),
        ("Mo 09:00-", "cannot be read at its end"),
        ("10:00-16:00/01:30", "write the times open"),
        ("PH +1 day", "write the dates"),
        ("Mo 10:00-12:00 || open; We off", "put the fallback last"),
        ("x" * (LONGEST + 1), f"at most {LONGEST} characters"),
    ],
)
def test_a_problem_says_where_and_what_to_do(text: str, said: str) -> None:
    assert said in (problem(text, TOWN) or "")


WORDS = 'Mo Tu-Fr PH SH off open unknown "x" 10:00-12:00 22:00-03:00 10:00-48:00 99:99 10pm + - , ; || / : [1] easter 2026 Jan 24/7 <b> \x00'
PIECES = st.sampled_from([*WORDS.split(" "), "week 05", "Feb 30", "Dec 24-26", "sunrise", "sunset", "(sunrise+02:00)", "+1 day", " "])


@settings(max_examples=300, deadline=None)
@given(st.lists(PIECES, max_size=8).map(" ".join))
def test_any_text_is_expanded_and_what_has_a_problem_is_not_known(text: str) -> None:
    hours = expand(text, TOWN, FIRST, 14)
    assert all(0 <= one.opens < one.closes <= 7 * 1440 for one in hours.week)
    assert not (hours.known and problem(text, TOWN))
