"""Events of an import, written in batches: what is new is made, what differs is changed, what a curator locked stays."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import astuple, replace
from datetime import UTC, datetime
from typing import Any

from django.utils import timezone

from agent.snapshot.names import fold
from festivals.importers.lookups import Festivals, Venues
from festivals.importers.report import EventReport
from festivals.importers.rows import EventRow
from festivals.models import Event, EventException
from festivals.recurrence import Exceptional
from places.importers.slugs import Slugs
from places.models import Status

BATCH = 500
TIMES = ("starts", "ends", "all_day", "rrule", "rule_zone", "exceptions")  # they hold together: a lock on one locks all
POINT = ("lat", "lng")


class Events:
    """Writes the events of one import. `tags` maps a tag's public id to its primary key; `own` are the sources and ids of all its rows."""

    def __init__(self, status: str, report: EventReport, tags: Mapping[str, int], own: AbstractSet[tuple[str, str]]) -> None:
        self._status = status
        self._report = report
        self._tags = tags
        self._own = own
        self._festivals = Festivals(status, report)
        self._venues = Venues()
        self._slugs = Slugs(Event.objects.values_list("slug", flat=True), "event")

    def write(self, rows: list[EventRow]) -> None:
        """Write one batch."""
        known = _known(rows) | _known_by_title(rows, self._own)
        made = [(self._new(row), row) for row in rows if _key(row) not in known]
        Event.objects.bulk_create([event for event, _ in made])
        old = [(known[_key(row)], row) for row in rows if _key(row) in known]
        changed = self._update(old)
        changed |= (self._link_tags(made + old) | self._link_exceptions(made + old)) & {event.pk for event, _ in old}
        Event.objects.filter(pk__in=changed).update(updated_at=timezone.now())
        self._report.new += len(made)
        self._report.changed += len(changed)
        self._report.same += len(old) - len(changed)
        self._report.notes += [f"{row.where}: {note}" for row in rows for note in row.notes]

    def _new(self, row: EventRow) -> Event:
        slug = self._slugs.give(row.fields["title"])
        return Event(slug=slug, status=row.status or self._status, source=row.source, source_id=row.source_id, **self._values(row))

    def _values(self, row: EventRow, event: Event | None = None) -> dict[str, Any]:
        """The row as the model's own columns. A venue that is no place leaves the event's place alone unless the venue is another one now."""
        values = dict(row.fields)
        if row.festival:
            values["festival_id"] = self._festivals.need(row.festival, row.source)
        if "venue" in values:
            place = self._venues.find(values["venue"])
            if place is not None or (event and event.venue != values["venue"]):
                values["place_id"] = place
        return values

    def _update(self, pairs: list[tuple[Event, EventRow]]) -> set[int]:
        by_fields: dict[tuple[str, ...], list[Event]] = defaultdict(list)
        for event, row in pairs:
            if changes := self._changes(event, row):
                for field, value in changes.items():
                    setattr(event, field, value)
                by_fields[tuple(sorted(changes))].append(event)
        for fields, events in by_fields.items():
            Event.objects.bulk_update(events, [field.removesuffix("_id") for field in fields])
        return {event.pk for events in by_fields.values() for event in events}

    def _changes(self, event: Event, row: EventRow) -> dict[str, Any]:
        differing = {field: value for field, value in self._values(row, event).items() if getattr(event, field) != value}
        changes = {field: value for field, value in differing.items() if not _locked(event, field)}
        self._report.kept += [f"{row.where} ({event.slug}): {field.removesuffix('_id')}" for field in differing if field not in changes]
        if event.status == Status.IN_REVIEW and self._status == Status.PUBLISHED and not row.status and not _locked(event, "status"):
            changes["status"] = Status.PUBLISHED
        return changes

    def _link_tags(self, pairs: list[tuple[Event, EventRow]]) -> set[int]:
        through = Event.tags.through
        spoken_of = [(event, {self._tags[tag.slug] for tag in row.tags}, row) for event, row in pairs if row.tags is not None]
        had: dict[int, dict[int, int]] = defaultdict(dict)
        for pk, event, tag in through.objects.filter(event_id__in=[event.pk for event, _, _ in spoken_of]).values_list("pk", "event_id", "tag_id"):
            had[event][tag] = pk
        differing = self._open([(event, wanted, row) for event, wanted, row in spoken_of if wanted != set(had[event.pk])], "tags")
        through.objects.filter(pk__in=[pk for event, wanted in differing for tag, pk in had[event].items() if tag not in wanted]).delete()
        through.objects.bulk_create(through(event_id=event, tag_id=tag) for event, wanted in differing for tag in sorted(wanted - set(had[event])))
        return {event for event, _ in differing}

    def _link_exceptions(self, pairs: list[tuple[Event, EventRow]]) -> set[int]:
        spoken_of = [(event, {_in_utc(one) for one in row.exceptions}, row) for event, row in pairs if row.exceptions is not None]
        had: dict[int, set[Exceptional]] = defaultdict(set)
        rows = EventException.objects.filter(event_id__in=[event.pk for event, _, _ in spoken_of])
        for event, *one in rows.values_list("event_id", "kind", "original", "starts", "ends", "venue", "note"):
            had[event].add(_in_utc(Exceptional(*one)))
        differing = self._open([(event, wanted, row) for event, wanted, row in spoken_of if wanted != had[event.pk]], "exceptions")
        EventException.objects.filter(event_id__in=[event for event, _ in differing]).delete()
        EventException.objects.bulk_create(_exception(event, one) for event, wanted in differing for one in sorted(wanted, key=_order))
        return {event for event, _ in differing}

    def _open(self, entries: Iterable[tuple[Event, set[Any], EventRow]], what: str) -> list[tuple[int, set[Any]]]:
        """Those whose curator did not lock this."""
        found = []
        for event, wanted, row in entries:
            if _locked(event, what):
                self._report.kept.append(f"{row.where} ({event.slug}): {what}")
            else:
                found.append((event.pk, wanted))
        return found


