"""What time words mean, said on Friday, 4 December 2026, at half past six in the evening."""

from datetime import UTC, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent.times import read_when
from agent.times.words import MONTHS, WEEKDAYS
from tests.agent.times.towns import LINDENMERE, town, wall
from tests.clock import NOW

MEANINGS = [
    ("now", "2026-12-04 18:30", "2026-12-04 18:31"),
    ("right now", "2026-12-04 18:30", "2026-12-04 18:31"),
    ("today", "2026-12-04 00:00", "2026-12-05 00:00"),
    ("tonight", "2026-12-04 17:00", "2026-12-05 04:00"),
    ("late tonight", "2026-12-04 22:00", "2026-12-05 04:00"),
    ("last night", "2026-12-03 17:00", "2026-12-04 04:00"),
    ("this morning", "2026-12-04 06:00", "2026-12-04 12:00"),
    ("this evening", "2026-12-04 17:00", "2026-12-05 00:00"),
    ("tomorrow", "2026-12-05 00:00", "2026-12-06 00:00"),
    ("tomorrow evening", "2026-12-05 17:00", "2026-12-06 00:00"),
    ("tomorrow night at 1am", "2026-12-06 01:00", "2026-12-06 01:01"),
    ("day after tomorrow", "2026-12-06 00:00", "2026-12-07 00:00"),
    ("yesterday", "2026-12-03 00:00", "2026-12-04 00:00"),
    ("friday", "2026-12-04 00:00", "2026-12-05 00:00"),
    ("monday", "2026-12-07 00:00", "2026-12-08 00:00"),
    ("on sun", "2026-12-06 00:00", "2026-12-07 00:00"),
    ("next friday", "2026-12-11 00:00", "2026-12-12 00:00"),
    ("next monday", "2026-12-07 00:00", "2026-12-08 00:00"),
    ("last friday", "2026-11-27 00:00", "2026-11-28 00:00"),
    ("last friday at 8pm", "2026-11-27 20:00", "2026-11-27 20:01"),
    ("monday week", "2026-12-14 00:00", "2026-12-15 00:00"),
    ("a week on monday", "2026-12-14 00:00", "2026-12-15 00:00"),
    ("a week tomorrow", "2026-12-12 00:00", "2026-12-13 00:00"),
    ("tuesday after next", "2026-12-15 00:00", "2026-12-16 00:00"),
    ("2 mondays from now", "2026-12-14 00:00", "2026-12-15 00:00"),
    ("monday of next week", "2026-12-07 00:00", "2026-12-08 00:00"),
    ("tuesday the 15th", "2026-12-15 00:00", "2026-12-16 00:00"),
    ("this weekend", "2026-12-04 17:00", "2026-12-07 00:00"),
    ("next weekend", "2026-12-11 17:00", "2026-12-14 00:00"),
    ("last weekend", "2026-11-27 17:00", "2026-11-30 00:00"),
    ("this week", "2026-11-30 00:00", "2026-12-07 00:00"),
    ("next week", "2026-12-07 00:00", "2026-12-14 00:00"),
    ("last week", "2026-11-23 00:00", "2026-11-30 00:00"),
    ("rest of the week", "2026-12-04 18:30", "2026-12-07 00:00"),
    ("this month", "2026-12-01 00:00", "2027-01-01 00:00"),
    ("next month", "2027-01-01 00:00", "2027-02-01 00:00"),
    ("next year", "2027-01-01 00:00", "2028-01-01 00:00"),
    ("in 3 days", "2026-12-07 00:00", "2026-12-08 00:00"),
    ("in two weeks", "2026-12-18 00:00", "2026-12-19 00:00"),
    ("in a fortnight", "2026-12-18 00:00", "2026-12-19 00:00"),
    ("in half an hour", "2026-12-04 19:00", "2026-12-04 19:01"),
    ("in 1 hour and 10 minutes", "2026-12-04 19:40", "2026-12-04 19:41"),
    ("2 days ago", "2026-12-02 00:00", "2026-12-03 00:00"),
    ("next 3 days", "2026-12-04 18:30", "2026-12-08 00:00"),
    ("within 2 weeks", "2026-12-04 18:30", "2026-12-18 00:00"),
    ("last two weeks", "2026-11-20 00:00", "2026-12-04 18:30"),
    ("the 15th", "2026-12-15 00:00", "2026-12-16 00:00"),
    ("on the 1st", "2027-01-01 00:00", "2027-01-02 00:00"),
    ("15 december", "2026-12-15 00:00", "2026-12-16 00:00"),
    ("december 15th", "2026-12-15 00:00", "2026-12-16 00:00"),
    ("15th of december 2027", "2027-12-15 00:00", "2027-12-16 00:00"),
    ("fri 4 december", "2026-12-04 00:00", "2026-12-05 00:00"),
    ("3 december", "2027-12-03 00:00", "2027-12-04 00:00"),
    ("29 february", "2028-02-29 00:00", "2028-03-01 00:00"),
    ("15/12", "2026-12-15 00:00", "2026-12-16 00:00"),
    ("12/25", "2026-12-25 00:00", "2026-12-26 00:00"),
    ("2026-12-15", "2026-12-15 00:00", "2026-12-16 00:00"),
    ("15.12.2026", "2026-12-15 00:00", "2026-12-16 00:00"),
    ("31/12/26", "2026-12-31 00:00", "2027-01-01 00:00"),
    ("2/2027", "2027-02-01 00:00", "2027-03-01 00:00"),
    ("in march", "2027-03-01 00:00", "2027-04-01 00:00"),
    ("december", "2026-12-01 00:00", "2027-01-01 00:00"),
    ("may", "2027-05-01 00:00", "2027-06-01 00:00"),
    ("next march", "2027-03-01 00:00", "2027-04-01 00:00"),
    ("last march", "2026-03-01 00:00", "2026-04-01 00:00"),
    ("2027", "2027-01-01 00:00", "2028-01-01 00:00"),
    ("first week of december", "2026-12-01 00:00", "2026-12-08 00:00"),
    ("last week of january", "2027-01-25 00:00", "2027-02-01 00:00"),
    ("first monday of december", "2026-12-07 00:00", "2026-12-08 00:00"),
    ("second saturday of january", "2027-01-09 00:00", "2027-01-10 00:00"),
    ("last friday of january", "2027-01-29 00:00", "2027-01-30 00:00"),
    ("mid december", "2026-12-11 00:00", "2026-12-21 00:00"),
    ("end of the month", "2026-12-22 00:00", "2027-01-01 00:00"),
    ("beginning of next week", "2026-12-07 00:00", "2026-12-10 00:00"),
    ("end of 2026", "2026-09-02 00:00", "2027-01-01 00:00"),
    ("christmas", "2026-12-24 00:00", "2026-12-27 00:00"),
    ("christmas eve", "2026-12-24 00:00", "2026-12-25 00:00"),
    ("christmas day", "2026-12-25 00:00", "2026-12-26 00:00"),
    ("boxing day", "2026-12-26 00:00", "2026-12-27 00:00"),
    ("new year's eve", "2026-12-31 00:00", "2027-01-01 00:00"),
    ("new years day", "2027-01-01 00:00", "2027-01-02 00:00"),
    ("easter", "2027-03-28 00:00", "2027-03-29 00:00"),
    ("over easter", "2027-03-26 00:00", "2027-03-30 00:00"),
    ("good friday", "2027-03-26 00:00", "2027-03-27 00:00"),
    ("halloween", "2027-10-31 00:00", "2027-11-01 00:00"),
    ("bank holiday monday", "2027-03-29 00:00", "2027-03-30 00:00"),
    ("mother's day", "2027-03-07 00:00", "2027-03-08 00:00"),
    ("pancake day", "2027-02-09 00:00", "2027-02-10 00:00"),
    ("2 days before christmas", "2026-12-22 00:00", "2026-12-23 00:00"),
    ("between christmas and new year", "2026-12-24 00:00", "2027-01-02 00:00"),
    ("this winter", "2026-12-01 00:00", "2027-03-01 00:00"),
    ("next summer", "2027-06-01 00:00", "2027-09-01 00:00"),
    ("summer 2027", "2027-06-01 00:00", "2027-09-01 00:00"),
    ("at 8", "2026-12-04 20:00", "2026-12-04 20:01"),
    ("at 7", "2026-12-04 19:00", "2026-12-04 19:01"),
    ("at 3", "2026-12-05 15:00", "2026-12-05 15:01"),
    ("at 8pm", "2026-12-04 20:00", "2026-12-04 20:01"),
    ("20:00", "2026-12-04 20:00", "2026-12-04 20:01"),
    ("8.30pm", "2026-12-04 20:30", "2026-12-04 20:31"),
    ("8 o'clock", "2026-12-04 20:00", "2026-12-04 20:01"),
    ("half past seven", "2026-12-04 19:30", "2026-12-04 19:31"),
    ("quarter to nine", "2026-12-04 20:45", "2026-12-04 20:46"),
    ("10 past 8 pm", "2026-12-04 20:10", "2026-12-04 20:11"),
    ("noon", "2026-12-05 12:00", "2026-12-05 12:01"),
    ("midnight", "2026-12-05 00:00", "2026-12-05 00:01"),
    ("at midnight tonight", "2026-12-05 00:00", "2026-12-05 00:01"),
    ("lunchtime", "2026-12-05 12:00", "2026-12-05 14:00"),
    ("after work", "2026-12-04 17:00", "2026-12-04 21:00"),
    ("in the morning", "2026-12-05 06:00", "2026-12-05 12:00"),
    ("tomorrow at 9", "2026-12-05 09:00", "2026-12-05 09:01"),
    ("tomorrow at 3", "2026-12-05 15:00", "2026-12-05 15:01"),
    ("today at 2", "2026-12-04 14:00", "2026-12-04 14:01"),
    ("tonight at 8", "2026-12-04 20:00", "2026-12-04 20:01"),
    ("tonight at 2", "2026-12-05 02:00", "2026-12-05 02:01"),
    ("8 in the evening", "2026-12-04 20:00", "2026-12-04 20:01"),
    ("at 11 on Sunday", "2026-12-06 11:00", "2026-12-06 11:01"),
    ("saturday after 9pm", "2026-12-05 21:00", "2026-12-06 04:00"),
    ("until 11pm", "2026-12-04 18:30", "2026-12-04 23:00"),
    ("before 11 am", "2026-12-04 18:30", "2026-12-05 11:00"),
    ("after 6", "2026-12-04 18:00", "2026-12-05 04:00"),
    ("before christmas", "2026-12-04 18:30", "2026-12-24 00:00"),
    ("until friday", "2026-12-04 18:30", "2026-12-05 00:00"),
    ("friday and saturday", "2026-12-04 00:00", "2026-12-06 00:00"),
    ("by the 15th", "2026-12-04 18:30", "2026-12-16 00:00"),
    ("past midnight", "2026-12-05 00:00", "2026-12-05 04:00"),
    ("last weekend of january", "2027-01-29 17:00", "2027-02-01 00:00"),
    ("since monday", "2026-11-30 00:00", "2026-12-04 18:30"),
    ("from 8 to 10 tomorrow", "2026-12-05 08:00", "2026-12-05 10:00"),
    ("3-5pm", "2026-12-05 15:00", "2026-12-05 17:00"),
    ("11-2pm tomorrow", "2026-12-05 11:00", "2026-12-05 14:00"),
    ("10 to 1 on saturday", "2026-12-05 12:50", "2026-12-05 12:51"),
    ("from friday to sunday", "2026-12-04 00:00", "2026-12-07 00:00"),
    ("15 to 20 december", "2026-12-15 00:00", "2026-12-21 00:00"),
    ("december 15-20", "2026-12-15 00:00", "2026-12-21 00:00"),
    ("aug 8 - aug 12", "2027-08-08 00:00", "2027-08-13 00:00"),
    ("from 20 December for 7 days", "2026-12-20 00:00", "2026-12-27 00:00"),
    ("3pm for 90 minutes", "2026-12-05 15:00", "2026-12-05 16:30"),
    ("all day tomorrow", "2026-12-05 00:00", "2026-12-06 00:00"),
    ("soon", "2026-12-04 18:30", "2026-12-12 00:00"),
    ("later today", "2026-12-04 18:30", "2026-12-05 00:00"),
    ("late", "2026-12-04 22:00", "2026-12-05 04:00"),
    ("open late", "2026-12-04 22:00", "2026-12-05 04:00"),
    ("7", "2026-12-04 19:00", "2026-12-04 19:01"),
]


