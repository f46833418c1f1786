"""Many rows put in order without being in memory all at once."""

import pickle
import tempfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import fields
from operator import attrgetter
from pathlib import Path
from typing import Any, Protocol, TypeVar

from agent.errors import SnapshotRefused
from agent.snapshot.schema import EventRow, FestivalRow, Hours, Interval, OccurrenceRow, PlaceRow, ScoreRow

_IN_MEMORY = 16 << 20  # bytes; more goes to a nameless file
_KINDS = (PlaceRow, Hours, Interval, ScoreRow, FestivalRow, EventRow, OccurrenceRow)


class Slugged(Protocol):
    @property
    def slug(self) -> str: ...


R = TypeVar("R", bound=Slugged)


def in_order(rows: Iterable[R], folder: Path, what: str) -> Iterator[R]:
    """The rows by slug, with only the slugs in memory; the rows wait in a nameless file. Raises SnapshotRefused for a slug that comes twice."""
    starts: list[tuple[str, int]] = []
    with tempfile.SpooledTemporaryFile(_IN_MEMORY, dir=str(folder)) as spool:
        pickler = pickle.Pickler(spool, protocol=5)
        pickler.dispatch_table = {kind: _reducer(kind) for kind in _KINDS}
        for row in rows:
            starts.append((row.slug, spool.tell()))
            pickler.clear_memo()
            pickler.dump(row)
        starts.sort()
        for (slug, start), (before, _) in zip(starts, [("", 0), *starts], strict=False):
            if slug == before:
                raise SnapshotRefused(f"two {what} rows have the public id '{slug}'; a public id names one row")
            spool.seek(start)
            yield pickle.load(spool)  # noqa: S301 (our own rows, from a file that nobody else can open)


def _reducer(kind: type[Any]) -> Callable[[Any], tuple[type[Any], tuple[Any, ...]]]:
    """How to pickle a frozen dataclass with slots: five times as fast as what the dataclass brings along."""
    values = attrgetter(*(each.name for each in fields(kind)))
    return lambda row: (kind, values(row))
