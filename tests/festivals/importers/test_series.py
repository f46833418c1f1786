"""What an iCalendar file says of an event's dates, and how it is kept."""

import pytest

from festivals import export
from festivals.models import Event, EventException, Festival
from places.models import Status
from tests import factories
from tests.clock import NOW
from tests.festivals.importers.programmes import INDIAN, TOWN, counts, ics, load, vevent

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]
WEEKLY = "RRULE:FREQ=WEEKLY;COUNT=4"
CUSTOM_ZONE = """BEGIN:VTIMEZONE
TZID:Own
BEGIN:STANDARD
DTSTART:19700101T000000
TZOFFSETFROM:+0330
TZOFFSETTO:+0330
END:STANDARD
END:VTIMEZONE"""


def shown(town=TOWN):
    """Local start and end of every date that is published, with its state, note and venue where they are not the usual ones."""
    rows = export.rows(town, NOW)
    assert rows.refused == ()
    return [
        " ".join(filter(None, [one.starts_local[:16], one.ends_local[11:16], one.state.replace("scheduled", ""), one.note, one.venue]))
        for row in rows.events
        for one in row.occurrences
    ]


def published(folder, *events, head="", town=TOWN):
    report = load(folder, ics(*events, head=head), town=town, status=Status.PUBLISHED)
    return report, shown(town)


@pytest.mark.parametrize(
    ("start", "end", "wanted"),
    [
        (":20261204T190000", ":20261204T210000", "2026-12-04T19:00 21:00"),
        (":20261204T190000Z", ":20261204T210000Z", "2026-12-05T00:30 02:30"),
        (";TZID=Europe/Paris:20261204T190000", ";TZID=Europe/Paris:20261204T210000", "2026-12-04T23:30 01:30"),
        (";TZID=W. Europe Standard Time:20261204T190000", ";TZID=W. Europe Standard Time:20261204T210000", "2026-12-04T23:30 01:30"),
        (";TZID=Own:20261204T190000", ";TZID=Own:20261204T210000", "2026-12-04T21:00 23:00"),
        (";VALUE=DATE:20261204", ";VALUE=DATE:20261205", "2026-12-04T00:00 00:00"),
        (":20261204T190000", "", "2026-12-04T19:00 19:00"),
    ],
)
def test_a_time_is_shown_by_the_clocks_of_the_town(start, end, wanted, tmp_path):
    report, dates = published(tmp_path, vevent(start=start, end=end), head=CUSTOM_ZONE, town=INDIAN)
    assert (dates, report.notes) == ([wanted], [])


def test_a_zone_that_nobody_knows_is_noted_and_its_times_are_the_towns(tmp_path):
    report, dates = published(tmp_path, vevent(start=";TZID=Mars/Olympus:20261204T190000"))
    assert (dates, "'Mars/Olympus' is not known" in report.notes[0]) == (["2026-12-04T19:00 21:00"], True)


def test_the_zone_of_the_calendar_holds_for_floating_times_and_for_rules_in_utc(tmp_path):
    events = [vevent(), vevent("RRULE:FREQ=MONTHLY;INTERVAL=7;COUNT=2", uid="2", start=":20261204T190000Z", end=":20261204T200000Z")]
    _, dates = published(tmp_path, *events, head="X-WR-TIMEZONE:America/New_York")
    assert sorted(dates) == ["2026-12-04T19:00 20:00", "2026-12-05T00:00 02:00", "2027-07-04T19:00 20:00"]


def test_an_all_day_event_ends_on_its_own_last_day(tmp_path):
    events = [
        vevent(start=";VALUE=DATE:20261204", end=end, uid=uid)
        for uid, end in (("1", ""), ("2", ";VALUE=DATE:20261204"), ("3", ";VALUE=DATE:20261206"))
    ]
    published(tmp_path, *events)
    found = [(one.starts_local[:16], one.ends_local[:16]) for row in export.rows(TOWN, NOW).events for one in row.occurrences]
    first = "2026-12-04T00:00"
    assert found == [(first, "2026-12-05T00:00"), (first, "2026-12-05T00:00"), (first, "2026-12-06T00:00")]