@pytest.mark.rule("A-24")
@pytest.mark.parametrize("words,start,end", MEANINGS)
def test_time_words_mean_a_window_of_the_towns_wall_clock(words, start, end):
    found = read_when(words, NOW, LINDENMERE)
    assert found is not None
    assert (found.start, found.end, found.words) == (wall(start), wall(end), words)


@pytest.mark.parametrize("words", ["", "   ", "sometime", "jazz near the pier", "31 june", "24/7", "99/99", "0000-00-00", "\x00", "$@!"])
def test_words_that_are_no_time_mean_nothing(words):
    assert read_when(words, NOW, LINDENMERE) is None


@pytest.mark.parametrize(
    "now,start",
    [
        ("2026-12-04 03:59", "2026-12-03 17:00"),
        ("2026-12-04 04:00", "2026-12-04 17:00"),
        ("2026-12-04 23:59", "2026-12-04 17:00"),
        ("2026-12-05 00:00", "2026-12-04 17:00"),
    ],
)
@pytest.mark.rule("A-24")
def test_tonight_runs_to_four_and_is_still_last_evening_before_that(now, start):
    found = read_when("tonight", wall(now), LINDENMERE)
    assert found is not None
    assert (found.start, found.end - found.start) == (wall(start), timedelta(hours=11))


