"""The demo's festivals and events: where they stand around the day on which they are loaded, whatever day that is."""

import json
from collections import Counter
from collections.abc import Iterator
from datetime import date, datetime, time, timedelta
from io import StringIO
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from django.conf import settings
from django.core.management import call_command

from festivals.demo.dates import read_day, read_times
from festivals.demo.load import programme
from festivals.export import rows
from festivals.models import Event, EventException, Festival
from places.demo.keep import SOURCE
from places.models import Area, Place, ScoreKind, Status, Tag
from tests.clock import NOW, ZONE

CASES = Path(settings.BASE_DIR) / "tests" / "eval" / "own_a.jsonl"
LONDON = ZoneInfo("Europe/London")
FRIDAY = date(2026, 12, 4)


def load(now: datetime) -> None:
    call_command("load_demo", now=now.isoformat(), stdout=StringIO())


@pytest.fixture(scope="module", autouse=True)
def _town(django_db_setup, django_db_blocker) -> Iterator[None]:
    """The town is loaded once for this module, and taken out again."""
    with django_db_blocker.unblock():
        load(NOW)
        yield
        Event.objects.filter(source=SOURCE).delete()
        Festival.objects.filter(source=SOURCE).delete()
        Place.objects.filter(source=SOURCE).delete()
        Area.objects.filter(source=SOURCE).delete()
        ScoreKind.objects.all().delete()
        Tag.objects.update(parent=None)
        Tag.objects.all().delete()


def dates(now: datetime = NOW) -> dict[str, list[tuple[datetime, datetime, str]]]:
    """Event slug → its dates (start, end, state) in the town, as they would be published at `now`."""
    found = rows(settings.TOWN, now)
    assert found.refused == ()
    return {
        event.slug: [(datetime.fromisoformat(one.starts_local), datetime.fromisoformat(one.ends_local), one.state) for one in event.occurrences]
        for event in found.events
    }


def on(day: date, found: dict[str, list[tuple[datetime, datetime, str]]]) -> set[str]:
    return {slug for slug, when in found.items() if any(start.date() == day and state == "scheduled" for start, _, state in when)}


@pytest.mark.parametrize(
    ("words", "day"),
    [
        (0, "2026-12-04"),
        (-3, "2026-12-01"),
        ("fr", "2026-12-04"),
        ("sa", "2026-12-05"),
        ("th", "2026-12-10"),
        ("sa-1", "2026-11-28"),
        ("1su", "2026-12-06"),
        ("-1th", "2026-12-31"),
        ("-1th+2", "2027-02-25"),
        ("2sa-12", "2025-12-13"),
        ("12-24", "2026-12-24"),
        ("12-03", "2027-12-03"),
        ("12-24-1", "2025-12-24"),
        ("02-29", "2028-02-29"),
        ("02-29-1", "2024-02-29"),
        ("clock", "2027-03-27"),
        ("clock+1", "2027-10-30"),
    ],
)
def test_a_day_is_read_against_today(words, day):
    assert read_day(words, FRIDAY, LONDON).isoformat() == day


def test_a_leap_day_is_today_on_a_leap_day():
    assert read_day("02-29", date(2028, 2, 29), LONDON) == date(2028, 2, 29)
    assert read_day("02-29", date(2028, 3, 1), LONDON) == date(2032, 2, 29)
    assert read_day("02-29", date(2097, 1, 1), LONDON) == date(2104, 2, 29)  # 2100 has none


def test_only_days_that_count_from_today_move_with_a_festival():
    assert read_day("sa", FRIDAY, LONDON, weeks=2) == date(2026, 12, 19)
    assert read_day("12-24", FRIDAY, LONDON, weeks=2) == date(2026, 12, 24)


@pytest.mark.parametrize("words", ["someday", "sa+", "9xx", "13-45"])
def test_a_day_that_is_none_is_refused(words):
    with pytest.raises((ValueError, StopIteration)):
        read_day(words, FRIDAY, LONDON)


def test_times_pass_midnight_and_may_have_no_end():
    assert read_times("22:00-02:00", FRIDAY, LONDON)[1] == datetime(2026, 12, 5, 2, tzinfo=LONDON)
    assert read_times("21:30", FRIDAY, LONDON) == (datetime(2026, 12, 4, 21, 30, tzinfo=LONDON), None)
    assert read_times("all day", FRIDAY, LONDON, 3)[1] == datetime(2026, 12, 7, tzinfo=LONDON)


@pytest.mark.django_db
def test_there_are_twelve_festivals_and_more_than_120_events():
    assert Festival.objects.filter(status=Status.PUBLISHED).count() == 12
    assert Event.objects.filter(status=Status.PUBLISHED).count() == 121
    assert Counter(Event.objects.exclude(status=Status.PUBLISHED).values_list("status", flat=True)) == {"draft": 2, "withdrawn": 1}


@pytest.mark.django_db
def test_every_state_and_every_kind_of_exception_is_there():
    assert set(Festival.objects.values_list("state", flat=True)) == {"scheduled", "cancelled", "postponed"}
    assert set(Event.objects.values_list("state", flat=True)) == {"scheduled", "cancelled", "postponed"}
    assert set(EventException.objects.values_list("kind", flat=True)) == set(EventException.Kind.values)


@pytest.mark.django_db
@pytest.mark.parametrize("part", ["WEEKLY", "MONTHLY", "YEARLY", "DAILY;COUNT", "INTERVAL=2", "BYMONTH=", "BYDAY=-1"])
def test_every_kind_of_rule_is_there(part):
    assert Event.objects.filter(rrule__contains=part).exists()


