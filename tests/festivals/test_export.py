"""What is published of the festivals comes out whole, with the dates of its events and their venues copied in."""

from datetime import datetime, timedelta

import pytest
from django.conf import settings

from festivals import export
from festivals.models import EventException, FestivalName
from places.models import Status
from tests import factories
from tests.clock import NOW, ZONE

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


def rows():
    return export.rows(settings.TOWN, NOW)


def test_a_festival_keeps_its_facts():
    lights = factories.festival(
        factories.tag(slug="light"),
        slug="lights",
        name="Fête",
        marks="midwinter",
        organiser="the town",
        area=factories.area(name="Harbour"),
        source="walk",
    )
    FestivalName.objects.create(festival=lights, text="Lights", lang="en")
    (row,) = rows().festivals
    assert (row.slug, row.name, row.names, row.marks, row.location) == ("lights", "Fête", ("Lights",), "midwinter", "Harbour")
    assert (row.tags, row.organiser, row.source, row.checked_on) == (("light",), "the town", "walk", None)


@pytest.mark.parametrize("status", [Status.DRAFT, Status.IN_REVIEW, Status.WITHDRAWN])
def test_only_published_rows_come_out(status):
    factories.event(slug="shown", festival=factories.festival(slug="hidden-festival", status=status))
    factories.event(slug="hidden", status=status)
    found = rows()
    assert found.festivals == ()
    assert [(event.slug, event.festival) for event in found.events] == [("shown", "")]


def test_the_venue_of_an_event_is_copied_from_its_place():
    pier = factories.place(slug="old-pier", name="Old Pier", lat=54.4, lng=-2.97, area=factories.area(name="Harbour"))
    factories.event(place=pier, venue="elsewhere", lat=1, lng=1)
    (event,) = rows().events
    assert (event.venue, event.venue_slug, event.area, event.lat, event.lng) == ("Old Pier", "old-pier", "Harbour", 54.4, -2.97)
    (date,) = event.occurrences
    assert (date.venue, date.lat, date.lng) == ("Old Pier", 54.4, -2.97)


def test_a_place_that_is_not_published_gives_its_event_nothing():
    factories.event(place=factories.place(name="Secret", status=Status.DRAFT), venue="Town hall", lat=54.41, lng=-2.95)
    (event,) = rows().events
    assert (event.venue, event.venue_slug, event.lat, event.lng) == ("Town hall", "", 54.41, -2.95)


def test_a_date_with_a_venue_of_its_own_has_no_point():
    event = factories.event(place=factories.place(name="Old Pier"), rrule="FREQ=WEEKLY;COUNT=2")
    EventException.objects.create(event=event, kind="moved", original=NOW, starts=NOW + timedelta(days=1), venue="Church", note="rain")
    (row,) = rows().events
    assert [(one.venue, one.lat is None, one.note) for one in row.occurrences] == [("Church", True, "rain"), ("Old Pier", False, "")]


def test_a_date_is_told_in_seconds_and_in_local_time():
    factories.event(starts=datetime(2027, 6, 1, 23, 0, tzinfo=ZONE), ends=datetime(2027, 6, 2, 2, 0, tzinfo=ZONE))
    (row,) = rows().events
    (date,) = row.occurrences
    assert (date.starts, date.ends) == (1811887200, 1811898000)
    assert (date.starts_local, date.ends_local) == ("2027-06-01T23:00:00+01:00", "2027-06-02T02:00:00+01:00")


@pytest.mark.parametrize(
    ("festival", "event", "exception", "states"),
    [
        ("scheduled", "scheduled", "cancelled", ["cancelled", "scheduled"]),
        ("scheduled", "postponed", "cancelled", ["cancelled", "postponed"]),
        ("cancelled", "scheduled", "postponed", ["postponed", "cancelled"]),
        ("postponed", "cancelled", "postponed", ["postponed", "cancelled"]),
    ],
)
def test_a_date_has_its_own_state_or_its_events_or_its_festivals(festival, event, exception, states):
    made = factories.event(festival=factories.festival(state=festival), state=event, rrule="FREQ=WEEKLY;COUNT=2")
    EventException.objects.create(event=made, kind=exception, original=NOW)
    (row,) = rows().events
    assert [date.state for date in row.occurrences] == states
    assert row.state == states[1]


def test_an_event_whose_rule_cannot_be_followed_is_named_and_spoils_no_other():
    factories.event(factories.tag(slug="a"), slug="a-bad", title="Bad", rrule="every Friday")
    factories.event(factories.tag(slug="b"), slug="b-good")
    found = rows()
    assert [(event.slug, event.tags) for event in found.events] == [("b-good", ("b",))]
    assert found.refused == ("event a-bad (Bad): the rule 'every Friday' has no FREQ; one looks like FREQ=WEEKLY;BYDAY=FR",)


@pytest.mark.parametrize("count", [1, 3, 40])
def test_ten_queries_are_enough_however_many_events_there_are(django_assert_num_queries, count):
    for _ in range(count):
        event = factories.event(factories.tag(), festival=factories.festival(factories.tag()), place=factories.place())
        EventException.objects.create(event=event, kind="added", starts=NOW)
    with django_assert_num_queries(10):
        assert len(rows().events) == count