def test_a_length_stands_for_an_end(tmp_path):
    assert published(tmp_path, vevent("DURATION:PT1H30M", end=""))[1] == ["2026-12-04T19:00 20:30"]


def test_dates_are_taken_away_added_moved_and_cancelled(tmp_path):
    change = "RECURRENCE-ID:{}T190000"
    _, dates = published(
        tmp_path,
        vevent(WEEKLY, "EXDATE:20261211T190000", "RDATE:20261213T150000", "LOCATION:Hall", "SEQUENCE:2"),
        vevent(change.format("20261218"), "LOCATION:Church", start=":20261219T180000", end=":20261219T193000"),
        vevent(change.format("20261225"), "STATUS:CANCELLED", "LOCATION:Hall", start=":20261225T190000", end=":20261225T210000"),
    )
    assert dates == [
        "2026-12-04T19:00 21:00 Hall",
        "2026-12-13T15:00 17:00 Hall",
        "2026-12-19T18:00 19:30 Church",
        "2026-12-25T19:00 21:00 cancelled Hall",
    ]
    assert sorted(EventException.objects.values_list("kind", flat=True)) == ["added", "cancelled", "moved", "removed"]


def test_a_changed_date_with_a_title_of_its_own_has_it_as_its_note(tmp_path):
    change = vevent("RECURRENCE-ID:20261211T190000", summary="Choir with guests", start=":20261211T190000", end=":20261211T210000")
    assert published(tmp_path, vevent(WEEKLY), change)[1][1] == "2026-12-11T19:00 21:00 Choir with guests"


def test_a_bare_day_takes_away_what_begins_on_it(tmp_path):
    assert published(tmp_path, vevent("RRULE:FREQ=WEEKLY;COUNT=2", "EXDATE;VALUE=DATE:20261211"))[1] == ["2026-12-04T19:00 21:00"]


def test_an_added_date_that_the_rule_gives_too_is_one_date(tmp_path):
    assert len(published(tmp_path, vevent(WEEKLY, "RDATE:20261211T190000,20261213T190000"))[1]) == 5


def test_an_added_period_has_an_end_of_its_own(tmp_path):
    _, dates = published(tmp_path, vevent("RDATE;VALUE=PERIOD:20261205T100000/PT30M,20261206T100000/20261206T140000"))
    assert dates == ["2026-12-04T19:00 21:00", "2026-12-05T10:00 10:30", "2026-12-06T10:00 14:00"]


def test_several_rules_give_each_date_once(tmp_path):
    _, dates = published(tmp_path, vevent("RRULE:FREQ=WEEKLY;COUNT=3", "RRULE:FREQ=MONTHLY;BYDAY=1FR;COUNT=2"))
    assert [date[:10] for date in dates] == ["2026-12-04", "2026-12-11", "2026-12-18", "2027-01-01"]
    assert Event.objects.get().rrule.count("\n") == 1


def test_a_change_of_all_later_dates_reaches_on_and_a_single_change_stays_single(tmp_path):
    onward = vevent("RECURRENCE-ID;RANGE=THISANDFUTURE:20261211T190000", start=":20261212T200000", end=":20261212T203000")
    single = vevent("RECURRENCE-ID:20261218T190000", start=":20261218T100000", end=":20261218T110000")
    assert published(tmp_path, vevent(WEEKLY), onward, single)[1] == [
        "2026-12-04T19:00 21:00",
        "2026-12-12T20:00 20:30",
        "2026-12-18T10:00 11:00",
        "2026-12-26T20:00 20:30",
    ]


