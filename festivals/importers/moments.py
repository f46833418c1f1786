"""Times as tables and JSON-LD write them (ISO 8601), read in the town."""

import re
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from django.utils.dateparse import parse_duration

from festivals.importers.rows import check_times
from places.importers import clean
from places.importers.rows import BadRow

_CLOCK = re.compile(r"\d{1,2}:\d{2}(:\d{2})?")


def moment(said: str, what: str, zone: ZoneInfo, day: date | None = None) -> date | datetime:
    """A day, or a time: in `zone` where it names no offset, on `day` where it is a bare time. Raises BadRow."""
    line = clean.text(said)
    try:
        if day and _CLOCK.fullmatch(line):
            return datetime.combine(day, time.fromisoformat(line.zfill(5)), tzinfo=zone)
        if len(line) <= len("2026-12-04"):
            return date.fromisoformat(line)
        found = datetime.fromisoformat(line)
    except ValueError:
        raise BadRow(f"{what} is {line[:40]!r}, and must be a date like 2026-12-04 or a time like 2026-12-04T19:00") from None
    return found if found.tzinfo else found.replace(tzinfo=zone)


def length(said: str, what: str) -> timedelta:
    """A length, as ISO 8601 (PT1H30M) or as hours and minutes (1:30). Raises BadRow."""
    line = clean.text(said)
    found = parse_duration(f"{line}:00" if line.count(":") == 1 else line)
    if found is None or found < timedelta(0):
        raise BadRow(f"{what} is {line[:40]!r}, and must be a length like 01:30 or PT1H30M")
    return found


def span(first: date | datetime, last: date | datetime | None, zone: ZoneInfo, *, all_day: bool = False) -> dict[str, object]:
    """The fields `starts`, `ends` and `all_day`. Two days, or `all_day`, are whole days, the last one included. Raises BadRow."""
    whole = all_day or (not isinstance(first, datetime) and not isinstance(last, datetime))
    if not whole:
        starts, ends = _instant(first, zone), None if last is None else _instant(last, zone)
        check_times(starts, ends)
        return {"starts": starts, "ends": ends, "all_day": False}
    first, last = _day(first, zone), _day(first if last is None else last, zone)
    check_times(_instant(first, zone), _instant(last, zone))
    return {"starts": _instant(first, zone), "ends": _instant(last + timedelta(days=1), zone), "all_day": True}


def _instant(value: date | datetime, zone: ZoneInfo) -> datetime:
    return value if isinstance(value, datetime) else datetime.combine(value, time(0), tzinfo=zone)


def _day(value: date | datetime, zone: ZoneInfo) -> date:
    return value.astimezone(zone).date() if isinstance(value, datetime) else value
