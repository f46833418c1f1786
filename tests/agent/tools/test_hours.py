"""The state of a place at an instant, and the words for it."""

from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent.snapshot.schema import Hours, Interval
from agent.tools.hours import opening, state_at

LONDON = ZoneInfo("Europe/London")
MONDAY = date(2026, 7, 6)
SHOP = Hours(tuple(Interval(day * 1440 + 540, day * 1440 + 1200) for day in range(5)), {}, known=True)  # Mo-Fr 09:00-20:00
ALWAYS = Hours((Interval(0, 7 * 1440),), {}, known=True)
BAR = Hours((Interval(4 * 1440 + 1320, 4 * 1440 + 1620), Interval(6 * 1440 + 1320, 6 * 1440 + 1620)), {}, known=True)  # Fr,Su 22:00-03:00


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=LONDON)


def horizon(days: int) -> range:
    return range(MONDAY.toordinal(), MONDAY.toordinal() + days)


@pytest.mark.parametrize(
    ("hours", "when", "expected"),
    [
        (SHOP, "2026-07-06T09:00", ("open", at("2026-07-06T20:00"))),
        (SHOP, "2026-07-06T20:00", ("closed", at("2026-07-07T09:00"))),
        (SHOP, "2026-07-10T21:00", ("closed", at("2026-07-13T09:00"))),
        (BAR, "2026-07-11T02:59", ("open", at("2026-07-11T03:00"))),
        (BAR, "2026-07-13T02:59", ("open", at("2026-07-13T03:00"))),
        (BAR, "2026-07-13T03:00", ("closed", at("2026-07-17T22:00"))),
        (ALWAYS, "2026-07-08T03:00", ("open", None)),
        (Hours((), {}, known=True), "2026-07-08T03:00", ("closed", None)),
        (Hours(), "2026-07-08T03:00", ("unknown", None)),
    ],
)
def test_a_state_lasts_until_the_next_change_over_midnight_and_the_end_of_the_week(
    hours: Hours, when: str, expected: tuple[str, datetime | None]
) -> None:
    assert state_at(hours, at(when)) == expected


def test_a_dated_exception_replaces_what_begins_on_its_date_alone() -> None:
    saturday = date(2026, 7, 11).toordinal()
    hours = Hours(BAR.week, {saturday: (Interval(600, 660),)}, known=True)
    assert [state_at(hours, at(f"2026-07-11T{clock}"))[0] for clock in ("02:00", "03:00", "10:30")] == ["open", "closed", "open"]


def test_a_date_marked_closed_is_closed_all_day() -> None:
    hours = Hours(SHOP.week, {MONDAY.toordinal(): (Interval(0, 0, "closed"),)}, known=True)
    assert state_at(hours, at("2026-07-06T12:00")) == ("closed", at("2026-07-07T09:00"))


@pytest.mark.parametrize("when", ["2026-07-05T12:00", "2026-07-16T12:00"])
def test_outside_the_days_that_were_expanded_nothing_is_known(when: str) -> None:
    assert state_at(ALWAYS, at(when), horizon(10))[0] == "unknown"


def test_a_state_ends_where_the_expanded_days_end() -> None:
    assert state_at(ALWAYS, at("2026-07-06T12:00"), horizon(3)) == ("open", at("2026-07-09T00:00"))


def test_nothing_is_open_out_of_a_not_known() -> None:
    assert state_at(Hours((Interval(0, 900), Interval(600, 700, "unknown")), {}, known=True), at("2026-07-06T10:30"))[0] == "unknown"


def test_both_passes_of_a_repeated_hour_have_the_same_state_and_their_own_end() -> None:
    hours = Hours((Interval(6 * 1440, 6 * 1440 + 90),), {}, known=True)  # Su 00:00-01:30
    first, second = at("2026-10-25T01:10"), at("2026-10-25T01:10").replace(fold=1)
    ends = [state_at(hours, local)[1] for local in (first, second)]
    assert [end.timestamp() - local.timestamp() for end, local in zip(ends, (first, second), strict=True) if end] == [1200, 1200]


