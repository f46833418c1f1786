"""schedule.xml, as frab, pentabarf, pretalx and wafer write it: a conference, its days, their rooms, and the events in them."""

from collections.abc import Iterator
from datetime import date, datetime
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from agent.types import Town
from festivals.importers import moments
from festivals.importers.prose import joined, plain
from festivals.importers.rows import EventRow, FestivalWord, Row, fitting, identity, tag_words, website
from festivals.importers.titles import parted
from festivals.importers.whole import text_of
from festivals.importers.xml_tree import tree
from festivals.models import State
from places.importers import clean
from places.importers.rows import BadRow, ImportRefused, Refusal


class Schedule:
    """A conference's schedule. The conference is the festival."""

    unknown_columns: tuple[str, ...] = ()

    def __init__(self, path: Path, town: Town) -> None:
        self._path = path
        self._town = town.timezone
        self.festival: FestivalWord | None = None
        self.notes: list[str] = []

    def __iter__(self) -> Iterator[Row]:
        root = tree(text_of(self._path))
        if root.tag != "schedule":
            raise ImportRefused(f"this is XML of the kind <{root.tag[:40]}>, not a <schedule>")
        conference = root.find("conference")
        self.festival = self._conference(conference)
        zone = self._zone(conference)
        for number, (day, room, event) in enumerate(_events(root), start=1):
            yield self._row(f"event {number}", day, room, event, zone)

    def _conference(self, conference: Element | None) -> FestivalWord | None:
        name = fitting("name", _text(conference, "title"), self.notes)
        about = {"website": website(_text(conference, "url") or _text(conference, "base_url"), self.notes)}
        return FestivalWord(name, identity(_text(conference, "acronym")), about) if name else None

    def _zone(self, conference: Element | None) -> ZoneInfo:
        """The zone of times without an offset."""
        name = _text(conference, "time_zone_name")
        try:
            return ZoneInfo(name) if name else self._town
        except (ZoneInfoNotFoundError, ValueError, OSError):
            self.notes.append(f"the schedule's time zone {name[:60]!r} is not known; times without an offset are the town's")
            return self._town

    def _row(self, where: str, day: str, room: str, event: Element, zone: ZoneInfo) -> Row:
        notes: list[str] = []
        key = identity(event.get("guid") or event.get("id"))
        try:
            fields = _facts(event, room, notes) | _times(event, day, zone, notes)
        except BadRow as error:
            return Refusal(where, key, str(error))
        tags = tag_words([_text(event, "track")], notes)
        key = key or clean.stand_in_id(fields["title"], fields["starts"].isoformat(), fields["venue"])
        return EventRow(where, clean.text(self._path.stem)[:200], key, fields, tags=tags, marked=parted(_text(event, "title"))[1], notes=tuple(notes))


def _events(root: Element) -> Iterator[tuple[str, str, Element]]:
    for day in root.iter("day"):
        for room in day.iter("room"):
            for event in room.findall("event"):
                yield day.get("date", ""), room.get("name", ""), event


def _facts(event: Element, room: str, notes: list[str]) -> dict[str, Any]:
    title, state = parted(fitting("title", _text(event, "title"), notes))
    if not title:
        raise BadRow("it has no title")
    people = [clean.text("".join(person.itertext())) for person in event.iter("person")]
    said = joined(*(plain(_text(event, name)) for name in ("subtitle", "abstract", "description")))
    return {
        "title": title,
        "description": joined(said, f"With {', '.join(dict.fromkeys(filter(None, people)))}." if any(people) else ""),
        "venue": fitting("venue", _text(event, "room") or room, notes),
        "website": website(_text(event, "url"), notes),
        "state": state or State.SCHEDULED.value,
    }


def _times(event: Element, day: str, zone: ZoneInfo, notes: list[str]) -> dict[str, Any]:
    """When it is: by `date`, which has an offset, else by the day and the local `start`."""
    start, said = _text(event, "start"), _text(event, "date")
    found = moments.moment(said or day, "date" if said else "the day's date", zone)
    first = found if isinstance(found, datetime) else _on(found, start, zone)
    if start and start.zfill(5) != f"{first.astimezone(zone):%H:%M}":
        notes.append(f"its start is {start[:20]!r} and its date says {first.astimezone(zone):%H:%M}; the date was kept")
    lasts = _text(event, "duration")
    return moments.span(first, first + moments.length(lasts, "duration") if lasts else None, zone)


def _on(day: date, start: str, zone: ZoneInfo) -> datetime:
    found = moments.moment(start, "start", zone, day)
    if not isinstance(found, datetime):
        raise BadRow(f"start is {start[:40]!r}, and must be a time like 10:30")
    return found


def _text(element: Element | None, name: str) -> str:
    return clean.text(element.findtext(name)) if element is not None else ""
