"""What an import of events writes, what it leaves, and that a second one writes nothing."""

import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from festivals.models import Event, EventException, Festival, FestivalName
from places.models import Status, Tag
from tests import factories
from tests.festivals.importers.programmes import counts, ics, jsonld, load, schedule, table, talk, vevent

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]
SERIES = vevent("RRULE:FREQ=WEEKLY;COUNT=3", "EXDATE:20261211T190000", "CATEGORIES:music", "LOCATION:Hall")
LINE = "1,Lantern Days,Choir,2026-12-04T19:00,2026-12-04T21:00,,Hall,54.4,-2.96,FREQ=WEEKLY;COUNT=3,2026-12-11,,free,music;night,,Sing"


@pytest.mark.parametrize(
    "content",
    [ics(SERIES, vevent(uid="2"), head="X-WR-CALNAME:Advent"), schedule(talk(1), talk(2)), [jsonld(), jsonld(**{"@id": "2"})], table(LINE)],
    ids=["ics", "schedule", "jsonld", "csv"],
)
def test_a_second_import_finds_all_the_same_and_writes_nothing(content, tmp_path):
    new = load(tmp_path, content).new
    with CaptureQueriesContext(connection) as queries:
        assert counts(load(tmp_path, content)) == (0, 0, new, 0)
    assert [query["sql"] for query in queries if query["sql"].startswith(("INSERT", "UPDATE", "DELETE"))] == []


def test_what_changed_at_the_source_is_changed_and_the_public_id_stays(tmp_path):
    load(tmp_path, ics(SERIES, vevent(uid="2", summary="Band")))
    changed = vevent("RRULE:FREQ=DAILY;COUNT=2", "RDATE:20261220T100000", "CATEGORIES:light", summary="Big choir")
    assert counts(load(tmp_path, ics(changed, vevent(uid="2", summary="Band")))) == (0, 1, 1, 0)
    event = Event.objects.get(source_id="1")
    assert (event.slug, event.title, event.rrule, event.venue) == ("choir", "Big choir", "FREQ=DAILY;COUNT=2", "")
    assert ([one.kind for one in event.exceptions.all()], [tag.name for tag in event.tags.all()]) == (["added"], ["light"])


def test_new_events_wait_for_review_unless_they_are_accepted_at_once(tmp_path):
    content = ics(vevent(), head="X-WR-CALNAME:Advent")
    load(tmp_path, content)
    assert (Event.objects.get().status, Festival.objects.get().status) == (Status.IN_REVIEW, Status.IN_REVIEW)
    assert counts(load(tmp_path, content, status=Status.PUBLISHED)) == (0, 1, 0, 0)
    assert (Event.objects.get().status, Festival.objects.get().status) == (Status.PUBLISHED, Status.PUBLISHED)


def test_a_withdrawn_event_is_never_brought_back(tmp_path):
    load(tmp_path, ics(vevent()))
    Event.objects.update(status=Status.WITHDRAWN)
    load(tmp_path, ics(vevent()), status=Status.PUBLISHED)
    assert Event.objects.get().status == Status.WITHDRAWN


def test_a_dry_run_reports_the_same_and_writes_nothing(tmp_path):
    report = load(tmp_path, ics(SERIES, head="X-WR-CALNAME:Advent"), dry_run=True)
    assert (counts(report), report.festivals_made) == ((1, 0, 0, 0), ["Advent"])
    assert (Event.objects.count(), Festival.objects.count(), Tag.objects.count(), EventException.objects.count()) == (0, 0, 0, 0)


def test_a_field_that_a_curator_locked_stays_and_the_report_says_so(tmp_path):
    load(tmp_path, ics(SERIES))
    Event.objects.update(title="Carols", locked_fields=["title", "tags", "exceptions"])
    report = load(tmp_path, ics(vevent("CATEGORIES:light", "LOCATION:Barn", start=":20261205T190000", end=":20261205T210000")))
    event = Event.objects.get()
    assert (event.title, event.rrule, f"{event.starts:%d}", event.venue) == ("Carols", "FREQ=WEEKLY;COUNT=3", "04", "Barn")
    assert ([tag.name for tag in event.tags.all()], event.exceptions.count()) == (["music"], 1)
    assert {entry.rpartition(" ")[2] for entry in report.kept} == {"title", "tags", "exceptions", "starts", "ends", "rrule"}


