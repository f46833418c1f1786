"""The VEVENTs of one UID as one event: its own times and rule, and each date that differs as an exception (RFC 5545, 3.8.4.4 and 3.8.5).

Which VEVENT counts where several claim to be the same, and what UNTIL, EXDATE and RANGE reach, follows `recurring-ical-events`.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import icalendar
from icalendar.timezone.tzid import tzids_from_tzinfo

from festivals.importers.exceptions import Change, Changes
from festivals.importers.prose import plain
from festivals.importers.rows import EventRow, Row, check_times, fitting, identity, point, tag_words, website
from festivals.importers.titles import parted
from festivals.models import State
from festivals.recurrence import Planned
from places.importers import clean
from places.importers.rows import BadRow, Refusal

UNTITLED = "(untitled)"
_NEEDED = {"DTSTART", "DTEND", "DURATION", "RRULE", "RDATE", "EXDATE", "RECURRENCE-ID", "STATUS", "SEQUENCE"}
_STATES = {"CANCELLED": State.CANCELLED.value}


@dataclass(frozen=True, slots=True)
class Clock:
    """The town's zone, the present (aware), and the zone of the calendar if it names one."""

    town: ZoneInfo
    now: datetime
    own: ZoneInfo | None = None

    def read(self, value: date | datetime, beside: Any = None) -> date | datetime:
        """A time with its zone: a floating one has that of the time `beside` it, of the calendar, or of the town. A date stays a date."""
        if not isinstance(value, datetime):
            return value
        if value.tzinfo is None:
            return value.replace(tzinfo=getattr(beside, "tzinfo", None) or self.own or self.town)
        return value.astimezone(self.own) if self.own and value.tzname() == "UTC" else value


@dataclass(frozen=True, slots=True)
class Part:
    """One VEVENT, where it begins in the file, and the clock that it is read by."""

    where: str
    uid: str
    event: icalendar.Event
    clock: Clock

    @property
    def is_change(self) -> bool:
        return "RECURRENCE-ID" in self.event

    @property
    def sequence(self) -> int:
        try:
            return int(-1 if (said := first(self.event, "SEQUENCE")) is None else said)
        except (TypeError, ValueError):
            return -1


def first(component: icalendar.Component, name: str) -> Any:
    """The value of a property; the first one where it stands more often than it may."""
    found = component.get(name)
    return found[0] if isinstance(found, list) else found


def rows_of(parts: list[Part], source: str) -> Iterator[Row]:
    """The event of one UID, and what was not taken. A changed date whose event is not in the file is an event of its own."""
    torn = [part for part in parts if isinstance(part.event.get("RECURRENCE-ID"), list)]
    yield from (Refusal(part.where, part.uid, "RECURRENCE-ID stands in it more than once") for part in torn)
    yield from _rows_of([part for part in parts if part not in torn], source)


def _rows_of(parts: list[Part], source: str) -> Iterator[Row]:
    core, *surplus = sorted((part for part in parts if not part.is_change), key=lambda part: -part.sequence) or [None]
    for part in surplus:
        yield Refusal(part.where, part.uid, f"it has the UID of {core.where}, which was kept for its SEQUENCE or its place in the file", fault=False)
    changes = [part for part in parts if part.is_change]
    alone = {_stamp(part): part for part in sorted(changes, key=lambda part: part.sequence)}
    for part in [core] if core else alone.values():
        refused: list[Refusal] = []
        try:
            yield _row(part, changes if core else [], source, refused)
        except BadRow as error:
            yield Refusal(part.where, part.uid, str(error))
        yield from refused


def _row(part: Part, changes: list[Part], source: str, refused: list[Refusal]) -> EventRow:
    notes: list[str] = []
    starts, ends, all_day = span(part, notes)
    said = facts(part, notes)
    plan = Planned(_instant(starts, part), _instant(ends, part), all_day, _rules(part, starts))
    if plan.rrule and not all_day:
        plan = replace(plan, zone=_rule_zone(starts, part.clock, notes))
    found = Changes(plan, starts, part.clock.town, said["title"], said["venue"], part.clock.now)
    found.take_away(_listed(part, "EXDATE"))
    found.add(_listed(part, "RDATE"))
    for change in sorted(changes, key=lambda one: -one.sequence):
        try:
            found.change(_change(change, starts, notes))
        except BadRow as error:
            refused.append(Refusal(change.where, change.uid, f"{error}; the date stays as it was"))
    plan, exceptions = found.settled(notes)
    times = {"starts": plan.starts, "ends": plan.ends, "all_day": all_day, "rrule": plan.rrule, "rule_zone": plan.zone}
    tags = tag_words(list(part.event.categories), notes)
    key = _identity(part, said["title"], plan.starts)
    marked = parted(clean.text(first(part.event, "SUMMARY")))[1]
    return EventRow(part.where, source, key, times | said, tuple(exceptions), tags, marked=marked, notes=tuple(notes))


def _identity(part: Part, title: str, starts: datetime) -> str:
    if not part.uid:
        return clean.stand_in_id(title, starts.astimezone(UTC).isoformat())
    return identity(f"{part.uid}#{_stamp(part)}" if part.is_change else part.uid)


def _stamp(part: Part) -> str:
    return part.event["RECURRENCE-ID"].to_ical().decode()


