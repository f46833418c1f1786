"""Repeat rules in plain words, and silence where the words would not be true."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from agent.tools.festivals.repeats import say_repeats

FRIDAY = datetime(2026, 12, 4, 19, tzinfo=ZoneInfo("Europe/London"))


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        ("FREQ=DAILY", "every day"),
        ("FREQ=DAILY;COUNT=30", "every day, 30 times in all"),
        ("FREQ=WEEKLY", "every Friday"),
        ("RRULE:FREQ=WEEKLY;BYDAY=TU", "every Tuesday"),
        ("FREQ=WEEKLY;BYDAY=SU,TU;WKST=MO", "every Tuesday and Sunday"),
        ("FREQ=WEEKLY;BYDAY=MO,WE,FR", "every Monday, Wednesday and Friday"),
        ("FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", "every weekday"),
        ("FREQ=WEEKLY;INTERVAL=2;BYDAY=FR", "every second Friday"),
        ("FREQ=WEEKLY;BYDAY=FR;UNTIL=20270131T235900Z", "every Friday until 31 Jan 2027"),
        ("FREQ=WEEKLY;BYDAY=FR;UNTIL=20270131", "every Friday until 31 Jan 2027"),
        ("FREQ=MONTHLY;BYDAY=1SU", "first Sunday of the month"),
        ("FREQ=MONTHLY;BYDAY=+2TU", "second Tuesday of the month"),
        ("FREQ=MONTHLY;BYDAY=FR;BYSETPOS=-1", "last Friday of the month"),
        ("FREQ=MONTHLY;BYMONTHDAY=22", "the 22nd of the month"),
        ("FREQ=MONTHLY", "the 4th of the month"),
        ("FREQ=MONTHLY;INTERVAL=3;BYDAY=3SA", "third Saturday of every third month"),
        ("FREQ=YEARLY", "every year"),
        ("FREQ=YEARLY;BYMONTH=12;BYDAY=1FR", "every year"),
    ],
)
def test_a_rule_that_people_have_words_for_is_said_in_them(rule: str, words: str) -> None:
    assert say_repeats(rule, FRIDAY) == words


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
        "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,TH",
        "FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13",
        "FREQ=MONTHLY;BYDAY=SU",
        "FREQ=MONTHLY;BYDAY=1SU,3SU",
        "FREQ=MONTHLY;BYDAY=1SU;BYMONTH=5",
        "FREQ=MONTHLY;BYMONTHDAY=31",
        "FREQ=YEARLY;BYDAY=FR",
        "FREQ=YEARLY;BYMONTH=5,9",
    ],
)
def test_of_any_other_rule_nothing_is_said(rule: str) -> None:
    assert say_repeats(rule, FRIDAY) == ""


def test_a_monthly_rule_without_a_day_that_every_month_has_is_not_said() -> None:
    assert say_repeats("FREQ=MONTHLY", FRIDAY.replace(day=31)) == ""


def test_the_day_after_which_it_ends_is_the_towns() -> None:
    kochi = FRIDAY.astimezone(ZoneInfo("Asia/Kolkata"))
    assert say_repeats("FREQ=WEEKLY;UNTIL=20270131T235900Z;BYDAY=SA", kochi) == "every Saturday until 1 Feb 2027"