def test_a_date_in_figures_has_the_month_first_in_the_united_states_alone():
    there = town("America/New_York", "US")
    assert [read_when("10/11/2026", NOW, where).start.month for where in (LINDENMERE, there)] == [11, 10]


def test_a_season_is_half_a_year_on_in_the_south():
    south = town("Australia/Sydney", "AU", lat=-33.8)
    assert [read_when("summer 2027", NOW, where).start.month for where in (LINDENMERE, south)] == [6, 12]


def test_the_holidays_are_those_of_the_towns_country():
    monaco = town("Europe/Monaco", "MC")
    assert read_when("fête du prince", NOW, monaco) is None or read_when("fete du prince", NOW, monaco).start.month == 11
    assert read_when("mothers day", NOW, town("America/New_York", "US")).start.date().isoformat() == "2027-05-09"


def test_a_country_without_a_calendar_still_has_the_feasts_that_all_ask_for():
    assert read_when("christmas eve", NOW, town("Etc/UTC", "XX")).start.date().isoformat() == "2026-12-24"


def test_the_present_is_taken_in_the_towns_zone_whatever_zone_it_comes_in():
    auckland = town("Pacific/Auckland", "NZ", lat=-36.8)
    assert read_when("today", NOW.astimezone(UTC), auckland).start == wall("2026-12-05 00:00", auckland)


