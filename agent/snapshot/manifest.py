"""What a snapshot says of itself."""

import json
import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime

from agent.errors import SnapshotRefused
from agent.snapshot.schema import SCHEMA_VERSION

COUNTED = ("area", "tag", "score_kind", "place", "festival", "event", "occurrence", "name", "page")


@dataclass(frozen=True, slots=True)
class Manifest:
    """`published` is aware. `width` is the length of a tag's vector, 0 where there are none. `score_kinds` are slugs in the order of their ids.

    `hours_first` and `hours_days` are the dates for which dated exceptions of opening hours were worked out. `content_hash` is the SHA-256
    over all tables but the manifest; `counts` are rows by table.
    """

    number: int
    published: datetime
    schema_version: int
    content_hash: str
    town: str
    embedder: str
    width: int
    score_kinds: tuple[str, ...]
    hours_first: date
    hours_days: int
    counts: Mapping[str, int]


def count_rows(connection: sqlite3.Connection) -> dict[str, int]:
    return {table: connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in COUNTED}  # noqa: S608 (fixed names)


def store_manifest(connection: sqlite3.Connection, manifest: Manifest) -> None:
    values = {name: getattr(manifest, name) for name in Manifest.__dataclass_fields__}
    values |= {"published": manifest.published.isoformat(), "hours_first": manifest.hours_first.isoformat()}
    connection.executemany("INSERT INTO manifest VALUES (?, ?)", [(key, json.dumps(values[key], sort_keys=True)) for key in sorted(values)])


def load_manifest(connection: sqlite3.Connection) -> Manifest:
    """Read the manifest. Raises SnapshotRefused where it is absent, of another schema version or unreadable."""
    try:
        values = {key: json.loads(value) for key, value in connection.execute("SELECT key, value FROM manifest")}
        if values.get("schema_version") != SCHEMA_VERSION:
            raise SnapshotRefused(
                f"the snapshot has schema version {values.get('schema_version')}, this program reads {SCHEMA_VERSION}; publish again"
            )
        values |= {"published": datetime.fromisoformat(values["published"]), "hours_first": date.fromisoformat(values["hours_first"])}
        return Manifest(**values | {"score_kinds": tuple(values["score_kinds"])})
    except (sqlite3.Error, KeyError, TypeError, ValueError) as error:
        raise SnapshotRefused(f"the snapshot's manifest cannot be read: {error}") from error
