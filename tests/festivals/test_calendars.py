"""Real calendars, imported and exported: each day has the dates that the library works out from the raw file, in the town's time."""

from collections import Counter
from dataclasses import replace
from datetime import date, datetime, time, timedelta
from pathlib import Path
from xml.etree import ElementTree
from zoneinfo import ZoneInfo

import icalendar
import pytest
import recurring_ical_events
from django.conf import settings

from festivals import export
from festivals.importers.run import import_festivals
from festivals.models import Event
from festivals.recurrence import AFTER, BEFORE
from places.models import Status

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


def around(path: Path, zone: ZoneInfo) -> datetime:
    """A present in whose window the calendar's events fall: half a year after the middle one starts."""
    calendar = icalendar.Calendar.from_ical(path.read_bytes())
    starts = sorted(local(event["DTSTART"].dt, zone) for event in calendar.walk("VEVENT"))
    return starts[len(starts) // 2] + timedelta(days=180) if starts else datetime(2020, 1, 1, tzinfo=zone)


def expected(path: Path, zone: ZoneInfo, now: datetime) -> list[tuple[str, str]]:
    """Local starts and ends from the raw file, as the library gives them."""
    calendar = icalendar.Calendar.from_ical(path.read_bytes())
    found = recurring_ical_events.of(calendar).between(now - BEFORE, now + AFTER)
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
    report = import_festivals(path, town(zone), status=Status.PUBLISHED, now=now)
    bad = [row.id for row in report.refusals if "ends before it starts" in row.reason]
    wanted = expected(path, clock, now)
    assert shown(clock, now) == ([] if bad else [pair for pair in wanted if pair[0] >= f"{now - BEFORE:%Y-%m-%d %H:%M}"])