def facts(part: Part, notes: list[str]) -> dict[str, Any]:
    """What is said of the event beside its times."""
    title, state = parted(fitting("title", first(part.event, "SUMMARY"), notes))
    status = clean.text(first(part.event, "STATUS")).upper()
    if not title and not part.is_change:
        notes.append("it has no title (SUMMARY)")
    geo = first(part.event, "GEO")
    where = point(geo.latitude, geo.longitude, notes) if isinstance(geo, icalendar.vGeo) else {}
    return {
        "title": title or UNTITLED,
        "description": plain(first(part.event, "DESCRIPTION")),
        "venue": fitting("venue", first(part.event, "LOCATION"), notes),
        "website": website(first(part.event, "URL"), notes),
        "state": _STATES.get(status) or state or State.SCHEDULED.value,
        "lat": where.get("lat"),
        "lng": where.get("lng"),
    }


def span(part: Part, notes: list[str]) -> tuple[Any, Any, bool]:
    """The start and end as the file has them, with their zones, and whether they are days. Raises BadRow."""
    _check_readable(part)
    first, last = _value(part, "DTSTART"), _value(part, "DTEND")
    if first is None:
        raise BadRow("it has no start (DTSTART)")
    _note_zone(part, "DTSTART", notes)
    if last is None:
        first, last = _by_duration(part, first)
    starts, ends = part.clock.read(first, last), part.clock.read(last, first)
    if isinstance(starts, datetime) != isinstance(ends, datetime):
        zone = next(one.tzinfo for one in (starts, ends) if isinstance(one, datetime))
        starts, ends = (one if isinstance(one, datetime) else datetime.combine(one, time(0), tzinfo=zone) for one in (starts, ends))
    all_day = not isinstance(starts, datetime)
    check_times(*(datetime.combine(day, time(0), tzinfo=UTC) for day in (starts, ends))) if all_day else check_times(starts, ends)
    return starts, max(ends, starts + timedelta(days=1)) if all_day else ends, all_day


def _by_duration(part: Part, first: Any) -> tuple[Any, Any]:
    length = part.event.get("DURATION")
    if length is None:
        return first, first
    if not isinstance(first, datetime) and length.dt % timedelta(days=1):
        first = datetime.combine(first, time(0))
    return first, first + length.dt


def _check_readable(part: Part) -> None:
    """A line that the library left out would make a wrong event of it."""
    for name, said in part.event.errors:
        if name in _NEEDED:
            raise BadRow(f"{name} cannot be read: {str(said)[:100]}")
    if "EXRULE" in part.event:
        raise BadRow("EXRULE is no longer part of iCalendar; list the dates that are left out as EXDATE")


def _value(part: Part, name: str) -> Any:
    found = part.event.get(name)
    if isinstance(found, list):
        raise BadRow(f"{name} stands in it {len(found)} times")
    return found and found.dt


def _listed(part: Part, name: str) -> list[Any]:
    found = part.event.get(name, [])
    return [entry.dt for line in (found if isinstance(found, list) else [found]) for entry in line.dts]


def _note_zone(part: Part, name: str, notes: list[str]) -> None:
    prop = part.event[name]
    zone = prop.params.get("TZID")
    if zone and isinstance(prop.dt, datetime) and prop.dt.tzinfo is None:
        notes.append(f"the time zone {str(zone)[:60]!r} is not known; its times were read as the town's")


def _instant(value: Any, part: Part) -> datetime:
    return value if isinstance(value, datetime) else datetime.combine(value, time(0), tzinfo=part.clock.town)


def _rules(part: Part, starts: Any) -> str:
    """The rules, one a line. Their UNTIL is in UTC, as RFC 5545 wants it; a bare day there ends the rule as that day begins."""
    found = part.event.get("RRULE", [])
    lines = []
    for rule in found if isinstance(found, list) else [found]:
        until = rule.get("UNTIL")
        if until and isinstance(starts, datetime):
            floating = part.event["DTSTART"].dt.tzinfo is None if isinstance(part.event["DTSTART"].dt, datetime) else True
            rule = icalendar.vRecur(rule | {"UNTIL": [_until(one, starts.tzinfo if floating else UTC) for one in until]})  # noqa: PLW2901
        lines.append(rule.to_ical().decode())
    return "\n".join(dict.fromkeys(lines))


def _until(value: date | datetime, zone: Any) -> datetime:
    moment = value if isinstance(value, datetime) else datetime.combine(value, time(0))
    return (moment if moment.tzinfo else moment.replace(tzinfo=zone)).astimezone(UTC)


def _rule_zone(starts: datetime, clock: Clock, notes: list[str]) -> str:
    """The IANA name of the zone that the rule follows; empty for the town's."""
    names = [getattr(starts.tzinfo, "key", ""), *tzids_from_tzinfo(starts.tzinfo)]
    name = next((name for name in names if name), "")
    if not name:
        notes.append("its time zone has no name that is known; its rule follows the town's clocks")
    return "" if name == clock.town.key else name


def _change(part: Part, core_starts: Any, notes: list[str]) -> Change:
    """A changed date of the event. Raises BadRow."""
    own: list[str] = []
    starts, ends, all_day = span(part, own)
    said = facts(part, own)
    notes += [f"{part.where}: {note}" for note in own]
    times = Planned(_instant(starts, part), _instant(ends, part), all_day)
    stamp = part.event["RECURRENCE-ID"]
    original = part.clock.read(stamp.dt, core_starts)
    return Change(original, times, said["title"] if "SUMMARY" in part.event else "", said["venue"], said["state"], _onward(stamp))


def _onward(stamp: Any) -> bool:
    return str(stamp.params.get("RANGE", "")).upper() == "THISANDFUTURE"