@pytest.mark.django_db
def test_an_exception_speaks_of_a_date_that_the_rule_gives():
    EventException.objects.exclude(kind="added").update(kind="cancelled")
    told = dates()
    exceptions = EventException.objects.filter(kind="cancelled").select_related("event")
    plain = {slug: [start for start, _, _ in when] for slug, when in told.items()}
    EventException.objects.all().delete()
    ruled = {slug: {start for start, _, _ in when} for slug, when in dates().items()}
    assert [one.event.slug for one in exceptions if one.original.astimezone(ZONE) not in ruled[one.event.slug]] == []
    assert all(len(starts) == len(set(starts)) for starts in plain.values())


@pytest.mark.django_db
def test_titles_are_each_used_once():
    titles = Counter(Event.objects.values_list("title", flat=True))
    assert [title for title, count in titles.items() if count > 1] == []


@pytest.mark.django_db
@pytest.mark.parametrize(
    "now",
    [
        NOW,
        datetime(2028, 2, 29, 10, tzinfo=ZONE),  # a leap day
        datetime(2027, 3, 28, 0, 30, tzinfo=ZONE),  # the night in which 01:30 is skipped
        datetime(2026, 10, 25, 1, 30, tzinfo=ZONE, fold=1),  # the second 01:30 of its night
        datetime(2026, 10, 24, 12, tzinfo=ZONE),
        datetime(2026, 12, 31, 23, 59, tzinfo=ZONE),
    ],
    ids=str,
)
def test_something_has_been_is_on_and_is_to_come_whatever_the_day(now):
    load(now)
    found, today = dates(now), now.date()
    tonight = {"lantern-walk", "shadow-theatre", "the-tempest"}
    assert tonight <= on(today, found)
    assert {"candlelit-supper-at-the-mill", "lantern-guild-workshop"} <= on(today + timedelta(days=1), found)
    assert {"starling-watch"} <= on(today + timedelta(days=7), found)
    assert {"damson-pie-contest"} <= on(today - timedelta(days=33), found)
    assert min(start for start, _, _ in found["bathtub-derby"]).date() > today + timedelta(days=60)
    assert [start.time() for start, _, _ in found["lantern-walk"]] == [time(19, 0)]


@pytest.mark.django_db
def test_the_leap_day_plunge_is_today_on_a_leap_day():
    load(datetime(2028, 2, 29, 10, tzinfo=ZONE))
    assert "leap-day-plunge" in on(date(2028, 2, 29), dates(datetime(2028, 2, 29, 10, tzinfo=ZONE)))


@pytest.mark.django_db
def test_the_concert_across_the_hour_is_an_hour_short_in_spring_and_an_hour_long_in_autumn():
    lengths = []
    for now in (datetime(2027, 3, 1, 12, tzinfo=ZONE), datetime(2027, 10, 1, 12, tzinfo=ZONE)):
        load(now)
        event = Event.objects.get(slug="concert-across-the-hour")
        lengths.append(event.ends - event.starts)
    assert lengths == [timedelta(hours=3), timedelta(hours=5)]


@pytest.mark.django_db
def test_a_weekly_event_keeps_its_hour_across_a_clock_change():
    starts = [start for start, _, _ in dates()["tuesday-tunes"]]
    assert {start.time() for start in starts} == {time(20, 0)}
    assert {start.utcoffset() for start in starts} == {timedelta(0), timedelta(hours=1)}


@pytest.mark.django_db
def test_events_pass_midnight_last_days_and_have_no_end():
    found = dates()
    assert found["undercroft-jazz"][0][1].time() == time(1, 0)
    assert [(end.date() - start.date()).days for start, end, _ in found["lake-through-a-lens"]] == [45]
    assert Event.objects.get(slug="late-ferry-to-westerby").ends is None


@pytest.mark.django_db
def test_what_is_off_is_said_to_be_off():
    found = dates()
    assert {state for _, _, state in found["street-food-mile"]} == {"postponed"}
    assert {state for _, _, state in found["silent-film-with-organ"]} == {"cancelled"}
    assert "boat-stories" in on(date(2026, 12, 13), found)  # moved from Saturday to Sunday
    assert "boat-stories" not in on(date(2026, 12, 12), found)
    assert [state for start, _, state in found["railway-tavern-quiz"] if start.date() == date(2026, 12, 16)] == ["cancelled"]


@pytest.mark.django_db
def test_the_evaluation_cases_name_rows_of_the_town():
    known = {f"place:{slug}" for slug in Place.objects.filter(status=Status.PUBLISHED).values_list("slug", flat=True)}
    for model, name in ((Place, "name"), (Event, "title"), (Festival, "name")):
        known |= set(model.objects.filter(status=Status.PUBLISHED).values_list(name, flat=True))
    cases = [json.loads(line) for line in CASES.read_text(encoding="utf-8").splitlines()]
    named = {
        name for case in cases for key in ("only", "any_of", "all_of", "none_of", "first") for part in case["expect"].get(key, ()) for name in part
    }
    assert named - known == set()
    assert len({case["id"] for case in cases}) == len(cases) == 302


def test_every_event_is_tagged_described_and_somewhere():
    bare = [
        event["slug"]
        for data in programme()
        for event in data["event"]
        if not (event["tags"] and event["description"] and (event.get("at") or event.get("venue")))
    ]
    assert bare == []