def _key(row: EventRow) -> tuple[str, str]:
    return row.source, row.source_id


def _known(rows: list[EventRow]) -> dict[tuple[str, str], Event]:
    """The events that the rows stand for, by their source and id."""
    known: dict[tuple[str, str], Event] = {}
    for source in {row.source for row in rows}:
        ids = [row.source_id for row in rows if row.source == source]
        known |= {(source, event.source_id): event for event in Event.objects.filter(source=source, source_id__in=ids)}
    return known


def _known_by_title(rows: list[EventRow], own: AbstractSet[tuple[str, str]]) -> dict[tuple[str, str], Event]:
    """The events of earlier imports that rows call off under another id: of the same source, title and time, and no longer in the file."""
    marked = [row for row in rows if row.marked]
    kept = set(Event.objects.filter(source_id__in=[row.source_id for row in marked]).values_list("source", "source_id"))
    once = Event.objects.filter(source__in={row.source for row in marked}, starts__in={row.starts for row in marked}, rrule="").order_by("-pk")
    by_title = {(event.source, fold(event.title), event.starts): event for event in once if (event.source, event.source_id) not in own}
    found: dict[tuple[str, str], Event] = {}
    for row in marked:
        event = by_title.get((row.source, fold(row.fields["title"]), row.starts))
        if event and _key(row) not in kept and fold(event.venue) in {"", fold(row.fields.get("venue", ""))}:
            found[_key(row)] = by_title.pop((row.source, fold(row.fields["title"]), row.starts))
    return found


def _locked(event: Event, field: str) -> bool:
    plain = field.removesuffix("_id")
    group = next((group for group in (TIMES, POINT) if plain in group), (plain,))
    return bool(set(group) & set(event.locked_fields))


def _in_utc(one: Exceptional) -> Exceptional:
    moments = {name: moment and moment.astimezone(UTC) for name, moment in (("original", one.original), ("starts", one.starts), ("ends", one.ends))}
    return replace(one, **moments)


def _order(one: Exceptional) -> tuple[datetime, str]:
    return one.original or one.starts or datetime.min.replace(tzinfo=UTC), one.kind


def _exception(event: int, one: Exceptional) -> EventException:
    kind, original, starts, ends, venue, note = astuple(one)
    return EventException(event_id=event, kind=kind, original=original, starts=starts, ends=ends, venue=venue, note=note)
