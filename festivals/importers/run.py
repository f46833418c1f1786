"""One import: the file is read as a whole, judged, and written in one transaction."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from django.db import transaction
from django.utils import timezone

from agent.types import Town
from festivals.importers.duplicates import joined
from festivals.importers.events import BATCH, Events
from festivals.importers.formats import reader_for
from festivals.importers.report import EventReport
from festivals.importers.rows import LONGEST, EventRow, FestivalWord, Row
from festivals.recurrence import RuleRefused, occurrences
from places.importers import clean
from places.importers.rows import ImportRefused, Refusal
from places.importers.survey import in_place
from places.importers.tags import TagBook
from places.models import Status


def import_festivals(
    path: Path,
    town: Town,
    *,
    kind: str = "",
    festival: str = "",
    status: str = Status.IN_REVIEW,
    dry_run: bool = False,
    now: datetime | None = None,
) -> EventReport:
    """Import the events of a file.

    `kind` is one of `formats.KINDS`, or empty to tell by the file itself; `festival` names that of all events that name none of their own; `status`
    is that of new rows, and PUBLISHED also accepts what waits for review; a dry run does all but keep it; `now` (aware) is the present if not given.
    Raises ImportRefused, with the database as it was, where the file as a whole cannot be taken.
    """
    reader = reader_for(path, town, kind, now or timezone.now())
    found = [_sound(in_place(row, town), town) for row in reader]
    _judge(found, reader.notes, town)
    rows, remarks = joined(found, town.timezone)
    report = EventReport(path.name, dry_run, columns_left=reader.unknown_columns, notes=list(reader.notes), duplicates=remarks)
    whole = FestivalWord(clean.text(festival)[: LONGEST["name"]]) if clean.text(festival) else reader.festival
    with transaction.atomic():
        _write(list(_taken(rows, report, whole)), status, report)
        transaction.set_rollback(dry_run)
    return report


def _sound(row: Row, town: Town) -> Row:
    """The row, or its refusal where its dates cannot be worked out: with such an event nothing could be published."""
    if isinstance(row, Refusal):
        return row
    try:
        dates = occurrences(row.planned, town.timezone, row.starts)
    except RuleRefused as error:
        return Refusal(row.where, row.source_id, str(error))
    return row if dates or row.exceptions else Refusal(row.where, row.source_id, "its rule gives no date: look at its end (UNTIL)")


def _judge(rows: list[Row], notes: list[str], town: Town) -> None:
    """Raises ImportRefused for a file that holds nothing, or that is wrong in most of its rows. A single bad row is reported, not judged."""
    if not rows and not notes:
        raise ImportRefused("the file holds no rows")
    faults = [row for row in rows if isinstance(row, Refusal) and row.fault]
    swapped = [row for row in faults if row.reason.endswith("lat and lng swapped")]
    if len(swapped) > 1 and 2 * len(swapped) > len(rows):
        raise ImportRefused(
            f"{len(swapped)} of {len(rows)} points lie outside {town.name} until lat and lng are swapped, the first at {swapped[0].where}"
        )
    if len(faults) > 1 and 2 * len(faults) > len(rows):
        first = "; ".join(f"{row.where}: {row.reason}" for row in faults[:3])
        raise ImportRefused(f"{len(faults)} of {len(rows)} rows cannot be taken ({first}); mend the file first")
    _check_ids(rows)


def _check_ids(rows: list[Row]) -> None:
    seen: dict[tuple[str, str], str] = {}
    for row in rows:
        if isinstance(row, EventRow) and not row.source_id.startswith("at:"):
            before = seen.setdefault((row.source, row.source_id), row.where)
            if before != row.where:
                raise ImportRefused(f"{row.where} has the id {row.source_id!r}, which {before} has too; ids must differ")


def _taken(rows: list[Row], report: EventReport, festival: FestivalWord | None) -> Iterator[EventRow]:
    seen: dict[tuple[str, str], str] = {}
    for row in rows:
        if isinstance(row, Refusal):
            report.refusals.append(row)
        elif (before := seen.setdefault((row.source, row.source_id), row.where)) != row.where:
            report.refusals.append(Refusal(row.where, "", f"it repeats {before}: the same title at the same time, and no ids to tell them apart"))
        else:
            yield replace(row, festival=row.festival or festival)


def _write(rows: list[EventRow], status: str, report: EventReport) -> None:
    book = TagBook()
    tags = {tag.slug: book.need(tag).pk for row in rows for tag in row.tags or ()}
    events = Events(status, report, tags, {(row.source, row.source_id) for row in rows})
    for first in range(0, len(rows), BATCH):
        events.write(rows[first : first + BATCH])
