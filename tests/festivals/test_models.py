from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError

from festivals.models import Event, EventException, FestivalName
from tests import factories
from tests.clock import NOW
from tests.refusals import constraints, refusal, speaks_of

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

HOUR = timedelta(hours=1)


def twice(save):
    save()
    save()


def exception(**fields):
    return EventException.objects.create(**{"event": factories.event(), "kind": "cancelled", "original": NOW, **fields})


def exception_twice(**fields):
    event = factories.event()
    twice(lambda: exception(event=event, **fields))


def same_name_twice():
    row = factories.festival()
    twice(lambda: FestivalName.objects.create(festival=row, text="Fête du Lac", lang="fr"))


REFUSED = {
    "festival_named": lambda: factories.festival(name=""),
    "festival_public_id": lambda: factories.festival(slug=""),
    "festival_status": lambda: factories.festival(status="secret"),
    "festival_state": lambda: factories.festival(state="perhaps"),
    "festival_source_once": lambda: twice(lambda: factories.festival(source="calendar", source_id="7")),
    "festival_name_once": same_name_twice,
    "festival_name_not_empty": lambda: FestivalName.objects.create(festival=factories.festival(), text=""),
    "event_titled": lambda: factories.event(title=""),
    "event_public_id": lambda: factories.event(slug=""),
    "event_status": lambda: factories.event(status="secret"),
    "event_state": lambda: factories.event(state="perhaps"),
    "event_source_once": lambda: twice(lambda: factories.event(source="calendar", source_id="7")),
    "event_ends_after_start": lambda: factories.event(starts=NOW, ends=NOW - HOUR),
    "event_point_whole": lambda: factories.event(lat=54.4),
    "event_lat_degrees": lambda: factories.event(lat=90.1, lng=0),
    "event_lng_degrees": lambda: factories.event(lat=0, lng=180.1),
    "exception_kind": lambda: exception(kind="forgotten"),
    "exception_names_its_date": lambda: exception(kind="cancelled", original=None),
    "exception_has_its_start": lambda: exception(kind="moved", starts=None),
    "exception_ends_after_start": lambda: exception(kind="moved", starts=NOW, ends=NOW - HOUR),
    "exception_once": exception_twice,
    "exception_added_once": lambda: exception_twice(kind="added", original=None, starts=NOW),
}


@pytest.mark.parametrize("name", REFUSED)
def test_the_database_refuses_a_bad_row_by_the_constraint_that_it_breaks(name):
    assert speaks_of(constraints("festivals")[name]) in refusal(REFUSED[name])


def test_every_constraint_of_festivals_has_a_row_that_it_refuses():
    assert set(REFUSED) == set(constraints("festivals"))


def test_an_added_date_that_names_a_date_of_the_rule_is_refused():
    assert "exception_names_its_date" in refusal(lambda: exception(kind="added", original=NOW, starts=NOW))


def test_an_added_date_needs_its_start():
    assert "exception_has_its_start" in refusal(lambda: exception(kind="added", original=None))


@pytest.mark.parametrize("make", [factories.festival, factories.event])
def test_a_public_id_stands_for_one_row(make):
    make(slug="taken")
    with pytest.raises(IntegrityError):
        make(slug="taken")


def test_an_event_may_end_when_it_starts_and_may_have_no_end():
    ends = [factories.event(starts=NOW, ends=NOW).ends, factories.event(starts=NOW, ends=None).ends]
    assert ends == [NOW, None]


def test_an_instant_comes_back_as_the_same_instant():
    made = factories.event(starts=NOW.replace(microsecond=123456), ends=None)
    assert Event.objects.get(pk=made.pk).starts == NOW.replace(microsecond=123456)


def test_two_dates_of_one_rule_may_both_differ_and_two_be_added():
    event = factories.event(rrule="FREQ=WEEKLY")
    for week in range(2):
        exception(event=event, original=NOW + timedelta(weeks=week))
        exception(event=event, kind="added", original=None, starts=NOW + timedelta(weeks=week, days=1))
    assert event.exceptions.count() == 4


def test_the_events_of_a_festival_go_with_it():
    row = factories.festival()
    factories.event(festival=row)
    kept = factories.event()
    row.delete()
    assert list(Event.objects.all()) == [kept]


@pytest.mark.parametrize("rrule", ["", "FREQ=WEEKLY;BYDAY=FR", "FREQ=YEARLY", "FREQ=MONTHLY;BYDAY=1FR;COUNT=6", "FREQ=DAILY;UNTIL=20261224T235959Z"])
def test_a_rule_that_gives_dates_is_taken(rrule):
    made = factories.event(rrule=rrule)
    assert made.full_clean() is None


@pytest.mark.parametrize("rrule", ["weekly", "FREQ=HOURLY", "FREQ=WEEKLY;BYDAY=XX", "FREQ=WEEKLY;INTERVAL=0", "FREQ=WEEKLY;UNTIL=20200101T000000Z"])
def test_a_rule_that_gives_none_is_refused_by_the_form(rrule):
    with pytest.raises(ValidationError) as refused:
        factories.event(rrule=rrule).full_clean()
    assert set(refused.value.message_dict) == {"rrule"}