def test_a_rule_without_end_that_changes_onward_ends_where_the_change_was_worked_out(tmp_path):
    onward = vevent("RECURRENCE-ID;RANGE=THISANDFUTURE:20261211T190000", start=":20261211T200000", end=":20261211T210000")
    report, dates = published(tmp_path, vevent("RRULE:FREQ=WEEKLY"), onward)
    assert dates[1:3] == ["2026-12-11T20:00 21:00", "2026-12-18T20:00 21:00"]
    assert {date[11:16] for date in dates[1:]} == {"20:00"}
    assert (Event.objects.get().rrule, "up to 31 December 2031" in report.notes[0]) == ("FREQ=WEEKLY;UNTIL=20311231T000000Z", True)


def test_a_weekly_event_of_another_zone_keeps_the_clocks_of_that_zone(tmp_path):
    start, end = (f";TZID=America/Chicago:20270301T{hour}0000" for hour in (18, 19))
    _, dates = published(tmp_path, vevent("RRULE:FREQ=WEEKLY;BYDAY=MO;COUNT=5", start=start, end=end))
    assert dates == [
        f"2027-03-{day:02} {hours}".replace(" ", "T", 1)
        for day, hours in ((2, "00:00 01:00"), (9, "00:00 01:00"), (15, "23:00 00:00"), (22, "23:00 00:00"), (30, "00:00 01:00"))
    ]
    assert Event.objects.get().rule_zone == "America/Chicago"


def test_a_floating_end_of_a_rule_is_the_towns(tmp_path):
    assert len(published(tmp_path, vevent("RRULE:FREQ=DAILY;UNTIL=20261206T190000"), town=INDIAN)[1]) == 3


def test_the_higher_sequence_of_a_uid_is_kept_and_the_other_is_said(tmp_path):
    report, dates = published(
        tmp_path, vevent("SEQUENCE:1"), vevent("SEQUENCE:3", start=":20261205T190000", end=":20261205T210000"), vevent("SEQUENCE:2")
    )
    assert dates == ["2026-12-05T19:00 21:00"]
    assert (counts(report), {row.id for row in report.refusals}) == ((1, 0, 0, 2), {"1"})


def test_a_changed_date_whose_event_is_not_in_the_file_is_an_event_of_its_own(tmp_path):
    published(
        tmp_path, vevent("RECURRENCE-ID:20261211T190000"), vevent("RECURRENCE-ID:20261218T190000", start=":20261218T190000", end=":20261218T200000")
    )
    assert sorted(Event.objects.values_list("source_id", flat=True)) == ["1#20261211T190000", "1#20261218T190000"]


@pytest.mark.parametrize(
    ("event", "said"),
    [
        (vevent(uid="2", end=":20261204T180000"), "it ends before it starts: 2026-12-04 18:00, and 2026-12-04 19:00"),
        (vevent(uid="2", start=";VALUE=DATE:20261204", end=";VALUE=DATE:20261203"), "it ends before it starts"),
        (vevent(uid="2", start="", end=""), "it has no start (DTSTART)"),
        (vevent("DTSTART:20261205T190000", uid="2"), "DTSTART stands in it 2 times"),
        (vevent("RECURRENCE-ID:20261204T190000", "RECURRENCE-ID:20261205T190000", uid="2"), "RECURRENCE-ID stands in it more than once"),
        (vevent("EXDATE:someday", uid="2"), "EXDATE cannot be read"),
        (vevent(uid="2", start=":tomorrow"), "DTSTART cannot be read"),
        (vevent("RRULE:FREQ=SOMETIMES", uid="2"), "RRULE cannot be read"),
        (vevent("RRULE:FREQ=SECONDLY", uid="2"), "repeats too often"),
        (vevent("RRULE:FREQ=DAILY;UNTIL=20250101T000000Z", uid="2"), "its rule gives no date"),
        (vevent("EXRULE:FREQ=DAILY", uid="2"), "EXRULE is no longer part of iCalendar"),
        (vevent(uid="2", start=":00010101T000000", end=""), "the year 1 is not one from 1900 to 2200"),
    ],
)
def test_a_bad_event_is_refused_with_its_line_and_uid_and_the_others_are_taken(event, said, tmp_path):
    report, dates = published(tmp_path, vevent(), event)
    assert (dates, [(row.where, row.id) for row in report.refusals]) == (["2026-12-04T19:00 21:00"], [("line 10", "2")])
    assert said in report.refusals[0].reason


