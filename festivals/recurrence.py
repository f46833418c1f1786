"""When an event takes place: its rule (RFC 5545) and its exceptions, expanded in the town's time zone.

The libraries `icalendar` and `recurring-ical-events` read and expand the rule. Here stands what is the town's to decide:

- Wall time is kept: what begins at 19:00 does so before and after a clock change, and what ends at 03:00 ends at 03:00.
- A time that a clock change skips is the same instant with the offset from before it (RFC 5545, 3.3.5): 02:30 is shown as 03:30.
- An all-day event begins at midnight and ends at the midnight after its last day, which is no part of it.
- An event's own start is its first date, even where the rule would not give it (RFC 5545, 3.8.5.3).
- A rule may have several lines, each an RRULE: a date that two of them give is one date.
- A rule of another time zone is followed there: what is weekly at 19:00 in Chicago stays so, whatever the town's clocks do.
- An event without an end ends when it starts: nothing is guessed.
- A cancelled or postponed date stays, with its state, at the time it was planned for. A moved date stands at its new time alone.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from math import prod
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import icalendar
import recurring_ical_events
from dateutil.relativedelta import relativedelta

BEFORE = relativedelta(months=12)
AFTER = relativedelta(months=18)
TIMES_A_DAY = 24
TOO_OFTEN = ("SECONDLY", "MINUTELY", "HOURLY")


class RuleRefused(ValueError):
    """An event's dates cannot be worked out; the message says why, for a curator."""


@dataclass(frozen=True, slots=True)
class Exceptional:
    """One date that differs from the rule, as `festivals.models.EventException` holds it."""

    kind: str
    original: datetime | None = None
    starts: datetime | None = None
    ends: datetime | None = None
    venue: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Planned:
    """An event's own times, aware, and its rule, empty for an event that happens once. `zone` is that of the rule, empty for the town's."""

    starts: datetime
    ends: datetime | None = None
    all_day: bool = False
    rrule: str = ""
    exceptions: Sequence[Exceptional] = ()
    zone: str = ""


@dataclass(frozen=True, slots=True, order=True)
class Occurrence:
    """One date of an event, aware, in the town's zone. `state` is empty where the event's own holds."""

    starts: datetime
    ends: datetime
    state: str = ""
    note: str = ""
    venue: str = ""


def occurrences(event: Planned, zone: ZoneInfo, now: datetime) -> list[Occurrence]:
    """The dates of an event, earliest first: of a rule those that touch the time from 12 months before `now` to 18 after; of a single event all.

    Raises RuleRefused for a rule that cannot be read or repeats too often within a day, and for a date that ends before it begins.
    """
    first, last = _local(now - BEFORE, zone), _local(now + AFTER, zone)
    there = rule_zone(event, zone)
    planned = [*_by_rule(event, there, first, last), *_by_exception(event, there)]
    found = [replace(one, starts=_local(one.starts, zone), ends=_local(one.ends, zone)) for one in planned]
    for occurrence in found:
        if occurrence.ends.timestamp() < occurrence.starts.timestamp():
            raise RuleRefused(f"the date of {occurrence.starts:%d %B %Y %H:%M} ends before it begins, at {occurrence.ends:%d %B %Y %H:%M}")
    kept = found if not event.rrule else [one for one in found if one.starts <= last and one.ends >= first]
    return sorted(kept, key=lambda one: (one.starts.timestamp(), one.ends.timestamp(), one.state, one.note))


def starts_by_rule(event: Planned, zone: ZoneInfo, first: datetime, last: datetime) -> list[datetime]:
    """The starts that the rule alone gives from `first` to `last` (aware), whatever the exceptions say. Raises RuleRefused."""
    there = rule_zone(event, zone)
    if not event.rrule:
        return [start for start in [_start(event.starts, there, event.all_day)] if first <= start <= last]
    found = _expanded(event, there, first, last + timedelta(seconds=1))  # the library leaves out what starts at the end itself
    return sorted(start for start in found if first <= start <= last)


def rule_zone(event: Planned, zone: ZoneInfo) -> ZoneInfo:
    """Where the rule is followed: in a zone of its own, or in the town's. An all-day event has the town's days. Raises RuleRefused."""
    if event.all_day or not event.zone:
        return zone
    try:
        return ZoneInfo(event.zone)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise RuleRefused(f"the time zone {event.zone[:40]!r} is not known; one looks like Europe/London") from error


def _by_rule(event: Planned, zone: ZoneInfo, first: datetime, last: datetime) -> Iterator[Occurrence]:
    """The dates that follow the rule, or the single date, without those that an exception speaks of."""
    spoken_of = {_start(one.original, zone, event.all_day).timestamp() for one in event.exceptions if one.original}
    starts = _expanded(event, zone, first, last) if event.rrule else [_start(event.starts, zone, event.all_day)]
    for start in starts:
        if start.timestamp() not in spoken_of:
            yield Occurrence(start, _end(event, start, zone))


