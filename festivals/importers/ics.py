"""iCalendar (RFC 5545), read by the library `icalendar`; what its lines mean together is in `series.py`."""

import re
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import icalendar
from icalendar.timezone import tzp

from agent.types import Town
from festivals.importers.rows import FestivalWord, Row, fitting, website
from festivals.importers.series import Clock, Part, first, rows_of
from festivals.importers.whole import check_length, text_of
from places.importers import clean
from places.importers.rows import ImportRefused

_LINE = re.compile(r"\r\n|\r|\n")


class Ics:
    """A calendar file. Its name (X-WR-CALNAME, or NAME of RFC 7986) is that of the festival."""

    unknown_columns: tuple[str, ...] = ()

    def __init__(self, path: Path, town: Town, now: datetime) -> None:
        self._path = path
        self._zone = town.timezone
        self._now = now
        self.festival: FestivalWord | None = None
        self.notes: list[str] = []

    def __iter__(self) -> Iterator[Row]:
        text = text_of(self._path)
        scan = _Scan.of(text)
        calendars = _parsed(text)
        self.festival = self._named(calendars)
        groups: dict[str, list[Part]] = {}
        events = list(self._events(calendars))
        places = scan.events if len(scan.events) == len(events) else [f"event {number}" for number in range(1, len(events) + 1)]
        for where, (event, clock) in zip(places, events, strict=True):
            uid = clean.text(first(event, "UID"))
            groups.setdefault(uid or where, []).append(Part(where, uid, event, clock))
        if not groups:
            self.notes.append(_nothing(calendars))
        for parts in groups.values():
            yield from rows_of(parts, clean.text(self._path.stem)[:200])

    def _named(self, calendars: list[icalendar.Calendar]) -> FestivalWord | None:
        for calendar in calendars:
            name = fitting("name", first(calendar, "X-WR-CALNAME") or first(calendar, "NAME"), self.notes)
            if name:
                about = clean.text(first(calendar, "X-WR-CALDESC") or first(calendar, "DESCRIPTION"))
                return FestivalWord(name, fields={"description": about, "website": website(first(calendar, "URL"), self.notes)})
        return None

    def _events(self, calendars: list[icalendar.Calendar]) -> Iterator[tuple[icalendar.Event, Clock]]:
        for calendar in calendars:
            clock = self._clock(calendar)
            for event in calendar.walk("VEVENT"):
                yield event, clock

    def _clock(self, calendar: icalendar.Calendar) -> Clock:
        """The town's clock, or that of the calendar, whose X-WR-TIMEZONE holds for floating times and for those in UTC."""
        name = clean.text(first(calendar, "X-WR-TIMEZONE"))
        own = tzp.timezone(name) if name else None
        if name and not isinstance(own, ZoneInfo):
            self.notes.append(f"the calendar's time zone {name[:60]!r} is not known; times without a zone are the town's")
        return Clock(self._zone, self._now, own if isinstance(own, ZoneInfo) else None)


@dataclass(slots=True)
class _Scan:
    """The content lines, looked at before the library reads them: the file is whole, and no value is too long. `events` are their places."""

    events: list[str] = field(default_factory=list)

    @classmethod
    def of(cls, text: str) -> "_Scan":
        found, depth, last, begun, length = cls(), 0, "", 1, 0
        for number, line in enumerate(_LINE.split(text), start=1):
            if not line.strip():
                continue
            goes_on = line[0] in " \t"
            begun, length = (begun, length) if goes_on else (number, 0)
            length += len(line.encode(errors="replace"))
            check_length(length, f"line {begun}")
            last = "" if goes_on else line.strip().upper()
            if last == "BEGIN:VEVENT":
                found.events.append(f"line {number}")
            depth += {"BEGIN:VEVENT": 1, "END:VEVENT": -1}.get(last, 0)
        if last != "END:VCALENDAR" or depth:
            raise ImportRefused(f"the file ends at line {begun} without the end of its calendar (END:VCALENDAR); it was cut off, so fetch it again")
        return found


def _parsed(text: str) -> list[icalendar.Calendar]:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the library's guesses at names of time zones; what it cannot guess is noted per event
            found = icalendar.Calendar.from_ical(text, multiple=True)
    except (ValueError, KeyError, IndexError, TypeError, AttributeError) as error:
        raise ImportRefused(f"the file is no iCalendar: {str(error)[:160]}") from error
    calendars = [one for one in found if isinstance(one, icalendar.Calendar)]
    if not calendars or not any(calendar.subcomponents for calendar in calendars):
        raise ImportRefused("the calendar holds no events")
    return calendars


def _nothing(calendars: list[icalendar.Calendar]) -> str:
    others = sorted({part.name for calendar in calendars for part in calendar.subcomponents if part.name != "VTIMEZONE"})
    return f"the calendar holds no events (VEVENT){': ' + ', '.join(others) + ' is no event' if others else ''}"
