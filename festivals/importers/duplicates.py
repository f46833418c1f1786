"""Events that a file has twice: "[CANCELLED] Choir" beside "Choir" at the same time is one event, which is off."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from agent.snapshot.names import fold
from festivals.importers.rows import EventRow, Row
from festivals.models import State
from festivals.recurrence import Exceptional, RuleRefused, occurrences
from places.importers.rows import Refusal


def joined(rows: list[Row], zone: ZoneInfo) -> tuple[list[Row], list[str]]:
    """The rows with those joined that speak of one event, and a remark for each."""
    found, remarks, likes = list(rows), [], _Likes(rows)
    for number, row in enumerate(rows):
        if not isinstance(row, EventRow) or not row.marked:
            continue
        for other in likes.of(row):
            if whole := _with_state(found[other], row, zone):
                found[other] = whole
                said = f"it says that {row.fields['title']!r} of {whole.where} is {row.marked}, and was joined with it"
                found[number] = Refusal(row.where, row.source_id, said, fault=False)
                remarks.append(f"{row.where}: {said}")
                break
    return found, remarks + list(_twins(found))


class _Likes:
    """The places in the list of the events without a mark that a marked one may be: those of its title and time, then the series of its title."""

    def __init__(self, rows: list[Row]) -> None:
        self._exact: dict[tuple[str, datetime], list[int]] = defaultdict(list)
        self._series: dict[str, list[int]] = defaultdict(list)
        for number, row in enumerate(rows):
            if isinstance(row, EventRow) and not row.marked:
                title = fold(row.fields["title"])
                self._exact[title, row.starts].append(number)
                if _is_series(row):
                    self._series[title].append(number)

    def of(self, row: EventRow) -> list[int]:
        title = fold(row.fields["title"])
        return self._exact[title, row.starts] + self._series[title]


def _is_series(row: EventRow) -> bool:
    return bool(row.fields.get("rrule") or row.exceptions)


def _with_state(event: Row, marked: EventRow, zone: ZoneInfo) -> EventRow | None:
    """The event with the state that the marked row gives it, as a whole or on one date; None where the two are not the same."""
    if not isinstance(event, EventRow) or not _same_venue(event, marked):
        return None
    series = _is_series(event)
    if event.starts == marked.starts and (not series or marked.fields.get("rrule")):
        return replace(event, fields=dict(event.fields) | {"state": marked.marked})
    if not series or marked.fields.get("rrule") or not _is_date_of(event, marked.starts, zone):
        return None
    return replace(event, exceptions=(*(event.exceptions or ()), Exceptional(marked.marked, marked.starts.astimezone(UTC))))


def _same_venue(one: EventRow, other: EventRow) -> bool:
    venues = {fold(row.fields.get("venue", "")) for row in (one, other)} - {""}
    return len(venues) < 2


def _is_date_of(event: EventRow, starts: datetime, zone: ZoneInfo) -> bool:
    """Whether the event has a date then that no exception speaks of yet."""
    spoken_of = {moment for one in event.exceptions or () for moment in (one.original, one.starts) if moment}
    try:
        return starts not in spoken_of and any(date.starts == starts for date in occurrences(event.planned, zone, starts))
    except RuleRefused:
        return False


def _twins(rows: list[Row]) -> Iterator[str]:
    """Remarks on events of one title, time and venue; both stay, since two things may be called alike."""
    seen: dict[tuple[str, datetime, str], EventRow] = {}
    for row in rows:
        if isinstance(row, EventRow) and row.fields.get("state", State.SCHEDULED) == State.SCHEDULED:
            first = seen.setdefault((fold(row.fields["title"]), row.starts, fold(row.fields.get("venue", ""))), row)
            if first.source_id != row.source_id:
                yield f"{row.where}: it has the title, the time and the venue of {first.where}; both were kept"