def test_a_changed_date_that_ends_before_it_starts_is_refused_alone(tmp_path):
    report, dates = published(
        tmp_path, vevent("RRULE:FREQ=WEEKLY;COUNT=2"), vevent("RECURRENCE-ID:20261211T190000", start=":20261211T220000", end=":20261211T210000")
    )
    assert dates == ["2026-12-04T19:00 21:00", "2026-12-11T19:00 21:00"]
    assert [(row.where, row.reason.rpartition("; ")[2]) for row in report.refusals] == [("line 11", "the date stays as it was")]


def test_what_is_said_of_an_event_is_kept_as_plain_text(tmp_path):
    lines = [
        'DESCRIPTION:<p>Sing &amp\\; <a href="https://a.example">listen</a></p>\\n<script>alert(1)</script>a < b',
        "LOCATION:Town Hall\\, Main Street",
        "GEO:54.4;-2.96",
        "URL:https://choir.example/",
        "CATEGORIES:music,For Children",
    ]  # fmt: skip
    published(tmp_path, vevent(*lines), head="X-WR-CALNAME:Advent in Town")
    event = Event.objects.get()
    assert (event.description, event.venue, event.lat, event.lng, event.website) == (
        "Sing & listen a < b", "Town Hall, Main Street", 54.4, -2.96, "https://choir.example/",
    )  # fmt: skip
    assert (event.festival.name, event.festival.slug, event.tags.count()) == ("Advent in Town", "advent-in-town", 2)


def test_an_address_that_is_no_web_address_is_left_out_and_noted(tmp_path):
    report, _ = published(tmp_path, vevent("URL:javascript:alert(1)"))
    assert (Event.objects.get().website, "is no web address" in report.notes[0]) == ("", True)


def test_a_location_that_is_the_name_of_one_place_is_that_place(tmp_path):
    pier = factories.place(name="Old Pier", lat=54.41, lng=-2.97)
    factories.place(name="Chapel")
    factories.place(name="Chapel")
    published(tmp_path, vevent("LOCATION:old pier"), vevent("LOCATION:Chapel", uid="2"))
    assert [(event.place, event.venue) for event in Event.objects.order_by("source_id")] == [(pier, "old pier"), (None, "Chapel")]


def test_a_property_that_stands_twice_counts_once(tmp_path):
    report, _ = published(tmp_path, vevent("SUMMARY:Other", "LOCATION:Hall", "LOCATION:Barn", "URL:https://a.example/", "URL:https://b.example/"))
    event = Event.objects.get()
    assert (event.title, event.venue, event.website, report.notes) == ("Choir", "Hall", "https://a.example/", [])


def test_a_folded_text_that_looks_like_an_event_is_text(tmp_path):
    published(tmp_path, vevent("DESCRIPTION:One\r\n BEGIN:VEVENT\r\n END:VEVENT"))
    assert [event.description for event in Event.objects.all()] == ["OneBEGIN:VEVENTEND:VEVENT"]


def test_an_event_whose_first_line_is_written_unusually_is_told_by_its_number(tmp_path):
    report, _ = published(
        tmp_path, vevent(), vevent(uid="2", start="").replace("BEGIN:VEVENT", "BEGIN;X-A=1:VEVENT").replace("END:VEVENT", "END;X-A=1:VEVENT")
    )
    assert [(row.where, row.id) for row in report.refusals] == [("event 2", "2")]


def test_a_calendar_without_events_makes_nothing_and_says_so(tmp_path):
    report = load(tmp_path, ics("BEGIN:VTODO\r\nUID:1\r\nSUMMARY:Sweep\r\nEND:VTODO"))
    assert (counts(report), report.notes) == ((0, 0, 0, 0), ["the calendar holds no events (VEVENT): VTODO is no event"])
    assert Festival.objects.count() == 0
