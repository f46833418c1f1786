"""One import: the file is surveyed, then written, in one transaction."""

from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path

from django.db import transaction
from tqdm import tqdm

from agent.types import Town
from places.importers.areas import Areas, Locator
from places.importers.formats import reader_for
from places.importers.places import BATCH, Places
from places.importers.report import Report
from places.importers.rows import PlaceRow, Reader, Refusal, Row
from places.importers.survey import Survey, in_place, survey
from places.importers.tags import TagBook, score_kinds
from places.models import Status


def import_places(path: Path, town: Town, *, kind: str = "", status: str = Status.IN_REVIEW, dry_run: bool = False, progress: bool = False) -> Report:
    """Import the places of a file.

    `kind` is one of `formats.KINDS`, or empty to tell by the file itself; `status` is that of new rows, and PUBLISHED also accepts what waits for
    review; a dry run does all but keep it. Raises ImportRefused, with the database as it was, where the file as a whole cannot be taken.
    """
    reader = reader_for(path, town, kind)
    found = survey(_shown(reader, "reading", progress), town)
    report = Report(path.name, dry_run, columns_left=reader.unknown_columns)
    with transaction.atomic():
        _write(reader, town, found, status, report, progress)
        transaction.set_rollback(dry_run)
    return report


def _write(reader: Reader, town: Town, found: Survey, status: str, report: Report, progress: bool) -> None:
    places = _prepare(found, status, report)
    if 2 * found.outside > found.located:
        report.notes.append(f"{found.outside} of {found.located} points lie outside {town.name}; is the town file (ASKSMALL_TOWN) the right one?")
    rows = (in_place(row, town) for row in _shown(reader, "writing", progress, found.rows))
    taken = _taken(rows, found, report)
    while batch := list(islice(taken, BATCH)):
        places.write(batch)


def _prepare(found: Survey, status: str, report: Report) -> Places:
    """Areas, tags and kinds of scores come first, so that every place finds its own."""
    areas = Areas(status, report)
    for row in found.areas:
        areas.write(row)
    locator = Locator()
    unknown = [named for named in found.named_areas.values() if locator.named(named.name) is None]
    for named in unknown:
        areas.make(named)
    book = TagBook()
    tags = {slug: book.need(word).pk for slug, word in found.tags.items()}
    return Places(status, report, Locator() if unknown else locator, tags, score_kinds(found.score_kinds.values()))


def _taken(rows: Iterable[Row], found: Survey, report: Report) -> Iterator[PlaceRow]:
    for row in rows:
        if isinstance(row, Refusal):
            report.refusals.append(row)
        elif row.where in found.twice:
            report.refusals.append(
                Refusal(row.where, "", f"it repeats {found.twice[row.where]}: the same name at the same place, and no ids to tell them apart")
            )
        elif isinstance(row, PlaceRow):
            yield row


def _shown(rows: Iterable[Row], what: str, progress: bool, total: int | None = None) -> Iterable[Row]:
    return tqdm(rows, desc=what, unit=" rows", total=total, disable=not progress)
