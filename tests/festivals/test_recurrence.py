"""The dates of an event: by its rule, with its exceptions, in the town's wall time."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from festivals.recurrence import Exceptional, Planned, RuleRefused, occurrences
from tests.clock import NOW, ZONE


def at(text):
    return datetime.fromisoformat(text).replace(tzinfo=ZONE)


def spans(event, now=NOW, zone=ZONE):
    """The dates as text, for reading: local start, local end, state."""
    return [f"{one.starts:%Y-%m-%dT%H:%M%z} {one.ends:%Y-%m-%dT%H:%M%z} {one.state}".strip() for one in occurrences(event, zone, now)]


def weekly(starts="2026-11-20T19:00", ends="2026-11-20T21:00", rrule="FREQ=WEEKLY;COUNT=3", **fields):
    return Planned(at(starts), at(ends), rrule=rrule, **fields)


def test_a_single_event_is_kept_whatever_its_date():
    assert spans(Planned(at("1999-12-31T22:00"), at("2000-01-01T02:00"))) == ["1999-12-31T22:00+0000 2000-01-01T02:00+0000"]
    assert spans(Planned(at("2040-06-01T22:00"), at("2040-06-01T23:00"))) == ["2040-06-01T22:00+0100 2040-06-01T23:00+0100"]


def test_an_event_without_an_end_ends_when_it_starts():
    assert spans(Planned(at("2026-12-05T10:00"))) == ["2026-12-05T10:00+0000 2026-12-05T10:00+0000"]


def test_a_rule_gives_its_dates_in_order():
    assert spans(weekly()) == [
        "2026-11-20T19:00+0000 2026-11-20T21:00+0000",
        "2026-11-27T19:00+0000 2026-11-27T21:00+0000",
        "2026-12-04T19:00+0000 2026-12-04T21:00+0000",
    ]


def test_a_rule_is_followed_from_twelve_months_before_to_eighteen_after():
    dates = occurrences(weekly("2015-01-01T12:00", "2015-01-01T13:00", "FREQ=DAILY"), ZONE, NOW)
    assert dates[0].starts == at("2025-12-05T12:00")
    assert dates[-1].starts == at("2028-06-04T12:00")
    assert len(dates) == (date(2028, 6, 4) - date(2025, 12, 5)).days + 1


def test_a_date_that_is_on_when_the_window_opens_is_in_it():
    dates = spans(weekly("2015-12-04T12:00", "2015-12-04T23:00", "FREQ=YEARLY"))
    assert dates == [f"{year}-12-04T12:00+0000 {year}-12-04T23:00+0000" for year in (2025, 2026, 2027)]


@pytest.mark.parametrize(
    ("rule", "starts"),
    [
        ("FREQ=MONTHLY;BYDAY=1SU;COUNT=3", ["2026-12-06", "2027-01-03", "2027-02-07"]),
        ("FREQ=MONTHLY;BYDAY=-1SU;UNTIL=20270228T235959Z", ["2026-12-06", "2026-12-27", "2027-01-31", "2027-02-28"]),
        ("FREQ=WEEKLY;INTERVAL=2;BYDAY=SU,TU;UNTIL=20261222", ["2026-12-06", "2026-12-15", "2026-12-20"]),
        ("RRULE:FREQ=DAILY;COUNT=2", ["2026-12-06", "2026-12-07"]),
        ("FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=6;COUNT=2", ["2026-12-06", "2027-12-06"]),
    ],
)
def test_rules_of_rfc_5545_are_followed(rule, starts):
    dates = occurrences(weekly("2026-12-06T10:00", "2026-12-06T11:00", rule), ZONE, NOW)
    assert [f"{one.starts:%Y-%m-%d}" for one in dates] == starts


def test_wall_time_is_kept_over_a_clock_change():
    spring = spans(weekly("2027-03-27T19:00", "2027-03-27T21:00", "FREQ=DAILY;COUNT=2"))
    assert spring == ["2027-03-27T19:00+0000 2027-03-27T21:00+0000", "2027-03-28T19:00+0100 2027-03-28T21:00+0100"]
    autumn = spans(weekly("2026-10-24T19:00", "2026-10-24T21:00", "FREQ=DAILY;COUNT=2"))
    assert autumn == ["2026-10-24T19:00+0100 2026-10-24T21:00+0100", "2026-10-25T19:00+0000 2026-10-25T21:00+0000"]


def test_a_night_over_the_clock_change_ends_at_its_own_wall_time():
    nights = spans(weekly("2026-10-17T22:00", "2026-10-18T03:00", "FREQ=WEEKLY;COUNT=2"))
    assert nights == ["2026-10-17T22:00+0100 2026-10-18T03:00+0100", "2026-10-24T22:00+0100 2026-10-25T03:00+0000"]


def test_a_wall_time_that_is_skipped_is_the_same_instant_an_hour_later():
    dates = spans(weekly("2027-03-27T01:30", "2027-03-27T01:45", "FREQ=DAILY;COUNT=2"))
    assert dates == ["2027-03-27T01:30+0000 2027-03-27T01:45+0000", "2027-03-28T02:30+0100 2027-03-28T02:45+0100"]


def test_a_date_across_the_skipped_hour_keeps_its_length_rather_than_end_before_it_begins():
    dates = spans(weekly("2027-03-27T01:45", "2027-03-27T02:15", "FREQ=DAILY;COUNT=2"))
    assert dates[1] == "2027-03-28T02:45+0100 2027-03-28T03:15+0100"


def test_an_event_within_the_repeated_hour_keeps_its_length():
    starts = datetime(2026, 10, 25, 0, 45, tzinfo=UTC)  # 01:45 in summer time
    assert spans(Planned(starts, starts + timedelta(minutes=30))) == ["2026-10-25T01:45+0100 2026-10-25T01:15+0000"]


def test_an_all_day_event_ends_at_the_midnight_after_its_own_day():
    assert spans(Planned(at("2026-12-05T00:00"), all_day=True)) == ["2026-12-05T00:00+0000 2026-12-06T00:00+0000"]
    three_days = Planned(at("2026-12-05T00:00"), at("2026-12-08T00:00"), all_day=True)
    assert spans(three_days) == ["2026-12-05T00:00+0000 2026-12-08T00:00+0000"]


def test_an_all_day_event_over_a_clock_change_runs_from_midnight_to_midnight():
    event = Planned(at("2026-10-25T00:00"), at("2026-10-26T00:00"), all_day=True, rrule="FREQ=YEARLY;COUNT=2")
    assert spans(event) == ["2026-10-25T00:00+0100 2026-10-26T00:00+0000", "2027-10-25T00:00+0100 2027-10-26T00:00+0100"]


def test_an_all_day_event_that_ends_within_a_day_lasts_to_its_end():
    event = Planned(at("2026-12-05T09:00"), at("2026-12-06T17:00"), all_day=True)
    assert spans(event) == ["2026-12-05T00:00+0000 2026-12-07T00:00+0000"]


@pytest.mark.parametrize(
    ("exception", "expected"),
    [
        (Exceptional("removed", at("2026-11-27T19:00")), []),
        (Exceptional("cancelled", at("2026-11-27T19:00")), ["2026-11-27T19:00+0000 2026-11-27T21:00+0000 cancelled"]),
        (Exceptional("postponed", at("2026-11-27T19:00")), ["2026-11-27T19:00+0000 2026-11-27T21:00+0000 postponed"]),
        (Exceptional("moved", at("2026-11-27T19:00"), at("2026-11-28T18:00")), ["2026-11-28T18:00+0000 2026-11-28T20:00+0000"]),
        (
            Exceptional("moved", at("2026-11-27T19:00"), at("2026-11-28T18:00"), at("2026-11-28T18:30")),
            ["2026-11-28T18:00+0000 2026-11-28T18:30+0000"],
        ),
    ],
)
def test_a_date_that_differs_from_the_rule_stands_as_it_is(exception, expected):
    assert spans(weekly(exceptions=[exception]))[1:-1] == expected


def test_an_added_date_is_one_more():
    added = Exceptional("added", starts=at("2026-12-01T12:00"), venue="Old Pier", note="by request")
    dates = occurrences(weekly(exceptions=[added]), ZONE, NOW)
    assert [(one.starts, one.venue, one.note) for one in dates][2] == (at("2026-12-01T12:00"), "Old Pier", "by request")
    assert len(dates) == 4


def test_a_single_event_may_be_moved_and_added_to():
    event = Planned(
        at("2001-01-01T10:00"),
        at("2001-01-01T11:00"),
        exceptions=[Exceptional("moved", at("2001-01-01T10:00"), at("2001-01-02T10:00")), Exceptional("added", starts=at("2050-01-01T10:00"))],
    )
    assert spans(event) == ["2001-01-02T10:00+0000 2001-01-02T11:00+0000", "2050-01-01T10:00+0000 2050-01-01T11:00+0000"]


def test_an_exception_of_an_all_day_event_names_its_day():
    event = Planned(at("2026-12-05T00:00"), all_day=True, rrule="FREQ=DAILY;COUNT=3", exceptions=[Exceptional("cancelled", at("2026-12-06T00:00"))])
    assert spans(event) == [
        "2026-12-05T00:00+0000 2026-12-06T00:00+0000",
        "2026-12-06T00:00+0000 2026-12-07T00:00+0000 cancelled",
        "2026-12-07T00:00+0000 2026-12-08T00:00+0000",
    ]


def test_an_exception_in_utc_meets_the_same_instant_of_the_town():
    kochi = ZoneInfo("Asia/Kolkata")
    event = Planned(
        datetime(2026, 12, 5, 5, 0, tzinfo=UTC),
        None,
        rrule="FREQ=DAILY;COUNT=2",
        exceptions=[Exceptional("removed", datetime(2026, 12, 6, 5, 0, tzinfo=UTC))],
    )
    assert spans(event, zone=kochi) == ["2026-12-05T10:30+0530 2026-12-05T10:30+0530"]


@pytest.mark.parametrize(
    ("rule", "says"),
    [
        ("FREQ=FORTNIGHTLY", "is no RRULE"),
        ("FREQ=WEEKLY;BYDAY=XX", "is no RRULE"),
        ("FREQ=WEEKLY;UNTIL=soon", "is no RRULE"),
        ("every Friday", "has no FREQ"),
        ("COUNT=3", "has no FREQ"),
        ("FREQ=DAILY;INTERVAL=0", "INTERVAL under 1"),
        ("FREQ=SECONDLY", "repeats too often"),
        ("FREQ=HOURLY;BYMONTH=2;BYMONTHDAY=30", "repeats too often"),
        ("FREQ=DAILY;BYHOUR=1,2,3,4,5;BYMINUTE=1,2,3,4,5", "repeats too often"),
        ("FREQ=DAILY;BYHOUR=99", "cannot be followed"),
    ],
)
def test_a_rule_that_cannot_be_followed_is_refused_with_its_text(rule, says):
    with pytest.raises(RuleRefused, match=says) as refused:
        occurrences(weekly(rrule=rule), ZONE, NOW)
    assert repr(rule) in str(refused.value)


def test_a_date_that_ends_before_it_begins_is_refused():
    with pytest.raises(RuleRefused, match="04 December 2026 19:00 ends before it begins"):
        occurrences(Planned(at("2026-12-04T19:00"), at("2026-12-04T18:00")), ZONE, NOW)


@settings(max_examples=60, deadline=None)
@given(
    start=st.datetimes(datetime(2025, 1, 1), datetime(2028, 1, 1)),  # noqa: DTZ001 - wall time
    minutes=st.integers(0, 3 * 24 * 60),
    zone=st.sampled_from(["Europe/London", "America/New_York", "Australia/Lord_Howe", "Asia/Kolkata"]),
    frequency=st.sampled_from(["DAILY", "WEEKLY", "MONTHLY"]),
)
def test_no_date_of_a_rule_ends_before_it_begins_or_leaves_its_wall_time_but_for_a_skipped_hour(start, minutes, zone, frequency):
    town = ZoneInfo(zone)
    starts = start.replace(tzinfo=town, second=0, microsecond=0).astimezone(UTC)
    event = Planned(starts, starts + timedelta(minutes=minutes), rrule=f"FREQ={frequency};COUNT=400")
    wall = starts.astimezone(town).time()
    dates = occurrences(event, town, NOW)
    assert all(one.ends.timestamp() >= one.starts.timestamp() for one in dates)
    assert sum(one.starts.time() != wall for one in dates) <= 3


def test_a_rule_of_another_zone_is_followed_by_its_own_clocks():
    plan = Planned(datetime(2026, 10, 18, 19, tzinfo=ZoneInfo("America/Chicago")), rrule="FREQ=WEEKLY;COUNT=4", zone="America/Chicago")
    assert [f"{one.starts:%Y-%m-%dT%H:%M%z}" for one in occurrences(plan, ZONE, NOW)] == [
        "2026-10-19T01:00+0100",
        "2026-10-26T00:00+0000",  # British clocks have gone back, those of Chicago not yet
        "2026-11-02T01:00+0000",
        "2026-11-09T01:00+0000",
    ]


def test_a_zone_that_nobody_knows_is_refused():
    with pytest.raises(RuleRefused, match="the time zone 'Mars/Olympus' is not known"):
        occurrences(Planned(NOW, rrule="FREQ=DAILY;COUNT=2", zone="Mars/Olympus"), ZONE, NOW)


def test_a_date_that_two_lines_of_a_rule_give_is_one_date():
    plan = weekly(rrule="FREQ=WEEKLY;COUNT=3\nFREQ=MONTHLY;BYDAY=1FR;COUNT=2")
    assert [f"{one.starts:%m-%d}" for one in occurrences(plan, ZONE, NOW)] == ["11-20", "11-27", "12-04", "01-01"]
