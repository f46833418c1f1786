"""The festivals and events of Lindenmere, placed around the day on which the demo is loaded. The data is in the TOML files beside this module."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from django.utils.text import slugify

from festivals.demo.dates import read_day, read_times
from festivals.models import Event, Festival
from places.demo.keep import SOURCE, Keeper, Tally, checked_on, dice, plain, read
from places.models import Area, Place, Status, Tag

HERE = Path(__file__).parent
WEEKS = 4  # a festival that moves does so by 0 to 3 whole weeks
_FESTIVAL = ("name", "marks", "description", "organiser", "tickets", "state")
_EVENT = ("title", "description", "venue", "lat", "lng", "price", "age", "access", "state")


@dataclass(frozen=True, slots=True)
class Around:
    """What dates are read against: today in the town, the town's zone, and by how many weeks they move."""

    today: date
    zone: ZoneInfo
    weeks: int = 0

    def times(self, day: int | str, words: str, days: int = 1) -> tuple[datetime, datetime | None]:
        return read_times(words, read_day(day, self.today, self.zone, self.weeks), self.zone, days)


def load_festivals(now: datetime, zone: ZoneInfo, seed: int, tally: Tally) -> None:
    """Bring festivals and events to what the files say, around `now` (aware). The places have to be there already."""
    today = now.astimezone(zone).date()
    tags, areas = {tag.name: tag for tag in Tag.objects.all()}, {area.name: area for area in Area.objects.filter(source=SOURCE)}
    venues = {place.slug: place for place in Place.objects.filter(source=SOURCE)}
    festivals, events = Keeper(Festival, tally, "area", "tags", "names"), Keeper(Event, tally, "festival", "place", "tags", "exceptions")
    for data in programme():
        entry = data.get("festival")
        festival = _keep_festival(festivals, entry, tags, areas, today, seed) if entry else None
        moves = festival is not None and entry.get("moves", False)
        around = Around(today, zone, dice(seed, festival.slug, WEEKS) if moves else 0)
        for event in data["event"]:
            fields = _event(event, around) | {"festival": festival, "place": venues[event["at"]] if "at" in event else None}
            fields["checked_on"] = checked_on(today, seed, event["slug"])
            events.keep(event["slug"], fields, [tags[name] for name in event["tags"]], {"exceptions": _exceptions(event, around)})


def programme() -> Iterator[dict[str, Any]]:
    """The files: a festival or none, and events, each with its `slug`."""
    for file in sorted((HERE / "programme").glob("*.toml")):
        data = read(file)
        data["event"] = [{"slug": slugify(event["title"]), **event} for event in data["event"]]
        yield data


def _keep_festival(
    keeper: Keeper[Festival], entry: Mapping[str, Any], tags: Mapping[str, Tag], areas: Mapping[str, Area], today: date, seed: int
) -> Festival:
    slug = slugify(entry["name"])
    fields = plain(Festival, entry, _FESTIVAL) | {
        "area": areas.get(entry.get("area", "")),
        "website": f"https://{slug}.example.org/",
        "status": entry.get("status", Status.PUBLISHED),
        "checked_on": checked_on(today, seed, slug),
    }
    names = [{"text": text, "lang": lang} for text, lang in entry.get("names", [])]
    return keeper.keep(slug, fields, [tags[name] for name in entry["tags"]], {"names": names})


def _event(entry: Mapping[str, Any], around: Around) -> dict[str, Any]:
    starts, ends = around.times(entry["day"], entry["time"], entry.get("days", 1))
    return plain(Event, entry, _EVENT) | {
        "starts": starts,
        "ends": ends,
        "all_day": entry["time"] == "all day",
        "rrule": entry.get("rule", ""),
        "website": f"https://{entry['slug']}.example.org/" if entry.get("website") else "",
        "status": entry.get("status", Status.PUBLISHED),
    }


def _exceptions(entry: Mapping[str, Any], around: Around) -> list[dict[str, Any]]:
    """The dates that differ: `of` is the day that the rule gives, `day` and `time` are when it is instead."""
    start_time = entry["time"].partition("-")[0]
    found = []
    for one in entry.get("exceptions", []):
        row = {name: one[name] for name in ("kind", "venue", "note") if name in one}
        if "of" in one:
            row["original"], _ = around.times(one["of"], entry["time"] if entry["time"] == "all day" else start_time)
        if "day" in one:
            row["starts"], row["ends"] = around.times(one["day"], one.get("time", entry["time"]))
        found.append(row)
    return found
