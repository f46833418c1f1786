"""What a snapshot must show before it is published or read: its versions, its counts, and queries whose answers are known."""

import sqlite3

from agent.errors import SnapshotRefused
from agent.snapshot.manifest import Manifest, count_rows, load_manifest
from agent.snapshot.schema import APPLICATION_ID, SCHEMA_VERSION

_CANARIES = {
    "no place has a name": "SELECT EXISTS(SELECT 1 FROM name JOIN place ON place.id = ref WHERE kind IN ('place', 'landmark'))",
    "the text index of places does not answer": "SELECT (SELECT count(*) FROM place) = (SELECT count(*) FROM place_fts_docsize)",
    "the text index of names does not answer": (
        "SELECT EXISTS(SELECT 1 FROM name_fts WHERE name_fts MATCH (SELECT '\"' || folded || '\"' FROM name ORDER BY id DESC LIMIT 1))"
    ),
    "the index of name pieces is empty": "SELECT EXISTS(SELECT 1 FROM name_gram JOIN gram USING (gram))",
    "the text index of events does not answer": "SELECT (SELECT count(*) FROM event) = (SELECT count(*) FROM event_fts_docsize)",
    "the map index does not hold the places' points": "SELECT (SELECT count(*) FROM place WHERE lat IS NOT NULL) = (SELECT count(*) FROM place_rtree)",
    "the tag grid does not hold the open places": (
        "SELECT (SELECT count(*) FROM tag_cell WHERE tag = 0) = (SELECT count(*) FROM place WHERE lat IS NOT NULL AND state = 'open')"
    ),
    "the order of fame does not hold the open places": "SELECT (SELECT count(*) FROM tag_fame WHERE tag = 0) = (SELECT count(*) FROM place WHERE state = 'open')",
    "the front page is not known": "SELECT count(*) FROM page WHERE url = '/'",
}


def check_content(connection: sqlite3.Connection) -> Manifest:
    """The manifest of an opened file that holds what it says. Raises SnapshotRefused, with the first thing that is wrong."""
    try:
        found = connection.execute("PRAGMA application_id").fetchone()[0], connection.execute("PRAGMA user_version").fetchone()[0]
        if found != (APPLICATION_ID, SCHEMA_VERSION):
            raise SnapshotRefused(f"the file is no snapshot of this program's version (application_id, user_version: {found}); publish again")
        manifest = load_manifest(connection)
        counts = count_rows(connection)
        if counts != manifest.counts:
            raise SnapshotRefused(f"the snapshot's tables hold {counts}, its manifest says {dict(manifest.counts)}")
        if not counts["place"]:
            raise SnapshotRefused("the snapshot has 0 places; publish places first (import_places, load_demo)")
        _sing(connection)
    except sqlite3.Error as error:
        raise SnapshotRefused(f"the snapshot does not answer: {error}") from error
    return manifest


def check_integrity(connection: sqlite3.Connection) -> None:
    """SQLite's own check of every page and index, and that of each text index. Raises SnapshotRefused."""
    found = connection.execute("PRAGMA integrity_check(1)").fetchone()[0]
    if found != "ok":
        raise SnapshotRefused(f"SQLite finds the new snapshot damaged: {found}")
    for table in ("place_fts", "event_fts", "name_fts"):
        connection.execute(f"INSERT INTO {table}({table}) VALUES ('integrity-check')")  # noqa: S608 (fixed names)


def _sing(connection: sqlite3.Connection) -> None:
    for wrong, query in _CANARIES.items():
        if not connection.execute(query).fetchone()[0]:
            raise SnapshotRefused(f"the snapshot fails a check: {wrong}")