def _by_exception(event: Planned, zone: ZoneInfo) -> Iterator[Occurrence]:
    for one in event.exceptions:
        planned = one.starts if one.kind in ("moved", "added") else one.original
        if one.kind == "removed" or planned is None:
            continue
        start = _start(planned, zone, event.all_day)
        own_end = one.ends if one.kind in ("moved", "added") else None
        ends = _end(replace(event, starts=planned, ends=own_end), start, zone) if own_end else _end(event, start, zone)
        yield Occurrence(start, ends, one.kind if one.kind in ("cancelled", "postponed") else "", one.note, one.venue)


def _expanded(event: Planned, zone: ZoneInfo, first: datetime, last: datetime) -> Iterable[datetime]:
    """The starts that the rule gives, from the library."""
    start = event.starts.astimezone(zone)
    component = icalendar.Event()
    component.add("uid", "event")
    component.add("dtstart", start.date() if event.all_day else start)
    for line in event.rrule.split("\n"):
        component.add("rrule", _rule(line))
    calendar = icalendar.Calendar()
    calendar.add_component(component)
    length = _end(event, _start(event.starts, zone, event.all_day), zone) - start
    try:
        found = recurring_ical_events.of(calendar).between(first - length, last)
    except (ValueError, TypeError, OverflowError, recurring_ical_events.InvalidCalendar) as error:
        raise RuleRefused(f"the rule {event.rrule!r} cannot be followed: {error}") from error
    return [_start(one["DTSTART"].dt, zone, event.all_day) for one in found]


def _rule(text: str) -> icalendar.vRecur:
    """A rule that has been read. Raises RuleRefused."""
    try:
        rule = icalendar.vRecur.from_ical(text.strip().removeprefix("RRULE:"))
    except ValueError as error:
        raise RuleRefused(f"the rule {text!r} is no RRULE of RFC 5545 ({error}); one looks like FREQ=WEEKLY;BYDAY=FR") from error
    if not rule.get("FREQ"):
        raise RuleRefused(f"the rule {text!r} has no FREQ; one looks like FREQ=WEEKLY;BYDAY=FR")
    if min(rule.get("INTERVAL", [1])) < 1:
        raise RuleRefused(f"the rule {text!r} has an INTERVAL under 1; leave it out for every time")
    times = prod(len(rule.get(part, [0])) for part in ("BYHOUR", "BYMINUTE", "BYSECOND"))
    if rule["FREQ"][0] in TOO_OFTEN or times > TIMES_A_DAY:
        raise RuleRefused(f"the rule {text!r} repeats too often; use FREQ=DAILY with BYHOUR and BYMINUTE, at most {TIMES_A_DAY} times a day")
    return rule


def _start(planned: datetime | date, zone: ZoneInfo, all_day: bool) -> datetime:
    """A planned start as an instant in the zone: midnight of its day for an all-day event."""
    if not isinstance(planned, datetime):
        return _midnight(planned, zone)
    local = _local(planned, zone)
    return _midnight(local.date(), zone) if all_day else local


def _end(event: Planned, start: datetime, zone: ZoneInfo) -> datetime:
    """When the date that starts at `start` ends, if it is as long as the event itself."""
    if event.all_day:
        return _midnight(start.date() + _days(event, zone), zone)
    if event.ends is None:
        return start
    by_the_wall = _local(event.ends, zone).replace(tzinfo=None) - _local(event.starts, zone).replace(tzinfo=None)
    ends = _local((start.replace(tzinfo=None) + by_the_wall).replace(tzinfo=zone), zone)
    if by_the_wall < timedelta(0) or ends.timestamp() < start.timestamp():  # a clock change lies between
        return _local(start.astimezone(UTC) + (event.ends.astimezone(UTC) - event.starts.astimezone(UTC)), zone)
    return ends


def _days(event: Planned, zone: ZoneInfo) -> timedelta:
    """How many days an all-day event has: up to its last midnight, and at least its own."""
    first, end = _local(event.starts, zone), _local(event.ends or event.starts, zone)
    last = end.date() if end.time() == time(0) else end.date() + timedelta(days=1)
    return max(last - first.date(), timedelta(days=1))


def _midnight(day: date, zone: ZoneInfo) -> datetime:
    return _local(datetime.combine(day, time(0), tzinfo=zone), zone)


def _local(instant: datetime, zone: ZoneInfo) -> datetime:
    """An instant in the zone. By way of UTC, so that a wall time that a clock change skips becomes one that there is."""
    return instant.astimezone(UTC).astimezone(zone)