@pytest.mark.fault("FA5")
@pytest.mark.parametrize(
    "now,words,start,end,hours",
    [
        ("2026-03-28 12:00", "tomorrow", "2026-03-29 00:00", "2026-03-30 00:00", 23),
        ("2026-10-24 12:00", "tomorrow", "2026-10-25 00:00", "2026-10-26 00:00", 25),
        ("2026-03-28 12:00", "tonight", "2026-03-28 17:00", "2026-03-29 04:00", 10),
        ("2026-10-24 12:00", "tonight", "2026-10-24 17:00", "2026-10-25 04:00", 12),
        ("2028-02-28 12:00", "tomorrow", "2028-02-29 00:00", "2028-03-01 00:00", 24),
        ("2026-12-31 23:59", "tomorrow", "2027-01-01 00:00", "2027-01-02 00:00", 24),
    ],
)
def test_days_are_as_long_as_the_clock_makes_them(now, words, start, end, hours):
    found = read_when(words, wall(now), LINDENMERE)
    assert (found.start, found.end) == (wall(start), wall(end))
    assert found.end.astimezone(UTC) - found.start.astimezone(UTC) == timedelta(hours=hours)


@pytest.mark.fault("FA5")
def test_a_time_that_a_change_skips_is_the_one_an_hour_later():
    found = read_when("1:30 am tomorrow", wall("2026-03-28 12:00"), LINDENMERE)
    assert (found.start.hour, found.start.minute) == (2, 30)


@pytest.mark.fault("FA5")
def test_hours_from_now_are_hours_even_over_a_change():
    found = read_when("in 2 hours", wall("2026-03-29 00:30"), LINDENMERE)
    assert found.start.astimezone(UTC) == wall("2026-03-29 00:30").astimezone(UTC) + timedelta(hours=2)


PIECES = st.sampled_from(
    [*WEEKDAYS, *MONTHS, *"the next last this of in at on from to until before after between and 1st 2nd 31 15/12 2026-02-30 8pm 25:00 half past "
     "quarter week weekend month year days hours ago within 99999 9999 0 christmas easter tonight tomorrow morning noon late end mid - / now".split()]
)  # fmt: skip


@settings(max_examples=300, deadline=None)
@given(st.one_of(st.text(max_size=140), st.lists(PIECES, max_size=14).map(" ".join)))
def test_no_text_is_too_odd_to_be_read(text):
    found = read_when(text, NOW, LINDENMERE)
    assert found is None or found.start.astimezone(UTC) < found.end.astimezone(UTC)