@pytest.mark.rule("R-06")
@pytest.mark.parametrize(
    ("hours", "when", "words"),
    [
        (SHOP, "2026-07-06T12:00", "open, closes 20:00"),
        (SHOP, "2026-07-06T08:00", "closed, opens 9:00"),
        (SHOP, "2026-07-06T21:00", "closed, opens 9:00 tomorrow"),
        (SHOP, "2026-07-10T21:00", "closed, opens Mon 9:00"),
        (BAR, "2026-07-10T23:00", "open, closes 3:00"),
        (ALWAYS, "2026-07-08T12:00", "open all day and night"),
        (Hours((), {}, known=True), "2026-07-08T12:00", "closed"),
        (Hours((Interval(540, 600),), {}, known=True), "2026-07-06T12:00", "closed, opens Mon 13 Jul 9:00"),
        (Hours((Interval(0, 2160),), {}, known=True), "2026-07-06T08:00", "open, closes 12:00 tomorrow"),
        (Hours((Interval(780, 1020), Interval(1020, 1440, "unknown")), {}, known=True), "2026-07-06T14:00", "open, at least until 17:00"),
        (Hours((Interval(780, 1020, "unknown"),), {}, known=True), "2026-07-06T12:00", "closed"),
        (Hours((Interval(780, 1020, "unknown"),), {}, known=True), "2026-07-06T14:00", "hours not confirmed"),
        (Hours(), "2026-07-06T14:00", "hours not confirmed"),
    ],
)
def test_hours_are_said_with_their_next_change(hours: Hours, when: str, words: str) -> None:
    assert opening(hours, at(when)).text == words


@pytest.mark.rule("R-06")
@pytest.mark.parametrize(
    ("hours", "days", "words"), [(ALWAYS, 4, "open"), (ALWAYS, 1, "open, at least until 0:00"), (SHOP, 0, "hours not confirmed")]
)
def test_words_do_not_reach_beyond_the_expanded_days(hours: Hours, days: int, words: str) -> None:
    assert opening(hours, at("2026-07-06T12:00"), horizon(days)).text == words


STATES = st.sampled_from(["open", "unknown"])
WEEK = st.lists(st.builds(lambda a, n, s: Interval(a, a + n, s), st.integers(0, 7 * 1440 - 1), st.integers(1, 1600), STATES), max_size=8)
DAY = st.lists(st.builds(lambda a, n, s: Interval(a, a + n, s), st.integers(0, 1439), st.integers(0, 1600), STATES), max_size=3)


def minute_by_minute(hours: Hours, first: date, days: int) -> list[str]:
    """Every minute's state from `first`, written out from what begins on each date; the dates before `first` count too."""
    states = ["closed"] * (days * 1440)
    for day in range(-3, days):
        when = first + timedelta(day)
        week = [Interval(one.opens % 1440, one.opens % 1440 + one.closes - one.opens, one.state) for one in hours.week]
        usual = [one for one, own in zip(week, hours.week, strict=True) if own.opens // 1440 == when.weekday()]
        for one in hours.days.get(when.toordinal(), usual):
            for minute in range(max(0, day * 1440 + one.opens), min(len(states), day * 1440 + one.closes)):
                if states[minute] != "unknown":
                    states[minute] = one.state
    return states


@settings(max_examples=60, deadline=None)
@given(WEEK, st.dictionaries(st.integers(-2, 9), DAY, max_size=3), st.integers(0, 6), st.integers(0, 1439))
def test_the_state_and_its_end_are_those_of_the_minutes_written_out(
    week: list[Interval], dated: dict[int, list[Interval]], shift: int, minute: int
) -> None:
    first = MONDAY + timedelta(shift)
    hours = Hours(tuple(week), {first.toordinal() + day: tuple(ones) for day, ones in dated.items()}, known=True)
    states = minute_by_minute(hours, first, 10)
    local = datetime(first.year, first.month, first.day, minute // 60, minute % 60, tzinfo=LONDON)
    change = next((index for index in range(minute, minute + 8 * 1440 + 1) if states[index] != states[minute]), None)
    until = None if change is None else (local.replace(hour=0, minute=0) + timedelta(minutes=change))
    assert state_at(hours, local) == (states[minute], until)
