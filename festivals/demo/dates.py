"""When a demo event takes place: short words in the data, read against the day on which the demo is loaded.

A day is one of these; `+n` or `-n` after it takes as many steps on or back:

    0, 3, -2     days from today
    sa, sa+1     the first Saturday from today on; a step is a week
    1su, -1th+2  the first Sunday, the last Thursday of this month; a step is a month
    12-24        the next 24 December from today on; a step is a year (29 February: a leap year)
    clock        the eve of the next night on which the clocks change; a step is the change after it

A time is "19:00-21:30", "22:00-02:00" (it ends on the next day), "19:00" (no end is known) or "all day".
"""

import re
from collections.abc import Iterator
from datetime import date, datetime, time, timedelta
from itertools import islice
from zoneinfo import ZoneInfo

WEEKDAYS = ("mo", "tu", "we", "th", "fr", "sa", "su")
_STEPPED = re.compile(r"(?P<base>-?\d(?:mo|tu|we|th|fr|sa|su)|mo|tu|we|th|fr|sa|su|\d\d-\d\d|clock)(?P<step>[+-]\d+)?")
_YEARS_TO_A_LEAP_DAY = 8  # 1896 and 1904


def read_day(words: int | str, today: date, zone: ZoneInfo, weeks: int = 0) -> date:
    """The date that the words stand for. `weeks` moves a day that counts from today or is a weekday, and no other. Raises ValueError."""
    if isinstance(words, int):
        return today + timedelta(days=words, weeks=weeks)
    found = _STEPPED.fullmatch(words)
    if not found:
        raise ValueError(f"{words!r} is no day; it looks like 0, sa+1, 1su, 12-24 or clock")
    base, step = found["base"], int(found["step"] or 0)
    if base in WEEKDAYS:
        ahead = (WEEKDAYS.index(base) - today.weekday()) % 7
        return today + timedelta(days=ahead, weeks=step + weeks)
    if base == "clock":
        return next(islice(_eves_of_a_clock_change(today, zone), step, None))
    if base[-2:] in WEEKDAYS:
        return _nth_weekday(int(base[:-2]), WEEKDAYS.index(base[-2:]), today, step)
    return _yearly(int(base[:2]), int(base[3:]), today, step)


def _nth_weekday(nth: int, weekday: int, today: date, months: int) -> date:
    year, month = divmod(today.year * 12 + today.month - 1 + months, 12)
    days = [day for day in _days_of(year, month + 1) if day.weekday() == weekday]
    return days[nth - 1 if nth > 0 else nth]


def _days_of(year: int, month: int) -> Iterator[date]:
    day = date(year, month, 1)
    while day.month == month:
        yield day
        day += timedelta(days=1)


def _yearly(month: int, day: int, today: date, step: int) -> date:
    reach = (abs(step) + 1) * _YEARS_TO_A_LEAP_DAY
    there_are = [found for year in range(today.year - reach, today.year + reach + 1) if (found := _date(year, month, day))]
    first = next(place for place, found in enumerate(there_are) if found >= today)
    return there_are[first + step]


def _date(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


def _eves_of_a_clock_change(today: date, zone: ZoneInfo) -> Iterator[date]:
    """Raises ValueError where the zone has none within a year and a half."""
    for ahead in range(550):
        eve = today + timedelta(days=ahead)
        night = [datetime.combine(eve + timedelta(days=days), time(0), tzinfo=zone).utcoffset() for days in (1, 2)]
        if night[0] != night[1]:
            yield eve
    raise ValueError(f"the clocks do not change often enough in {zone.key}")


def read_times(words: str, day: date, zone: ZoneInfo, days: int = 1) -> tuple[datetime, datetime | None]:
    """The start and the end in the zone; an all-day event ends at the midnight after its last day. Raises ValueError."""
    if words == "all day":
        return _at(day, "00:00", zone), _at(day + timedelta(days=days), "00:00", zone)
    start, _, end = words.partition("-")
    starts = _at(day, start, zone)
    if not end:
        return starts, None
    past_midnight = timedelta(days=1) if end <= start else timedelta(0)
    return starts, _at(day + past_midnight, end, zone)


def _at(day: date, clock: str, zone: ZoneInfo) -> datetime:
    return datetime.combine(day, time.fromisoformat(clock), tzinfo=zone)