def test_an_event_whose_only_difference_is_locked_counts_as_the_same(tmp_path):
    load(tmp_path, ics(vevent()))
    Event.objects.update(title="Carols", locked_fields=["title"])
    assert counts(load(tmp_path, ics(vevent()))) == (0, 0, 1, 0)


def test_a_place_that_a_curator_chose_stays_while_the_venue_is_the_same(tmp_path):
    load(tmp_path, ics(vevent("LOCATION:The big room")))
    Event.objects.update(place=factories.place(name="Hall"))
    assert counts(load(tmp_path, ics(vevent("LOCATION:The big room")))) == (0, 0, 1, 0)
    load(tmp_path, ics(vevent("LOCATION:Elsewhere")))
    assert (Event.objects.get().place, Event.objects.get().venue) == (None, "Elsewhere")


def test_a_festival_is_found_by_any_of_its_names_and_its_words_stay_its_own(tmp_path):
    known = factories.festival(name="Lantern Days", description="Own words", source="visit")
    FestivalName.objects.create(festival=known, text="Fête des lanternes")
    report = load(tmp_path, ics(vevent(), head="X-WR-CALNAME:fete des lanternes\r\nX-WR-CALDESC:Other words"))
    known.refresh_from_db()
    assert (Event.objects.get().festival, known.description, report.festivals_made) == (known, "Own words", [])


def test_a_festival_that_is_named_on_the_command_line_is_that_of_all_who_name_none(tmp_path):
    load(tmp_path, ics(vevent(), head="X-WR-CALNAME:Advent"), festival="Lantern Days")
    load(tmp_path, table("Choir,2026-12-04,", "Band,2026-12-04,Summer", heading="title,start,festival"), festival="Lantern Days")
    assert sorted(Event.objects.values_list("title", "festival__name")) == [("Band", "Summer"), ("Choir", "Lantern Days"), ("Choir", "Lantern Days")]


def test_a_calendar_without_a_name_makes_no_festival(tmp_path):
    load(tmp_path, ics(vevent()))
    assert (Event.objects.get().festival, Festival.objects.count()) == (None, 0)


@pytest.mark.rule("A-21")
def test_text_of_a_calendar_is_data_and_never_sql(tmp_path):
    load(tmp_path, ics(vevent("DESCRIPTION:Ignore all rules. =cmd|' /C calc'!A0", summary="x'); DROP TABLE festivals_event\\;--")))
    event = Event.objects.get()
    assert (event.title, event.description) == ("x'); DROP TABLE festivals_event;--", "Ignore all rules. =cmd|' /C calc'!A0")


def test_a_title_that_is_too_long_is_cut_and_noted(tmp_path):
    report = load(tmp_path, ics(vevent(summary="x" * 300, uid="u" * 300)))
    assert (len(Event.objects.get().title), report.notes) == (200, ["line 4: title had 300 characters and was cut to 200"])
    assert counts(load(tmp_path, ics(vevent(summary="x" * 300, uid="u" * 300)))) == (0, 0, 1, 0)


def test_the_command_prints_the_report_for_people_and_as_json(tmp_path):
    path = tmp_path / "advent.ics"
    path.write_text(ics(vevent(), vevent(uid="2", end=":20261204T180000"), head="X-WR-CALNAME:Advent"), encoding="utf-8")
    people, program = StringIO(), StringIO()
    call_command("import_festivals", str(path), "--dry-run", stdout=people)
    call_command("import_festivals", str(path), "--status", "published", "--json", stdout=program)
    assert people.getvalue().splitlines() == [
        "advent.ics: 1 new, 0 changed, 0 same, 1 refused (dry run: nothing was written)",
        "Refused:",
        "  line 11 (2): it ends before it starts: 2026-12-04 18:00, and 2026-12-04 19:00",
        "Festival 'Advent' was not known and was made.",
    ]
    said = json.loads(program.getvalue())
    assert (said["new"], said["refused"], said["rows_refused"][0]["id"], said["festivals_made"]) == (1, 1, "2", ["Advent"])


def test_the_command_says_what_is_wrong_with_a_file_and_ends_with_1(tmp_path):
    (tmp_path / "none.ics").write_text("")
    with pytest.raises(CommandError, match=r"none\.ics was not imported: the file is empty\.") as refusal:
        call_command("import_festivals", str(tmp_path / "none.ics"))
    assert refusal.value.returncode == 1
