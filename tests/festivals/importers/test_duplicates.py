"""Events that a file, or two imports, have twice."""

import pytest

from festivals.models import Event, EventException
from places.models import Status
from tests.festivals.importers.programmes import counts, ics, load, table, vevent

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


def states() -> dict[str, str]:
    return {event.title: event.state for event in Event.objects.all()}


@pytest.mark.parametrize("mark", ["[CANCELLED] Choir", "CANCELLED: choir", "Cancelled - Choir"])
def test_an_event_marked_as_cancelled_is_the_event_of_that_title_and_time(mark: str, tmp_path):
    report = load(tmp_path, ics(vevent(), vevent(uid="2", summary=mark)))
    assert (states(), counts(report)) == ({"Choir": "cancelled"}, (1, 0, 0, 1))
    assert "of line 4 is cancelled, and was joined with it" in report.duplicates[0]


def test_an_event_with_another_mark_is_another_event(tmp_path):
    report = load(tmp_path, ics(vevent(), vevent(uid="2", summary="[LATE] Choir")))
    assert (states(), report.duplicates) == ({"Choir": "scheduled", "[LATE] Choir": "scheduled"}, [])


def test_an_event_that_is_marked_and_alone_is_itself_cancelled(tmp_path):
    load(tmp_path, ics(vevent(summary="[CANCELLED] Choir"), vevent("STATUS:CANCELLED", uid="2", summary="Band")))
    assert states() == {"Choir": "cancelled", "Band": "cancelled"}


@pytest.mark.parametrize(
    "other", [vevent(uid="2", summary="[CANCELLED] Choir", start=":20261204T193000"), vevent("LOCATION:Barn", uid="2", summary="[CANCELLED] Choir")]
)
def test_another_time_or_venue_is_another_event(other: str, tmp_path):
    load(tmp_path, ics(vevent("LOCATION:Hall"), other))
    assert sorted(Event.objects.values_list("title", "state")) == [("Choir", "cancelled"), ("Choir", "scheduled")]


def test_one_date_of_a_series_is_cancelled_by_an_event_of_its_title_and_time(tmp_path):
    marked = vevent(uid="2", summary="[CANCELLED] Choir", start=":20261211T190000", end=":20261211T210000")
    load(tmp_path, ics(vevent("RRULE:FREQ=WEEKLY;COUNT=3"), marked))
    assert states() == {"Choir": "scheduled"}
    assert [f"{kind} {original:%m-%d}" for kind, original in EventException.objects.values_list("kind", "original")] == ["cancelled 12-11"]


def test_a_later_file_that_marks_an_event_as_cancelled_cancels_it(tmp_path):
    load(tmp_path, ics(vevent()), status=Status.PUBLISHED)
    marked = ics(vevent(uid="other", summary="[CANCELLED] Choir"))
    assert counts(load(tmp_path, marked)) == (0, 1, 0, 0)
    assert counts(load(tmp_path, marked)) == (0, 0, 1, 0)
    assert (states(), Event.objects.get().source_id) == ({"Choir": "cancelled"}, "1")


def test_events_alike_in_title_time_and_venue_both_stay_and_are_said(tmp_path):
    report = load(tmp_path, ics(vevent(), vevent(uid="2")))
    assert (report.new, report.duplicates) == (2, ["line 10: it has the title, the time and the venue of line 4; both were kept"])


def test_a_line_without_an_id_that_repeats_another_is_refused_alone(tmp_path):
    report = load(tmp_path, table("A,2026-12-04T10:00", "B,2026-12-04T10:00", "A,2026-12-04T10:00", heading="title,start"))
    assert (report.new, [(row.where, row.reason[:17]) for row in report.refusals]) == (2, [("line 4", "it repeats line 2")])


def test_events_that_are_all_called_off_at_one_time_stay_apart_however_many_there_are(tmp_path):
    content = ics(*(vevent(uid=str(number), summary="[CANCELLED] Choir") for number in range(600)))
    assert (load(tmp_path, content).new, load(tmp_path, content).same) == (600, 600)
