"""What a reader makes of a file of events, before anything is written."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Protocol

from festivals.recurrence import Exceptional, Planned
from places.importers import clean
from places.importers.rows import BadRow, Refusal
from places.importers.vocabulary import TagWord, vocabulary

LONGEST = {
    "title": 200,
    "venue": 200,
    "price": 100,
    "age": 100,
    "access": 200,
    "licence": 200,
    "note": 300,
    "name": 200,
    "organiser": 200,
    "marks": 300,
}
LONGEST_ID, LONGEST_TAG = 200, 80
YEARS = range(1900, 2201)


@dataclass(frozen=True, slots=True)
class FestivalWord:
    """A festival as a file names it. `fields` maps the model's plain fields to what the file says of them; an id is there only where it has one."""

    name: str
    source_id: str = ""
    fields: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class EventRow:
    """An event. `fields` maps the model's plain fields to values and holds only those that the file speaks of; `venue` is among them.

    None for `tags`, `exceptions` or `festival` means that the file does not speak of them. `marked` is the state that its title carried, or empty.
    """

    where: str
    source: str
    source_id: str
    fields: Mapping[str, Any]
    exceptions: tuple[Exceptional, ...] | None = None
    tags: tuple[TagWord, ...] | None = None
    festival: FestivalWord | None = None
    status: str = ""
    marked: str = ""
    notes: tuple[str, ...] = ()

    @property
    def lat(self) -> float | None:
        return self.fields.get("lat")

    @property
    def lng(self) -> float | None:
        return self.fields.get("lng")

    @property
    def starts(self) -> datetime:
        return self.fields["starts"]

    @property
    def planned(self) -> Planned:
        """Its dates, as `festivals.recurrence` takes them."""
        get = self.fields.get
        return Planned(self.starts, get("ends"), get("all_day", False), get("rrule", ""), self.exceptions or (), get("rule_zone", ""))


Row = EventRow | Refusal


class Reader(Protocol):
    """A file of events. `festival` is the name that the file gives to all of them, or empty. Iterating raises ImportRefused."""

    unknown_columns: tuple[str, ...]
    festival: FestivalWord | None
    notes: list[str]

    def __iter__(self) -> Iterator[Row]: ...


def fitting(name: str, value: object, notes: list[str]) -> str:
    """The text of a field; what is longer than the field is cut, and noted."""
    line, most = clean.text(value), LONGEST[name]
    if len(line) <= most:
        return line
    notes.append(f"{name} had {len(line)} characters and was cut to {most}")
    return line[: most - 1].rstrip() + "…"


def website(value: object, notes: list[str]) -> str:
    """A web address, or nothing and a note: other schemes than http and https are never kept."""
    try:
        address, note = clean.website(value)
    except BadRow as error:
        address, note = "", f"{error}; it was left out"
    notes += [note] if note else []
    return address


def identity(value: object) -> str:
    """An id as the database can hold it: a long one is known by its digest."""
    line = clean.text(value)
    return line if len(line) <= LONGEST_ID else clean.stand_in_id(line)


def tag_words(words: list[str], notes: list[str]) -> tuple[TagWord, ...]:
    """The tags that words stand for; a word that is not known becomes a topic."""
    found: dict[str, TagWord] = {}
    for word in map(clean.text, words):
        if len(word) > LONGEST_TAG:
            notes.append(f"the tag {word[:40]!r}… has {len(word)} characters, and at most {LONGEST_TAG} are kept; it was left out")
        elif any(char.isalnum() for char in word):
            tag = vocabulary().word(word) or TagWord(word, "topic")
            found.setdefault(tag.slug, tag)
    return tuple(found.values())


def point(lat: object, lng: object, notes: list[str]) -> dict[str, float]:
    """A position in degrees of WGS 84, or nothing and a note."""
    if clean.text(lat) == clean.text(lng) == "":
        return {}
    try:
        degrees = {"lat": clean.degrees(lat, "lat"), "lng": clean.degrees(lng, "lng")}
    except BadRow as error:
        notes.append(f"{error}; the position was left out")
        return {}
    if abs(degrees["lat"]) > 90 or abs(degrees["lng"]) > 180:
        notes.append(f"{degrees['lat']}, {degrees['lng']} is not on the earth; the position was left out")
        return {}
    return degrees


def check_times(starts: datetime, ends: datetime | None) -> None:
    """Raises BadRow for an end before the start, and for a year that no programme has."""
    for moment in (starts, ends):
        if moment and moment.year not in YEARS:
            raise BadRow(f"the year {moment.year} is not one from {YEARS[0]} to {YEARS[-1]}")
    if ends and ends < starts:
        raise BadRow(f"it ends before it starts: {ends:%Y-%m-%d %H:%M}, and {starts:%Y-%m-%d %H:%M}")
