"""An occurrence of an event, or a festival, as a gathered row: its facts in words, its time, and why it matched."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from textwrap import shorten

from agent.geo import distance_m, say_distance, walk_minutes
from agent.snapshot.reader import SqlRow
from agent.times.say import say_when
from agent.tools.festivals.repeats import say_repeats
from agent.tools.registry import Bench
from agent.types import Anchor, Point, Reason, Row, Tags, Window

DESCRIPTION_CHARS = 200
_DAY_S = 86_400
MORE_DATES = 3
NIGHT = timedelta(hours=4)  # what ends by 04:00 belongs to the day before
PAUSE_S = 45 * _DAY_S  # between two editions of a festival
OVERNIGHT_S = 36 * 3_600  # between two days of one edition that has begun

_OCCURRENCE = """
SELECT o.*, e.slug, e.title, e.description, e.all_day, e.rrule, e.venue AS own_venue, e.area, e.price, e.age, e.access, e.website,
  f.slug AS festival_slug, f.name AS festival_name
FROM occurrence AS o JOIN event AS e ON e.id = o.event LEFT JOIN festival AS f ON f.id = e.festival WHERE o.id = ?"""
_EVENT_TAGS = "SELECT t.id, t.name FROM event_tag AS x JOIN tag AS t ON t.id = x.tag WHERE x.event = ? ORDER BY t.name"
_FESTIVAL_TAGS = "SELECT t.id, t.name FROM festival_tag AS x JOIN tag AS t ON t.id = x.tag WHERE x.festival = ? ORDER BY t.name"
_FESTIVAL = "SELECT * FROM festival WHERE id = ?"
_DATES = "SELECT id, starts, ends, state FROM occurrence WHERE event = ? ORDER BY starts, id"
_SOME_STARTS = "SELECT starts FROM occurrence WHERE event = ? ORDER BY starts LIMIT 30"
_FESTIVAL_DATES = """
SELECT o.id, o.starts, o.ends, o.state FROM event AS e CROSS JOIN occurrence AS o ON o.event = e.id WHERE e.festival = ? ORDER BY o.starts, o.id"""


@dataclass(frozen=True, slots=True)
class Date:
    """One occurrence; `starts` and `ends` in seconds since 1970."""

    id: int
    starts: int
    ends: int
    state: str

    def over(self, now: datetime) -> bool:
        """Whether it has ended; one without a known end is over once it has begun."""
        return self.ends <= now.timestamp() and not self.starts == self.ends == now.timestamp()

    def within(self, when: Window) -> bool:
        first, last = when.start.timestamp(), when.end.timestamp()
        return self.starts < last and (self.ends > first or self.starts == self.ends >= first)


def event_dates(bench: Bench, event: int) -> list[Date]:
    """All known occurrences of an event, earliest first, whatever their state."""
    return [Date(*row) for row in bench.snapshot.festivals.rows(_DATES, (event,))]


def event_row(bench: Bench, number: int, occurrence: int, keywords: Tags, more: Mapping[str, str] | None = None) -> Row:
    """An occurrence as a gathered row; `more` are facts that its event's other dates add."""
    data = bench.snapshot.festivals.one(_OCCURRENCE, (occurrence,))
    assert data is not None  # noqa: S101 — the id comes from the same file
    starts, ends = datetime.fromisoformat(data["starts_local"]), datetime.fromisoformat(data["ends_local"])
    when = say_when(starts, ends, bench.now, bool(data["all_day"]), bench.town)
    tags = [(row["id"], row["name"]) for row in bench.snapshot.festivals.rows(_EVENT_TAGS, (data["event"],))]
    point = None if data["lat"] is None else Point(data["lat"], data["lng"])
    metres = _metres(bench.anchor, point)
    return Row(
        id=f"r{number}",
        public_id=f"event:{data['slug']}@{starts:%Y-%m-%dT%H:%M}",
        name=data["title"],
        names=(data["title"],),
        location=_location(data),
        url=f"/festivals/{data['festival_slug']}/{data['slug']}/" if data["festival_slug"] else f"/events/{data['slug']}/",
        reason=_reason(tags, keywords, (data["festival_name"], when["relative"])),
        facts=_kept(_event_facts(bench, data, when) | _shared(bench, data, tags, metres) | dict(more or {})),
        status=data["state"],
        point=point,
        distance_m=metres,
        when={**when, "starts": data["starts_local"], "ends": data["ends_local"]},
    )


def _location(data: SqlRow) -> str:
    """The venue and its area; of a date that is held elsewhere the area is not known."""
    area = data["area"] if data["venue"] == data["own_venue"] else ""
    return ", ".join(part for part in (data["venue"], area) if part) or "venue not known"


def _event_facts(bench: Bench, data: SqlRow, when: Mapping[str, str]) -> dict[str, str]:
    starts, ends = (datetime.fromisoformat(data[column]).astimezone(bench.town.timezone) for column in ("starts_local", "ends_local"))
    return {
        "name": data["title"],
        "location": _location(data),
        "venue": data["venue"],
        "area": data["area"] if data["venue"] == data["own_venue"] else "",
        "when": f"{when['relative']}, {when['absolute']}",
        "date": say_date(bench, data["starts"]),
        "time": "all day" if data["all_day"] else _clock(bench, starts),
        "until": _clock(bench, ends) if not data["all_day"] and 0 < data["ends"] - data["starts"] <= _DAY_S else "",
        "price": data["price"],
        "age": data["age"],
        "access": data["access"],
        "festival": data["festival_name"] or "",
        "repeats": _repeats(bench, data),
        "note": data["note"],
    }


