"""Real calendars, imported and exported: each day has the dates that the library works out from the raw file, in the town's time."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from xml.etree.ElementTree import Element
from zoneinfo import ZoneInfo

import icalendar
import pytest
import recurring_ical_events
from django.conf import settings

from agent.snapshot.store import Store
from agent.tools.festivals import events_when
from agent.tools.registry import Bench
from agent.types import Anchor, Budget, Tags, Window
from festivals import export
from festivals.importers.run import import_festivals
from festivals.importers.xml_tree import tree
from festivals.models import Event
from festivals.recurrence import AFTER, BEFORE
from places.models import Status
from tests.rows import build

FOLDER = Path(settings.BASE_DIR).parent / "shared" / "data" / "festivals"
CALENDARS = sorted((FOLDER / "ics").glob("*.ics"))
ZONES = ["Europe/London", "Asia/Kolkata", "America/New_York"]
SOME_DAYS = 10

pytestmark = [pytest.mark.django_db, pytest.mark.skipif(not FOLDER.is_dir(), reason="the shared data is not there")]


def town(zone: str):
    return replace(settings.TOWN, timezone=ZoneInfo(zone))


def local(value: date | datetime, zone: ZoneInfo) -> datetime:
    """A time of the library's as the town shows it: floating times and days are the town's."""
    if not isinstance(value, datetime):
        return datetime.combine(value, time(0), tzinfo=zone)
    return value.astimezone(zone) if value.tzinfo else value.replace(tzinfo=zone)


def calendar_of(path: Path) -> icalendar.Calendar:
    """The raw calendar, without the events that end before they start, which the library turns round and an import refuses."""
    calendar = icalendar.Calendar.from_ical(path.read_bytes())
    calendar.subcomponents = [one for one in calendar.subcomponents if not ends_before_it_starts(one)]
    return calendar


def ends_before_it_starts(component: icalendar.Component) -> bool:
    start, end = (component.get(name) for name in ("DTSTART", "DTEND"))
    return bool(start and end) and type(start.dt) is type(end.dt) and local(end.dt, UTC) < local(start.dt, UTC)


def around(path: Path, zone: ZoneInfo) -> datetime:
    """A present in whose window the calendar's events fall: half a year after the middle one starts."""
    starts = sorted(local(event["DTSTART"].dt, zone) for event in calendar_of(path).walk("VEVENT"))
    return starts[len(starts) // 2] + timedelta(days=180) if starts else datetime(2020, 1, 1, tzinfo=zone)


def expected(path: Path, zone: ZoneInfo, now: datetime) -> list[tuple[str, str]]:
    """Local starts and ends from the raw file, as the library gives them."""
    found = recurring_ical_events.of(calendar_of(path)).between(now - BEFORE, now + AFTER)
    return dates((local(one["DTSTART"].dt, zone), local(last_day(one), zone)) for one in found)


def last_day(event: icalendar.Event) -> date | datetime:
    """The end; an all-day event that ends on the day on which it starts has that day."""
    start, end = event["DTSTART"].dt, event["DTEND"].dt
    return end if isinstance(start, datetime) else max(end, start + timedelta(days=1))


def shown(zone: ZoneInfo, now: datetime) -> list[tuple[str, str]]:
    """Local starts and ends from the rows that are published."""
    rows = export.rows(town(zone.key), now)
    assert rows.refused == ()
    found = ((datetime.fromisoformat(one.starts_local), datetime.fromisoformat(one.ends_local)) for row in rows.events for one in row.occurrences)
    return dates(pair for pair in found if now - BEFORE <= pair[0] <= now + AFTER)


def dates(pairs) -> list[tuple[str, str]]:
    return sorted((f"{start:%Y-%m-%d %H:%M}", f"{end:%Y-%m-%d %H:%M}") for start, end in pairs)


@pytest.mark.parametrize("zone", ZONES)
@pytest.mark.parametrize("path", CALENDARS, ids=lambda path: path.stem)
def test_a_calendar_gives_the_dates_that_the_library_gives(path: Path, zone: str):
    clock = ZoneInfo(zone)
    now = around(path, clock)
    import_festivals(path, town(zone), status=Status.PUBLISHED, now=now)
    wanted = expected(path, clock, now)
    assert shown(clock, now) == [pair for pair in wanted if pair[0] >= f"{now - BEFORE:%Y-%m-%d %H:%M}"]


def expected_on(calendar: icalendar.Calendar, day: date, zone: ZoneInfo) -> list[tuple[str, str]]:
    first, last = (datetime.combine(one, time(0), tzinfo=zone) for one in (day, day + timedelta(days=1)))
    return sorted(
        (" ".join(str(one.get("SUMMARY") or "(untitled)").split()), said(one["DTSTART"].dt, zone))
        for one in recurring_ical_events.of(calendar).between(first, last)
    )


def said(value: date | datetime, zone: ZoneInfo) -> str:
    return f"{local(value, zone):%Y-%m-%d %H:%M}"


def shown_on(rows: export.Rows, day: date, zone: ZoneInfo) -> list[tuple[str, str]]:
    """What a resident sees who asks what is on that day: titles and local starts. A date with a title of its own has it as its note."""
    first, last = (datetime.combine(one, time(0), tzinfo=zone).timestamp() for one in (day, day + timedelta(days=1)))
    found = [(row, one) for row in rows.events for one in row.occurrences]
    that_day = [(row, one) for row, one in found if one.starts < last and (one.ends > first or one.starts == one.ends >= first)]
    return sorted((one.note or row.title, f"{datetime.fromisoformat(one.starts_local):%Y-%m-%d %H:%M}") for row, one in that_day)


def some_days(rows: export.Rows) -> Iterator[date]:
    """Ten days, evenly over the dates that are shown, and the day after the first among them."""
    days = sorted({date.fromisoformat(one.starts_local[:10]) for row in rows.events for one in row.occurrences})
    step = max(len(days) // (SOME_DAYS - 1), 1)
    yield from days[::step][: SOME_DAYS - 1]
    if days:
        yield days[0] + timedelta(days=1)


@pytest.mark.parametrize("path", [*CALENDARS, FOLDER / "linux_conf_au_2020.ics"], ids=lambda path: path.stem)
def test_what_is_on_a_day_is_what_the_calendar_says_of_it(path: Path):
    zone = ZoneInfo("Europe/London")
    now = around(path, zone)
    report = import_festivals(path, town(zone.key), status=Status.PUBLISHED, now=now)
    turned = sum(map(ends_before_it_starts, icalendar.Calendar.from_ical(path.read_bytes()).walk("VEVENT")))
    assert sum("ends before it starts" in row.reason for row in report.refusals) == turned
    rows, calendar = export.rows(town(zone.key), now), calendar_of(path)
    for day in some_days(rows):
        assert (day, shown_on(rows, day, zone)) == (day, expected_on(calendar, day, zone))


@pytest.mark.parametrize("path", [*CALENDARS, FOLDER / "linux_conf_au_2020.ics"], ids=lambda path: path.stem)
def test_who_asks_what_is_on_finds_all_that_takes_place_on_that_day(path: Path, tmp_path: Path):
    zone = ZoneInfo("Europe/London")
    now = around(path, zone)
    import_festivals(path, town(zone.key), status=Status.PUBLISHED, now=now)
    rows = export.rows(town(zone.key), now)
    build(tmp_path, festivals=rows.festivals, events=[replace(row, tags=()) for row in rows.events])
    snapshot = Store(tmp_path).handle()
    for day in some_days(rows):
        first, last = (datetime.combine(one, time(0), tzinfo=zone) for one in (day, day + timedelta(days=1)))
        bench = Bench(snapshot, settings.TOWN, first, Budget(), 1, Anchor("city", settings.TOWN.name))
        found = events_when(bench, Tags(), Window(first, last))
        wanted = shown_on(rows, day, zone)
        assert (day, found.total, {row.name for row in found.rows} <= {title for title, _ in titles_on(rows, day, zone)}) == (day, len(wanted), True)


def titles_on(rows: export.Rows, day: date, zone: ZoneInfo) -> list[tuple[str, str]]:
    """As `shown_on`, with the titles of the events themselves."""
    plain = [replace(row, occurrences=tuple(replace(one, note="") for one in row.occurrences)) for row in rows.events]
    return shown_on(replace(rows, events=tuple(plain)), day, zone)


def raw_schedule() -> Iterator[Element]:
    return tree((FOLDER / "debconf23.xml").read_text(encoding="utf-8")).iter("event")


def test_a_schedule_in_utc_is_shown_in_the_time_of_its_town():
    report = import_festivals(FOLDER / "debconf23.xml", town("Asia/Kolkata"), status=Status.PUBLISHED)
    zone, now = ZoneInfo("Asia/Kolkata"), datetime(2023, 9, 1, tzinfo=ZoneInfo("Asia/Kolkata"))
    rows = export.rows(town("Asia/Kolkata"), now)
    raw = {event.get("guid"): event.findtext("start") for event in raw_schedule()}
    starts = {row.slug: datetime.fromisoformat(row.occurrences[0].starts_local).astimezone(zone) for row in rows.events}
    assert (report.new, report.refused, report.notes, len(raw)) == (117, 0, [], 117)
    assert {event.source_id: f"{starts[event.slug]:%H:%M}" for event in Event.objects.all()} == raw
    at_five_utc = [event.get("guid") for event in raw_schedule() if event.findtext("date") == "2023-09-10T05:00:00+00:00"]
    seen = {starts[event.slug].isoformat() for event in Event.objects.filter(source_id__in=at_five_utc)}
    assert (len(at_five_utc) > 0, seen) == (True, {"2023-09-10T10:30:00+05:30"})


def test_a_schedule_gives_the_days_that_its_file_has():
    zone = town("Asia/Kolkata").timezone
    import_festivals(FOLDER / "debconf23.xml", town("Asia/Kolkata"), status=Status.PUBLISHED)
    rows = export.rows(town("Asia/Kolkata"), datetime(2023, 9, 1, tzinfo=zone))
    raw = [(e.findtext("title"), datetime.fromisoformat(e.findtext("date")).astimezone(zone)) for e in raw_schedule()]
    days = [date(2023, 9, 8) + timedelta(days=number) for number in range(SOME_DAYS)]
    for day in days:
        wanted = sorted((" ".join(title.split()), f"{start:%Y-%m-%d %H:%M}") for title, start in raw if start.date() == day)
        assert (day, shown_on(rows, day, zone)) == (day, wanted)


def test_a_conference_of_262_talks_is_listed_whole_with_17_of_no_known_place():
    zone = "Australia/Brisbane"
    report = import_festivals(FOLDER / "linux_conf_au_2020.ics", town(zone), status=Status.PUBLISHED)
    events = export.rows(town(zone), datetime(2020, 1, 1, tzinfo=ZoneInfo(zone))).events
    assert (report.new, report.refused) == (262, 0)
    assert (len(events), sum(len(row.occurrences) for row in events), sum(not row.venue for row in events)) == (262, 262, 17)
