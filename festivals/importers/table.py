"""Events in CSV: columns by their heading (`docs/importing.md` lists them), cells as text."""

import re
from collections.abc import Mapping, Sequence
from datetime import date, datetime, time
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from agent.snapshot.names import fold
from agent.types import Town
from festivals.importers import moments
from festivals.importers.prose import plain
from festivals.importers.rows import EventRow, FestivalWord, Row, check_times, fitting, identity, point, tag_words, website
from festivals.importers.titles import parted
from festivals.models import ExceptionKind, State
from festivals.recurrence import Exceptional, Planned, RuleRefused, starts_by_rule
from places.importers import clean
from places.importers.rows import BadRow, ImportRefused, Refusal
from places.importers.table import CsvTable
from places.models import Status

COLUMNS = (
    "id", "festival", "title", "start", "end", "all_day", "venue", "lat", "lng", "rrule", "exdates", "status", "price", "tags", "url", "description",
    "age", "access", "source", "licence",
)  # fmt: skip
_YES = {"yes": True, "true": True, "1": True, "x": True, "no": False, "false": False, "0": False, "": False}
_STATUSES = {fold(label): value for value, label in Status.choices} | {state.value: state.value for state in State}


class EventTable(CsvTable):
    """A CSV file of events. Each line may name its own festival."""

    def __init__(self, path: Path, town: Town) -> None:
        super().__init__(path, lambda heading: EventColumns(heading, clean.text(path.stem)[:200], town.timezone), "title")
        self.festival: FestivalWord | None = None
        self.notes: list[str] = []


class EventColumns:
    """Turns the cells of a line into an event. `source` stands where the line names none; times without an offset are in `zone`."""

    def __init__(self, heading: Sequence[str], source: str, zone: ZoneInfo) -> None:
        self._heading = [re.sub(r"\s+", "_", clean.text(title).lower()) for title in heading]
        self._source = source
        self._zone = zone
        self.unknown = tuple(title for title in self._heading if title and title not in COLUMNS)
        _check_heading(self._heading)

    @property
    def width(self) -> int:
        return len(self._heading)

    def row(self, where: str, cells: Sequence[str]) -> Row:
        """The event of a line, or why it is none."""
        given = dict(zip(self._heading, (clean.text(cell) for cell in cells), strict=False))
        try:
            self._check_width(cells)
            return self._event(where, given)
        except BadRow as error:
            return Refusal(where, given.get("id", ""), str(error))

    def _check_width(self, cells: Sequence[str]) -> None:
        if len(cells) < self.width or any(cells[self.width :]):
            raise BadRow(f"it has {len(cells)} values, and the heading has {self.width}")

    def _event(self, where: str, cells: Mapping[str, str]) -> EventRow:
        notes: list[str] = []
        title, state = parted(fitting("title", cells["title"], notes))
        if not title:
            raise BadRow("it has no title")
        fields = {"title": title} | self._times(cells) | _facts(cells, notes)
        status = _status(cells)
        if state or "status" in cells:
            fields["state"] = status if status in State.values else state or State.SCHEDULED.value
        tags = tag_words(cells["tags"].split(";"), notes) if "tags" in cells else None
        festival = fitting("name", cells.get("festival"), notes)
        key = identity(cells.get("id")) or clean.stand_in_id(title, fields["starts"].isoformat(), fields.get("venue"))
        return EventRow(
            where,
            clean.text(cells.get("source"))[:200] or self._source,
            key,
            fields,
            self._without(cells, fields) if "exdates" in cells else None,
            tags,
            FestivalWord(festival) if festival else None,
            status if status in {Status.DRAFT, Status.WITHDRAWN} else "",
            state,
            tuple(notes),
        )

    def _times(self, cells: Mapping[str, str]) -> dict[str, Any]:
        first = moments.moment(cells["start"], "start", self._zone)
        last = moments.moment(cells["end"], "end", self._zone, first) if cells.get("end") else None
        said = cells.get("all_day", "").lower()
        if said not in _YES:
            raise BadRow(f"all_day is {said[:20]!r}, and may be yes or no")
        times = moments.span(first, last, self._zone, all_day=_YES[said])
        return times | ({"rrule": cells["rrule"].removeprefix("RRULE:"), "rule_zone": ""} if "rrule" in cells else {})

    def _without(self, cells: Mapping[str, str], fields: Mapping[str, Any]) -> tuple[Exceptional, ...]:
        """The dates that the rule gives and that are not held: a time, or a day, which takes all that begin on it."""
        plan = Planned(fields["starts"], fields["ends"], fields["all_day"], fields.get("rrule", ""))
        found: set[datetime] = set()
        for said in filter(None, map(str.strip, cells["exdates"].split(";"))):
            value = moments.moment(said, "exdates", self._zone)
            found |= {value} if isinstance(value, datetime) else set(self._on_day(plan, value))
        return tuple(Exceptional(ExceptionKind.REMOVED.value, one) for one in sorted(found))

    def _on_day(self, plan: Planned, day: date) -> list[datetime]:
        first, last = (datetime.combine(day, clock, tzinfo=self._zone) for clock in (time.min, time.max))
        check_times(first, last)
        try:
            return starts_by_rule(plan, self._zone, first, last)
        except RuleRefused as error:
            raise BadRow(str(error)) from error


def _facts(cells: Mapping[str, str], notes: list[str]) -> dict[str, Any]:
    fields: dict[str, Any] = {name: fitting(name, cells[name], notes) for name in ("venue", "price", "age", "access", "licence") if name in cells}
    if "description" in cells:
        fields["description"] = plain(cells["description"])
    if "url" in cells:
        fields["website"] = website(cells["url"], notes)
    if {"lat", "lng"} <= cells.keys():
        fields |= {"lat": None, "lng": None} | point(cells["lat"], cells["lng"], notes)
    return fields


def _status(cells: Mapping[str, str]) -> str:
    said = fold(cells.get("status", ""))
    if said and said not in _STATUSES:
        raise BadRow(f"status is {said[:40]!r}, and may be {', '.join(_STATUSES)}")
    return str(_STATUSES[said]) if said else ""


def _check_heading(heading: Sequence[str]) -> None:
    lacking = [title for title in ("title", "start") if title not in heading]
    if lacking:
        raise ImportRefused(f"line 1 must name the columns: title and start are needed; it has {', '.join(heading)[:120]!r}")
    twice = [title for title in heading if title and heading.count(title) > 1]
    if twice:
        raise ImportRefused(f"line 1 names the column {twice[0]!r} twice")