def _repeats(bench: Bench, data: SqlRow) -> str:
    """How the event repeats; its own dates have the last word, for a rule may be followed by the clocks of another zone."""
    if not data["rrule"]:
        return ""
    return say_repeats(data["rrule"], [local(bench, row["starts"]) for row in bench.snapshot.festivals.rows(_SOME_STARTS, (data["event"],))])


def festival_row(bench: Bench, number: int, festival: int, keywords: Tags, when: Window | None = None) -> Row:
    """A festival as a gathered row, with the dates of its edition in the window, else the next, else the last."""
    data = bench.snapshot.festivals.one(_FESTIVAL, (festival,))
    assert data is not None  # noqa: S101 — the id comes from the same file
    tags = [(row["id"], row["name"]) for row in bench.snapshot.festivals.rows(_FESTIVAL_TAGS, (festival,))]
    edition = _edition([Date(*row) for row in bench.snapshot.festivals.rows(_FESTIVAL_DATES, (festival,))], bench.now, when)
    said = _say_edition(bench, edition) if edition else None
    location = data["location"] or bench.town.name
    facts = {
        "name": data["name"],
        "location": location,
        "when": f"{said['relative']}, {said['absolute']}" if said else "",
        "date": said["absolute"] if said else "",
        "tickets": data["tickets"],
        "organiser": data["organiser"],
        "marks": data["marks"],
    }
    return Row(
        id=f"r{number}",
        public_id=f"festival:{data['slug']}",
        name=data["name"],
        names=(data["name"],),
        location=location,
        url=f"/festivals/{data['slug']}/",
        reason=_reason(tags, keywords, (data["marks"], said["relative"] if said else "", "festival")),
        facts=_kept(facts | _shared(bench, data, tags, None)),
        status=data["state"],
        when=said,
    )


def _edition(dates: Sequence[Date], now: datetime, when: Window | None) -> list[Date]:
    """The dates of one edition of a festival: from the first ahead to the last before a long pause, with the days just gone of one that is on."""
    planned = [date for date in dates if date.state == "scheduled"] or list(dates)
    ahead = [at for at, date in enumerate(planned) if (date.within(when) if when else not date.over(now))]
    ahead = ahead or [at for at, date in enumerate(planned) if not date.over(now)]
    if not planned:
        return []
    first = last = ahead[0] if ahead else len(planned) - 1
    while last + 1 < len(planned) and planned[last + 1].starts - planned[last].ends < PAUSE_S:
        last += 1
    back = OVERNIGHT_S if ahead else PAUSE_S
    while first and planned[first].starts - planned[first - 1].ends < back:
        first -= 1
    return planned[first : last + 1]


def _say_edition(bench: Bench, edition: Sequence[Date]) -> dict[str, str]:
    """The time of an edition in whole days; a last night that runs until 04:00 is part of the day it began on."""
    start, final, end = (local(bench, seconds) for seconds in (edition[0].starts, edition[-1].starts, max(date.ends for date in edition)))
    last = max((end - NIGHT).date(), final.date())
    closing = datetime.combine(last + timedelta(days=1), time(0), tzinfo=bench.town.timezone)
    said = say_when(start, end, bench.now, True, bench.town)
    days = say_when(start, closing, bench.now, True, bench.town)
    return {**said, "absolute": days["absolute"], "starts": start.isoformat(), "ends": end.isoformat()}


def local(bench: Bench, seconds: int) -> datetime:
    return datetime.fromtimestamp(seconds, bench.town.timezone)


def say_date(bench: Bench, seconds: int) -> str:
    """The day of an instant in words: "Fri 4 Dec 2026"."""
    instant = local(bench, seconds)
    return say_when(instant, instant, bench.now, True, bench.town)["absolute"]


def _clock(bench: Bench, instant: datetime) -> str:
    return say_when(instant, instant, bench.now, False, bench.town)["absolute"].rpartition(", ")[2]


def _metres(anchor: Anchor, point: Point | None) -> int | None:
    """How far a date is from a point that was named; an area is looked in, not from."""
    return distance_m(anchor.point, point) if anchor.point and point and anchor.rung != "area" else None


def _reason(tags: Sequence[tuple[int, str]], keywords: Tags, facts: Sequence[str | None]) -> Reason:
    """Why the row matched: the tags asked for, else the first fact there is."""
    asked = {tag for group in keywords.groups for tag in group}
    if matched := [name for tag, name in tags if tag in asked]:
        return Reason("tag", ", ".join(matched))
    return Reason("fact", next(fact for fact in facts if fact))


def _shared(bench: Bench, data: SqlRow, tags: Sequence[tuple[int, str]], metres: int | None) -> dict[str, str]:
    return {
        "tags": ", ".join(name for _, name in tags),
        "website": data["website"],
        "description": shorten(data["description"], DESCRIPTION_CHARS, placeholder="…"),
        "state": "" if data["state"] == "scheduled" else data["state"],
        "anchor": bench.anchor.name,
        "distance": "" if metres is None else say_distance(metres),
        "walk": "" if metres is None else f"{walk_minutes(metres)} min",
    }


def _kept(facts: Mapping[str, str]) -> dict[str, str]:
    return {slot: text for slot, text in facts.items() if text}
