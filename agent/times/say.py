"""What is said of when something is on: a flag, a relative and an absolute time in the town's zone (A-24).

Instants are compared in UTC: two times of one zone would be compared by their wall clocks, which is wrong in the hour that a change repeats.
Days are the town's calendar days. In relative words a night belongs to the day it began on: until 04:00 it is still "tonight".
"""

from collections.abc import Mapping
from datetime import UTC, date, datetime, timedelta

from agent.types import Town

NIGHT_ENDS = 4  # o'clock: "tonight" runs to here
_WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def say_when(start: datetime, end: datetime, now: datetime, all_day: bool, town: Town) -> Mapping[str, str]:
    """`flag` (past, today, upcoming or future), `relative` ("tonight") and `absolute` ("Fri 4 Dec 2026, 7:00 pm") for something from
    `start` to `end` (exclusive), as it is at `now`. All three are aware; an `end` before `start` counts as `start`.

    Ended is past; on now, or starting on today's date, is today; starting within the next 7 days is upcoming; what is later is future.
    Something without a length is past one instant after it began.
    """
    start, now = start.astimezone(town.timezone), now.astimezone(town.timezone)
    end = max(start, end.astimezone(town.timezone), key=_utc)
    flag = _flag(start, end, now)
    return {"flag": flag, "relative": _relative(flag, start, end, now, all_day), "absolute": _absolute(start, end, all_day)}


def _utc(instant: datetime) -> datetime:
    return instant.astimezone(UTC)


def _flag(start: datetime, end: datetime, now: datetime) -> str:
    if _utc(end) <= _utc(now) and not _utc(start) == _utc(end) == _utc(now):
        return "past"
    days = (start.date() - now.date()).days
    return "today" if days <= 0 else "upcoming" if days <= 7 else "future"


def _relative(flag: str, start: datetime, end: datetime, now: datetime, all_day: bool) -> str:
    if flag == "past":
        return _ago((now.date() - _last_day(start, end)).days)
    if _utc(start) <= _utc(now):
        return "today" if all_day and _last_day(start, end) == start.date() else "on now"
    if all_day:
        return _ahead((start.date() - now.date()).days, start.date())
    evening = start.date() - timedelta(start.hour < NIGHT_ENDS)  # one o'clock at night is still the evening before
    days, part = (evening - now.date()).days, _part(start)
    if days <= 0:
        return "tonight" if part in ("evening", "night") else f"this {part}"
    return f"tomorrow {part}" if days == 1 else _ahead(days, evening)


def _ahead(days: int, day: date) -> str:
    """Words for a day that is some days ahead: a weekday while it can only be one, then days, weeks, months and years."""
    near = {0: "today", 1: "tomorrow"}
    return near.get(days) or (_WEEKDAYS[day.weekday()] if days < 7 else f"in {_count(days)}")


def _ago(days: int) -> str:
    near = {0: "earlier today", 1: "yesterday"}
    return near.get(days) or ("last week" if 7 <= days < 14 else f"{_count(days)} ago")


def _count(days: int) -> str:
    """A number of days as a resident would say it: whole days for two weeks, then whole weeks, months and years, rounded down."""
    for unit, least, length in (("year", 365, 365), ("month", 61, 30.4375), ("week", 14, 7)):
        if days >= least:
            number = int(days / length)
            return f"{number} {unit}{'s' * (number > 1)}"
    return f"{days} day{'s' * (days > 1)}"


def _part(start: datetime) -> str:
    """The part of its day that something begins in."""
    hour = start.hour
    return "night" if hour < NIGHT_ENDS else "morning" if hour < 12 else "afternoon" if hour < 17 else "evening"


def _last_day(start: datetime, end: datetime) -> date:
    """The last calendar day that something touches; `end` is exclusive."""
    return max(start.date(), (end.replace(tzinfo=None) - timedelta(microseconds=1)).date())


def _absolute(start: datetime, end: datetime, all_day: bool) -> str:
    if not all_day:
        long = _utc(end) - _utc(start) > timedelta(hours=24)
        return f"{_moment(start)} – {_moment(end)}" if long else _moment(start)
    first, last = start.date(), _last_day(start, end)
    if first == last:
        return f"{_day(first)} {first.year}"
    if (first.year, first.month) == (last.year, last.month):
        return f"{_WEEKDAYS[first.weekday()][:3]} {first.day} – {_day(last)} {last.year}"
    return f"{_day(first)}{'' if first.year == last.year else f' {first.year}'} – {_day(last)} {last.year}"


def _day(day: date) -> str:
    return f"{_WEEKDAYS[day.weekday()][:3]} {day.day} {_MONTHS[day.month - 1]}"


def _moment(instant: datetime) -> str:
    half = "am" if instant.hour < 12 else "pm"
    return f"{_day(instant.date())} {instant.year}, {instant.hour % 12 or 12}:{instant.minute:02} {half}"
