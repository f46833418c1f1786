"""From the curated tables to the next snapshot: vectors, checks, rows, file."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import festivals.checks
import festivals.export
import places.checks
import places.embeddings
import places.export
from agent.deps import Embedder
from agent.errors import SnapshotRefused
from agent.snapshot import writer
from agent.snapshot.manifest import Manifest
from agent.snapshot.schema import Content, PlaceRow
from agent.types import Town

Progress = Callable[[Iterable[PlaceRow], int], Iterable[PlaceRow]]


class Blocked(SnapshotRefused):
    """The curated rows are not fit to be published; `blockers` says each reason in words that a curator can act on."""

    def __init__(self, blockers: list[str], warnings: list[str]) -> None:
        super().__init__(f"nothing was published: {blockers[0]}" + (f" (and {len(blockers) - 1} more)" if len(blockers) > 1 else ""))
        self.blockers = blockers
        self.warnings = warnings


@dataclass(frozen=True, slots=True)
class Published:
    """What came of a publish. `embedded` counts the phrases that got a new vector, or with `check` those that still want one."""

    manifest: Manifest
    warnings: list[str]
    embedded: int


def publish(
    folder: Path,
    town: Town,
    now: datetime,
    embedder: Embedder,
    *,
    kept: int = 10,
    check: bool = False,
    progress: Progress = lambda rows, total: rows,  # noqa: ARG005 - a progress bar is given both
    using: str = "default",
) -> Published:
    """Make the next snapshot in `folder` of what is published in the database `using`, as of `now` (aware), and let it go live.

    With `check` the whole snapshot is built and checked, and neither the folder nor the database is changed.
    Raises Blocked where curated rows stand in the way, and SnapshotRefused where the file cannot be made or another publish is running.
    """
    vectors = places.embeddings.fresh(embedder, using) if check else {}
    embedded = len(vectors) if check else places.embeddings.fill(embedder, using)
    with places.export.one_view(using):
        events = festivals.export.rows(town, now, using)
        warnings = [*places.checks.warnings(town, using), *festivals.checks.warnings(using)]
        blockers = [*places.checks.blockers(using), *events.refused]
        if blockers:
            raise Blocked(blockers, warnings)
        rows = places.export.rows(town, now, using, vectors)
        shown = progress(rows.places, places.checks.count(using))
        content = Content(rows.areas, rows.tags, rows.score_kinds, shown, events.festivals, events.events)
        manifest = writer.write(
            folder,
            content,
            now=now,
            town_name=town.name,
            embedder_id=embedder.id,
            hours_first=rows.hours_first,
            hours_days=rows.hours_days,
            kept=kept,
            check=check,
        )
    return Published(manifest, warnings, embedded)
