"""Repeat rules in plain words, and silence where the words would not be true."""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from agent.tools.festivals.repeats import say_repeats

FRIDAY = "2026-12-04"


def dates(usual: str, zone: str = "Europe/London") -> list[datetime]:
    """Some dates of an event that usually falls on the day of `usual`; the first is moved to the day before."""
    start = datetime.fromisoformat(f"{usual}T19:00").replace(tzinfo=ZoneInfo(zone))
    return [start - timedelta(days=1), start, start]


@pytest.mark.parametrize(
    ("rule", "usual", "words"),
    [
        ("FREQ=DAILY", FRIDAY, "every day"),
        ("FREQ=DAILY;COUNT=30", FRIDAY, "every day, 30 times in all"),
        ("FREQ=WEEKLY", FRIDAY, "every Friday"),
        ("RRULE:FREQ=WEEKLY;BYDAY=TU", "2026-12-01", "every Tuesday"),
        ("FREQ=WEEKLY;BYDAY=SU,TU;WKST=MO", "2026-12-06", "every Tuesday and Sunday"),
        ("FREQ=WEEKLY;BYDAY=MO,WE,FR", FRIDAY, "every Monday, Wednesday and Friday"),
        ("FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", FRIDAY, "every weekday"),
        ("FREQ=WEEKLY;INTERVAL=2;BYDAY=FR", FRIDAY, "every second Friday"),
        ("FREQ=WEEKLY;BYDAY=FR;UNTIL=20270131T235900Z", FRIDAY, "every Friday until 31 Jan 2027"),
        ("FREQ=WEEKLY;BYDAY=FR;UNTIL=20270131", FRIDAY, "every Friday until 31 Jan 2027"),
        ("FREQ=MONTHLY;BYDAY=1SU", "2026-12-06", "first Sunday of the month"),
        ("FREQ=MONTHLY;BYDAY=+2TU", "2026-12-08", "second Tuesday of the month"),
        ("FREQ=MONTHLY;BYDAY=FR;BYSETPOS=-1", "2026-12-25", "last Friday of the month"),
        ("FREQ=MONTHLY;BYMONTHDAY=22", "2026-12-22", "the 22nd of the month"),
        ("FREQ=MONTHLY", FRIDAY, "the 4th of the month"),
        ("FREQ=MONTHLY;INTERVAL=3;BYDAY=3SA", "2026-12-19", "third Saturday of every third month"),
        ("FREQ=YEARLY", FRIDAY, "every year"),
        ("FREQ=YEARLY;BYMONTH=12;BYDAY=1FR", FRIDAY, "every year"),
    ],
)
def test_a_rule_that_people_have_words_for_is_said_in_them_whatever_one_date_does(rule: str, usual: str, words: str) -> None:
    assert say_repeats(rule, dates(usual)) == words


@pytest.mark.parametrize(
    "rule",
    [
        "",
        "nonsense",
        "INTERVAL=2",
        "FREQ=HOURLY",
        "FREQ=DAILY;BYHOUR=9,17",
        "FREQ=DAILY;BYDAY=SA",
        "FREQ=DAILY;INTERVAL=9",
        "FREQ=WEEKLY;BYDAY=FR;BYMONTH=6,7",
        "FREQ=WEEKLY;INTERVAL=2;BYDAY=FR,TH",
        "FREQ=WEEKLY;BYDAY=FR\nRRULE:FREQ=MONTHLY",
        "FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=4",
        "FREQ=MONTHLY;BYDAY=FR",
        "FREQ=MONTHLY;BYDAY=1FR,3FR",
        "FREQ=MONTHLY;BYDAY=1FR;BYMONTH=5",
        "FREQ=YEARLY;BYDAY=FR",
        "FREQ=YEARLY;BYMONTH=5,9",
    ],
)
def test_of_any_other_rule_nothing_is_said(rule: str) -> None:
    assert say_repeats(rule, dates(FRIDAY)) == ""


@pytest.mark.parametrize("rule", ["FREQ=MONTHLY", "FREQ=MONTHLY;BYMONTHDAY=31"])
def test_a_day_that_not_every_month_has_is_not_said(rule: str) -> None:
    assert say_repeats(rule, dates("2026-12-31")) == ""


@pytest.mark.parametrize("rule", ["FREQ=WEEKLY;BYDAY=TH", "FREQ=MONTHLY;BYDAY=1TH", "FREQ=MONTHLY;BYMONTHDAY=3"])
def test_a_rule_whose_dates_fall_on_another_day_here_is_not_said(rule: str) -> None:
    """A rule that is followed by the clocks of a far zone may name the day before."""
    assert say_repeats(rule, dates(FRIDAY)) == ""


def test_the_day_on_which_it_ends_is_the_towns() -> None:
    assert say_repeats("FREQ=WEEKLY;UNTIL=20270131T235900Z;BYDAY=FR", dates(FRIDAY, "Asia/Kolkata")) == "every Friday until 1 Feb 2027"
