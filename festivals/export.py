"""The published festivals and events with their dates, as the snapshot's writer takes them.

What `places.export` says of equal rows from both databases holds here too. A venue's name, area and point are copied into its events (A-19).
"""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import models

from agent.snapshot.schema import EventRow, FestivalRow, OccurrenceRow
from agent.types import Town
from festivals.models import Event, EventException, Festival, FestivalName, State
from festivals.recurrence import Exceptional, Occurrence, Planned, RuleRefused, occurrences
from places.export import CHUNK, by_slug, grouped, nfc, other_names, published
from places.models import Area, Place, Status


@dataclass(frozen=True, slots=True)
class Rows:
    """The published rows of the festivals. `refused` names each event whose dates cannot be worked out and says why: with any, nothing is published."""

    festivals: tuple[FestivalRow, ...]
    events: tuple[EventRow, ...]
    refused: tuple[str, ...]


def rows(town: Town, now: datetime, using: str = "default") -> Rows:
    """Everything published of the festivals at `now` (aware), from the database `using`, in ten queries."""
    refused: list[str] = []
    return Rows(festivals=festivals(using), events=tuple(events(town, now, using, refused)), refused=tuple(refused))


def festivals(using: str) -> tuple[FestivalRow, ...]:
    names = _by_owner(FestivalName, using, "festival_id", "lang", "text")
    tags = _by_owner(Festival.tags.through, using, "festival_id", "tag__slug")
    areas = _published_areas(using)
    columns = ("slug", "name", "marks", "description", "organiser", "tickets", "website", "state", "source", "licence")
    return tuple(
        FestivalRow(
            **_text(columns, values),
            names=other_names(values[1], names[key]),
            location=areas.get(area, ""),
            tags=tuple(sorted(slug for (slug,) in tags[key])),
            checked_on=checked_on and checked_on.isoformat(),
        )
        for *values, key, area, checked_on in published(Festival, using).order_by(by_slug(using)).values_list(*columns, "pk", "area_id", "checked_on")
    )


def _by_owner(model: type[models.Model], using: str, *columns: str) -> dict[int, list[tuple[Any, ...]]]:
    """All rows of a small table, by their first column."""
    found: dict[int, list[tuple[Any, ...]]] = defaultdict(list)
    for owner, *rest in model._default_manager.using(using).values_list(*columns):  # noqa: SLF001 - Django's documented name
        found[owner].append(tuple(rest))
    return found


def _published_areas(using: str) -> dict[int | None, str]:
    return {key: nfc(name) for key, name in published(Area, using).values_list("pk", "name")}


def _text(columns: tuple[str, ...], values: Any) -> dict[str, Any]:
    return {column: nfc(value) if isinstance(value, str) else value for column, value in zip(columns, values, strict=False)}


@dataclass(frozen=True, slots=True)
class Venue:
    """Where an event is: of a published place its name, id, area and point, else what the event itself says."""

    venue: str = ""
    venue_slug: str = ""
    area: str = ""
    lat: float | None = None
    lng: float | None = None


_SAME = ("slug", "title", "description", "all_day", "rrule", "price", "age", "access", "website", "state", "source", "licence")


def events(town: Town, now: datetime, using: str, refused: list[str]) -> Iterator[EventRow]:
    """The published events with their dates. One whose dates cannot be worked out is added to `refused` instead."""
    shown = dict(published(Festival, using).values_list("pk", "state"))
    venues = _venues(using)
    tags = grouped(_of_events(Event.tags.through, using, "event_id", "tag__slug"))
    exceptions = grouped(_of_events(EventException, using, "event_id", "kind", "original", "starts", "ends", "venue", "note"))
    columns = (*_SAME, "pk", "festival_id", "festival__slug", "place_id", "venue", "lat", "lng", "starts", "ends", "rule_zone", "checked_on")
    for values in published(Event, using).order_by(by_slug(using)).values_list(*columns).iterator(CHUNK):
        same = _text(_SAME, values)
        key, festival, festival_slug, place, own_venue, lat, lng, starts, ends, zone, checked_on = values[len(_SAME) :]
        venue = venues.get(place) or Venue(venue=nfc(own_venue), lat=lat, lng=lng)
        tag_slugs, exceptional = sorted(slug for (slug,) in tags(key)), [Exceptional(*one) for one in exceptions(key)]
        if same["state"] == State.SCHEDULED:  # a festival that is off takes its events with it
            same["state"] = str(shown.get(festival, State.SCHEDULED))
        try:
            dates = occurrences(Planned(starts, ends, same["all_day"], same["rrule"], exceptional, zone), town.timezone, now)
        except RuleRefused as error:
            refused.append(f"event {same['slug']} ({same['title']}): {error}")
            continue
        if zone:  # its weekdays and hours are those of another zone: the dates alone say it right
            same["rrule"] = ""
        yield EventRow(
            **same,
            festival=festival_slug if festival in shown else "",
            venue=venue.venue,
            venue_slug=venue.venue_slug,
            area=venue.area,
            lat=venue.lat,
            lng=venue.lng,
            tags=tuple(tag_slugs),
            occurrences=tuple(_row(one, same["state"], venue) for one in dates),
            checked_on=checked_on and checked_on.isoformat(),
        )


def _venues(using: str) -> dict[int, Venue]:
    """The published places at which events are."""
    areas = _published_areas(using)
    found = published(Place, using).filter(events__status=Status.PUBLISHED).distinct()
    return {
        key: Venue(nfc(name), slug, areas.get(area, ""), lat, lng)
        for key, name, slug, area, lat, lng in found.values_list("pk", "name", "slug", "area_id", "lat", "lng")
    }


def _of_events(model: type[models.Model], using: str, *columns: str) -> Iterator[tuple[Any, ...]]:
    """The rows of a table that belong to published events, in the events' order."""
    whose = model._default_manager.using(using).filter(event__status=Status.PUBLISHED)  # noqa: SLF001 - Django's documented name
    return whose.order_by(by_slug(using, "event__slug")).values_list(*columns).iterator(CHUNK)


def _row(date: Occurrence, state: str, venue: Venue) -> OccurrenceRow:
    """A date of an event. One with a venue of its own has no known point."""
    elsewhere = date.venue and nfc(date.venue) != venue.venue
    return OccurrenceRow(
        starts=int(date.starts.timestamp()),
        ends=int(date.ends.timestamp()),
        starts_local=date.starts.isoformat(timespec="seconds"),
        ends_local=date.ends.isoformat(timespec="seconds"),
        state=date.state or state,
        note=nfc(date.note),
        venue=nfc(date.venue) or venue.venue,
        lat=None if elsewhere else venue.lat,
        lng=None if elsewhere else venue.lng,
    )
